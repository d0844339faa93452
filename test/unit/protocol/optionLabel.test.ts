import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { optionLabel, optionLabels } from '../../../src/protocol/permissionOptions';
import type { PermissionOptionView } from '../../../src/protocol/permissionView';

type Option = Pick<PermissionOptionView, 'name' | 'kind'>;

interface Row extends Option {
  readonly beside?: readonly Option[];
  readonly text: string;
  readonly quoted?: string;
}

const rows = JSON.parse(
  readFileSync(new URL('../../fixtures/permission/optionLabels.json', import.meta.url), 'utf8'),
) as readonly Row[];

it.each(rows)('“$name” that is $kind is called “$text”', ({ name, kind, beside, text, quoted }) => {
  expect(optionLabels([{ name, kind }, ...(beside ?? [])])[0]).toEqual({
    text,
    ...(quoted === undefined ? {} : { quoted }),
  });
});

it('what is long is cut, and told in full beside', () => {
  const name = `Allow ${'and so on '.repeat(200)}`.trim();
  expect(optionLabel({ name, kind: 'allow_once' })).toEqual({ text: `${name.slice(0, 120)}…`, whole: name });
  expect(optionLabel({ name: `${'x'.repeat(200)} reject`, kind: 'allow_once' }).text).toBe('Allow once');
});
