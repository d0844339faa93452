/** So much of a part, of 1, is all of it: the rest may be cut off by rounding and frames. */
const MOSTLY = 0.9;

interface Watched {
  readonly card: Element;
  readonly unseen: Set<Element>;
  readonly done: () => void;
}

/**
 * Knows which permission requests the user has had in view, all that decides of them: the beginning of the card and each
 * answer. What is asked stands between these, and what is taller than the view shows them one after the
 * other, so a card of any length can be read and answered. A request is known by its name (`PermissionView.requestId`):
 * one that the agent changes has to be seen again, though it is drawn with the same elements.
 */
export class QuestionSight {
  private readonly watched = new Map<string, Watched>();
  private readonly seen = new Set<string>();
  private readonly requests = new WeakMap<Element, string>();
  private observer: IntersectionObserver | undefined;

  /** @param changed the user has had one more request in view */
  constructor(private readonly changed: () => void) {}

  /** Whether it has been before the user's eyes, in whichever session is shown now. */
  has(requestId: string): boolean {
    return this.seen.has(requestId);
  }

  /** Calls `done` once all of a card has been in view. Called with each drawing of it. */
  watch(requestId: string, card: Element, done: () => void): void {
    if (this.seen.has(requestId)) return done();
    let watched = this.watched.get(requestId);
    if (watched?.card !== card || this.requests.get(card) !== requestId) {
      watched = { card, unseen: new Set(), done };
      this.watched.set(requestId, watched);
      // Cards that were taken away, and what this card asked before.
      for (const [name, other] of this.watched) if (name !== requestId && (other.card === card || !other.card.isConnected)) this.watched.delete(name);
      this.requests.set(card, requestId);
    }
    this.observer ??= new IntersectionObserver((entries) => this.handle(entries), { threshold: MOSTLY });
    for (const part of partsToSee(card)) {
      if (this.requests.get(part) === requestId) continue;
      this.requests.set(part, requestId);
      watched.unseen.add(part);
      // Observed anew it is reported anew, wherever it stands.
      this.observer.unobserve(part);
      this.observer.observe(part);
    }
    for (const part of watched.unseen) if (!card.contains(part)) watched.unseen.delete(part);
  }

  private handle(entries: readonly IntersectionObserverEntry[]): void {
    const touched = new Set<string>();
    for (const { target, isIntersecting, intersectionRatio } of entries) {
      const requestId = this.requests.get(target);
      if (requestId === undefined || !isIntersecting || intersectionRatio < MOSTLY) continue;
      this.observer?.unobserve(target);
      this.watched.get(requestId)?.unseen.delete(target);
      touched.add(requestId);
    }
    for (const requestId of touched) {
      const watched = this.watched.get(requestId);
      if (!watched || watched.unseen.size > 0) continue;
      this.watched.delete(requestId);
      this.seen.add(requestId);
      watched.done();
      this.changed();
    }
  }
}

/** The beginning of a card and each of its answers, or the box in which many scroll. */
function partsToSee(card: Element): Element[] {
  return [...card.querySelectorAll(':scope > .card-head > .codicon, :scope > .options:not(.many) > button, :scope > .options.many')];
}

/** Whether a box lies in another from top to bottom. */
export function isMostlyWithin(box: DOMRect, view: DOMRect): boolean {
  return box.height > 0 && Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top) >= box.height * MOSTLY;
}
