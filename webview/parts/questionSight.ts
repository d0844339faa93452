/** So much of a part, of 1, is all of it: the rest may be cut off by rounding and frames. */
export const MOSTLY = 0.9;

/**
 * What of a permission's card must have been before the person's eyes: its beginning and each of its answers, or the list of many. What is asked
 * stands between these, and a card that is taller than the view shows them one after the other.
 */
export function partsToSee(card: Element): Element[] {
  return [...card.querySelectorAll(':scope > .card-head > .codicon, :scope > .options:not(.many) > button, :scope > .options.many')];
}

/** Whether a box lies in another from top to bottom. */
export function isMostlyWithin(box: DOMRect, view: DOMRect): boolean {
  return box.height > 0 && Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top) >= box.height * MOSTLY;
}
