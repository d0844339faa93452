import { nothing } from 'lit-html';
import type { PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';

/** What the agent does now and for how long, in one quiet line; also that it says nothing. */
export class RunningLine {
  private readonly times = new Map<'turn' | 'silence', { readonly since: number; readonly element: HTMLElement }>();

  constructor(private readonly context: PartContext) {}

  template(panel: PanelView) {
    const { running, startedAt, silentSince } = panel.turn;
    if (!running || startedAt === undefined) {
      this.times.clear();
      return nothing;
    }
    const isSilent = silentSince !== undefined;
    return html`<div class="running-line ${isSilent ? 'silence-strip' : ''}" role="note" aria-label="Running turn" title=${isSilent ? 'It may be thinking, or retrying a request to its model. Stop works at any time.' : nothing}>
      ${isSilent ? icon('history') : spinner()}<span class="label">${isSilent ? html`No response for ${this.time('silence', silentSince)}; ${panel.agent} may be thinking or retrying` : doing(panel)}</span><span class="end">${this.time('turn', startedAt)}${this.follow(panel.follows === true)}</span>
    </div>`;
  }

  private follow(on: boolean) {
    const words = on ? 'Following the agent: its files open as it works on them. Press to stop' : 'Follow the agent: open the files that it works on';
    return html`<button type="button" class="icon-button follow" title=${words} aria-label="Follow the agent" aria-pressed=${on} @click=${() => this.context.post({ type: 'follow/toggle' })}>${icon('eye')}${on ? html`<span>Following</span>` : nothing}</button>`;
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
  if (turn.stopping) return 'Stopping…';
  if (pendingQuestions.length > 0 || signIn) return 'Waiting for you';
  return turn.activity ?? 'Working';
}
