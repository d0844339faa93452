import { describe, expect, it } from 'vitest';
import {
  type CommentThread,
  decodeThread,
  relocated,
  shiftedLines,
  type TextEdit,
} from '../../../src/changes/commentThreads';

const edit = (
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
  added: number,
): TextEdit => ({ startLine, startCharacter, endLine, endCharacter, added });

describe('the lines of a comment follow edits', () => {
  it.each([
    ['a line that comes above', edit(2, 0, 2, 0, 1), [6, 8]],
    ['a line that comes right above', edit(5, 0, 5, 0, 2), [7, 9]],
    ['lines that go above', edit(1, 0, 3, 0, 0), [3, 5]],
    ['Enter at the end of the line above', edit(4, 9, 4, 9, 1), [6, 8]],
    ['typing in them', edit(6, 2, 6, 2, 0), [5, 7]],
    ['a line that comes in them', edit(6, 0, 6, 0, 1), [5, 8]],
    ['Enter at the end of the last of them', edit(7, 9, 7, 9, 1), [5, 7]],
    ['a line that comes below', edit(8, 0, 8, 0, 1), [5, 7]],
    ['the first of them goes', edit(5, 0, 6, 0, 0), [5, 6]],
    ['all of them go', edit(5, 0, 8, 0, 0), [5, 5]],
    ['all of them go with those around', edit(3, 0, 12, 0, 0), [3, 3]],
  ] as const)('%s', (_, change, [first, last]) =>
    expect(shiftedLines({ first: 5, last: 7 }, change)).toEqual({ first, last }),
  );
});

const thread: CommentThread = {
  id: 't',
  uri: 'file:///w/a.ts',
  first: 5,
  last: 6,
  anchor: 'x = 1',
  diff: '',
  comments: [{ id: 'c', text: 'Why?', isSent: false }],
};
const at = (lines: readonly string[]) => {
  const { first, last } = relocated(thread, lines.length, (line) => lines[line]!);
  return [first, last];
};

describe('a comment is found again in a file that changed while nobody looked', () => {
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`);
  it('where it was', () => expect(at(lines.with(5, 'x = 1'))).toEqual([5, 6]));
  it('at the nearest line that reads the same', () =>
    expect(at(lines.with(9, 'x = 1').with(3, 'x = 1'))).toEqual([3, 4]));
  it('where it was, if no line does', () => expect(at(lines)).toEqual([5, 6]));
  it('at the end of a file that is shorter now', () => expect(at(lines.slice(0, 3))).toEqual([2, 3]));
});

describe('a comment that was kept', () => {
  it('is read again', () => expect(decodeThread(JSON.parse(JSON.stringify(thread)))).toEqual(thread));
  it.each([undefined, 1, {}, { ...thread, first: 9 }, { ...thread, comments: [{ id: 1 }] }, { ...thread, uri: 2 }])(
    'is left out where it is damaged: %j',
    (raw) => expect(decodeThread(raw)).toBeUndefined(),
  );
});
