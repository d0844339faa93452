import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewAttachment } from '../../../../src/host/attachments/attachment';
import { type ChosenSource, chosenContext } from '../../../../src/host/attachments/chosenContext';
import { uriOf } from '../../../fakes/fakeUri';

/* Context of a session in a worktree, while the editor shows a file of the workspace's folder. */

const world = vi.hoisted(() => ({
  folder: '',
  outlines: {} as Record<string, unknown>,
  chosen: undefined as unknown,
  searched: [] as unknown[],
  picks: [] as string[],
}));
vi.mock('../../../../src/host/files/textSearch', () => ({
  searchLines: async (text: string, _isLeftOut: unknown, folders: unknown) => {
    world.searched.push([text, folders]);
    return { lines: [], isCut: false };
  },
}));
vi.mock('vscode', async () => {
  const { Position } = await import('../../../fakes/fakeVscode');
  const { uriOf } = await import('../../../fakes/fakeUri');
  const { readFileSync } = await import('node:fs');
  class Range {
    readonly start: InstanceType<typeof Position>;
    readonly end: InstanceType<typeof Position>;
    readonly isEmpty = false;
    constructor(a: never, b: never, c?: number, d?: number) {
      this.start = c === undefined ? a : new Position(a, b);
      this.end = c === undefined ? b : new Position(c, d!);
    }
  }
  return {
    Uri: { file: uriOf },
    Range,
    Selection: Range,
    SymbolKind: {},
    commands: {
      executeCommand: async (command: string, uri: unknown) =>
        command === 'vscode.executeDocumentSymbolProvider' ? world.outlines[String(uri)] : [],
    },
    workspace: {
      asRelativePath: String,
      get workspaceFolders() {
        return [{ uri: uriOf(world.folder) }];
      },
      openTextDocument: async (uri: { fsPath: string }) => {
        const text = readFileSync(uri.fsPath, 'utf8');
        const lines = text.split('\n');
        return {
          uri,
          isDirty: false,
          lineAt: (line: number) => ({ text: lines[line] }),
          getText: (range?: Range) => (range ? lines.slice(range.start.line, range.end.line + 1).join('\n') : text),
        };
      },
    },
    window: {
      showInputBox: async () => 'needle',
      showQuickPick: async (items: { label: string }[]) => {
        world.picks = items.map(({ label }) => label.replace('$(git-commit) ', ''));
        return items[0];
      },
      createQuickPick: () => {
        let accept: () => void = () => undefined;
        return {
          items: [],
          activeItems: [{ symbol: world.chosen }],
          onDidChangeValue: () => undefined,
          onDidAccept: (listener: () => void) => void (accept = listener),
          onDidHide: () => undefined,
          show: () => accept(),
          hide: () => undefined,
          dispose: () => undefined,
        };
      },
    },
  };
});

const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-worktree-context-')));
const [folder, path, docs] = ['project', 'fix-it', 'docs'].map((name) => join(top, name)) as [string, string, string];
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' });
const commit = (cwd: string, subject: string) => git(cwd, 'commit', '-qam', subject);

beforeAll(() => {
  world.folder = folder;
  for (const repository of [folder, docs]) {
    mkdirSync(repository);
    git(repository, 'init', '-q', '-b', 'main');
    writeFileSync(join(repository, 'a.ts'), 'function one() {\n  return 1;\n}\nfunction two() {}\n');
    git(repository, 'add', '.');
    commit(repository, 'First');
  }
  git(folder, 'worktree', 'add', '-q', '-b', 'fix-it', path);
  writeFileSync(join(folder, 'a.ts'), 'mine\n');
  commit(folder, 'Mine');
  writeFileSync(join(folder, 'a.ts'), 'mine, not committed\n');
  writeFileSync(join(path, 'a.ts'), '// one by the agent\n\nfunction one() {\n  return 2;\n}\n');
  commit(path, 'Theirs');
  writeFileSync(join(path, 'a.ts'), '// one by the agent\n\nfunction one() {\n  return 3;\n}\n');
  writeFileSync(join(docs, 'a.ts'), 'docs\n');
});
afterAll(() => rmSync(top, { recursive: true, force: true }));
beforeEach(() => Object.assign(world, { outlines: {}, searched: [], picks: [] }));

const place = () => ({
  cwd: path,
  roots: [path, docs],
  worktree: { path, repository: folder, branch: 'fix-it', base: 'c0' },
});
const workspace = { conversations: async () => [] as never, isProtected: () => false };
const context = (source: ChosenSource, front?: string) =>
  chosenContext(source, front === undefined ? undefined : (uriOf(front) as never), place(), workspace);
const made = async (source: ChosenSource, front?: string) => {
  const found = await context(source, front);
  const { attachments } = found as { readonly attachments: readonly NewAttachment[] };
  return { ...attachments[0]!, content: String(attachments[0]!.content) };
};

describe('of the repository', () => {
  it.each([undefined, 'a file of the folder'])('is the worktree’s, with %s in front', async (front) => {
    const shown = front && join(folder, 'a.ts');
    const changes = await made('changes', shown);
    expect(changes.content).toContain('+  return 3;');
    expect(changes.content).not.toContain('mine');
    expect((await made('commit', shown)).content).toContain('+  return 2;');
    expect(world.picks).toEqual(['Theirs', 'First']);
    const branch = await made('branch', shown);
    expect(branch.label).toBe('Branch fix-it');
    expect(branch.content).toMatch(/Theirs[^]*\+ {2}return 2;/);
  });

  it('is that of the file in front where the session reaches it', async () => {
    expect((await made('changes', join(docs, 'a.ts'))).content).toContain('+docs');
    expect((await made('changes', join(path, 'a.ts'))).content).toContain('+  return 3;');
  });
});

it('a search looks in the session’s folders', async () => {
  await context('search', join(folder, 'a.ts'));
  expect(world.searched).toEqual([['needle', [path, docs]]]);
});

describe('a symbol that the language tools know in the workspace’s folder', () => {
  const range = (first: number, last: number) => ({ start: { line: first }, end: { line: last } });
  const symbol = (name: string, file: string, line: number) => ({
    name,
    kind: 11,
    containerName: '',
    location: { uri: uriOf(file), range: range(line, line) },
  });

  it('has the text of the worktree', async () => {
    world.chosen = symbol('one()', join(folder, 'a.ts'), 0);
    world.outlines = {
      [String(uriOf(join(path, 'a.ts')))]: [
        { name: 'one', range: range(2, 4), selectionRange: range(2, 2), children: [] },
      ],
    };
    expect(await made('symbol')).toMatchObject({
      label: 'a.ts:3-5',
      uri: `${String(uriOf(join(path, 'a.ts')))}#L3-L5`,
      content: 'function one() {\n  return 3;\n}',
    });
  });

  it('is a line with its name there, if no language tools know the worktree', async () => {
    world.chosen = symbol('one', join(folder, 'a.ts'), 2);
    expect(await made('symbol')).toMatchObject({ label: 'a.ts:3', content: 'function one() {' });
  });

  it('is said not to be there, or is what it is where the worktree has no such file', async () => {
    world.chosen = symbol('two', join(folder, 'a.ts'), 3);
    expect(await context('symbol')).toBe('“two” is not in this session’s worktree.');
    writeFileSync(join(folder, 'new.ts'), 'const three = 3;\n');
    world.chosen = symbol('three', join(folder, 'new.ts'), 0);
    expect(await made('symbol')).toMatchObject({ label: 'new.ts:1', content: 'const three = 3;' });
  });
});
