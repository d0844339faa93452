const bits = 5;
const width = 1 << bits;
const mask = width - 1;

type Node<T> = readonly (Node<T> | T)[];

/**
 * An immutable list whose versions share their unchanged parts. `push` and `set` cost the same at any length, and the
 * difference of two versions is found without comparing every item. A trie of 32-wide nodes.
 */
export class Vector<T> {
  private constructor(
    readonly length: number,
    private readonly depth: number,
    private readonly root: Node<T>,
  ) {}

  static empty<T>(): Vector<T> {
    return new Vector<T>(0, 0, []);
  }

  static from<T>(items: Iterable<T>): Vector<T> {
    let list = Vector.empty<T>();
    for (const item of items) list = list.push(item);
    return list;
  }

  /** @param index from 0; `undefined` outside the list. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let node = this.root;
    for (let level = this.depth * bits; level > 0; level -= bits) node = node[(index >>> level) & mask] as Node<T>;
    return node[index & mask] as T;
  }

  push(item: T): Vector<T> {
    const full = this.length === width ** (this.depth + 1);
    const depth = full ? this.depth + 1 : this.depth;
    const root: Node<T> = full ? [this.root] : this.root;
    return new Vector(this.length + 1, depth, write(root, depth * bits, this.length, item));
  }

  /** The same list if `item` is already there. @throws RangeError outside the list. */
  set(index: number, item: T): Vector<T> {
    if (index < 0 || index >= this.length) throw new RangeError(`no item ${index} in a list of ${this.length}`);
    if (this.at(index) === item) return this;
    return new Vector(this.length, this.depth, write(this.root, this.depth * bits, index, item));
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as T;
  }

  /** Indices at which this list differs from an `older` version of it, ascending; shared parts are skipped. */
  changedSince(older: Vector<T>): number[] {
    const changed: number[] = [];
    const shared = Math.min(this.length, older.length);
    if (shared > 0) collect(lift(older, this.depth), this.root, this.depth * bits, 0, shared, changed);
    for (let index = shared; index < this.length; index++) changed.push(index);
    return changed;
  }
}

function write<T>(node: Node<T>, level: number, index: number, item: T): Node<T> {
  const copy = node.slice();
  const slot = (index >>> level) & mask;
  copy[slot] = level === 0 ? item : write((copy[slot] as Node<T> | undefined) ?? [], level - bits, index, item);
  return copy;
}

/** The root of `vector` in a trie of `depth`, so that two versions can be walked side by side. */
function lift<T>(vector: Vector<T>, depth: number): Node<T> {
  let root = vector['root'];
  for (let own = vector['depth']; own < depth; own++) root = [root];
  return root;
}

function collect<T>(
  older: Node<T> | undefined,
  newer: Node<T>,
  level: number,
  offset: number,
  end: number,
  changed: number[],
): void {
  if (older === newer) return;
  for (let slot = 0; slot < newer.length; slot++) {
    const index = offset + (slot << level);
    if (index >= end) return;
    const before = older?.[slot];
    const after = newer[slot];
    if (before === after) continue;
    if (level === 0) changed.push(index);
    else collect(before as Node<T> | undefined, after as Node<T>, level - bits, index, end, changed);
  }
}
