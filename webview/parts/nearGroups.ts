import { slices } from '../lib/frame';
import type { EntryGroup } from './entryGroup';

/** So far beyond the view, in heights of the view, groups are drawn before they come into it. */
const NEAR = 1;
/** Beyond this they are removed. The distance keeps a small movement from drawing the same group again and again. */
const FAR = 2.5;
/** Drawing a group shifts what is near. A view of short groups is full after a few rounds. */
const MAX_ROUNDS = 8;

/** Whether what is in view stays where it is when something above it changes. */
const browserKeepsPlace = CSS.supports('overflow-anchor', 'auto');

/**
 * Keeps drawn what is near the view: groups in it at once, those beside it when there is time. Far groups are empty
 * boxes of their height, so what a thread costs does not depend on its length.
 */
export class NearGroups {
  private groups: readonly EntryGroup[] = [];
  private readonly built = new Set<EntryGroup>();
  private readonly queued = new Set<EntryGroup>();
  private round = 0;

  /**
   * @param scroller what the groups scroll in
   * @param mustStay whether a group may not be removed, however far it is
   * @param onDidBuild a group was drawn
   */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly mustStay: (group: EntryGroup) => boolean,
    private readonly onDidBuild: (group: EntryGroup) => void,
  ) {}

  /** Another thread is shown. @param groups grows as the thread does */
  reset(groups: readonly EntryGroup[]): void {
    this.groups = groups;
    this.built.clear();
    this.queued.clear();
  }

  /** Draws a group wherever it is. */
  build(group: EntryGroup): void {
    if (group.isBuilt) return;
    group.build();
    this.built.add(group);
    this.onDidBuild(group);
  }

  /** The width is another: what was measured counts no more. */
  guessAll(): void {
    for (const group of this.groups) group.guess();
  }

  /** The first group that ends below a line of the page, by halves: their elements stand in order. */
  indexBelow(y: number): number {
    let low = 0;
    let high = this.groups.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.groups[middle]!.element.getBoundingClientRect().bottom > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * Draws what has come near and removes what is far. Reads layout, then writes.
   * @param settle scrolls to where the user is, after what is drawn has shifted
   */
  update(settle: () => void): void {
    settle();
    for (this.round = 0; this.round < MAX_ROUNDS && this.buildInView(); this.round++) settle();
    this.queueNear();
    this.removeFar();
  }

  /** @returns whether anything was drawn */
  private buildInView(): boolean {
    const { top, bottom, height } = this.scroller.getBoundingClientRect();
    if (height === 0) return false;
    const inView = this.groups.slice(this.indexBelow(top), this.indexBelow(bottom) + 1).filter((group) => !group.isBuilt);
    if (inView.length === 0) return false;
    const place = this.placeOf(top, bottom);
    for (const group of inView) this.build(group);
    place?.();
    return true;
  }

  /**
   * Where the view is, so that it stays there while groups are drawn: the first drawn group in it keeps its place. The
   * browser does so by itself only while nothing above that changes in its own style. Where nothing in view is drawn,
   * as when the scroll bar was dragged, the share of the box that is above the view stays the same.
   */
  private placeOf(top: number, bottom: number): (() => void) | undefined {
    const index = this.indexBelow(top);
    const first = this.groups[index];
    if (!first) return undefined;
    const drawn = this.groups.slice(index, this.indexBelow(bottom) + 1).find((group) => group.isBuilt);
    const [group, edge] = drawn ? ([drawn, drawn === first ? 'bottom' : 'top'] as const) : ([first, 'share'] as const);
    const before = group.element.getBoundingClientRect();
    const share = (top - before.top) / before.height;
    return () => {
      const after = group.element.getBoundingClientRect();
      const by = edge === 'share' ? after.top + share * after.height - top : after[edge] - before[edge];
      if (Math.abs(by) > 0.5) this.scroller.scrollTop += by;
    };
  }

  private queueNear(): void {
    const { top, bottom, height } = this.scroller.getBoundingClientRect();
    if (height === 0) return;
    const near = this.groups.slice(this.indexBelow(top - NEAR * height), this.indexBelow(bottom + NEAR * height) + 1);
    for (const group of near) {
      if (group.isBuilt || this.queued.has(group)) continue;
      this.queued.add(group);
      slices.add(() => {
        if (!this.queued.delete(group) || !this.isWithin(group, NEAR)) return;
        const view = this.scroller.getBoundingClientRect();
        const place = browserKeepsPlace ? undefined : this.placeOf(view.top, view.bottom);
        this.build(group);
        place?.();
      });
    }
  }

  private removeFar(): void {
    const far = [...this.built].filter((group) => !this.isWithin(group, FAR) && !this.mustStay(group)).map((group) => ({ group, height: group.element.getBoundingClientRect().height }));
    for (const { group, height } of far) {
      group.unbuild(height);
      this.built.delete(group);
    }
  }

  /** @param distance in heights of the view */
  private isWithin(group: EntryGroup, distance: number): boolean {
    const view = this.scroller.getBoundingClientRect();
    const box = group.element.getBoundingClientRect();
    return view.height === 0 || (box.bottom > view.top - distance * view.height && box.top < view.bottom + distance * view.height);
  }
}
