const rows = 64;

type Bucket<V> = readonly (readonly [key: string, value: V])[];

/**
 * An immutable map from strings, for a few thousand keys that mostly grow: a write copies two short lists, a read
 * looks at one.
 */
export class StringMap<V> {
  private constructor(
    readonly size: number,
    private readonly table: readonly (readonly Bucket<V>[] | undefined)[],
  ) {}

  static empty<V>(): StringMap<V> {
    return new StringMap<V>(0, []);
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    const bucket = this.table[hash % rows]?.[(hash >>> 8) % rows];
    return bucket?.find((pair) => pair[0] === key)?.[1];
  }

  set(key: string, value: V): StringMap<V> {
    const hash = hashOf(key);
    const table = this.table.slice();
    const row = (table[hash % rows] ?? []).slice();
    const bucket: Bucket<V> = row[(hash >>> 8) % rows] ?? [];
    const rest = bucket.filter((pair) => pair[0] !== key);
    row[(hash >>> 8) % rows] = [...rest, [key, value]];
    table[hash % rows] = row;
    return new StringMap(this.size + (rest.length === bucket.length ? 1 : 0), table);
  }
}

/** FNV-1a, 32 bit. */
export function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
