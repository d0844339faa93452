import { html } from '../lib/html';

/** A part counts as fully visible from this share on: rounding and frames may hide the rest. */
const MOSTLY = 0.9;

/** The parts of one card that have not been visible yet. */
interface Watched {
  readonly requestId: string;
  readonly parts: WeakSet<Element>;
  readonly unseen: Set<Element>;
  readonly done: () => void;
}

/**
 * Tracks which permission requests the user has had in view: the beginning of the card, the end of each scrolling text,
 * and the end of everything above the answers. A card taller than the view shows these one after the other, so a card
 * of any length can be read and answered. A request is identified by its name (`PermissionView.requestId`): after a
 * change it has to be seen again, though it is drawn with the same elements.
 */
export class CardVisibility {
  readonly #watched = new WeakMap<Element, Watched>();
  readonly #cards = new WeakMap<Element, Element>();
  readonly #seen = new Set<string>();
  /** Requests that the user was told to read first. */
  readonly #told = new Set<string>();
  #observer: IntersectionObserver | undefined;

  /** @param changed the user has had one more request in view */
  constructor(private readonly changed: () => void) {}

  /** True if the user has had it in view, in any session. */
  has(requestId: string): boolean {
    return this.#seen.has(requestId);
  }

  /** The first part of a card that has not been visible yet, in reading order. */
  nextUnseen(card: Element): Element | undefined {
    const watched = this.#watched.get(card);
    return watched && partsToSee(card).find((part) => watched.unseen.has(part));
  }

  /** The user tried to answer too early: from now on the card explains why it takes no answer. */
  tell(requestId: string): void {
    this.#told.add(requestId);
  }

  wasTold(requestId: string): boolean {
    return this.#told.has(requestId);
  }

  /** Calls `done` once all of a card has been visible. Called with each drawing of it. */
  watch(requestId: string, card: Element, done: () => void): void {
    if (this.#seen.has(requestId)) return done();
    const before = this.#watched.get(card);
    const watched =
      before?.requestId === requestId
        ? before
        : { requestId, parts: new WeakSet<Element>(), unseen: new Set<Element>(), done };
    this.#watched.set(card, watched);
    this.#observer ??= new IntersectionObserver((entries) => this.#handle(entries), { threshold: MOSTLY });
    for (const part of partsToSee(card)) {
      if (watched.parts.has(part)) continue;
      watched.parts.add(part);
      watched.unseen.add(part);
      this.#cards.set(part, card);
      // Observing it again makes the observer report it again.
      this.#observer.unobserve(part);
      this.#observer.observe(part);
    }
    for (const part of watched.unseen) if (!card.contains(part)) watched.unseen.delete(part);
  }

  #handle(entries: readonly IntersectionObserverEntry[]): void {
    const touched = new Set<Watched>();
    for (const { target, isIntersecting, intersectionRatio } of entries) {
      const card = this.#cards.get(target);
      const watched = card && this.#watched.get(card);
      if (!watched || !isIntersecting || intersectionRatio < MOSTLY) continue;
      this.#observer?.unobserve(target);
      watched.unseen.delete(target);
      touched.add(watched);
    }
    for (const { requestId, unseen, done } of touched) {
      if (unseen.size > 0 || this.#seen.has(requestId)) continue;
      this.#seen.add(requestId);
      done();
      this.changed();
    }
  }
}

/** Marks the end of a text that has to be read. While it is visible, the answers cover nothing above it. */
export const readMark = html`<span class="read-mark" aria-hidden="true"></span>`;

/** The beginning of a card, and the marks in it. */
function partsToSee(card: Element): Element[] {
  return [...card.querySelectorAll(':scope > .card-head > .codicon, .read-mark')];
}

/** True if a box is within another from top to bottom. */
export function isMostlyWithin(box: DOMRect, view: DOMRect): boolean {
  return box.height > 0 && Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top) >= box.height * MOSTLY;
}
