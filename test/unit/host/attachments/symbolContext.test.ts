import { beforeEach, describe, expect, it, vi } from 'vitest';
import { pickSymbol, symbolContext, wholeRange } from '../../../../src/host/attachments/symbolContext';

/* `@symbol`: a search of the language tools' symbols, and the source text of the chosen one. */

interface Picker {
  title?: string;
  busy?: boolean;
  items: { label: string; description: string; alwaysShow: boolean; symbol: unknown }[];
  activeItems: { symbol: unknown }[];
  isShown: boolean;
  isDisposed: boolean;
}
const world = vi.hoisted(() => ({
  /** Answers of the search, by query; a pending one is resolved by the test. */
  found: {} as Record<string, unknown>,
  outline: [] as unknown,
  text: '',
  picker: undefined as unknown as Picker,
  on: {} as Record<'value' | 'accept' | 'hide', (value: string) => void>,
}));

vi.mock('vscode', async () => {
  const { Position, Range } = await import('../../../fakes/fakeVscode');
  class Selection extends Range {
    readonly isEmpty = false;
  }
  return {
    Position,
    Range: class extends Range {
      constructor(a: never, b: never, c?: number, d?: number) {
        if (c === undefined) super(a, b);
        else super(new Position(a, b), new Position(c, d!));
      }
    },
    Selection,
    SymbolKind: { 5: 'Method', 11: 'Function', 25: 'TypeParameter' },
    commands: {
      executeCommand: async (command: string, query: string) => {
        if (command === 'vscode.executeDocumentSymbolProvider') return world.outline;
        const found = world.found[query];
        if (found instanceof Error) throw found;
        return found;
      },
    },
    workspace: {
      asRelativePath: ({ path }: { path: string }) => path.slice(3),
      openTextDocument: async (uri: object) => {
        const lines = world.text.split('\n');
        return {
          uri,
          isDirty: true,
          getText: (of?: { start: { line: number }; end: { line: number } }) =>
            of ? lines.slice(of.start.line, of.end.line + 1).join('\n') : world.text,
          lineAt: (line: number) => ({ text: lines[line] }),
        };
      },
    },
    window: {
      createQuickPick: () => {
        const hide = () => {
          world.picker.isShown = false;
          world.on.hide('');
        };
        world.picker = Object.assign({ items: [], activeItems: [], isShown: false, isDisposed: false } as Picker, {
          onDidChangeValue: (listener: () => void) => void (world.on.value = listener),
          onDidAccept: (listener: () => void) => void (world.on.accept = listener),
          onDidHide: (listener: () => void) => void (world.on.hide = listener),
          show: () => (world.picker.isShown = true),
          hide,
          dispose: () => (world.picker.isDisposed = true),
        });
        return world.picker;
      },
    },
  };
});

const position = (line: number, character = 0) => ({ line, character });
const range = (first: number, last: number) => ({ start: position(first), end: position(last, 1) });
const uri = {
  scheme: 'file',
  path: '/w/src/a.ts',
  with: () => uri,
  toString: () => 'file:///w/src/a.ts',
} as { scheme: string; path: string; with: () => unknown };
const symbol = (name: string, line: number, more: object = {}) => ({
  name,
  kind: 5,
  containerName: '',
  location: { uri, range: range(line, line) },
  ...more,
});

beforeEach(() => Object.assign(world, { found: {}, outline: [], text: '', on: {} }));

