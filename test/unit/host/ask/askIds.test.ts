import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Later } from '../../../../src/base/later';
import { askActs } from '../../../../src/host/ask/askCommands';
import { askIds } from '../../../../src/host/ask/askIds';

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
  };
};

it('each command of this room does something, and none of another room is taken for one', () => {
  const nothing = new Later(() => Promise.reject(new Error('unused')));
  const acts = askActs({
    ask: nothing,
    sourceControl: nothing,
    remarks: nothing,
    inline: nothing,
    access: nothing,
    continueWith: nothing,
    review: nothing,
  } as never);
  const { commands, menus } = manifest.contributes;
  const own = commands.map(({ command }) => command).filter((id) => askIds.test(id));
  expect(own.toSorted()).toEqual(Object.keys(acts).toSorted());
  // The palette has no room for the others: they need what their menu hands over.
  const hidden = menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
  expect(own.filter((id) => !hidden.includes(id))).toEqual(['parley.continueSession', 'parley.reviewPending']);
});
