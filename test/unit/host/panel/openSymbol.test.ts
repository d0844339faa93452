import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { uriOf } from '../../../fakes/fakeUri';
import { openSymbol, type SymbolPlace } from '../../../../src/host/panel/openSymbol';

interface Symbol {
  readonly name: string;
  readonly containerName: string;
  readonly location: {
    readonly uri: { readonly path: string };
    readonly range?: { readonly start: { readonly line: number; readonly character: number } };
  };
}

const vs = vi.hoisted(() => ({
  symbols: undefined as unknown,
  asked: [] as unknown[],
  progress: [] as string[],
  opened: [] as unknown[],
  at: undefined as unknown,
  picks: [] as { label: string; description?: string; detail?: string }[][],
  choose: 0,
}));
vi.mock('vscode', async () => ({
  ProgressLocation: { Notification: 15 },
  Range: class {
    readonly start: unknown;
    constructor(start: unknown, character: unknown) {
      this.start = typeof start === 'number' ? { line: start, character } : start;
    }
  },
  Uri: { file: (await import('../../../fakes/fakeUri')).uriOf },
  commands: {
    executeCommand: async (command: string, ...args: unknown[]) => {
      if (command === 'vscode.open') {
        vs.at = args[1];
        return void vs.opened.push(args[0]);
      }
      if (command === 'vscode.executeDocumentSymbolProvider') return undefined;
      vs.asked.push(args[0]);
      return vs.symbols;
    },
  },
  window: {
    withProgress: async ({ title }: { readonly title: string }) => vs.progress.push(title),
    showQuickPick: async (items: never[]) => {
      vs.picks.push(items);
      return items[vs.choose];
    },
  },
  workspace: {
    getWorkspaceFolder: ({ path }: { path: string }) => (path.startsWith('/w/') ? {} : undefined),
    openTextDocument: async ({ fsPath }: { fsPath: string }) => ({
      getText: () => readFileSync(fsPath, 'utf8'),
    }),
    asRelativePath: ({ path }: { path: string }) => path.replace('/w/', ''),
  },
}));

const symbol = (name: string, path: string, containerName = '', line = 0): Symbol => ({
  name,
  containerName,
  location: { uri: { path, toString: () => path } as never, range: { start: { line, character: 0 } } },
});
const said: string[] = [];
let session: SymbolPlace;
const open = (...names: string[]) => openSymbol(names, session, (text) => said.push(text));

beforeEach(() => {
  [vs.symbols, vs.choose] = [undefined, 0];
  session = { roots: ['/w'], worktree: undefined };
  for (const list of [vs.asked, vs.opened, vs.picks, said]) list.length = 0;
});