describe('the list of symbols', () => {
  it('shows what the language tools find, and gives the chosen one', async () => {
    world.found = {
      '': undefined,
      pars: [symbol('parse', 4, { containerName: 'Reader' }), symbol('$(zap) parser', 8, { kind: 25 })],
    };
    const chosen = pickSymbol();
    await vi.waitFor(() => expect(world.picker.busy).toBe(false));
    expect(world.picker).toMatchObject({ isShown: true, items: [] });
    world.on.value('pars');
    await vi.waitFor(() => expect(world.picker.items).toHaveLength(2));
    expect(world.picker.items[0]).toMatchObject({
      label: '$(symbol-method) parse',
      description: 'Reader · src/a.ts:5',
      alwaysShow: true,
    });
    // A name is no icon.
    expect(world.picker.items[1]!.label).toMatch(/^\$\(symbol-type-parameter\) (?!\$\(zap\))/);
    world.picker.activeItems = [world.picker.items[0]!];
    world.on.accept('');
    expect(await chosen).toMatchObject({ name: 'parse' });
    expect(world.picker.isDisposed).toBe(true);
  });

  it('shows symbols whose server tells the line only later', async () => {
    world.found = { '': [symbol('parse', 0, { location: { uri, range: undefined } }), symbol('b', 1)] };
    const chosen = pickSymbol();
    await vi.waitFor(() => expect(world.picker.items).toHaveLength(2));
    expect(world.picker.items[0]!.description).toBe('src/a.ts');
    world.on.hide('');
    await chosen;
  });

  it('drops the answer to an earlier query, and survives a provider that fails', async () => {
    let answer: (found: unknown) => void = () => undefined;
    world.found = { '': [], a: new Promise((resolve) => (answer = resolve)), b: [symbol('b', 1)], c: new Error('no') };
    const chosen = pickSymbol();
    world.on.value('a');
    world.on.value('b');
    await vi.waitFor(() => expect(world.picker.items).toHaveLength(1));
    answer([symbol('a', 1), symbol('a2', 2)]);
    await Promise.resolve();
    expect(world.picker.items).toHaveLength(1);
    world.on.value('c');
    await vi.waitFor(() => expect(world.picker.items).toEqual([]));
    world.on.hide('');
    expect(await chosen).toBeUndefined();
  });

  it('has a limit', async () => {
    world.found = { '': Array.from({ length: 5_000 }, (_, at) => symbol(`s${at}`, at)) };
    const chosen = pickSymbol();
    await vi.waitFor(() => expect(world.picker.items).toHaveLength(200));
    world.on.hide('');
    await chosen;
  });
});

describe('the text of a symbol', () => {
  it('is all of its lines where only its name was found, with unsaved changes', async () => {
    world.text = 'one\nclass Reader {\n  parse() {\n    return 1;\n  }\n}\n';
    world.outline = [
      { range: range(0, 0), children: [] },
      { range: range(1, 5), children: [{ range: range(2, 4), children: [] }] },
    ];
    expect(await symbolContext(symbol('parse', 2) as never)).toEqual([
      {
        kind: 'selection',
        label: 'a.ts:3-5',
        detail: 'parse · src/a.ts:3-5, with unsaved changes',
        linkable: true,
        uri: 'file:///w/src/a.ts#L3-L5',
        content: '  parse() {\n    return 1;\n  }',
        fileName: 'a.ts',
      },
    ]);
  });

  it('is found in the outline if the server does not tell its place', async () => {
    world.text = 'one\ntwo\nthree';
    world.outline = [{ name: 'two', range: range(1, 2), selectionRange: range(1, 1), children: [] }];
    const location = { uri, range: undefined };
    expect(await symbolContext(symbol('two', 0, { location }) as never)).toMatchObject([{ label: 'a.ts:2-3' }]);
    world.outline = [];
    expect(await symbolContext(symbol('four', 0, { location }) as never)).toBe('four could not be read.');
  });

  it('is the place alone without an outline', async () => {
    world.text = 'one\ntwo\nthree';
    world.outline = undefined;
    expect(await symbolContext(symbol('two', 1) as never)).toMatchObject([{ label: 'a.ts:2', content: 'two' }]);
  });
});

it('the smallest symbol around a place is meant, in both forms of an outline', () => {
  const flat = [{ location: { range: range(0, 9) } }, { location: { range: range(3, 4) } }] as never;
  expect(wholeRange(flat, range(3, 3) as never)).toEqual(range(0, 9));
  const tree = [
    { range: range(0, 2), children: [] },
    { range: range(3, 9), children: [{ range: range(4, 5), children: [] }] },
  ] as never;
  expect(wholeRange(tree, range(5, 5) as never)).toEqual(range(4, 5));
  expect(wholeRange(tree, range(8, 8) as never)).toEqual(range(3, 9));
  expect(wholeRange(tree, range(20, 20) as never)).toBeUndefined();
});
