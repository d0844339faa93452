import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import type { DiffView } from '../../src/protocol/diffView';
import type { TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView, ToolContentView, ToolKindView } from '../../src/protocol/toolCallView';
import { formatDuration } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import { elapsedElement } from '../lib/ticker';
import { pathsIn } from '../markdown/pathLinks';
import type { PartContext } from './context';
import { countsOf } from './diffCard';
import { allWords, words } from './fileStates';
import { endedAs, terminalState } from './terminalPart';
import { hasDetails } from './toolDetails';
import { isActive, statusIconName, statusWords } from './toolStatus';

/** The open state of an element, and its toggle. */
export interface Opening {
  readonly open: boolean;
  readonly toggle: () => void;
  readonly details: { readonly open: boolean; readonly toggle: () => void };
}

/** The head line of a call without its own card: icon, title, state, time. */
export function plainHead(view: ToolCallView, open: boolean, toggle: () => void, context: PartContext): TemplateResult {
  const said = html`${status(view, saysDecision(view) && view.status === 'rejected')}<span
    class="end">${decision(view)}${time(view)}</span>`;
  const words = linkedWords(view);
  const line = words
    ? html`<div class="line-button linked"
      @click=${(event: Event) => (event.target as Element).closest('a') ?? toggle()}>
        <button type="button" class="line-toggle" aria-expanded=${open} aria-label=${view.title}
          title=${decisionTitle(view)}></button>${statusIcon(view)}<span class="label">${words}</span>${said}
      </div>`
    : html`<button type="button" class="line-button" title=${decisionTitle(view)} aria-expanded=${open}
      @click=${toggle}>${statusIcon(view)}<span class="label">${view.title}</span>${said}</button>`;
  return view.canCancel ? html`<div class="line-with-action">${line}${cancelButton(view, context)}</div>` : line;
}

/**
 * A title with links for its paths, next to a button with its words, since a button must not contain links. Undefined
 * without a path.
 */
function linkedWords({ title, id }: ToolCallView): readonly unknown[] | undefined {
  const paths = pathsIn(title, id).filter(({ exists }) => exists);
  if (paths.length === 0) return undefined;
  const between = (from: number, to: number) => html`<span aria-hidden="true">${title.slice(from, to)}</span>`;
  let end = 0;
  const pieces = paths.flatMap(({ at, text, path, line, column }) => {
    const before = between(end, at);
    end = at + text.length;
    return [
      before,
      html`<a class="path-link" href="#" data-path=${path} data-line=${line ?? ''} data-column=${column ?? ''}
        title=${text}>${text}</a>`,
    ];
  });
  return [...pieces, between(end, title.length)];
}

/** The head of a diff's card: its file, its size, and the button to the diff editor. */
export function diffHead(
  view: ToolCallView,
  diff: DiffView,
  index: number,
  opening: Opening | undefined,
  context: PartContext,
): TemplateResult {
  return html`<div class="card-head">${titleButton(
    html`${
      isActive(view.status)
        ? spinner()
        : view.status === 'failed' || didNotHappen(view)
          ? statusIcon(view)
          : icon(diff.isNew ? 'new-file' : 'edit')
    }<span
          class="title path" title=${diff.path}><bdi>${diff.label}</bdi></span>`,
    opening,
  )}${opening ? status(view) : nothing}<span
    class="end">${detailsButton(view, opening)}${opening ? decision(view) : nothing}${reviewState(
      view,
      diff,
      index,
      context,
    )}<span class="yields">${countsOf(diff)}</span>${openButton(view, diff, index, context)}${
      opening ? cancelButton(view, context) : nothing
    }</span></div>`;
}

/** The state of the changes to the file, and the button to pending ones. */
function reviewState(view: ToolCallView, diff: DiffView, index: number, context: PartContext) {
  const state = context.fileState(diff.path, view.id);
  if (didNotHappen(view)) return nothing;
  const wasRestored = context
    .panel()
    .checkpoints?.restores?.some(
      ({ from, to, paths }) => from <= view.startedAt && view.startedAt <= to && paths.includes(diff.path),
    );
  if (wasRestored)
    return html`<span class="dim review-state"
      title=${l10n.t('You restored the version from before this change')}>${l10n.t('Restored')}</span>`;
  if (!state) return nothing;
  if (state.pending === 0) return html`<span class="dim review-state" title=${allWords(state)}>${words(state)}</span>`;
  return html`<button type="button" class="text-button review-state"
    title=${l10n.t('Open in review: {0}', allWords(state))}
    @click=${() => context.post({ type: 'diff/review', entryId: view.id, index })}>${words(state)}</button>`;
}