describe('a symbol that the agent named', () => {
  it('is opened where one has exactly this name, in the workspace rather than in a library', async () => {
    vs.symbols = [symbol('parseExprs', '/w/a.ts'), symbol('parseExpr', '/lib/b.ts'), symbol('parseExpr()', '/w/c.ts')];
    await open('parseExpr');
    expect(vs.asked).toEqual(['parseExpr']);
    expect(vs.opened).toMatchObject([{ path: '/w/c.ts' }]);
    expect([vs.picks, said]).toEqual([[], []]);
  });

  it('is looked for by its last part, and within what stands before', async () => {
    vs.symbols = [symbol('bar', '/w/a.ts', 'Baz'), symbol('bar', '/w/b.ts', 'Foo')];
    for (const name of ['Foo.bar()', 'Foo::bar', 'Foo#bar']) await open(name);
    expect(vs.asked).toEqual(['bar', 'bar', 'bar']);
    expect(vs.opened).toMatchObject(Array.from({ length: 3 }, () => ({ path: '/w/b.ts' })));
  });

  it('is chosen where several have the name', async () => {
    vs.symbols = [
      symbol('get', '/w/a.ts', '', 4),
      symbol('get', '/w/a.ts', '', 4),
      symbol('get', '/w/b.ts', 'Box', 9),
      { ...symbol('get', '/w/$(x).ts'), location: { uri: { path: '/w/$(x).ts', toString: () => 'x' } } },
    ];
    vs.choose = 1;
    await open('get');
    expect(vs.picks[0]!.map(({ label, description, detail }) => [label, description, detail])).toEqual([
      ['get', '', 'a.ts:5'],
      ['get', 'Box', 'b.ts:10'],
      ['get', '', '$\u200b(x).ts'],
    ]);
    expect(vs.opened).toMatchObject([{ path: '/w/b.ts' }]);
  });

  it('is said not to be there, quietly', async () => {
    vs.symbols = [symbol('somethingElse', '/w/a.ts')];
    await open('parse');
    vs.symbols = undefined;
    await open('parse');
    await open();
    expect(said).toEqual([
      'No symbol “parse” was found in the workspace. Some languages need an open file first.',
      'No symbol “parse” was found in the workspace. Some languages need an open file first.',
      'No symbol is in view.',
    ]);
    expect(vs.opened).toEqual([]);
  });

  it('is not waited for in silence, nor longer than three seconds', async () => {
    vi.useFakeTimers();
    try {
      vs.symbols = new Promise(() => {});
      const done = open('parse');
      await vi.advanceTimersByTimeAsync(3_000);
      await done;
      expect(vs.progress).toEqual(['Searching for “parse”']);
      expect(said).toEqual(['The search for “parse” took too long. The language server may still be starting.']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is one of those in view, if there are several', async () => {
    vs.symbols = [symbol('b', '/w/b.ts')];
    vs.choose = 1;
    await open('a', 'b');
    expect([vs.picks[0]!.map(({ label }) => label), vs.asked]).toEqual([['a', 'b'], ['b']]);
    vs.choose = 9;
    await open('a', 'b');
    expect(vs.asked).toEqual(['b']);
  });
});

describe('in a worktree session', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-open-symbol-')));
  const [folder, path] = [join(top, 'project'), join(top, 'fix-it')];
  afterAll(() => rmSync(top, { recursive: true, force: true }));
  const at = (file: string, name: string, line: number) => ({
    ...symbol(name, file, '', line),
    location: { uri: uriOf(file) as never, range: { start: { line, character: 0 } } },
  });

  beforeEach(() => {
    session = { roots: [path], worktree: { path, repository: folder, branch: 'fix-it', base: 'c0' } };
    for (const place of [folder, path]) mkdirSync(place, { recursive: true });
    writeFileSync(join(path, 'a.ts'), '// more\n\nfunction parse() {}\n');
    writeFileSync(join(path, 'b.ts'), 'function parse() {}\n');
  });

  it('a symbol that the language server knows in the folder is opened in the worktree, at its line there', async () => {
    vs.symbols = [at(join(folder, 'a.ts'), 'parse()', 0), at(join(folder, 'not-there.ts'), 'parse', 0)];
    await open('parse');
    expect(vs.opened).toMatchObject([{ fsPath: join(path, 'a.ts') }]);
    expect(vs.at).toMatchObject({ selection: { start: { line: 2 } } });
  });

  it('one that the language server knows in the worktree is opened there', async () => {
    vs.symbols = [at(join(folder, 'a.ts'), 'parse', 0), at(join(path, 'a.ts'), 'parse', 2)];
    await open('parse');
    expect([vs.opened, vs.picks]).toMatchObject([[{ fsPath: join(path, 'a.ts') }], []]);
  });

  it('several are named from the worktree', async () => {
    vs.symbols = [at(join(folder, 'a.ts'), 'parse', 0), at(join(folder, 'b.ts'), 'parse', 0)];
    await open('parse');
    expect(vs.picks[0]!.map(({ detail }) => detail)).toEqual(['a.ts:1', 'b.ts:1']);
  });

  it('one that the agent has removed there is said not to be there', async () => {
    writeFileSync(join(path, 'a.ts'), 'function parseAll() {}\n');
    vs.symbols = [at(join(folder, 'a.ts'), 'parse', 0)];
    await open('parse');
    expect([vs.opened, said]).toEqual([[], ['“parse” is not in this session’s worktree.']]);
  });
});
