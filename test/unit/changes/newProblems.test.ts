import { expect, test } from 'vitest';
import { newProblems, type Problem } from '../../../src/changes/newProblems';

const at = (line: number, text: string | undefined, more: Partial<Problem> = {}): Problem => ({
  path: '/w/a.ts',
  message: 'Cannot find name “x”.',
  code: '2304',
  source: 'ts',
  line,
  text,
  ...more,
});

const state = (problems: readonly Problem[], open: readonly string[] = ['/w/a.ts']) => ({
  problems,
  open: new Set(open),
});

const lines = (before: readonly Problem[], after: readonly Problem[]) =>
  newProblems(state(before), state(after), new Set(['/w/a.ts'])).map(({ line }) => line);

test.each<[string, readonly Problem[], readonly Problem[], readonly number[]]>([
  ['nothing was wrong', [], [at(3, 'x')], [3]],
  ['nothing is wrong any more', [at(3, 'x')], [], []],
  ['the same as before', [at(3, 'x')], [at(3, 'x')], []],
  ['a line that moved', [at(3, 'x')], [at(90, 'x')], []],
  ['a line with another indent', [at(3, 'x')], [at(90, '    x')], []],
  ['the old one is repaired, and the same is wrong elsewhere', [at(3, 'x')], [at(9, 'call(x)')], [9]],
  ['a line that was edited and is still wrong', [at(3, 'x')], [at(3, 'x + 1')], []],
  ['one more on an equal line', [at(3, 'x')], [at(3, 'x'), at(9, 'x')], [9]],
  ['another code', [at(3, 'x')], [at(3, 'x', { code: '2305' })], [3]],
  ['another source', [at(3, 'x')], [at(3, 'x', { source: 'eslint' })], [3]],
  ['another message', [at(3, 'x')], [at(3, 'x', { message: 'Cannot find name “y”.' })], [3]],
  ['no text before', [at(3, undefined)], [at(9, 'x')], []],
  ['no text after', [at(3, 'x')], [at(9, undefined)], []],
  ['no text at all, and one more', [at(3, undefined)], [at(8, undefined), at(9, undefined)], [9]],
])('%s', (_case, before, after, expected) => {
  expect(lines(before, after)).toEqual(expected);
});

test('a file that was only opened meanwhile has no new problems; one that was edited, or is closed, has', () => {
  const [opened, closed, edited] = ['/w/opened.ts', '/w/closed.ts', '/w/edited.ts'] as const;
  const after = state(
    [opened, closed, edited].map((path) => at(1, undefined, { path })),
    [opened, edited],
  );
  const found = newProblems(state([], []), after, new Set([edited]));
  expect(found.map(({ path }) => path)).toEqual([closed, edited]);
});

test('they come by path and line', () => {
  const after = [at(9, 'b', { path: '/w/b.ts' }), at(7, 'y'), at(2, 'x')];
  const found = newProblems(state([]), state(after), new Set());
  expect(found.map(({ path, line }) => [path, line])).toEqual([
    ['/w/a.ts', 2],
    ['/w/a.ts', 7],
    ['/w/b.ts', 9],
  ]);
});
