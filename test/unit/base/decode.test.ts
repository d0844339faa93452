import { describe, expect, it } from 'vitest';
import {
  asObject,
  count,
  type Decoder,
  decoded,
  flag,
  idOf,
  integer,
  number,
  objectOf,
  oneOf,
  rightOf,
  text,
  textUpTo,
  usableOf,
} from '../../../src/base/decode';

const values = [undefined, null, '', 'a', 'abc', 0, -1, 1.5, NaN, Infinity, true, [], ['a'], {}, { a: 1 }];

describe('a value', () => {
  it.each(
    Object.entries<Decoder<unknown>>({ text, flag, number, integer, count, word: oneOf('a', 'b'), short: textUpTo(2) }),
  )('is right as %s or an error, and is the same or absent where it may be wrong', (_, decode) => {
    for (const value of values) {
      if (decode.isRight!(value)) expect(decode(value)).toBe(value);
      else expect(() => decode(value)).toThrow('damaged');
      expect(decoded(decode, value)).toBe(decode.isRight!(value) ? value : undefined);
    }
  });

  it('is an id as a text or a whole number', () => {
    expect(['a', 7, 0, 1.5, null, {}].map(idOf)).toEqual(['a', '7', '0', undefined, undefined, undefined]);
  });

  it('is an object or an empty one', () => {
    expect([{ a: 1 }, [1], null, 'a'].map(asObject)).toEqual([{ a: 1 }, {}, {}, {}]);
  });
});

describe('a list of which only some is right', () => {
  const item = objectOf<{ readonly a: number }>({ a: number });

  it('has only that', () => {
    expect(rightOf(item)([{ a: 1 }, { a: 'x' }, 7])).toEqual([{ a: 1 }]);
  });

  it('is reported where somebody has to know', () => {
    const issues: string[] = [];
    const read = usableOf(
      (raw) => decoded(item, raw),
      (issue) => issues.push(issue),
      'entries',
    );
    expect([read([{ a: 1 }, 7]), read('x'), read(null), read(undefined)]).toEqual([
      [{ a: 1 }],
      undefined,
      undefined,
      undefined,
    ]);
    expect(issues).toEqual(['entries[1] is malformed and was skipped', 'entries is not a list']);
  });
});