/** The button to the diff editor, or to the file if the agent sent no two texts to compare. */
function openButton(view: ToolCallView, diff: DiffView, index: number, context: PartContext) {
  if (diff.opens === 'nothing') return nothing;
  const words = diff.opens === 'file' ? l10n.t('Open file') : l10n.t('Open diff');
  return html`<button type="button" class="text-button" aria-label=${words} title=${words}
    @click=${() => context.post({ type: 'diff/open', entryId: view.id, index })}>${icon(
      diff.opens === 'file' ? 'go-to-file' : 'diff-single',
      'narrow-only',
    )}<span>${words}</span></button>`;
}

/** Cancels only this call, if the agent accepts that; Stop ends the turn. */
export function cancelButton(view: ToolCallView, context: PartContext) {
  if (!view.canCancel) return nothing;
  const name = view.isSubagent ? l10n.t('Stop: {0}', view.title) : l10n.t('Cancel: {0}', view.title);
  return html`<button type="button" class="icon-button codicon codicon-debug-stop"
    title=${view.isSubagent ? l10n.t('Stop this subagent') : l10n.t('Cancel this call')} aria-label=${name}
    @click=${() => context.post({ type: 'toolCall/cancel', entryId: view.id })}></button>`;
}

/** The head of a terminal's card: the command, its result, and the button to a native terminal. */
export function terminalHead(
  view: ToolCallView,
  terminal: TerminalView | undefined,
  terminalId: string,
  opening: Opening | undefined,
  context: PartContext,
): TemplateResult {
  const command = terminal?.command ?? view.command ?? view.title;
  // A script's first line has less information than the agent's words for it.
  const isShort = command.length <= 80 && !command.trim().includes('\n');
  const runs = isActive(view.status) ? terminal?.running !== false : outlives(view, terminal);
  return html`<div class="card-head">${titleButton(
    html`${runs ? spinner() : icon('terminal')}<span class="title ${isShort ? 'code' : ''}"
      title=${command}>${isShort ? command : view.title}</span>`,
    opening,
  )}${
    opening ? status(view, saysItself(view, terminal) || outlives(view, terminal)) : nothing
  }<span class="end">${detailsButton(view, opening)}${opening ? decision(view) : nothing}${ended(view, terminal)}${
    terminal?.canOpen
      ? html`<button type="button" class="icon-button codicon codicon-link-external"
        title=${l10n.t('Open in terminal')} aria-label=${l10n.t('Open in terminal')}
          @click=${() => context.post({ type: 'terminal/open', terminalId })}></button>`
      : nothing
  }${
    terminal?.canCancel && runs
      ? html`<button type="button" class="icon-button codicon codicon-debug-stop" title=${l10n.t('Stop this command')}
        aria-label=${l10n.t('Stop: {0}', isShort ? command : view.title)}
          @click=${() => context.post({ type: 'terminal/cancel', terminalId })}></button>`
      : opening
        ? cancelButton(view, context)
        : nothing
  }</span></div>`;
}

/** The only diff or terminal of a call, which represents it. */
export function cardOf(view: ToolCallView): Extract<ToolContentView, { type: 'diff' | 'terminal' }> | undefined {
  const cards = view.content.filter((c) => c.type !== 'content');
  return cards.length === 1 ? cards[0] : undefined;
}

/** The icon of a kind of tool. */
export const KIND_ICONS: Record<ToolKindView, string> = {
  read: 'file',
  edit: 'edit',
  delete: 'trash',
  move: 'arrow-right',
  search: 'search',
  execute: 'terminal',
  think: 'lightbulb',
  fetch: 'globe',
  switch_mode: 'arrow-swap',
  other: 'tools',
};

function titleButton(inner: TemplateResult, opening: Opening | undefined): TemplateResult {
  if (!opening) return html`<span class="head-button">${inner}</span>`;
  return html`<button type="button" class="head-button" aria-expanded=${opening.open}
    @click=${opening.toggle}>${inner}</button>`;
}

