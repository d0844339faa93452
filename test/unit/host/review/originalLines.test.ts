import { expect, it, vi } from 'vitest';
import { Ledger } from '../../../../src/changes/ledger';
import { originalLines } from '../../../../src/host/review/originalLines';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

/** The original lines in the editor, each after its line. */
function shown(before: string, after: string, mine = after, near = { start: 0, end: 100 }): string[] {
  const ledger = new Ledger();
  ledger.agentWrote('/p/a.ts', before, after);
  ledger.edited('/p/a.ts', mine);
  if (mine !== after) ledger.done('/p/a.ts', 'undo', mine);
  const lines = mine.split('\n');
  const document = {
    lineCount: lines.length,
    lineAt: (line: number) => ({ text: lines[line], range: { end: { line, character: lines[line]!.length } } }),
  };
  return ledger
    .get('/p/a.ts')!
    .hunks.flatMap((hunk) => originalLines(hunk, document as never, near))
    .map(({ range, renderOptions }) => `${range.end.line}:${range.end.character} ${renderOptions!.after!.contentText}`);
}

it('one line for another: the original after it', () =>
  expect(shown('a\n  old();\nz\n', 'a\n  fresh();\nz\n')).toEqual(['1:10 old();']));
it('as many lines as before: each after its own, but not where only the indentation differs', () =>
  expect(shown('a\none\nif (x) {\ntwo\nz\n', 'a\n1\n  if (x) {\n2\nz\n')).toEqual(['1:1 one', '3:1 two']));
it('another number of lines: the first that says something, and how many more', () => {
  expect(shown('a\n\none\ntwo\nz\n', 'a\nall\nz\n')).toEqual(['1:3 one … 2 more lines']);
  expect(shown('a\none\ntwo\nz\n', 'a\nz\n')).toEqual(['1:1 one … 1 more line']);
});
it('new lines have none', () => expect(shown('a\nz\n', 'a\nnew\nz\n')).toEqual([]));
it('a conflict has none: its two texts are in the diff', () =>
  expect(shown('a\nold\nz\n', 'a\nfresh\nz\n', 'a\nmine\nz\n')).toEqual([]));
it('a long line is cut, and hidden characters are visible', () => {
  expect(shown(`a\n${'x'.repeat(500)}\nz\n`, 'a\nfresh\nz\n')[0]!.length).toBeLessThan(110);
  const hidden = shown('a\nif\u202E (admin)\u200B\tok\nz\n', 'a\nfresh\nz\n')[0]!;
  for (const character of ['\u202E', '\u200B', '\t', '\n']) expect(hidden).not.toContain(character);
});
it('of a very large hunk only those near the view have their originals', () => {
  const text = (word: string) => `a\n${Array.from({ length: 1_000 }, (_, i) => `${word} ${i}`).join('\n')}\nz\n`;
  expect(shown(text('old'), text('new'), undefined, { start: 500, end: 502 })).toEqual([
    '500:7 old 499',
    '501:7 old 500',
  ]);
  expect(shown(text('old'), text('new'), undefined, { start: 1_100, end: 1_200 })).toEqual([]);
});
