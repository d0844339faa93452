import * as l10n from '@vscode/l10n';
import { render, nothing } from 'lit-html';
import type { PanelView, StorageTroubleView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { LateCode } from '../lib/latePart';
import { agentNotices } from './agentNoticeStrip';
import { pendingChanges } from './changesBar';
import type { PartContext } from './context';
import { AnswerDelay } from './answerDelay';
import { forgetQueue, keyOf, pendingStrip } from './pendingStrip';
import { ProgressLine } from './progressLine';
import type { QueueBar } from './queueBar';
import { type WaitingItem, waitingBar } from './waitingBar';
import type { KeptView } from '../../src/protocol/changeView';
import { numberText } from '../../src/base/numberText';
import { keepFocus } from '../lib/focus';
import { icon } from '../lib/icon';

const unclaimedCode = new LateCode(() => import('./unclaimedBar'));
const usageCode = new LateCode(() => import('./usageStrip'));
const notesCode = new LateCode(() => import('./notesBar'));
const backgroundCode = new LateCode(() => import('./backgroundStrip'));
const queueCode = new LateCode(() => import('./queueBar'));

/**
 * The rows above the message box, four at most: a pending request, the undo of a Keep, the agent's notice, or that
 * little is left of the user's plan; the running turn; what is at work beside it; and pending work. An empty row is
 * left out. Above them, a notice about data that cannot be saved.
 */
export class Dock {
  readonly element = document.createElement('div');
  #drawn: unknown;
  /** The open notice. Notices are short-lived, so this is not stored. */
  #openNotice: string | undefined;
  #queue: QueueBar | undefined;
  /** The user is stopping the turn. */
  #isStopping = false;
  readonly #progress: ProgressLine;

  readonly #clock: AnswerDelay;
  #first: string | undefined;

  /** @param show shows the card of a pending question, or its session @param leave takes the focus of a removed row */
  constructor(
    private readonly context: PartContext,
    private readonly show: (item: WaitingItem) => void,
    private readonly redraw: () => void,
    private readonly leave: () => void,
  ) {
    this.#clock = new AnswerDelay(redraw);
    this.element.className = 'dock-strips';
    this.#progress = new ProgressLine(context);
  }

  /**
   * @param waiting requests out of view
   * @param wasRead the user has seen the card of the first one
   * @param isQuiet another button is the primary one
   */
  update(panel: PanelView, waiting: readonly WaitingItem[], wasRead: boolean, isQuiet: boolean): void {
    const { context } = this;
    const { ui } = context;
    const first = waiting[0]?.question?.requestId;
    if (this.#first !== undefined && this.#first !== first) this.#clock.forget(this.#first);
    this.#first = first;
    const ready = first === undefined || this.#clock.isReady(first);
    const planOpen = ui.isExpanded(PLAN_KEY) ?? false;
    const notice = panel.notices.at(-1)?.id;
    const noticeOpen = notice !== undefined && this.#openNotice === notice;
    const notes = panel.notes && notesCode.get(this.redraw, context.log);
    const unclaimed = panel.unclaimed && unclaimedCode.get(this.redraw, context.log);
    const usage = panel.usage?.windows && usageCode.get(this.redraw, context.log);
    const background = panel.background && backgroundCode.get(this.redraw, context.log);
    if (panel.turn.stopping && !this.#isStopping) ui.setExpanded(BACKGROUND_KEY, true);
    const backgroundOpen = ui.isExpanded(BACKGROUND_KEY) ?? false;
    const queue = panel.queue.length > 0 ? queueCode.get(this.redraw, context.log) : undefined;
    if (queue) this.#queue ??= new queue.QueueBar(context, this.leave);
    if (panel.queue.length === 0) forgetQueue(ui);
    const state = [
      panel.notes,
      notes,
      this.#queue,
      ...(['changes', 'unclaimed', 'notes', 'queue'] as const).map((kind) => ui.isExpanded(keyOf(kind))),
      panel.plan,
      panel.planTally,
      panel.unclaimed,
      unclaimed,
      panel.changes,
      panel.moreChanges,
      panel.kept,
      waiting[0]?.question ?? waiting[0]?.title,
      waiting.length,
      ready,
      wasRead,
      isQuiet,
      planOpen,
      panel.notices,
      noticeOpen,
      usage && panel.usage,
      background && panel.background,
      backgroundOpen,
      panel.dismissedWindows,
      panel.queue,
      panel.queuePaused,
      panel.turn,
      panel.signIn,
      panel.pendingQuestions,
      panel.follows,
      panel.imported,
      panel.unsaved,
    ];
    if (Array.isArray(this.#drawn) && this.#drawn.every((value, i) => value === state[i])) return;
    this.#drawn = state;
    // What Stop has not stopped is listed.
    if (background && this.#isStopping && !panel.turn.running)
      context.announce(background.backgroundWords(panel.background!));
    this.#isStopping = panel.turn.stopping;
    const beside = () =>
      background?.backgroundStrip(
        panel.background!,
        backgroundOpen,
        () => this.#toggle(BACKGROUND_KEY, backgroundOpen),
        context,
      ) ?? nothing;
    const attention = () => {
      if (waiting.length > 0) return waitingBar(waiting, { ready, wasRead, isQuiet, show: this.show }, context);
      if (panel.kept) return keptLine(panel.kept, context);
      if (panel.notes?.offer !== undefined) return notes?.offerStrip(panel.notes.offer, context);
      if (!notice) return usage?.usageStrip(panel, context);
      return agentNotices(
        panel.notices,
        noticeOpen,
        () => this.#toggleNotice(noticeOpen ? undefined : notice),
        context,
      );
    };
    const pending = () => [
      panel.changes.length > 0 ? pendingChanges(panel, context) : undefined,
      panel.unclaimed && unclaimed?.pendingUnclaimed(panel.unclaimed, context),
      panel.notes && panel.notes.items.length > 0 ? notes?.pendingNotes(panel.notes, context) : undefined,
      this.#queue?.pending(panel),
    ];
    const draw = () =>
      render(
        html`${storageStrip(panel.unsaved, context)}${attention()}
        ${this.#progress.template(panel, waiting[0] !== undefined && waiting[0].key === undefined, planOpen, () =>
          this.#toggle(PLAN_KEY, planOpen),
        )}
        ${beside()}
        ${
          panel.imported
            ? importedBar(panel, panel.imported, context)
            : pendingStrip(
                pending().filter((part) => part !== undefined),
                ui,
                this.redraw,
              )
        }`,
        this.element,
      );
    keepFocus(this.element, draw);
    this.#queue?.keepFocus(this.element);
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
const BACKGROUND_KEY = 'dock:background';

/** The line to undo a Keep. */
function keptLine({ files }: KeptView, context: PartContext) {
  return html`<div class="strip kept-line" role="status"><span class="label">${
    files === 1 ? l10n.t('1 file kept') : l10n.t('{0} files kept', numberText(files))
  }</span>
    <button type="button" class="link" aria-label=${l10n.t('Undo Keep')}
      @click=${() => context.post({ type: 'keep/undo' })}>${l10n.t('Undo')}</button></div>`;
}

/** Data that currently cannot be saved, and why. It cannot be dismissed: it disappears when everything is saved. */
function storageStrip(trouble: StorageTroubleView | undefined, context: PartContext) {
  if (!trouble) return nothing;
  return html`<div class="strip notice-strip strip-error open storage-strip" role="group" aria-label=${trouble.title}>
    <div class="strip-line"><span class="head-button">${icon('error')}<span
      class="label">${trouble.title}</span></span></div>
    <p class="notice-text">${trouble.detail}</p>
    <div class="buttons"><button type="button" class="secondary"
      @click=${() => context.post({ type: 'storage/retry' })}>${l10n.t('Try Again')}</button></div>
  </div>`;
}

/** Replaces the message box if the session was read from a file. */
function importedBar({ agent }: PanelView, { exportedAt }: NonNullable<PanelView['imported']>, context: PartContext) {
  const day = new Date(exportedAt).toLocaleDateString();
  const words =
    agent === ''
      ? l10n.t('Read-only session, exported {0}', day)
      : l10n.t('Read-only session with {0}, exported {1}', agent, day);
  return html`<div class="strip imported-strip" role="group" aria-label=${l10n.t('Imported session')}>
    <div class="strip-line">
      ${icon('archive')}<span class="label" title=${words}>${words}</span>
      <span class="end actions"><button type="button" class="secondary"
        @click=${() => context.post({ type: 'session/new' })}>${l10n.t('New Session')}</button></span>
    </div>
  </div>`;
}
