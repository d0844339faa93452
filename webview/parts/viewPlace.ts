import type { EntryId } from '../../src/protocol/entryId';
import type { PanelUiState } from '../../src/protocol/viewModel';
import type { ScrollAnchor } from '../lib/scrollAnchor';
import type { GroupList } from './groupList';
import type { NearGroups } from './nearGroups';

type Place = NonNullable<PanelUiState['scroll']>;

/** The thread in which the position is computed. */
export interface ViewPlaceOptions {
  readonly scroller: HTMLElement;
  readonly scroll: ScrollAnchor;
  readonly placed: GroupList;
  readonly near: NearGroups;
  /** The entry itself, or the folded call that hides it. */
  standIn(id: EntryId): EntryId;
  /** The element of an entry, or of the fold that hides it; `undefined` if neither is drawn. */
  standsFor(id: EntryId): HTMLElement | undefined;
}

/** The positions of entries in the view. All of it reads layout. */
export class ViewPlace {
  /** The user's position, until that entry has come. */
  #awaited: Place | undefined;

  constructor(private readonly options: ViewPlaceOptions) {}

  /** The user's position: the entry at the top edge; `undefined` at the end. */
  get(): Place | undefined {
    if (this.options.scroll.atEnd) return this.#awaited;
    const group = this.#groups[this.options.near.indexBelow(this.#top)];
    if (!group) return undefined;
    const entryId = group.ids.find((id) => this.#isBelow(id)) ?? group.ids[0]!;
    return {
      entryId,
      offset: Math.round((this.options.standsFor(entryId) ?? group.element).getBoundingClientRect().top - this.#top),
    };
  }

  /** Returns to the user's position, or to the end until that entry has come. */
  restore(place: Place | undefined): void {
    this.#awaited = undefined;
    if (place && this.#goBack(place)) return;
    this.#awaited = place;
    this.options.scroll.pin();
  }

  /** Entries have come. @param isWhole no further old ones will come */
  follow(isWhole: boolean): void {
    // Unless the user has moved since.
    if (this.#awaited && (!this.options.scroll.atEnd || this.#goBack(this.#awaited) || isWhole))
      this.#awaited = undefined;
  }

  /** Keeps an entry at its position in the view until the user scrolls. */
  hold(entryId: EntryId): void {
    const element = this.options.standsFor(entryId);
    if (!element) return;
    const offset = element.getBoundingClientRect().top - this.#top;
    this.options.scroll.holdAt(() => this.#goTo({ entryId, offset }));
  }

  /** The entries in view; none at the end, where the position is kept anyway. */
  inView(): readonly Place[] {
    const { scroll, near, scroller, standsFor } = this.options;
    if (scroll.atEnd) return [];
    const { top, bottom } = scroller.getBoundingClientRect();
    const ids = this.#groups
      .slice(near.indexBelow(top), near.indexBelow(bottom) + 1)
      .flatMap(({ shownIds }) => shownIds);
    return ids.flatMap((entryId) => {
      const box = standsFor(entryId)?.getBoundingClientRect();
      return box && box.bottom > top && box.top < bottom ? { entryId, offset: box.top - top } : [];
    });
  }

  /**
   * Entries have moved.
   * @param inView the entries in view before: the first unmoved one keeps its position, or else the first one does
   */
  putBack(inView: readonly Place[], hasMoved: (id: EntryId) => boolean): void {
    const place = inView.find(({ entryId }) => !hasMoved(entryId)) ?? inView[0];
    if (place && this.#build(place.entryId)) this.#goTo(place);
  }

  /** The entry at the top of the view. */
  topEntry(): EntryId | undefined {
    return this.#groups[this.options.near.indexBelow(this.#top)]?.ids.find((id) => this.#isBelow(id));
  }

  /**
   * The prompt of the answer at a distance below the top of the view; `undefined` if a prompt itself is there, or none
   * came before.
   */
  promptOver(distance: number): EntryId | undefined {
    if (this.options.scroller.scrollTop <= 0) return undefined;
    const line = this.#top + distance;
    const group = this.#groups[this.options.near.indexBelow(line)];
    const index = group?.ids.findIndex((id) => this.#isBelow(id, line)) ?? -1;
    const prompt = group?.promptAt(index);
    return prompt === group?.ids[index] ? undefined : prompt;
  }

  get #groups(): GroupList['groups'] {
    return this.options.placed.groups;
  }

  get #top(): number {
    return this.options.scroller.getBoundingClientRect().top;
  }

  #isBelow(id: EntryId, line = this.#top): boolean {
    return (this.options.standsFor(id)?.getBoundingClientRect().bottom ?? -Infinity) > line;
  }

  /** @returns false if that entry has not come */
  #goBack(place: Place): boolean {
    if (!this.#build(place.entryId)) return false;
    this.options.scroll.holdAt(() => this.#goTo(place));
    return true;
  }

  #build(id: EntryId): boolean {
    const group = this.options.placed.get(this.options.standIn(id));
    if (group) this.options.near.build(group);
    return group !== undefined;
  }

  #goTo({ entryId, offset }: Place): void {
    const element = this.options.standsFor(entryId);
    if (!element) return;
    const by = element.getBoundingClientRect().top - this.#top - offset;
    if (Math.abs(by) > 0.5) this.options.scroller.scrollTop += by;
  }
}