/** Opens the details of the call. */
export function detailsButton(view: ToolCallView, opening: Opening | undefined) {
  if (!opening || !hasDetails(view)) return nothing;
  return html`<button type="button" class="icon-button codicon codicon-info quiet" title=${l10n.t('Show details')}
    aria-label=${l10n.t('Show details')}
    aria-expanded=${opening.details.open} @click=${opening.details.toggle}></button>`;
}

/** Failures and calls that did not run have a word; a success is announced only to assistive technology. */
function status(view: ToolCallView, said = false): TemplateResult {
  const shown = !said && statusIconName(view.status) !== undefined;
  return html`<span class=${
    shown ? ['status', 'yields', view.status].join(' ') : 'visually-hidden'
  }><span>${statusWords(view.status)}</span></span>`;
}

function statusIcon(view: ToolCallView): TemplateResult {
  if (view.status === 'running' || view.status === 'pending') return spinner();
  const own = statusIconName(view.status);
  return own === undefined
    ? icon(KIND_ICONS[view.toolKind] ?? 'tools')
    : icon(own, view.status === 'failed' ? 'failed' : '');
}

function didNotHappen({ status }: ToolCallView): boolean {
  return status === 'cancelled' || status === 'stopped' || status === 'rejected' || status === 'blocked';
}

/** True if the decision is shown here; that of a rule is below the head. */
function saysDecision(view: ToolCallView): boolean {
  return view.decision !== undefined && view.decidedBy === undefined;
}

function decision(view: ToolCallView) {
  const { decision, decidedOn, decidedOnOther } = view;
  if (view.wasUnasked && decision === undefined)
    return html`<span class="decision yields dim" title=${decisionTitle(view)}><span>${
      ranCommand(view) ? l10n.t('Ran without asking') : l10n.t('Changed without asking')
    }</span></span>`;
  if (!saysDecision(view) || decision === undefined) return nothing;
  if (view.isQuoted)
    return html`<span class="decision yields dim"
      title=${decisionTitle(view)}><span>${l10n.t('In the file: {0}', decision)}</span></span>`;
  return html`<span class="decision yields dim" title=${decisionTitle(view)}><span>${
    decidedOn !== undefined && decidedOnOther
      ? l10n.t('You answered “{0}” to: {1}', decision, decidedOn)
      : l10n.t('You: {0}', decision)
  }</span></span>`;
}

/** Also the tooltip of the line, in case the words have no room. */
function decisionTitle(view: ToolCallView) {
  const { decision, decidedOn } = view;
  if (view.wasUnasked && decision === undefined) {
    return ranCommand(view)
      ? l10n.t('The agent ran this command without asking. It offers no modes.')
      : l10n.t('The agent made this change without asking. It offers no modes.');
  }
  if (!saysDecision(view) || decision === undefined) return nothing;
  if (view.isQuoted) return l10n.t('The file says: answered “{0}”', decision);
  // The call may have changed since; the answer was for the earlier content.
  return decidedOn === undefined
    ? l10n.t('You answered “{0}”', decision)
    : l10n.t('You answered “{0}” to: {1}', decision, decidedOn);
}

function ranCommand({ toolKind }: ToolCallView): boolean {
  return toolKind === 'execute';
}

function time(view: ToolCallView) {
  if (view.durationMs !== undefined)
    return html`<span class="yields dim"><span>${formatDuration(view.durationMs)}</span></span>`;
  return view.status === 'running'
    ? html`<span class="dim">${elapsedElement(view.runsSince ?? view.startedAt)}</span>`
    : nothing;
}

function ended(view: ToolCallView, terminal: TerminalView | undefined) {
  const isOver = !isActive(view.status) && terminal?.running !== false;
  // Do not show a running clock for an ended call whose terminal is unknown or will never report its end.
  return isOver && !outlives(view, terminal) ? time(view) : terminalState(terminal, view, isOver);
}

/**
 * The call has ended and its command has not. Only known for commands that run here or that the agent calls background
 * commands: of others, agents may never report an end.
 */
function outlives(view: ToolCallView, terminal: TerminalView | undefined): boolean {
  return !isActive(view.status) && terminal?.running === true && (terminal.canOpen || view.isBackground === true);
}

/** True if the end of the card already shows the result. */
function saysItself(view: ToolCallView, terminal: TerminalView | undefined): boolean {
  return terminal !== undefined && !terminal.running && endedAs(terminal, view) !== 'other';
}
