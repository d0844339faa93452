import { describe, expect, it } from 'vitest';
import { lineEndsOf, withLineEndsOf } from '../../../src/changes/lineEnds';
import { withLineFeeds } from '../../../src/changes/lineFeeds';
import { Random } from '../../fakes/random';

describe('how lines end', () => {
  it.each([
    ['', ''],
    ['a', ''],
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\r\nb\n', 'mixed'],
    ['a\rb\r', 'mixed'],
    ['a\rb\n', 'mixed'],
  ])('of %j: %j', (text, ends) => expect(lineEndsOf(text)).toBe(ends));
});

describe('a text whose lines end as before', () => {
  it.each<[law: string, text: string, sources: string[], result: string]>([
    ['lines that stay', 'a\nB\nc\n', ['a\r\nb\nc\r\n'], 'a\r\nB\nc\r\n'],
    ['a line that takes the place of one with a lone CR', 'a\nB\nc\n', ['a\nb\rc\n'], 'a\nB\rc\n'],
    ['new lines, as those above', 'a\nx\ny\nb\nz\n', ['a\r\nb\n'], 'a\r\nx\r\ny\r\nb\nz\n'],
    ['new lines above all, as most', 'x\na\nb\nc\n', ['a\nb\r\nc\r\n'], 'x\r\na\nb\r\nc\r\n'],
    ['new lines below a lone CR, as most', 'a\nb\nx\nc\n', ['a\nb\rc\n'], 'a\nb\rx\nc\n'],
    ['removed lines', 'a\nc\n', ['a\r\nb\nc\r\n'], 'a\r\nc\r\n'],
    ['the end of the file goes', 'a\nb', ['a\r\nb\n'], 'a\r\nb'],
    ['the end of the file comes', 'a\nb\n', ['a\r\nb'], 'a\r\nb\r\n'],
    ['line ends of the text itself do not count', 'a\r\nb\r\n', ['a\nb\r\nc\n'], 'a\nb\r\n'],
    ['a line that comes back from an older source', 'a\nb\nc\n', ['a\nc\n', 'a\nb\r\nc\n'], 'a\nb\r\nc\n'],
    ['the first source counts most', 'a\nb\nc\n', ['a\r\nb\n', 'a\nc\r\n'], 'a\r\nb\nc\r\n'],
    ['of one line', 'a\nb\n', ['x'], 'a\nb\n'],
    ['nothing', '', ['a\r\nb\n'], ''],
  ])('%s', (_law, text, sources, result) => expect(withLineEndsOf(text, sources)).toBe(result));

  it('is the source where the lines are the same, and differs from the text only in line ends', () => {
    const random = new Random(12);
    const make = () =>
      Array.from(
        { length: random.below(8) },
        () => random.pick(['a', 'b', 'c', '']) + random.pick(['\n', '\r\n', '\r']),
      ).join('') + random.pick(['', 'x']);
    for (let i = 0; i < 2_000; i++) {
      const [source, other, text] = [make(), make(), withLineFeeds(make())];
      expect(withLineFeeds(withLineEndsOf(text, [source, other]))).toBe(text);
      expect(withLineEndsOf(withLineFeeds(source), [source, other])).toBe(source);
    }
  });
});
