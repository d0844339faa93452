import { expect, it } from 'vitest';
import { decodeWorktree, inWorktree, rootsIn } from '../../../../src/host/worktrees/worktree';

const worktree = { path: '/r.worktrees/a', repository: '/r', branch: 'a', base: 'c0' };

it('a file of the repository has its place in the worktree, another one has none', () => {
  expect(inWorktree('/r/src/x.ts', worktree)).toBe('/r.worktrees/a/src/x.ts');
  expect(inWorktree('/r', worktree)).toBe('/r.worktrees/a');
  for (const path of ['/other/x.ts', '/r.worktrees/b/x.ts', '/r.worktrees/a/x.ts'])
    expect(inWorktree(path, worktree)).toBe(path);
});

it('the repository’s own folders are out of reach, others are not', () => {
  expect(rootsIn(worktree, '/r.worktrees/a/sub', ['/r', '/r/sub', '/docs', '/r.worktrees/a/sub'])).toEqual([
    '/r.worktrees/a/sub',
    '/docs',
  ]);
});

it.each([undefined, 1, {}, { ...worktree, path: 'relative' }, { ...worktree, base: 1 }])(
  'a damaged record is none: %j',
  (raw) => expect(decodeWorktree(raw)).toBeUndefined(),
);

it('a record is read as it was stored', () => {
  expect(decodeWorktree(JSON.parse(JSON.stringify(worktree)))).toEqual(worktree);
});
