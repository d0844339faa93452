import { expect, it } from 'vitest';
import { changedWords } from '../../../webview/markdown/changedWords';

it.each<[string, readonly string[], Record<number, readonly (readonly number[])[]>]>([
  ['a word', ['-let a = one(1);', '+let a = two(1);', ' same'], { 0: [[8, 11]], 1: [[8, 11]] }],
  ['a word that has come', [' x', '-f(a)', '+f(a, b)'], { 1: [], 2: [[3, 6]] }],
  [
    'two words',
    ['-a = one + one', '+a = two + two'],
    {
      0: [
        [4, 7],
        [10, 13],
      ],
      1: [
        [4, 7],
        [10, 13],
      ],
    },
  ],
  ['a part of a word is the whole word', ['-sum(a)', '+sumOf(a)'], { 0: [[0, 3]], 1: [[0, 5]] }],
  [
    'the second of two lines',
    ['-const one = 1;', '-const two = 2;', '+const one = 1;', '+const two = 3;'],
    { 0: [], 1: [[12, 13]], 2: [], 3: [[12, 13]] },
  ],
  ['nothing in lines of which little is the same', ['-abc def', '+something else'], {}],
  ['nothing where the numbers of lines differ', ['-a = 1', '+a = 2', '+b = 3'], {}],
  ['nothing in very long lines', [`-${'a '.repeat(300)}`, `+${'a '.repeat(299)}b`], {}],
  [
    'nothing in a hunk of very many lines',
    Array.from({ length: 402 }, (_, i) => (i % 2 === 0 ? '-a = 1' : '+a = 2')),
    {},
  ],
])('marks %s', (_, lines, words) => {
  expect(Object.fromEntries(changedWords(lines))).toEqual(words);
});
