import type { EntryId } from '../../src/protocol/entryId';
import type { Found } from './search';

/** All matches, and the current one. */
export class Matches {
  readonly #starts: readonly number[];
  readonly #indexOf: ReadonlyMap<EntryId, number>;
  readonly total: number;
  /** Counted from 0; −1 while there is none. */
  at = -1;

  constructor(
    private readonly found: Found['found'],
    readonly isCapped: boolean,
  ) {
    let total = 0;
    this.#starts = found.map(([, count]) => (total += count) - count);
    this.total = total;
    this.#indexOf = new Map(found.map(([id], i) => [id, i]));
  }

  has(id: EntryId): boolean {
    return this.#indexOf.has(id);
  }

  /** The entry of the current match, and its number among the entry's matches. */
  get current(): { readonly id: EntryId; readonly nth: number } | undefined {
    if (this.at < 0) return undefined;
    let low = 0;
    let high = this.found.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= this.at) low = middle + 1;
      else high = middle;
    }
    const [id] = this.found[low - 1]!;
    return { id, nth: this.at - this.#starts[low - 1]! };
  }

  /** Goes on by one, from the last to the first. */
  step(by: 1 | -1): void {
    if (this.total > 0) this.at = (this.at + by + this.total) % this.total;
  }

  /** Stays at the match of an entry if it still exists, else goes to the first one after it. */
  stayAt(id: EntryId | undefined, nth: number, order: readonly EntryId[]): void {
    if (this.total === 0) return;
    const here = id === undefined ? undefined : this.#indexOf.get(id);
    if (here !== undefined) {
      this.at = this.#starts[here]! + Math.min(nth, this.found[here]![1] - 1);
      return;
    }
    this.at = 0;
    if (id === undefined) return;
    for (let i = order.indexOf(id); i >= 0 && i < order.length; i++) {
      const next = this.#indexOf.get(order[i]!);
      if (next === undefined) continue;
      this.at = this.#starts[next]!;
      return;
    }
  }
}
