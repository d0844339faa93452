import { describe, expect, it } from 'vitest';
import { lineEdits, linesOf, mergeTexts, textEdits, withLineEdits } from '../../../src/changes/lineEdits';
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

describe('a merge of two texts that were made from one', () => {
  it.each<[law: string, base: string, mine: string, theirs: string, text: string, conflicts: number]>([
    ['both sides count where they are apart', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n', 0],
    ['neighbouring lines are apart', 'a\nb\n', 'A\nb\n', 'a\nB\n', 'A\nB\n', 0],
    ['the same edit counts once', 'a\nb\n', 'x\nb\n', 'x\nb\n', 'x\nb\n', 0],
    ['mine stands where both changed a line', 'a\nb\n', 'mine\nb\n', 'theirs\nb\n', 'mine\nb\n', 1],
    ['two insertions at one place are a conflict', 'a\n', 'a\nmine\n', 'a\ntheirs\n', 'a\nmine\n', 1],
    ['an insertion at the edge of a replacement is a conflict', 'a\nb\n', 'a\nmine\nb\n', 'a\nB\n', 'a\nmine\nb\n', 1],
    ['nothing of mine: theirs', 'a\n', 'a\n', 'b\n', 'b\n', 0],
    ['nothing of theirs: mine', 'a\n', 'b\n', 'a\n', 'b\n', 0],
  ])('%s', (_law, base, mine, theirs, text, conflicts) => {
    const merge = mergeTexts(base, mine, theirs);
    expect({ text: merge.text, conflicts: merge.conflicts.length }).toEqual({ text, conflicts });
  });

  it('without conflict does not depend on the side', () => {
    const random = new Random(3);
    let merged = 0;
    for (let round = 0; round < tries(12_000); round++) {
      const [base, mine, theirs] = [randomText(random), randomText(random), randomText(random)];
      const one = mergeTexts(base, mine, theirs);
      const other = mergeTexts(base, theirs, mine);
      expect(one.conflicts.length === 0).toBe(other.conflicts.length === 0);
      if (one.conflicts.length > 0) continue;
      expect(one.text).toBe(other.text);
      merged++;
    }
    expect(merged).toBeGreaterThan(20);
  });
});
