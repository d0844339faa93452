import type { EntryId } from '../../src/protocol/entryId';
import type { Matches } from './matches';
import type { Places, Search } from './search';
import { type DrawnText, drawnText, rangeOf } from './drawnText';

const NAME = 'parley-find';
/** Name of the highlight for the current match. */
export const CURRENT = 'parley-find-current';

/** Marks the matches in drawn content, without changing the document. */
export class FindHighlighter {
  readonly #drawn = new Map<EntryId, DrawnText>();
  readonly #ranges = new Map<EntryId, readonly Range[]>();
  /** How many answers of the worker are to come for an entry: only the last one is about its current text. */
  readonly #awaited = new Map<EntryId, number>();

  /**
   * @param thread its drawn entries are searched
   * @param onDidPlace the matches of an entry are known
   */
  constructor(
    private readonly thread: HTMLElement,
    private readonly search: Search,
    private readonly onDidPlace: (id: EntryId) => void,
  ) {}

  /** Another search begins. */
  reset(): void {
    this.#drawn.clear();
    this.#ranges.clear();
    this.#awaited.clear();
    CSS.highlights.delete(NAME);
    CSS.highlights.delete(CURRENT);
  }

  /** Searches entries that were drawn or changed since the last time. */
  look(matches: Matches): void {
    const entries = new Map<EntryId, Element>();
    for (const element of this.thread.querySelectorAll<HTMLElement>('[data-entry]')) {
      const id = element.dataset['entry']!;
      if (matches.has(id)) entries.set(id, element);
    }
    for (const id of [...this.#drawn.keys()]) if (!entries.has(id)) this.#forget(id);
    for (const [id, element] of entries) {
      const now = drawnText(element);
      const before = this.#drawn.get(id);
      if (before?.text === now.text && before.pieces.every(({ node }, i) => node === now.pieces[i]?.node)) continue;
      this.#drawn.set(id, now);
      this.#ranges.delete(id);
      this.#awaited.set(id, (this.#awaited.get(id) ?? 0) + 1);
      this.search.place(id, now.text);
    }
  }

  /** The worker has found the positions of an entry's matches. */
  place({ id, places }: Places): void {
    const awaited = (this.#awaited.get(id) ?? 1) - 1;
    this.#awaited.set(id, awaited);
    const drawn = this.#drawn.get(id);
    if (!drawn || awaited > 0) return;
    this.#ranges.set(
      id,
      places.flatMap((place) => rangeOf(drawn, place) ?? []),
    );
    this.onDidPlace(id);
  }

  /** The drawn matches of an entry; `undefined` while they are unknown. */
  rangesOf(id: EntryId): readonly Range[] | undefined {
    return this.#ranges.get(id);
  }

  /** @param current the current match */
  paint(current: Range | undefined): void {
    const all = new Highlight();
    for (const ranges of this.#ranges.values()) for (const range of ranges) if (range !== current) all.add(range);
    CSS.highlights.set(NAME, all);
    const one = new Highlight(...(current ? [current] : []));
    one.priority = 1;
    CSS.highlights.set(CURRENT, one);
  }

  #forget(id: EntryId): void {
    this.#drawn.delete(id);
    this.#ranges.delete(id);
  }
}
