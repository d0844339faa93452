import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { PanelView } from '../../src/protocol/viewModel';
import { filled, html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';

/** What the agent does now and for how long, in one quiet line; also that it says nothing. */
export class RunningLine {
  private readonly times = new Map<'turn' | 'silence', { readonly since: number; readonly element: HTMLElement }>();

  constructor(private readonly context: PartContext) {}

  template(panel: PanelView) {
    const { running, startedAt, silentSince } = panel.turn;
    // Until the agent runs, the line that says so has the only clock.
    if (!running || startedAt === undefined || panel.connection.state === 'starting') {
      this.times.clear();
      return nothing;
    }
    const isSilent = silentSince !== undefined;
    const isWaiting = !panel.turn.stopping && (panel.pendingQuestions.length > 0 || panel.signIn !== undefined);
    return html`<div class="running-line ${isSilent ? 'silence-strip' : ''}" role="note" aria-label=${l10n.t('Running turn')} title=${isSilent ? l10n.t('The agent may be thinking or retrying a request to its model. You can stop it at any time.') : nothing}>
      ${isWaiting ? icon('bell-dot') : isSilent ? icon('history') : spinner()}<span class="label">${isSilent ? filled(l10n.t('No response for {0}; {1} may be thinking or retrying'), this.time('silence', silentSince), panel.agent) : doing(panel)}</span><span class="end">${isWaiting ? nothing : this.time('turn', startedAt)}${this.follow(panel.follows === true)}</span>
    </div>`;
  }

  private follow(on: boolean) {
    const words = on ? l10n.t('Following the agent: Parley opens the files that it works on. Click to stop.') : l10n.t('Follow the agent: open the files that it works on');
    return html`<button type="button" class="icon-button follow" title=${words} aria-label=${l10n.t('Follow the agent')} aria-pressed=${on} @click=${() => this.context.post({ type: 'follow/toggle' })}>${icon('eye')}${on ? html`<span>${l10n.t('Following')}</span>` : nothing}</button>`;
  }

  private time(name: 'turn' | 'silence', since: number): HTMLElement {
    const known = this.times.get(name);
    if (known?.since === since) return known.element;
    const element = elapsedElement(since);
    this.times.set(name, { since, element });
    return element;
  }
}

function doing({ turn, pendingQuestions, signIn }: PanelView): string {
  if (turn.stopping) return l10n.t('Stopping…');
  if (pendingQuestions.length > 0 || signIn) return l10n.t('Waiting for you');
  return turn.activity ?? l10n.t('Working');
}
