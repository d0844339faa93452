import type { Replica } from '../../src/protocol/patch';
import type { PendingQuestionView } from '../../src/protocol/questionView';
import type { PartContext } from './context';
import type { Dock } from './dock';
import { hasFirstAction } from './faces';
import type { Questions } from './questions';
import { readOn } from './readOn';
import { answerable, type WaitingItem, waitingItems } from './waitingBar';

export interface WaitingRequestsOptions {
  readonly replica: Replica;
  readonly questions: Questions;
  readonly dock: Dock;
  readonly context: PartContext;
  /** Scrolls to a request whose entry comes later. */
  readonly await: (question: PendingQuestionView) => void;
  /** The requests have moved in the view. */
  readonly moved: () => void;
}

/**
 * Pending requests, in the conversation and out of view: which of them the commands answer, and how the user gets to
 * them.
 */
export class WaitingRequests {
  #told: string | undefined;
  #answerable: string | undefined;

  constructor(private readonly options: WaitingRequestsOptions) {}

  /** Draws the rows above the message box. Reads layout. */
  settle(): void {
    const {
      replica: { panel },
      questions,
      dock,
      context: { sight },
    } = this.options;
    const inView =
      panel.sessions || panel.gallery ? [] : panel.pendingQuestions.filter((question) => questions.isInView(question));
    const waiting = waitingItems(
      panel.agent,
      panel.pendingQuestions.filter((question) => !inView.includes(question)),
      panel.waitingElsewhere,
    );
    dock.update(
      panel,
      waiting,
      sight.has(waiting[0]?.question?.requestId ?? ''),
      inView.length > 0 || hasFirstAction(panel),
    );
    const shown = answerable(panel, inView, waiting, (requestId) => sight.has(requestId));
    questions.mark(shown?.requestId, inView.find(({ kind }) => kind === 'permission') ?? inView[0]);
    this.#tellShown(shown);
  }

  /** Scrolls to a request, or opens its session. */
  show({ key, question }: WaitingItem): void {
    const { replica, questions, context } = this.options;
    if (key !== undefined) return context.post({ type: 'question/show', key });
    // In a long thread, its entry may come later.
    if (question && !replica.entries.has(question.entryId)) this.options.await(question);
    else if (question) questions.goTo(question);
    this.options.moved();
  }

  /** @returns false if nothing is pending in this session */
  showOldest(): boolean {
    const [question] = this.options.replica.panel.pendingQuestions;
    if (question) this.show({ agent: '', title: '', question });
    return question !== undefined;
  }

  /** The user tried to answer an unread request by a command: shows it, or its next unseen part, and explains that. */
  readOn(): boolean {
    const { replica, questions, context } = this.options;
    const { pendingQuestions } = replica.panel;
    const question = pendingQuestions.find(({ requestId }) => requestId === this.#answerable) ?? pendingQuestions[0];
    if (question?.kind !== 'permission') return this.showOldest();
    const card = questions.isInView(question) ? questions.cardOf(question) : undefined;
    if (card) card.focus({ preventScroll: true });
    else this.show({ agent: '', title: '', question });
    readOn(question, card, context, () => context.redraw(question.entryId));
    return true;
  }

  /** Tells the host which request its commands are about, once that is painted. */
  #tellShown(shown: ReturnType<typeof answerable>): void {
    this.#answerable = shown?.requestId;
    const told = JSON.stringify(shown);
    if (told === this.#told) return;
    this.#told = told;
    requestAnimationFrame(() => this.options.context.post({ type: 'permission/shown', read: false, ...shown }));
  }
}
