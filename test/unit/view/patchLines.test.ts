import { describe, expect, it } from 'vitest';
import { patchLines, unnumberedFiles } from '../../../src/view/patchLines';
import { patchDiffs } from '../../../src/view/patchText';

const patch = (body: string, path = 'a.ts') => ({
  input: `*** Begin Patch\n*** Update File: ${path}\n${body}\n*** End Patch\n`,
});
const two = patch('@@\n one\n-two\n+2\n+2b\n@@ f\n nine\n-ten');
const before = 'one\ntwo\nthree\nnine\nten\n';
const after = 'one\n2\n2b\nthree\nnine\n';

describe('line numbers of a patch without any', () => {
  it.each<[situation: string, rawInput: unknown, text: string | undefined, lines: number[][]]>([
    [
      'the file as it was',
      two,
      before,
      [
        [1, 1],
        [4, 5],
      ],
    ],
    [
      'the file as it is by now',
      two,
      after,
      [
        [1, 1],
        [4, 5],
      ],
    ],
    [
      'with other line ends',
      two,
      before.replaceAll('\n', '\r\n'),
      [
        [1, 1],
        [4, 5],
      ],
    ],
    [
      'hunks in another order',
      patch('@@\n nine\n-ten\n@@\n one\n-two\n+2\n+2b'),
      before,
      [
        [4, 5],
        [1, 1],
      ],
    ],
    ['a place that is there twice', patch('@@\n-x\n+y'), 'x\na\nx\n', [[0, 0]]],
    ['one that is nowhere', patch('@@\n-x\n+y'), 'a\n', [[0, 0]]],
    [
      'one of two that is nowhere',
      patch('@@\n one\n-two\n+2\n@@\n-x\n+y'),
      before,
      [
        [0, 0],
        [0, 0],
      ],
    ],
    ['lines without a place', patch('@@\n+new'), before, [[0, 0]]],
    [
      'a file that is not known',
      two,
      undefined,
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'a new file, which begins at its first line',
      { input: '*** Begin Patch\n*** Add File: a.ts\n+one\n*** End Patch' },
      'one\n',
      [[0, 1]],
    ],
  ])('%s', (_situation, rawInput, text, lines) => expect(patchLines(rawInput, () => text)).toEqual([lines]));

  it('are asked for only where there are none', () => {
    expect(unnumberedFiles(two)).toEqual(['a.ts']);
    expect(unnumberedFiles({ diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b' })).toEqual([]);
    expect(unnumberedFiles('text')).toEqual([]);
  });

  it('are on the rows of the card', () => {
    const [diff] = patchDiffs(
      two,
      '/work',
      patchLines(two, () => before),
    );
    expect(diff!.hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [1, 1],
      [4, 5],
    ]);
  });
});

it.each<[situation: string, text: string, rows: string[]]>([
  ['with a last line break and no end', '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n', ['-x', '+y']],
  [
    'with a blank line before the next file',
    '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n\n*** Delete File: b\n*** End Patch',
    ['-x', '+y'],
  ],
  [
    'with a blank line before its end',
    '*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n+y\r\n\r\n*** End Patch\r\n',
    ['-x', '+y'],
  ],
  [
    'with an empty line of the file in it',
    '*** Begin Patch\n*** Update File: a\n@@\n-x\n\n+y\n*** End Patch',
    ['-x', ' ', '+y'],
  ],
  [
    'that ends in an empty line of the file',
    '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n \n*** End Patch',
    ['-x', '+y', ' '],
  ],
])('a patch %s has no row too many', (_situation, text, rows) =>
  expect(patchDiffs(text, '/work')[0]!.hunks[0]!.lines).toEqual(rows),
);
