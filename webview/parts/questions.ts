import type { PendingQuestionView } from '../../src/protocol/questionView';
import { isMostlyWithin } from './cardVisibility';
import type { Thread } from './threadPart';
import { reveal } from '../lib/reveal';

/** Px at the view's edge that may show something else if the card cannot be shown better. */
const GLIMPSE = 24;

/**
 * The cards of pending questions, and how a user gets to them. A card taller than the view is shown from its top, not
 * from the thread's end; after its answer the thread returns to its end.
 */
export class Questions {
  readonly #seen = new Set<string>();
  #atTop: PendingQuestionView | undefined;

  constructor(private readonly thread: Thread) {}

  /** Another state is shown: its questions are new. */
  reset(): void {
    this.#seen.clear();
    this.#atTop = undefined;
  }

  /**
   * Handles new and settled questions. Reads layout and scrolls.
   * @returns whether a card is drawn for the first time
   */
  settle(questions: readonly PendingQuestionView[]): boolean {
    const { thread } = this;
    const atTop = this.#atTop;
    if (atTop && !questions.some(({ requestId }) => requestId === atTop.requestId)) {
      this.#atTop = undefined;
      const answered = thread.elementOf(atTop.entryId);
      if (answered && this.#isSeen(answered)) thread.scroll.pin();
    }
    let isNew = false;
    for (const question of questions) {
      if (this.#seen.has(question.requestId)) continue;
      const card = this.cardOf(question);
      if (!card) continue;
      this.#seen.add(question.requestId);
      isNew = true;
      if (!thread.scroll.atEnd || !this.#isTall(card)) continue;
      this.#atTop = question;
      thread.scroll.holdAt(() => reveal(card, 'start'));
      thread.scroll.settle();
    }
    return isNew;
  }

  /** True if it can be answered in the thread: an answer is in view, or as much of the card as fits. */
  isInView(question: PendingQuestionView): boolean {
    const card = this.cardOf(question);
    if (!card) return false;
    const view = this.thread.element.getBoundingClientRect();
    const box = card.getBoundingClientRect();
    const covered = Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top);
    return (
      covered >= view.height - 2 * GLIMPSE ||
      [...card.querySelectorAll('.buttons button')].some((button) =>
        isMostlyWithin(button.getBoundingClientRect(), view),
      )
    );
  }

  /**
   * Marks the card that the commands answer; of several in view it is the one with the frame.
   * @param inView the one in view with the primary colour, which may be a form
   */
  mark(requestId: string | undefined, inView: PendingQuestionView | undefined): void {
    for (const card of this.thread.element.querySelectorAll<HTMLElement>('.permission[data-question]')) {
      const { question } = card.dataset;
      card.classList.toggle('next', question === requestId || question === inView?.requestId);
    }
  }

  /** Scrolls to a question and focuses its card, but none of its buttons. */
  goTo(question: PendingQuestionView): void {
    this.thread.reveal(question.entryId);
    const card = this.cardOf(question);
    if (!card) return;
    reveal(card, this.#isTall(card) ? 'start' : 'nearest');
    card.focus({ preventScroll: true });
  }

  /** Its card, if it is drawn. */
  cardOf(question: PendingQuestionView): HTMLElement | undefined {
    const entry = this.thread.elementOf(question.entryId);
    return [entry, ...(entry?.querySelectorAll<HTMLElement>('[data-question]') ?? [])].find(
      (card) => card?.dataset['question'] === question.requestId,
    );
  }

  #isSeen(element: HTMLElement): boolean {
    const box = element.getBoundingClientRect();
    const view = this.thread.element.getBoundingClientRect();
    return box.bottom > view.top + GLIMPSE && box.top < view.bottom - GLIMPSE;
  }

  #isTall(card: HTMLElement): boolean {
    return card.offsetHeight > this.thread.element.clientHeight;
  }
}
