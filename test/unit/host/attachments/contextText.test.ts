import { describe, expect, it } from 'vitest';
import { lineFragment, lineLabel } from '../../../../src/host/attachments/attachment';
import { type Problem, boundedDiff, problemsText } from '../../../../src/host/attachments/contextText';

const problem = (fields: Partial<Problem> = {}): Problem => ({
  path: 'a.ts',
  line: 1,
  column: 2,
  severity: 'warning',
  message: 'unused',
  origin: 'ts 6133',
  ...fields,
});

describe('lines of a file', () => {
  it('are named as tools name them', () => {
    expect([lineLabel('a.ts', 3, 3), lineLabel('a.ts', 3, 9), lineFragment(3, 3), lineFragment(3, 9)]).toEqual([
      'a.ts:3',
      'a.ts:3-9',
      'L3',
      'L3-L9',
    ]);
  });
});

describe('problems as text', () => {
  it('one per line, errors first, then by place', () => {
    const text = problemsText([
      problem({ line: 9 }),
      problem({ line: 2 }),
      problem({ severity: 'error', path: 'b.ts', message: 'two\nlines', origin: '' }),
    ]);
    expect(text).toBe(
      'b.ts:1:2: error: two\n    lines\na.ts:2:2: warning: unused [ts 6133]\na.ts:9:2: warning: unused [ts 6133]\n',
    );
  });

  it('are bounded, and say so', () => {
    const lines = problemsText(Array.from({ length: 500 }, (_, line) => problem({ line })))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe('… and 300 more');
    expect(problemsText([problem({ message: 'x'.repeat(1e6) })]).length).toBeLessThan(3_000);
  });
});

describe('a diff as text', () => {
  it('joins files, and names those that git does not follow', () => {
    expect(boundedDiff(['diff a\n+1', 'diff b\n-1\n'], { untracked: ['new.ts'], more: 0 })).toBe(
      'diff a\n+1\ndiff b\n-1\nUntracked files:\n  new.ts\n',
    );
  });

  it('is bounded per file and as a whole, at line ends, and says what is missing', () => {
    const large = `diff lock\n${'+ line of a lock file\n'.repeat(20_000)}`;
    const text = boundedDiff([large, 'diff small\n+1\n', large, large, large, large], { untracked: [], more: 2 });
    expect(text.length).toBeLessThan(257 * 1024);
    expect(text).toContain('lock file\n… the rest of this file');
    expect(text).toContain('diff small\n+1\n');
    expect(text).toMatch(/… and the changes of \d+ more files\n$/);
  });
});
