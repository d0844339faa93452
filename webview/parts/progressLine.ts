import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { type PanelView, type PlanEntryView, planTally } from '../../src/protocol/viewModel';
import { filled, html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import { moreLine } from './moreLine';

/**
 * The agent's activity and its duration, in one quiet line; also that it is silent. If the agent has a plan, the line
 * shows the current step, and opens to all of them.
 */
export class ProgressLine {
  readonly #times = new Map<'turn' | 'silence', { readonly since: number; readonly element: HTMLElement }>();

  constructor(private readonly context: PartContext) {}

  /** @param isAsked another line already shows what the agent waits for */
  template(panel: PanelView, isAsked: boolean, open: boolean, toggle: () => void) {
    const { running, startedAt } = panel.turn;
    // Until the agent runs, the line about its start has the only clock.
    const isRunning = running && startedAt !== undefined && panel.connection.state !== 'starting';
    // A removed clock has stopped.
    if (!isRunning || isWaiting(panel)) this.#times.clear();
    if (panel.plan.length > 0) return this.#plan(panel, isRunning ? startedAt : undefined, isAsked, open, toggle);
    if (!isRunning || isAsked) return nothing;
    return html`<div class="running-line" role="note" aria-label=${l10n.t('Running turn')}
      title=${hintOf(panel) ?? nothing}>${runningIcon(panel)}<span
        class="label">${this.#words(panel)}</span>${this.#end(panel, startedAt)}</div>`;
  }

  /** @param startedAt undefined if no turn runs */
  #plan(panel: PanelView, startedAt: number | undefined, isAsked: boolean, open: boolean, toggle: () => void) {
    const { plan, planTally: ofAll = planTally(plan) } = panel;
    const { total, done, current } = ofAll;
    const step = Math.min(total, done + (current === undefined ? 0 : 1));
    const isRunning = startedAt !== undefined;
    const isAtStep = !isRunning || (isAsked && isWaiting(panel)) || (current !== undefined && isWorking(panel));
    const title = isRunning ? (hintOf(panel) ?? (isAtStep ? panel.turn.activity : undefined)) : undefined;
    return html`<div class="strip plan-strip ${open ? 'open' : ''}" role="group"
      aria-label=${isRunning ? l10n.t('Running turn') : l10n.t('Plan')}>
      <div class="strip-line">
        <button type="button" class="head-button" aria-expanded=${open} title=${title ?? nothing} @click=${toggle}>
          ${isRunning ? runningIcon(panel) : icon(current === undefined ? 'pass' : 'tasklist')}<span class="label">${
            isAtStep ? (current ?? l10n.t('Plan completed')) : this.#words(panel)
          }</span><span class="dim end">${l10n.t('Plan {0} / {1}', step, total)}</span>
        </button>${isRunning ? this.#end(panel, startedAt) : nothing}
      </div>
      ${
        open
          ? html`<ul aria-label=${l10n.t('Plan')} role="list" tabindex="0">${plan.map(entry)}${
              total > plan.length
                ? html`<li>${moreLine(
                    total - plan.length,
                    (count) => l10n.t('{0} more steps', count),
                    'plan',
                    undefined,
                    this.context,
                  )}</li>`
                : nothing
            }</ul>`
          : nothing
      }
    </div>`;
  }

  /** The agent's activity outside a plan. */
  #words(panel: PanelView) {
    const { stopping, silentSince, unread, activity } = panel.turn;
    if (silentSince !== undefined && unread !== undefined)
      return filled(unreadWords(unread), this.#time('silence', silentSince), panel.agent, String(unread));
    if (silentSince !== undefined)
      return filled(
        l10n.t('No response for {0}; {1} may be thinking or retrying'),
        this.#time('silence', silentSince),
        panel.agent,
      );
    if (stopping) return l10n.t('Stopping…');
    return isWaiting(panel) ? l10n.t('Waiting for you') : (activity ?? l10n.t('Working'));
  }

  #end(panel: PanelView, startedAt: number) {
    return html`<span class="end">${
      isWaiting(panel) ? nothing : this.#time('turn', startedAt)
    }${this.#follow(panel.follows === true)}</span>`;
  }

  #follow(on: boolean) {
    const words = on
      ? l10n.t('Following the agent: Parley opens the files that it works on. Click to stop.')
      : l10n.t('Follow the agent: open the files that it works on');
    return html`<button type="button" class="icon-button follow" title=${words}
      aria-label=${l10n.t('Follow the agent')} aria-pressed=${on}
      @click=${() => this.context.post({ type: 'follow/toggle' })}>${icon('eye')}${
        on ? html`<span>${l10n.t('Following')}</span>` : nothing
      }</button>`;
  }

  #time(name: 'turn' | 'silence', since: number): HTMLElement {
    const known = this.#times.get(name);
    if (known?.since === since) return known.element;
    const element = elapsedElement(since);
    this.#times.set(name, { since, element });
    return element;
  }
}

/** The agent wrote something, perhaps its answer, that is not a message. */
function unreadWords(lines: number): string {
  return lines === 1
    ? l10n.t('No response for {0}; Parley could not read 1 line from {1}')
    : l10n.t('No response for {0}; Parley could not read {2} lines from {1}');
}

/** True if a step of the plan is the best description. */
function isWorking(panel: PanelView): boolean {
  return !panel.turn.stopping && panel.turn.silentSince === undefined && !isWaiting(panel);
}

function isWaiting({ turn }: PanelView): boolean {
  return turn.waits === true;
}

function runningIcon(panel: PanelView) {
  return isWaiting(panel) ? icon('bell-dot') : panel.turn.silentSince === undefined ? spinner() : icon('history');
}

function hintOf({ turn }: PanelView): string | undefined {
  if (turn.unread !== undefined) return l10n.t('The log has the lines. You can stop the agent at any time.');
  return turn.silentSince === undefined
    ? undefined
    : l10n.t('The agent may be thinking or retrying a request to its model. You can stop it at any time.');
}

function entry({ status, content, priority }: PlanEntryView) {
  return html`<li class="plan-${status}">${icon(PLAN_ICONS[status])}<span>${content}</span><span class="visually-hidden"
      >${planStatus(status)}</span>${
        priority === 'high'
          ? html`<span class="dim end">${l10n.t({
              message: 'High',
              comment: ['Priority of a step of the plan'],
            })}</span>`
          : nothing
      }</li>`;
}

const PLAN_ICONS = {
  pending: 'circle-large-outline',
  in_progress: 'play-circle',
  completed: 'pass-filled',
  cancelled: 'circle-slash',
} as const;

function planStatus(status: keyof typeof PLAN_ICONS): string {
  switch (status) {
    case 'pending':
      return l10n.t('Pending');
    case 'in_progress':
      return l10n.t('In progress');
    case 'completed':
      return l10n.t('Completed');
    case 'cancelled':
      return l10n.t('Cancelled');
  }
}
