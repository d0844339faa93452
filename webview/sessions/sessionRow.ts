import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit-html';
import { plainMarkdown } from '../../src/base/oneLine';
import type { SessionAct, SessionHitView, SessionItemView } from '../../src/protocol/sessionsView';
import type { SpentView } from '../../src/protocol/usageView';
import { ago, formatCost, formatTokens } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** Further data for drawing a row of the list. */
export interface RowState {
  readonly picture: HTMLElement;
  /** It has the list's place in the tab order. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** The sessions for its menu, and the menu's acts. */
  readonly keys: readonly string[];
  readonly acts: readonly SessionAct[];
  readonly act: (act: SessionAct, keys: readonly string[]) => void;
}

/** Two lines: the session's title; its state, agent and time. */
export function sessionRow(
  item: SessionItemView,
  { picture, isActive, isSelected, keys, acts, act }: RowState,
): TemplateResult {
  const { key, title, agent, state, folder, isCurrent, isPinned } = item;
  const age = ageOf(item.updatedAt);
  const words = stateWords(state);
  const usage = usageWords(item.usage);
  const about = [words, agent, age, ...usage].filter(Boolean).join(' · ');
  const spent = usage.map((part) => html`<span class="usage">${part}</span>`);
  const put = acts.find((known) => known === 'archive' || known === 'unarchive');
  return html`<div role="row" data-state=${state}
    class="session-row ${isCurrent ? 'current' : ''} ${isSelected ? 'selected' : ''}" data-key=${key}
    tabindex=${isActive ? 0 : -1} aria-selected=${String(isSelected)} aria-current=${isCurrent ? 'true' : nothing}
      aria-label=${[title, isPinned ? l10n.t('Pinned') : '', words, agent, age, ...usage].filter(Boolean).join(', ')}
      title=${[
        title,
        about,
        folder,
        state === 'atAgent' ? l10n.t('Only {0} has this session. Parley loads it when you open it.', agent) : '',
      ]
        .filter(Boolean)
        .join('\n')}
      data-vscode-context=${JSON.stringify({
        webviewSection: 'session',
        preventDefaultContextMenuItems: true,
        sessionKeys: keys,
        sessionActs: acts.join(' '),
      })}>
    <div role="gridcell" class="session-main">${picture}<div class="session-words">
      <div class="session-line"><span class="label">${title}</span>${isPinned ? icon('pinned', 'pin') : nothing}</div>
      <div class="session-line about spent"><div class="session-line about">${
        words === ''
          ? nothing
          : html`<span class="session-state">${
              STATE_ICONS[state] === ''
                ? nothing
                : icon(STATE_ICONS[state], state === 'running' ? 'codicon-modifier-spin' : '')
            }<span>${words}</span></span>`
      }<span class="agent">${agent}</span>${
        age === '' ? nothing : html`<span class="age">${age}</span>`
      }</div>${spent}</div>
    </div></div>
    <div role="gridcell" class="row-actions">
      ${
        put
          ? html`<button type="button" tabindex="-1"
            class="icon-button codicon codicon-${put === 'archive' ? 'archive' : 'discard'}"
            title=${put === 'archive' ? l10n.t('Archive') : l10n.t('Unarchive')}
            aria-label=${put === 'archive' ? l10n.t('Archive {0}', title) : l10n.t('Unarchive {0}', title)}
            @click=${() => act(put, keys)}></button>`
          : nothing
      }
      ${
        acts.length === 0
          ? nothing
          : html`<button type="button" tabindex="-1" class="icon-button codicon codicon-ellipsis"
            title=${l10n.t('More Actions…')} aria-label=${l10n.t('More actions for {0}', title)}
            @click=${openMenu}></button>`
      }
    </div>
  </div>`;
}

/** A matching line of a transcript, and its session. */
export function hitRow(
  { id, title, agent, updatedAt, line: found }: SessionHitView,
  words: readonly string[],
  picture: HTMLElement,
  isActive: boolean,
): TemplateResult {
  const plain = plainMarkdown(found).trim();
  // The searched text may be in the markup.
  const line = words.every((word) => plain.toLowerCase().includes(word.toLowerCase())) ? plain : found;
  const age = ageOf(updatedAt);
  return html`<div role="row" class="session-row hit" data-hit=${id} tabindex=${isActive ? 0 : -1}
    aria-label=${[line, title, agent, age].join(', ')} title=${`${line}\n${title}\n${[agent, age].join(' · ')}`}>
    <div role="gridcell" class="session-main">${picture}<div class="session-words">
      <div class="session-line"><span class="label">${marked(line, words)}</span></div>
      <div class="session-line about"><span class="agent">${title}</span><span class="age">${age}</span></div>
    </div></div>
  </div>`;
}

/** The text with the words marked. */
function marked(text: string, words: readonly string[]): readonly (string | TemplateResult)[] {
  const lower = text.toLowerCase();
  // If lower case changes the length, its positions do not apply.
  if (lower.length !== text.length) return [text];
  const parts: (string | TemplateResult)[] = [];
  let from = 0;
  while (from < text.length) {
    const next = words
      .map((word) => ({ at: lower.indexOf(word, from), length: word.length }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at || b.length - a.length)[0];
    if (!next) break;
    parts.push(text.slice(from, next.at), html`<mark>${text.slice(next.at, next.at + next.length)}</mark>`);
    from = next.at + next.length;
  }
  return [...parts, text.slice(from)];
}

/** "$0.25", "12K tokens": what agents reported. */
function usageWords({ tokens, cost }: SpentView = {}): string[] {
  return [
    ...(cost ? [formatCost(cost.amount, cost.currency)] : []),
    ...(tokens === undefined ? [] : [l10n.t('{0} tokens', formatTokens(tokens))]),
  ];
}

/** The line over the list, if an agent reported usage today. */
export function todayLine(today: readonly SpentView[] | undefined) {
  if (today === undefined) return nothing;
  const words = l10n.t('Today: {0}', today.flatMap(usageWords).join(' · '));
  return html`<p class="dim session-today" title=${l10n.t('As the agents report it')}>${words}</p>`;
}

/** Opens VS Code's own menu at the place for the context-menu key. */
function openMenu(event: MouseEvent): void {
  const button = event.currentTarget as HTMLElement;
  const { left, bottom } = button.getBoundingClientRect();
  button.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }),
  );
}

function ageOf(updatedAt: number | undefined): string {
  return updatedAt === undefined ? '' : ago(Date.now() - updatedAt);
}

/** The state of a session in words; "" if there is nothing to show. */
function stateWords(state: SessionItemView['state']): string {
  switch (state) {
    case 'running':
      return l10n.t('Working');
    case 'background':
      return l10n.t('Works in the background');
    case 'waiting':
      return l10n.t('Waiting for you');
    case 'failed':
      return l10n.t('Failed');
    case 'unread':
      return l10n.t('Finished, unread');
    case 'atAgent':
      return l10n.t('Not loaded');
    case 'open':
    case 'stored':
      return '';
  }
}

const STATE_ICONS = {
  waiting: 'bell-dot',
  running: 'loading',
  background: 'terminal',
  failed: 'error',
  unread: 'circle-filled',
  open: '',
  stored: '',
  atAgent: 'cloud',
} as const;
