import { describe, expect, it } from 'vitest';
import { StringMap } from '../../../src/base/stringMap';

describe('StringMap', () => {
  it('agrees with Map over many keys, and older versions stay', () => {
    let map = StringMap.empty<number>();
    const model = new Map<string, number>();
    const early = (map = map.set('toolu_0', -1));
    model.set('toolu_0', -1);
    for (let i = 0; i < 20_000; i++) {
      const key = `toolu_${(i * 7_919) % 9_000}`;
      map = map.set(key, i);
      model.set(key, i);
    }
    expect(map.size).toBe(model.size);
    for (const [key, value] of model) expect(map.get(key)).toBe(value);
    expect(early.get('toolu_0')).toBe(-1);
    expect(early.size).toBe(1);
    expect(map.get('__proto__')).toBeUndefined();
  });
});
