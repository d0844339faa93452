import { describe, expect, it } from 'vitest';
import { bounded, counted, linesAnswer, listAnswer, maxAnswer } from '../../../src/editor/answers';

const page = { limit: 2, offset: 0 };

describe('answers for models', () => {
  it('names a file once, and each line with its text', () => {
    const found = [
      { path: 'a.ts', line: 1, text: '  one' },
      { path: 'a.ts', line: 2, also: [5, 9], text: 'two\tthree' },
    ];
    expect(linesAnswer('2 uses', found, page)).toBe('2 uses\na.ts\n  1: one\n  2, 5, 9: two three');
  });

  it('says how to go on, and what was left out', () => {
    const found = [1, 2, 3].map((line) => ({ path: 'a.ts', line, text: 'x' }));
    expect(linesAnswer('3 uses', found, page, 4)).toBe(
      '3 uses\na.ts\n  1: x\n  2: x\n… 1 more: cursor "2"\n(4 outside the session’s folders left out)',
    );
    expect(linesAnswer('3 uses', found, { limit: 2, offset: 2 })).toBe('3 uses\na.ts\n  3: x');
    expect(listAnswer('3 tasks', ['a', 'b', 'c'], page)).toBe('3 tasks\na\nb\n… 1 more: cursor "2"');
  });

  it('cuts long lines and long answers, and says so', () => {
    const [, , line] = linesAnswer('', [{ path: 'a.ts', line: 1, text: 'y'.repeat(500) }], page).split('\n');
    expect(line).toBe(`  1: ${'y'.repeat(200)}…`);
    const cut = bounded('z'.repeat(99).concat('\n').repeat(1_000));
    expect(cut.length).toBeLessThan(maxAnswer + 100);
    expect(cut).toMatch(/z\n… cut: 100000 characters\. Ask for less\.$/);
  });

  it('counts in words', () => {
    expect([counted(1, 'caller'), counted(2, 'caller'), counted(0, 'reply')]).toEqual([
      '1 caller',
      '2 callers',
      '0 replies',
    ]);
  });
});
