import { describe, expect, it } from 'vitest';
import { lineEdits, linesOf } from '../../../src/changes/lineEdits';
import { mergeTexts, takeOver } from '../../../src/changes/merge';
import { Random } from '../../fakes/random';
import { tries } from '../../fakes/tries';

function randomText(random: Random): string {
  const text = Array.from({ length: random.below(12) }, () =>
    random.pick(['a', 'b', 'c', '', 'long line', '😀x', '😁x']),
  ).join('\n');
  return random.below(2) ? text : `${text}\n`;
}

const lettersOf = (text: string) => linesOf(text).map((line) => line.trimEnd());

describe('taking changes over into a text that has changed too', () => {
  it.each<[law: string, base: string, mine: string, theirs: string, texts: readonly [string, string, string]]>([
    ['both sides count where they are apart', 'abc', 'Abc', 'abC', ['AbC', 'AbC', 'AbC']],
    ['what both did counts once', 'abc', 'aXc', 'aXc', ['aXc', 'aXc', 'aXc']],
    ['a line that both changed', 'abc', 'aMc', 'aTc', ['aMc', 'aTc', 'aMTc']],
    ['a line that one removed and the other changed', 'abc', 'ac', 'aTc', ['ac', 'aTc', 'aTc']],
    ['two insertions at one place', 'ab', 'aMb', 'aTb', ['aMb', 'aTb', 'aMTb']],
    ['one of mine around two of theirs', 'abcde', 'aMNOe', 'aBcDe', ['aMNOe', 'aBcDe', 'aMNOBcDe']],
    ['only the region where they meet', 'abcdef', 'Mbcdef', 'TbcdeF', ['MbcdeF', 'TbcdeF', 'MTbcdeF']],
  ])('%s', (_, ...all) => {
    const [base, mine, theirs] = all.slice(0, 3).map((letters) => [...(letters as string)].join('\n') + '\n');
    const edits = lineEdits(base!, theirs!);
    const results = (['mine', 'theirs', 'both'] as const).map((overlap) =>
      lettersOf(takeOver(base!, mine!, edits, overlap).text).join(''),
    );
    expect(results).toEqual(all[3]);
  });

  it('says what each side has where both have changed, and where that is in the result', () => {
    const [base, mine, theirs] = ['abcdef', 'NewaMcdef', 'aTTcdeF'].map((letters) => [...letters].join('\n') + '\n');
    const edits = lineEdits(base!, theirs!);
    const place = { base: 'b\n', mine: 'M\n', theirs: 'T\nT\n' };
    expect(takeOver(base!, mine!, edits, 'mine').overlaps).toEqual([{ line: 4, ...place }]);
    const removed = takeOver('a\nb\nc\n', 'a\nc\n', lineEdits('a\nb\nc\n', 'a\nT\nc\n'), 'mine').overlaps;
    expect(removed).toEqual([{ line: 1, base: 'b\n', mine: '', theirs: 'T\n' }]);
  });

  it('gives a last line without a line feed one, where others follow', () => {
    expect(takeOver('a', 'a\nmine', lineEdits('a', 'a\ntheirs'), 'both').text).toBe('a\nmine\na\ntheirs');
    expect(takeOver('a\nb', 'a\nb', lineEdits('a\nb', 'A\nb'), 'mine')).toEqual({ text: 'A\nb', overlaps: [] });
  });

  it('loses no line of the user, and takes what was chosen and nothing else', () => {
    const random = new Random(7);
    const text = () => Array.from({ length: random.below(9) }, () => `${random.pick(['a', 'b', 'c', 'd'])}\n`).join('');
    for (let round = 0; round < tries(4_000); round++) {
      const [base, mine, theirs] = [text(), text(), text()];
      const edits = lineEdits(base, theirs);
      const chosen = edits.filter(() => random.below(2) === 0);
      expect(takeOver(base, base, edits, 'mine').text).toBe(theirs);
      expect(takeOver(base, mine, [], 'theirs')).toEqual({ text: mine, overlaps: [] });
      const all = takeOver(base, mine, edits, 'theirs');
      if (all.overlaps.length === 0) expect(takeOver(base, mine, edits, 'mine').text).toBe(all.text);
      // Where both have changed, each result has the lines that it says, in that place.
      for (const overlap of ['mine', 'theirs'] as const) {
        const { text, overlaps } = takeOver(base, mine, edits, overlap);
        for (const place of overlaps) {
          const lines = linesOf(place[overlap]);
          expect(linesOf(text).slice(place.line, place.line + lines.length)).toEqual(lines);
        }
      }
      // Each line that I have added is there, unless I chose theirs.
      for (const overlap of ['mine', 'both'] as const) {
        const now = linesOf(takeOver(base, mine, chosen, overlap).text);
        for (const { lines } of lineEdits(base, mine)) for (const line of lines) expect(now).toContain(line);
      }
    }
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
    expect({ text: merge.text, conflicts: merge.overlaps.length }).toEqual({ text, conflicts });
  });

  it('without conflict does not depend on the side', () => {
    const random = new Random(3);
    let merged = 0;
    for (let round = 0; round < tries(12_000); round++) {
      const [base, mine, theirs] = [randomText(random), randomText(random), randomText(random)];
      const one = mergeTexts(base, mine, theirs);
      const other = mergeTexts(base, theirs, mine);
      expect(one.overlaps.length === 0).toBe(other.overlaps.length === 0);
      if (one.overlaps.length > 0) continue;
      expect(one.text).toBe(other.text);
      merged++;
    }
    expect(merged).toBeGreaterThan(20);
  });
});
