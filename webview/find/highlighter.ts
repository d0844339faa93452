import type { EntryId } from '../../src/protocol/entryId';
import type { Matches } from './matches';
import type { Places, Search } from './search';
import { type DrawnText, drawnText, rangeOf } from './drawnText';

const NAME = 'parley-find';
/** Name of the highlight of what the user is led to. */
export const CURRENT = 'parley-find-current';

/** Marks the matches in what is drawn, without a change to the document. */
export class FindHighlighter {
  readonly #drawn = new Map<EntryId, DrawnText>();
  readonly #ranges = new Map<EntryId, readonly Range[]>();

  /**
   * @param thread its drawn entries are looked through
   * @param onDidPlace the matches of an entry are known
   */
  constructor(
    private readonly thread: HTMLElement,
    private readonly search: Search,
    private readonly onDidPlace: (id: EntryId) => void,
  ) {}

  /** Something else is looked for. */
  reset(): void {
    this.#drawn.clear();
    this.#ranges.clear();
    CSS.highlights.delete(NAME);
    CSS.highlights.delete(CURRENT);
  }

  /** Looks at entries that were drawn or have changed since the last time. */
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
      this.search.place(id, now.text);
    }
  }

  /** The worker has found where the matches of an entry are. */
  place({ id, places }: Places): void {
    const drawn = this.#drawn.get(id);
    if (!drawn) return;
    this.#ranges.set(
      id,
      places.flatMap((place) => rangeOf(drawn, place) ?? []),
    );
    this.onDidPlace(id);
  }

  /** The matches of an entry that are drawn; `undefined` while that is not known. */
  rangesOf(id: EntryId): readonly Range[] | undefined {
    return this.#ranges.get(id);
  }

  /** @param current the one that the user is at */
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
