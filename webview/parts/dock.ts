import { nothing, render } from 'lit-html';
import type { PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { keepFocus } from '../lib/keepFocus';
import { LateCode } from '../lib/latePart';
import { agentNotices } from './agentNoticeStrip';
import { changesBar } from './changesBar';
import type { PartContext } from './context';
import { CountdownHold } from './countdownHold';
import { importedBar } from './importedBar';
import { AnswerDelay } from './answerDelay';
import { ProgressLine } from './progressLine';
import type { QueueBar } from './queueBar';
import { type WaitingItem, waitingBar } from './waitingBar';

const notesCode = new LateCode(() => import('./notesBar'));
const queueCode = new LateCode(() => import('./queueBar'));

/** What is true now, over the message box: at most one line each, absent when there is nothing to say. */
export class Dock {
  readonly element = document.createElement('div');
  #drawn: unknown;
  /** Notices come and go; which one is open is nothing to keep. */
  #openNotice: string | undefined;
  #queue: QueueBar | undefined;
  readonly #progress: ProgressLine;
  readonly #hold: CountdownHold;

  readonly #clock: AnswerDelay;
  #first: string | undefined;

  /** @param show shows the card of a waiting question, or its session @param leave takes the focus from what is gone */
  constructor(
    private readonly context: PartContext,
    private readonly show: (item: WaitingItem) => void,
    private readonly redraw: () => void,
    private readonly leave: () => void,
  ) {
    this.#clock = new AnswerDelay(redraw);
    this.element.className = 'dock-strips';
    this.#progress = new ProgressLine(context);
    this.#hold = new CountdownHold(this.element, context);
  }

  /** @param waiting requests out of view @param wasRead the user has seen the card of the first one @param isQuiet another button is the primary one */
  update(panel: PanelView, waiting: readonly WaitingItem[], wasRead: boolean, isQuiet: boolean): void {
    const first = waiting[0]?.question?.requestId;
    if (this.#first !== undefined && this.#first !== first) this.#clock.forget(this.#first);
    this.#first = first;
    const ready = first === undefined || this.#clock.isReady(first);
    const planOpen = this.context.ui.isExpanded(PLAN_KEY) ?? false;
    const notice = panel.notices.at(-1)?.id;
    const noticeOpen = notice !== undefined && this.#openNotice === notice;
    const notesOpen = this.context.ui.isExpanded(NOTES_KEY) ?? false;
    const notes = panel.notes && notesCode.get(this.redraw, this.context.log);
    const queue = panel.queue.length > 0 ? queueCode.get(this.redraw, this.context.log) : undefined;
    if (queue) this.#queue ??= new queue.QueueBar(this.context, this.leave);
    const changesOpen = this.context.ui.isExpanded(CHANGES_KEY) ?? false;
    const state = [
      panel.notes, notes, notesOpen, this.#queue,
      panel.plan, panel.planTally, panel.changes, panel.moreChanges, panel.keepsIn, waiting[0]?.question ?? waiting[0]?.title, waiting.length, ready, wasRead, isQuiet, planOpen, changesOpen, panel.notices, noticeOpen, panel.queue, panel.queuePaused, panel.turn, panel.signIn, panel.pendingQuestions, panel.follows, panel.imported,
    ] as const;
    if (Array.isArray(this.#drawn) && this.#drawn.every((value, i) => value === state[i])) return;
    this.#drawn = state;
    const draw = () => render(
      html`${this.#progress.template(panel, waiting[0] !== undefined && waiting[0].key === undefined, planOpen, () => this.#toggle(PLAN_KEY, planOpen))}
        ${waiting.length > 0 ? waitingBar(waiting, { ready, wasRead, isQuiet, show: this.show }, this.context) : nothing}
        ${agentNotices(panel.notices, noticeOpen, () => this.#toggleNotice(noticeOpen ? undefined : notice), this.context)}
        ${panel.changes.length > 0 ? changesBar(panel, changesOpen, () => this.#toggle(CHANGES_KEY, changesOpen), this.context) : nothing}
        ${panel.notes && notes ? notes.notesBar(panel.notes, notesOpen, () => this.#toggle(NOTES_KEY, notesOpen), this.context) : nothing}
        ${this.#queue?.template(panel) ?? nothing}
        ${panel.imported ? importedBar(panel, panel.imported, this.context) : nothing}`,
      this.element,
    );
    keepFocus(this.element, draw);
    this.#queue?.keepFocus(this.element);
    this.#hold.update(panel.keepsIn);
  }

  #toggleNotice(id: string | undefined): void {
    this.#openNotice = id;
    this.redraw();
  }

  #toggle(key: string, open: boolean): void {
    this.context.ui.setExpanded(key, !open);
    this.redraw();
  }
}

const PLAN_KEY = 'dock:plan';
const CHANGES_KEY = 'dock:changes';
const NOTES_KEY = 'dock:notes';
