import { nothing, render } from 'lit-html';
import { visibleLine } from '../../src/base/visibleText';
import type { NoticeAction, NoticeView } from '../../src/protocol/entryView';
import { countdownElement } from '../lib/countdown';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { EntryPart, PartContext } from './context';
import { redoButton } from './promptActions';

/** Something Parley says itself: how a turn ended, an error and what helps. */
export class NoticePart implements EntryPart<NoticeView> {
  readonly element = document.createElement('div');

  private wait: { readonly until: number; readonly element: HTMLElement } | undefined;

  constructor(private readonly context: PartContext) {}

  update(view: NoticeView): void {
    const { retryAt } = view;
    if (retryAt === undefined || retryAt <= Date.now() || !view.actions.includes('retry')) this.wait = undefined;
    else if (this.wait?.until !== retryAt) this.wait = { until: retryAt, element: countdownElement(retryAt, () => this.context.redraw(view.id)) };
    this.element.className = `notice notice-${view.severity}`;
    this.element.setAttribute('role', 'note');
    this.element.setAttribute('aria-label', visibleLine(view.title));
    if (view.actions.includes('redo')) return void render(this.rewound(view), this.element);
    render(
      html`<div class="notice-title">${icon(view.severity)}<span>${view.title}</span></div>
        ${noticeDetail(view.detail)}${noticeActions(view.actions, this.context, this.wait?.element)}`,
      this.element,
    );
  }

  /** Where the user went back to: one quiet line at the cut. */
  private rewound({ title, detail }: NoticeView) {
    return html`<div class="rewound-line dim">${icon('history')}<span>${title}</span>${detail === undefined ? nothing : html`<span aria-hidden="true">·</span><span>${detail}</span>`}<span aria-hidden="true">·</span>${redoButton(() => this.context.post({ type: 'notice/act', action: 'redo' }))}</div>`;
  }
}

/** Details of several lines are output, in which line breaks and columns count. */
export function noticeDetail(detail: string | undefined) {
  if (!detail) return '';
  return detail.includes('\n') ? html`<pre class="notice-detail" tabindex="0">${detail}</pre>` : html`<p class="notice-detail">${detail}</p>`;
}

/**
 * Buttons for what helps, the first one being the one that helps most.
 * @param wait counts down to the moment from which Retry makes sense
 */
export function noticeActions(actions: readonly NoticeAction[], context: PartContext, wait?: HTMLElement) {
  if (actions.length === 0) return '';
  return html`<div class="buttons">${actions.map(
    (action, i) => html`<button type="button" class=${i === 0 ? 'primary' : 'secondary'} ?disabled=${action === 'retry' && wait !== undefined} @click=${() => context.post({ type: 'notice/act', action })}>
      ${action === 'retry' && wait ? html`<span>Retry in ${wait}</span>` : LABELS[action]}
    </button>`,
  )}</div>`;
}

const LABELS: Record<NoticeAction, string> = {
  retry: 'Retry',
  restart: 'Restart Agent',
  newSession: 'New Session',
  editSettings: 'Edit Settings',
  showLog: 'Show Log',
  selectAgent: 'Select Agent',
  forceStop: 'Force Stop',
  signIn: 'Sign In',
  openFolder: 'Open Folder',
  openRecent: 'Open Recent…',
  useScratchFolder: 'Use Scratch Folder',
  copyDetails: 'Copy Details',
  checkAgent: 'Check Agent',
  includeConversation: 'Include',
  omitConversation: 'Don’t Include',
  askAboutConversation: 'Ask Next Time',
  redo: 'Redo',
};
