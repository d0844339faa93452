import { beforeEach, expect, it, vi } from 'vitest';
import { commitActs } from '../../../../src/host/takeOver/commitActs';

const told = vi.hoisted(() => ({
  known: [] as string[],
  ran: [] as unknown[][],
  words: [] as string[],
  pick: 0,
  onRun: () => {},
}));
vi.mock('vscode', () => ({
  commands: {
    getCommands: async () => told.known,
    executeCommand: async (...args: unknown[]) => (told.ran.push(args), told.onRun()),
  },
  window: {
    showInformationMessage: async (words: string) => void told.words.push(words),
    showQuickPick: async (items: object[]) => items[told.pick],
  },
}));

const worktree = { path: '/w/tree', repository: '/w/repo', branch: 'fix', base: 'c0' };
const git = ['git.repositories.merge', 'git.graph.cherryPick', 'git.publish'];

beforeEach(() => {
  Object.assign(told, { known: [...git, 'github.createPullRequest'], ran: [], words: [], pick: 0, onRun: () => {} });
});

function repositories({ branch = 'fix', commits = 2, remotes = 1, upstream = false } = {}) {
  const asked: object[] = [];
  const repository = (root: string, HEAD: object) => ({
    rootUri: { fsPath: root },
    state: { HEAD: HEAD as { commit: string }, remotes: Array.from({ length: remotes }) },
    status: async () => undefined,
    log: async (options: object) => (
      asked.push(options),
      Array.from({ length: commits }, (_, i) => ({ hash: `${i}`.repeat(40), message: `Commit ${i}\n\nbody` }))
    ),
  });
  const here = repository('/w/repo', { name: 'main', commit: 'c0' });
  const there = repository('/w/tree', {
    commit: commits === 0 ? 'c0' : 'c9',
    ...(branch === '' ? {} : { name: branch }),
    ...(upstream ? { upstream: {} } : {}),
  });
  const open = async (root: string) => (root === '/w/tree' ? there : here);
  return { here, asked, worktrees: { open } as never };
}

const rows = async (of: { worktrees: never }) =>
  (await commitActs(worktree, of.worktrees)).map(({ label, description }) => [label.replace(/^\S+ /, ''), description]);

it('a branch with commits is merged, picked from, published and proposed by the commands of other extensions', async () => {
  const of = repositories();
  expect(await rows(of)).toEqual([
    ['Merge into main', '2 commits'],
    ['Cherry-Pick…', '2 commits'],
    ['Publish Branch', undefined],
    ['Open Pull Request…', undefined],
  ]);
  expect(of.asked).toEqual([{ range: 'c0..c9', maxEntries: 200 }]);
  for (const { act } of await commitActs(worktree, of.worktrees)) await act();
  const [here, there] = [{ fsPath: '/w/repo' }, { fsPath: '/w/tree' }];
  expect(told.ran).toEqual([
    ['git.repositories.merge', here, { id: 'fix' }],
    ['git.graph.cherryPick', here, { id: '0'.repeat(40) }],
    ['git.publish', there],
    ['github.createPullRequest', 'parley', { worktreePath: '/w/tree' }],
  ]);
  // The commit of the repository is the same as before: the Git extension has told why.
  expect(told.words).toEqual([]);
});

it('a success is told, because the Git extension does not', async () => {
  const of = repositories();
  told.onRun = () => (of.here.state.HEAD.commit += '+');
  const [merge, pick] = await commitActs(worktree, of.worktrees);
  told.pick = 1;
  await merge!.act();
  await pick!.act();
  expect(told.words).toEqual(['Merged fix into main.', 'Cherry-picked 11111111 into main.']);
  told.pick = 9;
  told.ran = [];
  await pick!.act();
  expect(told.ran).toEqual([]);
});

it.each<[string, Parameters<typeof repositories>[0] & object, readonly string[], readonly string[]]>([
  ['without commits', { commits: 0 }, git, []],
  ['without a remote', { remotes: 0 }, git, ['Merge into main', 'Cherry-Pick…']],
  ['published already', { upstream: true }, git, ['Merge into main', 'Cherry-Pick…']],
  ['on no branch', { branch: '' }, git, ['Merge into main', 'Cherry-Pick…']],
  ['with other commands', {}, ['git.publish', 'pr.create'], ['Publish Branch', 'Open Pull Request…']],
  ['without any', {}, [], []],
])('only what can be done is offered: %s', async (_, of, known, expected) => {
  told.known = [...known];
  const acts = await commitActs(worktree, repositories(of).worktrees);
  expect(acts.map(({ label }) => label.replace(/^\S+ /, ''))).toEqual(expected);
  await acts.at(-1)?.act();
  if (known.includes('pr.create'))
    expect(told.ran).toEqual([['pr.create', { repoPath: '/w/tree', compareBranch: 'fix' }]]);
});

it('a worktree that Git does not open has none', async () => {
  const open = async () => Promise.reject(new Error('gone'));
  expect(await commitActs(worktree, { open })).toEqual([]);
});
