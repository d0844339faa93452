import { expect, it } from 'vitest';
import { linesOf } from '../../../src/changes/lineEdits';
import { sideOf } from '../../../src/protocol/diffView';
import { unifiedDiff } from '../../../src/view/unifiedDiff';
import { Random } from '../../fakes/random';

const room = 1_000;
const diff = (before: string, after: string, most = room) => unifiedDiff(before, after, most, { left: 1_000_000 });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('');

it.each<[what: string, before: string, after: string, hunks: [oldStart: number, newStart: number, lines: string][]]>([
  ['nothing', 'a\nb', 'a\nb', []],
  ['only the end of the last line', 'a\nb', 'a\nb\n', [[1, 1, ' a|-b|+b']]],
  [
    'one line, with three around it',
    numbers(1, 9),
    numbers(1, 9).replace('5', 'five'),
    [[2, 2, ' 2| 3| 4|-5|+five| 6| 7| 8']],
  ],
  [
    'two that are near',
    numbers(1, 9),
    numbers(1, 9).replace('2', 'two').replace('9', 'nine'),
    [[1, 1, ' 1|-2|+two| 3| 4| 5| 6| 7| 8|-9|+nine']],
  ],
  [
    'two that are far',
    numbers(1, 20),
    numbers(2, 19),
    [
      [1, 1, '-1| 2| 3| 4'],
      [17, 16, ' 17| 18| 19|-20'],
    ],
  ],
  ['a new file', '', 'a\n\nb', [[1, 1, '+a|+|+b']]],
  ['an emptied file', 'a\n', '', [[1, 1, '-a']]],
  ['line ends', 'a\r\nb\r\n', 'a\r\nb\n', [[1, 1, ' a\r|-b\r|+b']]],
])('%s', (_what, before, after, hunks) =>
  expect(
    diff(before, after).hunks.map(({ oldStart, newStart, lines }) => [
      oldStart,
      newStart,
      lines.map((line) => line.replace(/\n$/, '')).join('|'),
    ]),
  ).toEqual(hunks),
);

it('its hunks are what both texts have there, and there is no difference elsewhere', () => {
  const random = new Random(3);
  for (let round = 0; round < 300; round++) {
    const some = () => Array.from({ length: random.below(40) }, () => `${random.below(12)}\n`).join('');
    const shared = some();
    const [before, after] = [some() + shared + some(), some() + shared + some()];
    const { hunks, added, removed, isCut } = diff(before, after);
    const [old, fresh] = [linesOf(before), linesOf(after)];
    const rest = [old.slice(), fresh.slice()];
    for (const hunk of hunks.toReversed()) {
      for (const [side, start, without] of [
        [0, hunk.oldStart, '+'],
        [1, hunk.newStart, '-'],
      ] as const) {
        const lines = sideOf(hunk, without);
        expect(rest[side]!.splice(start - 1, lines.length)).toEqual(lines);
      }
    }
    expect(rest[0]).toEqual(rest[1]);
    const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
    expect([added, removed, isCut]).toEqual([count('+'), count('-'), false]);
  }
});

it('counts also what there is no room for', () => {
  expect(diff(numbers(1, 50), numbers(51, 100), 60)).toMatchObject({
    added: 50,
    removed: 50,
    isCut: true,
    hunks: [{ lines: { length: 60 } }],
  });
  expect(diff(numbers(1, 30), numbers(31, 60), 60)).toMatchObject({ isCut: false, hunks: [{ lines: { length: 60 } }] });
});

it('is one replacement where the search for the smallest one takes too much work', () => {
  const lines = (seed: number) => {
    const random = new Random(seed);
    return `first\n${Array.from({ length: 3_000 }, () => `${random.below(20)}\n`).join('')}last\n`;
  };
  const { hunks, added, removed, isCut } = diff(lines(1), lines(2), 400);
  expect([hunks.length, hunks[0]!.lines[0], hunks[0]!.lines.length, added === removed, added > 2_900, isCut]).toEqual([
    1,
    ' first\n',
    400,
    true,
    true,
    true,
  ]);
});
