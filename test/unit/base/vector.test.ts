import { describe, expect, it } from 'vitest';
import { Vector } from '../../../src/base/vector';

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

describe('Vector', () => {
  it.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 33_000])('holds what was pushed, at a length of %i', (length) => {
    let vector = Vector.empty<number>();
    for (let i = 0; i < length; i++) vector = vector.push(i);
    expect(vector.length).toBe(length);
    expect([...vector]).toEqual(Array.from({ length }, (_, i) => i));
    expect([...Vector.from(vector)]).toEqual([...vector]);
    expect(vector.at(-1)).toBeUndefined();
    expect(vector.at(length)).toBeUndefined();
  });

  it('is the same list when an item is set to itself', () => {
    const vector = Vector.empty<string>().push('a');
    expect(vector.set(0, 'a')).toBe(vector);
    expect(() => vector.set(1, 'b')).toThrow(RangeError);
  });

  it('an older version never changes, and the difference of any two is exact', () => {
    const next = random(7);
    let vector = Vector.empty<number>();
    const versions: { vector: Vector<number>; items: number[] }[] = [];
    for (let step = 0; step < 3_000; step++) {
      if (vector.length === 0 || next() < 0.6) vector = vector.push(Math.floor(next() * 10));
      else vector = vector.set(Math.floor(next() * vector.length), Math.floor(next() * 10));
      if (step % 97 === 0) versions.push({ vector, items: [...vector] });
    }
    for (const [i, older] of versions.entries()) {
      expect([...older.vector]).toEqual(older.items);
      for (const newer of versions.slice(i)) {
        const expected = newer.items.flatMap((item, index) =>
          index >= older.items.length || item !== older.items[index] ? [index] : [],
        );
        const changed = newer.vector.changedSince(older.vector);
        // Equal numbers that were set anew are the same value, so no more and no fewer than the expected.
        expect(changed).toEqual(expected);
      }
    }
  });
});
