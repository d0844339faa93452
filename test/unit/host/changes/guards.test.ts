import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Guards } from '../../../../src/host/changes/guards';

const window = vi.hoisted(() => ({
  folders: [] as string[],
  globs: {} as Record<string, { globalValue?: string[]; workspaceFolderValue?: string[] }>,
}));
vi.mock('vscode', () => {
  const uri = (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => fsPath });
  const ignored = () => ({ dispose: () => undefined });
  return {
    Uri: { file: uri },
    workspace: {
      get workspaceFolders() {
        return window.folders.map((path) => ({ uri: uri(path) }));
      },
      getWorkspaceFolder: ({ fsPath }: { fsPath: string }) => {
        const found = window.folders.find((folder) => `${fsPath}/`.startsWith(`${folder}/`));
        return found && { uri: uri(found) };
      },
      getConfiguration: (_: string, folder: { fsPath: string } | null) => ({
        inspect: () => window.globs[folder?.fsPath ?? ''],
      }),
      onDidChangeConfiguration: ignored,
      onDidChangeWorkspaceFolders: ignored,
    },
  };
});

let top: string;
let worktree: { path: string; repository: string };
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-')));
  worktree = { path: join(top, 'repo.worktrees/fix'), repository: join(top, 'repo') };
  for (const folder of [worktree.path, join(worktree.repository, 'inner')]) mkdirSync(folder, { recursive: true });
  window.folders = [worktree.repository];
  const globs = { globalValue: ['/deploy/**', '*.key'], workspaceFolderValue: ['*.sql'] };
  window.globs = { '': { globalValue: globs.globalValue } };
  for (const folder of ['repo', 'link', 'repo/inner', 'repo.worktrees/fix']) window.globs[join(top, folder)] = globs;
});
afterEach(() => rmSync(top, { recursive: true }));

const open = () => new Guards((path) => (`${path}/`.startsWith(`${worktree.path}/`) ? worktree : undefined));
const guarded = (guards: Guards, folder: string) =>
  ['deploy/a.sh', 'src/deploy/a.sh', 'a.key', 'src/a.sql', 'a.ts'].filter((name) =>
    guards.isGuarded(join(folder, name)),
  );
const expected = ['deploy/a.sh', 'a.key', 'src/a.sql'];

it('a file in a worktree is protected like that of the repository', async () => {
  const guards = open();
  for (const folder of [worktree.repository, worktree.path]) expect(guarded(guards, folder)).toEqual(expected);
  expect(await guards.globsIn(worktree.path)).toEqual(await guards.globsIn(worktree.repository));
  expect(await guards.globsIn(worktree.path)).toContain('*.sql');
});

it('the workspace may be a folder of the repository: globs begin there', async () => {
  window.folders = [join(worktree.repository, 'inner')];
  const guards = open();
  for (const folder of [window.folders[0]!, join(worktree.path, 'inner')])
    expect(guarded(guards, folder)).toEqual(expected);
  expect(await guards.globsIn(join(worktree.path, 'inner'))).toContain('*.sql');
  // Beside that folder, they begin at the top of the worktree.
  expect(guarded(guards, worktree.path)).toEqual(['deploy/a.sh', 'a.key']);
});

it('the workspace may be behind a link', async () => {
  symlinkSync(worktree.repository, join(top, 'link'));
  window.folders = [join(top, 'link')];
  const guards = open();
  const told = new Promise<void>((resolve) => guards.onDidChange(resolve));
  expect(await guards.globsIn(worktree.path)).toContain('*.sql');
  await told;
  expect(guarded(guards, worktree.path)).toEqual(expected);
});

it('the workspace may be the worktree', () => {
  window.folders = [worktree.path];
  expect(guarded(open(), worktree.path)).toEqual(expected);
});

it('a name above a worktree protects nothing in it', () => {
  window.globs[worktree.repository] = { globalValue: ['repo.worktrees/**'] };
  expect(guarded(open(), worktree.path)).toEqual([]);
});
