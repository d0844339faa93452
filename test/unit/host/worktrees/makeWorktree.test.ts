import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import type { GitRepository } from '../../../../src/host/worktrees/gitExtension';
import { makeWorktree } from '../../../../src/host/worktrees/makeWorktree';
import { uriOf } from '../../../fakes/fakeUri';

/* What VS Code's Git extension is asked for. The suite inside VS Code has the worktrees themselves. */

const git = vi.hoisted(() => ({
  settings: {} as Record<string, unknown>,
  asked: [] as unknown[],
  failure: '',
  deleted: [] as string[],
}));
vi.mock('vscode', () => ({
  workspace: {
    getConfiguration: (section: string, scope: unknown) => ({
      get: (key: string) => {
        git.asked.push(`${section}.${key} of ${String(scope)}`);
        return git.settings[key];
      },
    }),
  },
}));

const top = realpathSync(mkdtempSync(join(tmpdir(), 'parley-make-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));
const root = join(top, 'project');
mkdirSync(root);

/** @returns the name of the branch and what the Git extension was asked for */
async function made(words: string, branches: readonly string[] = []) {
  const requests: unknown[] = [];
  const repository = {
    rootUri: uriOf(root),
    state: { HEAD: { commit: 'c0' } },
    getCommit: async () => ({ hash: 'c0', message: '' }),
    getBranches: async () => branches.map((name) => ({ name })),
    createWorktree: async (request: { branch: string }) => {
      requests.push(request);
      if (git.failure) throw Object.assign(new Error('Failed to execute git'), { stderr: git.failure });
      const path = join(top, request.branch.replaceAll('/', '-'));
      mkdirSync(path);
      return path;
    },
    getBranch: async () => ({ commit: 'c0' }),
    deleteBranch: async (name: string) => void git.deleted.push(name),
  } as unknown as GitRepository;
  const { worktree } = await makeWorktree(repository, root, words, {
    begins: async () => undefined,
    log: silentLogger,
  });
  return { branch: worktree.branch, requests };
}

it('a branch begins with git.branchPrefix, as the repository has it', async () => {
  git.settings = { branchPrefix: 'me/' };
  expect(await made('Fix it', ['fix-it'])).toEqual({
    branch: 'me/fix-it',
    requests: [{ branch: 'me/fix-it', commitish: 'c0' }],
  });
  expect(git.asked).toContain(`git.branchPrefix of file://${root}`);
  expect((await made('Fix it', ['me/fix-it'])).branch).toBe('me/fix-it-2');
});

it('without git.branchPrefix it has only the words', async () => {
  git.settings = {};
  expect((await made('Fix it')).branch).toBe('fix-it');
});

it.each([
  ['fatal: cannot write', ['fix-it']],
  // Another window was faster, and its session may work there already.
  ["fatal: a branch named 'fix-it' already exists", []],
  ["fatal: cannot lock ref 'refs/heads/fix-it': Unable to create '/r/.git/refs/heads/fix-it.lock': File exists.", []],
])('what is left of one that fails with “%s” goes, if it is its own', async (failure, deleted) => {
  Object.assign(git, { settings: {}, failure, deleted: [] });
  await expect(made('Fix it')).rejects.toThrow(failure);
  expect(git.deleted).toEqual(deleted);
});
