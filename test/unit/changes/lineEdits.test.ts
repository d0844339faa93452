import { describe, expect, it } from 'vitest';
import { lineEdits, linesOf, textEdits, withLineEdits } from '../../../src/changes/lineEdits';
import { withLineFeeds } from '../../../src/changes/lineFeeds';
import { Random } from '../../fakes/random';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

function randomText(random: Random): string {
  const text = Array.from({ length: random.below(12) }, () =>
    random.pick(['a', 'b', 'c', '', 'long line', '😀x', '😁x']),
  ).join('\n');
  return random.below(2) ? text : `${text}\n`;
}

describe('edits between two texts', () => {
  it('make the one into the other, by lines and by characters', () => {
    const random = new Random(1);
    for (let round = 0; round < tries(6_000); round++) {
      const [before, after] = [randomText(random), randomText(random)];
      expect(withLineEdits(linesOf(before), lineEdits(before, after)).join('')).toBe(after);
      let text = before;
      for (const edit of textEdits(before, after).reverse())
        text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
      expect(text).toBe(after);
    }
  });

  it('never touch each other and leave equal lines alone', () => {
    expect(lineEdits('1\n2\n3\n4\n', '1\ntwo\n3\n4\n5\n')).toEqual([
      { start: 1, end: 2, lines: ['two\n'] },
      { start: 4, end: 4, lines: ['5\n'] },
    ]);
    expect(textEdits('const a = 1;\n', 'const b = 1;\n')).toEqual([{ start: 6, end: 7, text: 'b' }]);
  });

  it('never cut a character of two units', () => {
    for (const { start, end, text } of textEdits('😀\n', '😁\n')) {
      expect({ start, end, text }).toEqual({ start: 0, end: 2, text: '😁' });
    }
  });

  it('are one replacement where nearly everything differs, in good time', () => {
    const random = new Random(2);
    const big = () => Array.from({ length: 30_000 }, () => String(random.next())).join('\n');
    const started = workTime();
    expect(lineEdits(big(), big()).length).toBe(1);
    expect(workTime() - started).toBeLessThan(15_000);
  });

  it('see one line end', () => {
    expect(withLineFeeds('a\r\nb\rc\n')).toBe('a\nb\nc\n');
  });
});
