import { describe, expect, it } from 'vitest';
import { bounded, counted, linesAnswer, listAnswer, maxAnswer, shortLine } from '../../../src/editor/answers';
import {
  argumentsOf,
  lineOf,
  namePath,
  pageOf,
  placeOf,
  requiredText,
  ToolError,
  wholeOf,
  wordOf,
} from '../../../src/editor/toolInput';

describe('arguments of a tool', () => {
  it.each(['Class/method', 'Class.method', 'Class::method', 'Class#method', 'Class/method(a, b)'])(
    'a name path: %s',
    (name) => {
      expect(namePath(name)).toEqual(['Class', 'method']);
    },
  );

  it.each([
    ['(*List[T]).Push', ['List', 'Push']],
    ['impl<T: Into<U>, U> From<Vec<T>> for Deep<T>', ['Deep']],
    ['impl', ['impl']],
    ['implement', ['implement']],
    ['Box<Map<A, B>>/get', ['Box', 'get']],
    ['operator<<', ['operator<<']],
    ['describe("a.b") callback', ['describe']],
  ])('a name of a language server: %s', (name, parts) => {
    expect(namePath(name)).toEqual(parts);
  });

  it.each([
    [{ symbol: 'a' }, { symbol: ['a'] }],
    [
      { path: 'a.ts', line: 3 },
      { path: 'a.ts', line: 3 },
    ],
    [
      { path: 'a.ts', line: '3', column: 4, symbol: 'x.y' },
      { path: 'a.ts', line: 3, column: 4, symbol: ['x', 'y'] },
    ],
  ])('a place: %o', (args, place) => {
    expect(placeOf(args)).toEqual(place);
  });

  it.each([
    [() => placeOf({}), 'Name a symbol, or a path with a line.'],
    [() => placeOf({ path: 'a.ts' }), 'Name a symbol, or a path with a line.'],
    [() => placeOf({ symbol: 'a', line: 2 }), 'line needs a path.'],
    [() => placeOf({ symbol: '()' }), 'symbol must be a name.'],
    [() => placeOf({ symbol: 7 }), 'symbol must be a string of at most 4000 characters.'],
    [() => placeOf({ symbol: 'x'.repeat(5_000) }), 'symbol must be a string of at most 4000 characters.'],
    [() => placeOf({ path: 'a\0.ts', line: 1 }), 'path must be a string of at most 4000 characters.'],
    [() => lineOf({ line: 0 }, 'line'), 'line must be a whole number from 1.'],
    [() => lineOf({ line: 1.5 }, 'line'), 'line must be a whole number from 1.'],
    [() => lineOf({ line: {} }, 'line'), 'line must be a whole number from 1.'],
    [() => wholeOf({ frame: '1.5' }, 'frame'), 'frame must be a whole number.'],
    [() => wholeOf({ frame: [1] }, 'frame'), 'frame must be a whole number.'],
    [() => pageOf({ limit: 'all' }), 'limit must be a whole number.'],
    [() => requiredText({}, 'path'), 'path is missing.'],
    [() => wordOf({ kind: 'x' }, 'kind', 'a', 'b'), 'kind must be one of a, b.'],
    [() => pageOf({ cursor: '-1' }), 'cursor must be the one from the end of the answer before.'],
    [() => pageOf({ cursor: 5 }), 'cursor must be the one from the end of the answer before.'],
  ])('what is wrong is said: %s', (read, message) => {
    expect(read).toThrow(new ToolError(message));
  });

  it('a page has at most 500 results', () => {
    expect(pageOf({})).toEqual({ limit: 50, offset: 0 });
    expect(pageOf({ limit: 9_999, cursor: '50' })).toEqual({ limit: 500, offset: 50 });
    expect(pageOf({ limit: -4 })).toEqual({ limit: 1, offset: 0 });
    expect(pageOf({ limit: '7', cursor: null })).toEqual({ limit: 7, offset: 0 });
  });

  it.each([
    [undefined, undefined],
    [null, undefined],
    ['', undefined],
    ['-3', -3],
    [0, 0],
  ])('a number: %o', (value, read) => {
    expect(wholeOf({ frame: value }, 'frame')).toBe(read);
  });

  it('arguments may come as a text', () => {
    expect(argumentsOf('{"symbol":"a"}')).toEqual({ symbol: 'a' });
    expect(argumentsOf('not JSON')).toEqual({});
    expect(argumentsOf([1])).toEqual({});
    expect(argumentsOf(null)).toEqual({});
  });
});

describe('answers of a tool', () => {
  const lines = Array.from({ length: 5 }, (_, at) => ({
    path: at < 3 ? 'a.ts' : 'b.ts',
    line: at + 1,
    text: `  x${at}`,
  }));

  it('groups lines by file and says how to go on', () => {
    expect(linesAnswer('5 uses', lines, { limit: 4, offset: 0 }, 2)).toBe(
      '5 uses\na.ts\n  1: x0\n  2: x1\n  3: x2\nb.ts\n  4: x3\n… 1 more: cursor "4"\n' +
        '(2 outside the session’s folders left out)',
    );
    expect(linesAnswer('5 uses', lines, { limit: 4, offset: 4 })).toBe('5 uses\nb.ts\n  5: x4');
    expect(listAnswer('none', [], { limit: 4, offset: 9 })).toBe('none');
  });

  it('is never longer than its limit', () => {
    expect(bounded('x'.repeat(10_000_000)).length).toBeLessThan(maxAnswer + 100);
    expect(bounded(`${'line\n'.repeat(20_000)}`)).toMatch(/line\n… cut: 100000 characters. Ask for less.$/);
    expect(shortLine(`\t${'y'.repeat(10_000)}`)).toHaveLength(201);
  });

  it('counts in words', () => {
    expect([counted(1, 'file'), counted(2, 'file'), counted(0, 'entry')]).toEqual(['1 file', '2 files', '0 entries']);
  });
});
