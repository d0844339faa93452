import { afterEach, expect, it, vi } from 'vitest';
import { editsOfLines } from '../../../src/changes/lineDiff';
import { withLineEdits } from '../../../src/changes/lineEdits';
import { Random } from '../../fakes/random';

afterEach(() => vi.restoreAllMocks());

const random = new Random(7);
const lines = (count: number, different: number) =>
  Array.from({ length: count }, () => `line ${random.below(different)}`);
/** Parts that lines which occur once keep apart, each with a search of its own. */
const parts = (count: number) => Array.from({ length: count }, (_, i) => [`part ${i}`, ...lines(500, 30)]).flat();

it.each<[what: string, a: string[], b: string[]]>([
  ['few lines differ', lines(300, 200), lines(300, 200)],
  ['nearly all lines differ, and none occurs once', lines(3_000, 20), lines(3_000, 20)],
  ['many parts differ', parts(100), parts(100)],
])('the edits of two texts are the same on a slow machine as on a fast one: %s', (_what, a, b) => {
  const clock = vi.spyOn(Date, 'now');
  clock.mockReturnValue(0);
  const fast = editsOfLines(a, b);
  let now = 0;
  clock.mockImplementation(() => (now += 200));
  const slow = editsOfLines(a, b);
  expect(slow).toEqual(fast);
});

it('is one replacement where the search takes too much work', () => {
  expect(editsOfLines(['first', ...lines(3_000, 20), 'last'], ['first', ...lines(3_000, 20), 'last'])).toMatchObject([
    { start: 1, end: 3_001 },
  ]);
});

/* Each level has one line that occurs once, and only what is cut there makes the next one so. */
it('takes bounded work where each region has one place to divide it, and leaves nothing to recursion', () => {
  const levels = (first: string) => Array.from({ length: 50_000 }, (_, i) => [first, `${i + 1}`, `${i}`]).flat();
  const [a, b] = [levels('x'), levels('y')];
  const work = { left: 1_000_000 };
  const edits = editsOfLines([...a, 'x'], [...b, 'y'], work);
  expect([edits.length < 10_000, work.left > -700_000]).toEqual([true, true]);
  expect(withLineEdits([...a, 'x'], edits)).toEqual([...b, 'y']);
});
