import { expect, it, vi } from 'vitest';
import { branchName } from '../../../../src/host/worktrees/makeWorktree';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

it.each<[words: string, prefix: string, taken: readonly string[], name: string]>([
  ['Fix the parser!', '', [], 'fix-the-parser'],
  ['Fix the parser', 'me/', ['fix-the-parser'], 'me/fix-the-parser'],
  ['Fix the parser', '', ['main', 'FIX-the-parser', 'fix-the-parser-2'], 'fix-the-parser-3'],
  ['Fix', '', ['fix/one'], 'fix-2'],
  ['修复 解析器', '', [], '修复-解析器'],
  ['/review --force ../../etc', '', [], 'review-force-etc'],
  ['@{-1}~^: ..lock', '', [], '1-lock'],
  ['???', '', [], 'session'],
  ['HEAD', '', [], 'session'],
  ['one two three four five six seven eight nine ten', '', [], 'one-two-three-four-five-six-seven-eight'],
  ['x'.repeat(100), '', [], 'x'.repeat(40)],
])('the branch for “%s” with the prefix “%s” is a name that git takes', (words, prefix, taken, name) => {
  expect(branchName(words, prefix, taken)).toBe(name);
});
