/** The selected lines of a list, as in VS Code's own lists. Knows keys only. */
export class ListSelection {
  #selected: ReadonlySet<string> = new Set();
  #anchor: string | undefined;

  get keys(): ReadonlySet<string> {
    return this.#selected;
  }

  has(key: string): boolean {
    return this.#selected.has(key);
  }

  /** Adds or removes one line; a range begins there. */
  toggle(key: string): void {
    const next = new Set(this.#selected);
    if (!next.delete(key)) next.add(key);
    this.#selected = next;
    this.#anchor = key;
  }

  /**
   * Selects from the beginning of the range to `key`.
   * @param order all keys
   * @param from the beginning if nothing was chosen before
   */
  extend(key: string, order: readonly string[], from: string = key): void {
    const anchor = this.#anchor !== undefined && order.includes(this.#anchor) ? this.#anchor : from;
    const [first, last] = [order.indexOf(anchor), order.indexOf(key)].toSorted((a, b) => a - b) as [number, number];
    this.#anchor = anchor;
    this.#selected = new Set(order.slice(Math.max(0, first), last + 1));
  }

  all(order: readonly string[]): void {
    this.#selected = new Set(order);
  }

  /** @returns false if nothing was selected */
  clear(): boolean {
    const had = this.#selected.size > 0;
    this.#selected = new Set();
    this.#anchor = undefined;
    return had;
  }

  /** Forgets lines that are gone. */
  keep(order: readonly string[]): void {
    if (this.#selected.size === 0) return;
    const there = new Set(order);
    this.#selected = new Set([...this.#selected].filter((key) => there.has(key)));
  }
}
