import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { visibleLine } from '../../src/base/visibleText';
import type { BackgroundView } from '../../src/protocol/backgroundView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import type { PartContext } from './context';
import { action } from './stripAction';

const ICONS = {
  command: 'server-process',
  call: 'server-process',
  subagent: 'robot',
  other: 'server-process',
} as const;

/** What is at work beside the turn: one item with its Show and Stop, or the number of items and their list. */
export function backgroundStrip(
  items: readonly BackgroundView[],
  open: boolean,
  toggle: () => void,
  context: PartContext,
): TemplateResult {
  const [first] = items as [BackgroundView];
  const words = backgroundWords(items);
  const stoppable = items.filter(({ stop }) => stop !== undefined);
  const oldest =
    first.since === undefined ? nothing : html`<span class="since dim">${elapsedElement(first.since)}</span>`;
  if (items.length === 1) {
    return html`<div class="strip background-strip" role="group" aria-label=${l10n.t('In the background')}>
      <div class="strip-line" title=${words}>${icon(ICONS[first.kind])}<span class="label"><span
          class="who">${l10n.t('In the background')} · </span>${named(first)}</span>
        <span class="end actions">${oldest}${
          canShow(first) ? action(l10n.t('Show'), 'eye', () => show(first, context), showWords(first)) : nothing
        }${
          first.stop
            ? action(l10n.t('Stop'), 'debug-stop', () => stop(first, context), l10n.t('Stop: {0}', titleOf(first)))
            : nothing
        }</span>
      </div>
    </div>`;
  }
  return html`<div class="strip background-strip ${open ? 'open' : ''}" role="group"
    aria-label=${l10n.t('In the background')}>
    <div class="strip-line">
      <button type="button" class="head-button" aria-expanded=${open}
        title=${items.map(titleOf).join('\n')} @click=${toggle}>${icon(open ? 'chevron-down' : 'chevron-right')}<span
          class="label">${words}</span>${open ? nothing : oldest}</button>${
            stoppable.length === items.length
              ? html`<span class="end actions">${action(l10n.t('Stop All'), 'debug-stop', () => {
                  for (const item of stoppable) stop(item, context);
                })}</span>`
              : nothing
          }
    </div>
    ${
      open
        ? html`<ul role="list" aria-label=${l10n.t('In the background')}>${repeat(
            items,
            ({ key }) => key,
            (item) => row(item, context),
          )}</ul>`
        : nothing
    }
  </div>`;
}

/** "2 commands in the background"; of one its title. */
export function backgroundWords(items: readonly BackgroundView[]): string {
  if (items.length === 1) return l10n.t('In the background: {0}', titleOf(items[0]!));
  return items.every(({ kind }) => kind === 'command')
    ? l10n.t('{0} commands in the background', items.length)
    : l10n.t('{0} tasks in the background', items.length);
}

function row(item: BackgroundView, context: PartContext) {
  const title = titleOf(item);
  return html`<li>${icon(ICONS[item.kind])}${
    canShow(item)
      ? html`<button type="button" class="head-button" title=${`${title}\n${showWords(item)}`}
        @click=${() => show(item, context)}><span class="label">${named(item)}</span></button>`
      : html`<span class="label" title=${title}>${named(item)}</span>`
  }<span class="end">${
    item.since === undefined ? nothing : html`<span class="dim">${elapsedElement(item.since)}</span>`
  }${
    item.stop
      ? html`<button type="button" class="icon-button codicon codicon-debug-stop" title=${l10n.t('Stop')}
        aria-label=${l10n.t('Stop: {0}', title)} @click=${() => stop(item, context)}></button>`
      : nothing
  }</span></li>`;
}

/** A command as code, in one line. */
function named(item: BackgroundView) {
  const title = titleOf(item);
  return item.kind === 'command' ? html`<code>${title}</code>` : title;
}

function titleOf({ title }: BackgroundView): string {
  return visibleLine(title) || l10n.t('A task of the agent');
}

function canShow({ entryId, opens }: BackgroundView): boolean {
  return entryId !== undefined || opens !== undefined;
}

function showWords({ entryId }: BackgroundView): string {
  return entryId === undefined ? l10n.t('Open in terminal') : l10n.t('Show the output');
}

/** Opens its card and scrolls there; without a card, opens its terminal. */
function show({ entryId, opens }: BackgroundView, context: PartContext): void {
  if (entryId !== undefined) context.reveal(entryId);
  else if (opens !== undefined) context.post({ type: 'terminal/open', terminalId: opens });
}

function stop({ stop: by }: BackgroundView, context: PartContext): void {
  if (by) context.post('terminalId' in by ? { type: 'terminal/cancel', ...by } : { type: 'toolCall/cancel', ...by });
}
