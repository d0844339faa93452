import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chosenContext } from '../../../../src/host/attachments/chosenContext';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';

/* `@search` and `@open`. The search itself is tested inside VS Code, which has the program for it. */

const world = vi.hoisted(() => ({
  typed: undefined as string | undefined,
  validate: undefined as undefined | ((value: string) => string | undefined),
  found: undefined as undefined | { lines: string[]; isCut: boolean },
  searched: [] as unknown[],
  tabs: [] as unknown[][],
}));
vi.mock('../../../../src/host/files/textSearch', () => ({
  searchLines: async (text: string, isLeftOut: (path: string) => boolean) => {
    world.searched.push([text, isLeftOut('/w/.env')]);
    return world.found;
  },
}));
vi.mock('vscode', async () => {
  const { TabInputText } = await import('../../../fakes/fakeVscode');
  return {
    TabInputText,
    window: {
      showInputBox: async ({ validateInput }: { validateInput: typeof world.validate }) => {
        world.validate = validateInput;
        return world.typed;
      },
      tabGroups: {
        get all() {
          return world.tabs.map((inputs) => ({ tabs: inputs.map((input) => ({ input })) }));
        },
      },
    },
  };
});

const workspace = {
  conversations: async () => [] as never,
  isProtected: (path: string) => path.endsWith('.env'),
};
const place = { cwd: '/w', roots: ['/w'], worktree: undefined };
beforeEach(() => Object.assign(world, { typed: undefined, found: undefined, searched: [], tabs: [] }));

describe('@search', () => {
  const search = async () => chosenContext('search', undefined, place, workspace);

  it('adds the lines with the text, without those of protected files', async () => {
    world.typed = ' to do/ö ';
    world.found = { lines: ['a.ts:3:// to do/ö', 'b.ts:9:x'], isCut: false };
    const { attachments } = (await search()) as { attachments: readonly NewAttachment[] };
    expect(world.searched).toEqual([['to do/ö', true]]);
    expect(attachments).toEqual([
      {
        kind: 'file',
        label: 'Search: to do/ö',
        detail: '2 lines found',
        linkable: false,
        uri: 'parley:/search/to%20do%2F%C3%B6',
        content: 'Lines with “to do/ö”:\na.ts:3:// to do/ö\nb.ts:9:x\n',
        fileName: 'search.txt',
      },
    ]);
  });

  it('says that there were more', async () => {
    world.typed = 'x';
    world.found = { lines: ['a.ts:1:x'], isCut: true };
    expect(await search()).toMatchObject({
      attachments: [{ detail: '1 line found · shortened', content: expect.stringMatching(/\n… and more lines\n$/) }],
    });
  });

  it.each([
    ['nothing is found', 'x', { lines: [], isCut: false }, 'No results for “x”'],
    ['VS Code has no search program', 'x', undefined, 'Parley did not find the search program of VS Code.'],
    ['the user cancels', undefined, undefined, { kind: 'made', attachments: [] }],
    ['the user types only blanks', '  ', undefined, { kind: 'made', attachments: [] }],
  ])('adds nothing where %s', async (_, typed, found, result) => {
    Object.assign(world, { typed, found });
    expect(await search()).toEqual(result);
  });

  it('does not take a very long text', async () => {
    await search();
    expect(world.validate!('x'.repeat(500))).toBeUndefined();
    expect(world.validate!('x'.repeat(501))).toBe('Type at most 500 characters.');
  });
});

describe('@open', () => {
  const uriOf = (text: string) => ({
    scheme: text.split(':')[0]!,
    fsPath: text.split(':')[1]!,
    toString: () => text,
  });

  it('adds each file of a text tab once, in their order, without protected ones', async () => {
    const { TabInputText } = await import('vscode');
    const tab = (text: string) => new TabInputText(uriOf(text) as never);
    world.tabs = [
      [tab('file:/w/b.ts'), tab('file:/w/.env'), tab('untitled:Untitled-1'), { viewType: 'a webview' }],
      [tab('file:/w/a.ts'), tab('file:/w/b.ts'), tab('git:/w/a.ts')],
    ];
    const found = (await chosenContext('open', undefined, place, workspace)) as { uris: readonly object[] };
    expect(found.uris.map(String)).toEqual(['file:/w/b.ts', 'untitled:Untitled-1', 'file:/w/a.ts']);
  });

  it('says so where no file is open', async () => {
    const { TabInputText } = await import('vscode');
    world.tabs = [[new TabInputText(uriOf('file:/w/.env') as never)]];
    expect(await chosenContext('open', undefined, place, workspace)).toBe('No file is open in an editor.');
  });
});
