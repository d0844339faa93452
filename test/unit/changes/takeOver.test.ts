import { describe, expect, it } from 'vitest';
import { lineEdits, linesOf } from '../../../src/changes/lineEdits';
import { takeOver } from '../../../src/changes/takeOver';
import { Random } from '../../fakes/random';
import { tries } from '../../fakes/tries';

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
