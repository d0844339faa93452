import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { NoticeAction, NoticeView } from '../../src/protocol/entryView';
import { filled, html } from '../lib/html';
import { icon } from '../lib/icon';
import { countdownElement } from '../lib/ticker';
import type { EntryPart, PartContext } from './context';
import { redoButton } from './promptActions';

/** A message of Parley itself: how a turn ended, an error and advice. */
export class NoticePart implements EntryPart<NoticeView> {
  readonly element = document.createElement('div');

  #wait: { readonly until: number; readonly element: HTMLElement } | undefined;

  constructor(private readonly context: PartContext) {}

  update(view: NoticeView): void {
    if (view.isQuoted) return this.#quote(view);
    const { retryAt } = view;
    if (retryAt === undefined || retryAt <= Date.now() || !view.actions.includes('retry')) this.#wait = undefined;
    else if (this.#wait?.until !== retryAt)
      this.#wait = { until: retryAt, element: countdownElement(retryAt, () => this.context.redraw(view.id)) };
    const question = this.context
      .panel()
      .pendingQuestions.find(({ kind, entryId }) => kind === 'own' && entryId === view.id);
    if (question) Object.assign(this.element.dataset, { question: question.requestId });
    else delete this.element.dataset['question'];
    this.element.tabIndex = -1;
    this.element.className = `notice notice-${view.severity}${view.passed ? ' passed' : ''}`;
    this.element.setAttribute('role', 'note');
    this.element.setAttribute('aria-label', visibleLine(view.title));
    if (view.actions.includes('redo') || view.actions.includes('redoFiles'))
      return void render(this.#rewound(view), this.element);
    if (view.beginsTurn)
      return void render(
        html`<div class="turn-heading dim">${icon('debug-continue')}<span>${view.title}</span></div>`,
        this.element,
      );
    if (view.passed) return void render(this.#passed(view), this.element);
    render(
      html`<div class="notice-title">${icon(view.severity)}<span>${view.title}</span></div>
        ${noticeDetail(view.detail)}${noticeActions(view.actions, this.context, { wait: this.#wait?.element })}`,
      this.element,
    );
  }

  /** Quotes a notice from a file, which must not look like one of Parley's. */
  #quote({ title, detail }: NoticeView): void {
    this.element.className = 'notice quoted';
    this.element.setAttribute('role', 'note');
    this.element.setAttribute('aria-label', visibleLine(l10n.t('In the file: {0}', title)));
    render(
      html`<p class="quoted-source">${l10n.t('Notice in the file')}</p><blockquote><p>${title}</p
        >${noticeDetail(detail)}</blockquote>`,
      this.element,
    );
  }

  /** A passed problem: one dim line with its reason, which opens if there is more to read. */
  #passed({ id, severity, title, detail }: NoticeView) {
    const reason = detail?.trim().split('\n', 1)[0];
    const line = html`${icon(severity)}<span class="label">${reason ? `${title} · ${reason}` : title}</span>`;
    if (!detail) return html`<div class="line-button">${line}</div>`;
    const isOpen = this.context.ui.isExpanded(id) ?? false;
    const toggle = () => {
      this.context.ui.setExpanded(id, !isOpen);
      this.context.redraw(id);
    };
    return html`<button type="button" class="line-button" aria-expanded=${isOpen} @click=${toggle}>${line}</button>${
      isOpen ? noticeDetail(detail) : nothing
    }`;
  }

  /** The place of a rewind: one quiet line at the cut. */
  #rewound({ title, detail, actions: [action = 'redo'] }: NoticeView) {
    return html`<div class="rewound-line dim">${icon('history')}<span>${title}</span>${
      detail === undefined ? nothing : html`<span aria-hidden="true">·</span><span>${detail}</span>`
    }<span aria-hidden="true">·</span>${redoButton(() => this.context.post({ type: 'notice/act', action }))}</div>`;
  }
}

/** Details of several lines are output, in which line breaks and columns matter. */
export function noticeDetail(detail: string | undefined) {
  if (!detail) return '';
  return detail.includes('\n')
    ? html`<pre class="notice-detail" tabindex="0">${detail}</pre>`
    : html`<p class="notice-detail">${detail}</p>`;
}

/**
 * Buttons for the offered actions, the most helpful first.
 * @param wait counts down to the earliest time for Retry; isPrimary marks the first as the primary button
 */
export function noticeActions(
  actions: readonly NoticeAction[],
  context: PartContext,
  { wait, isPrimary = false }: { readonly wait?: HTMLElement | undefined; readonly isPrimary?: boolean },
) {
  if (actions.length === 0) return '';
  return html`<div class="buttons">${actions.map(
    (action, i) => html`<button type="button" class=${isPrimary && i === 0 && helps(action) ? 'primary' : 'secondary'}
      ?disabled=${action === 'retry' && wait !== undefined}
      @click=${() => context.post({ type: 'notice/act', action })}>
      ${action === 'retry' && wait ? html`<span>${filled(l10n.t('Retry in {0}'), wait)}</span>` : LABELS[action]()}
    </button>`,
  )}</div>`;
}

/** An action that only shows more information is never the primary one. */
export function helps(action: NoticeAction): boolean {
  return action !== 'showLog' && action !== 'copyDetails';
}

const LABELS: Record<NoticeAction, () => string> = {
  retry: () => l10n.t('Retry'),
  restart: () => l10n.t('Restart Agent'),
  newSession: () => l10n.t('New Session'),
  editSettings: () => l10n.t('Edit Settings'),
  showLog: () => l10n.t('Show Log'),
  selectAgent: () => l10n.t('Select Agent'),
  forceStop: () => l10n.t('Force Stop'),
  signIn: () => l10n.t('Sign In'),
  openFolder: () => l10n.t('Open Folder'),
  openRecent: () => l10n.t('Open Recent…'),
  useScratchFolder: () => l10n.t('Use Scratch Folder'),
  copyDetails: () => l10n.t('Copy Details'),
  checkAgent: () => l10n.t('Check Agent'),
  includeConversation: () => l10n.t('Include'),
  omitConversation: () => l10n.t('Don’t include'),
  askAboutConversation: () => l10n.t('Ask Next Time'),
  redo: () => l10n.t('Redo'),
  redoFiles: () => l10n.t('Redo'),
  continueWith: () => l10n.t('Continue With…'),
  showWorktrees: () => l10n.t('Show Worktrees'),
};
