import { slices } from '../lib/frame';
import type { EntryGroup } from './entryGroup';

/** Groups within this distance of the view, in view heights, are drawn in advance. */
const NEAR = 1;
/** The same in the direction of scrolling. */
const AHEAD = 1.75;
/** Beyond this distance they are removed. The gap avoids drawing the same group repeatedly for small movements. */
const FAR = 2.5;
/** Drawing a group shifts its neighbours. A view of short groups is full after a few rounds. */
const MAX_ROUNDS = 8;

/** True if the browser keeps the view's position when something above it changes. */
const browserKeepsPlace = CSS.supports('overflow-anchor', 'auto');

/**
 * Draws the groups near the view: those in it at once, those next to it when there is time. Far groups are empty boxes
 * of their height, so a thread's cost does not depend on its length.
 */
export class NearGroups {
  #groups: readonly EntryGroup[] = [];
  readonly #built = new Set<EntryGroup>();
  /** Groups to draw next to the view, the next one last. */
  #wanted: EntryGroup[] = [];
  /** Groups to remove, with their height. */
  #far: { readonly group: EntryGroup; readonly height: number }[] = [];
  #isBusy = false;
  #lastTop = 0;
  #isUpwards = true;
  #round = 0;

  /**
   * @param scroller of the groups
   * @param mustStay whether a group must not be removed at any distance
   * @param onDidBuild a group was drawn
   */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly mustStay: (group: EntryGroup) => boolean,
    private readonly onDidBuild: (group: EntryGroup) => void,
  ) {}

  /** Another thread is shown. @param groups grows as the thread does */
  reset(groups: readonly EntryGroup[]): void {
    this.#groups = groups;
    this.#built.clear();
    this.#wanted = [];
    this.#far = [];
    this.#isBusy = false;
  }

  /** Draws a group at any distance. */
  build(group: EntryGroup): void {
    if (group.isBuilt) return;
    group.build();
    this.#built.add(group);
    this.onDidBuild(group);
  }

  /** A group was removed. */
  forget(group: EntryGroup): void {
    this.#built.delete(group);
    this.#wanted = this.#wanted.filter((other) => other !== group);
    this.#far = this.#far.filter((other) => other.group !== group);
  }

  /** The width has changed: measured heights no longer apply. */
  guessAll(): void {
    for (const group of this.#groups) group.guess();
  }

  /** The first group that ends below a line of the page, by binary search: their elements are in order. */
  indexBelow(y: number): number {
    let low = 0;
    let high = this.#groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#groups[middle]!.element.getBoundingClientRect().bottom > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Draws the groups in view. Groups next to it wait for time in a next frame, far ones for the beginning of the next
   * one: there the code only writes, and here it only reads, so that a frame has one layout.
   * @param settle scrolls back to the user's position after a shift
   */
  update(settle: () => void): void {
    settle();
    for (this.#round = 0; this.#round < MAX_ROUNDS && this.#buildInView(); this.#round++) settle();
    this.#findWork();
    if (this.#isBusy || this.#wanted.length === 0) return;
    this.#isBusy = true;
    slices.add(() => this.#buildNext());
  }

  /** True if `removeFar` has something to do. */
  get hasFar(): boolean {
    return this.#far.length > 0;
  }

  /**
   * Removes the groups that were far at the end of the last frame. Writes only. All of them, because a flood leaves no
   * time.
   */
  removeFar(): void {
    for (const { group, height } of this.#far) {
      if (!group.isBuilt || this.mustStay(group)) continue;
      group.unbuild(height);
      this.#built.delete(group);
    }
    this.#far = [];
  }

  /** @returns whether anything was drawn */
  #buildInView(): boolean {
    const { top, bottom, height } = this.scroller.getBoundingClientRect();
    if (height === 0) return false;
    const inView = this.#groups
      .slice(this.indexBelow(top), this.indexBelow(bottom) + 1)
      .filter((group) => !group.isBuilt && !group.isEmpty);
    if (inView.length === 0) return false;
    const place = this.#placeOf(top, bottom);
    for (const group of inView) this.build(group);
    place?.();
    return true;
  }

  /**
   * The view's position, to keep it while groups are drawn: that of the first drawn group in it. The browser keeps it
   * only while no element above changes its own style. If no group in view is drawn, as after dragging the scroll bar,
   * the share of the box above the view is kept.
   */
  #placeOf(top: number, bottom: number): (() => void) | undefined {
    const index = this.indexBelow(top);
    const first = this.#groups[index];
    // At the beginning it stays there.
    if (!first || this.scroller.scrollTop <= 0) return undefined;
    const drawn = this.#groups.slice(index, this.indexBelow(bottom) + 1).find((group) => group.isBuilt);
    const [group, edge] = drawn ? ([drawn, drawn === first ? 'bottom' : 'top'] as const) : ([first, 'share'] as const);
    const before = group.element.getBoundingClientRect();
    const share = (top - before.top) / before.height;
    return () => {
      const after = group.element.getBoundingClientRect();
      const by = edge === 'share' ? after.top + share * after.height - top : after[edge] - before[edge];
      if (Math.abs(by) > 0.5) this.scroller.scrollTop += by;
    };
  }

  #findWork(): void {
    const { scrollTop } = this.scroller;
    if (scrollTop !== this.#lastTop) this.#isUpwards = scrollTop < this.#lastTop;
    this.#lastTop = scrollTop;
    const { top, bottom, height } = this.scroller.getBoundingClientRect();
    if (height === 0) return;
    const above = this.#notDrawn(top - (this.#isUpwards ? AHEAD : NEAR) * height, top);
    const below = this.#notDrawn(bottom, bottom + (this.#isUpwards ? NEAR : AHEAD) * height).reverse();
    this.#wanted = this.#isUpwards ? [...below, ...above] : [...above, ...below];
    const near = new Set(
      this.#groups.slice(this.indexBelow(top - FAR * height), this.indexBelow(bottom + FAR * height) + 1),
    );
    this.#far = [...this.#built]
      .filter((group) => !near.has(group) && !this.mustStay(group))
      .map((group) => ({ group, height: group.element.getBoundingClientRect().height }));
  }

  #notDrawn(from: number, to: number): EntryGroup[] {
    return this.#groups
      .slice(this.indexBelow(from), this.indexBelow(to) + 1)
      .filter((group) => !group.isBuilt && !group.isEmpty);
  }

  /** Draws one group. The wanted groups are recomputed before the next one. */
  #buildNext(): void {
    this.#isBusy = false;
    const group = this.#wanted.pop();
    if (!group) return;
    const view = browserKeepsPlace ? undefined : this.scroller.getBoundingClientRect();
    const place = view && this.#placeOf(view.top, view.bottom);
    this.build(group);
    place?.();
  }
}
