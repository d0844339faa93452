import * as l10n from '@vscode/l10n';
import { render } from 'lit-html';
import type { EntryView } from '../../src/protocol/entryView';
import type { ToolCallView, ToolKindView } from '../../src/protocol/toolCallView';
import { formatDuration } from '../../src/protocol/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** True if a call may be folded with its neighbours: finished, and with nothing to show but its line. */
export function isFoldable(view: EntryView | undefined): view is ToolCallView {
  return (
    view?.kind === 'toolCall' &&
    view.status === 'completed' &&
    view.permissions.length === 0 &&
    !view.wasUnasked &&
    view.content.every((c) => c.type === 'content')
  );
}

/** One dim line for several finished calls: "Read 3 files, searched once · 1.2 s". */
export class ToolFold {
  readonly element = document.createElement('div');

  constructor(private readonly toggle: () => void) {
    this.element.className = 'tool-fold';
  }

  update(calls: readonly ToolCallView[], open: boolean): void {
    const time = busyTime(calls);
    render(
      html`<button type="button" class="line-button" aria-expanded=${open} @click=${this.toggle}>
        ${icon(open ? 'chevron-down' : 'chevron-right')}<span class="label">${foldSummary(calls)}</span><span
          class="end"
          >${time === undefined ? '' : html`<span class="dim">${formatDuration(time)}</span>`}</span>
      </button>`,
      this.element,
    );
  }
}

/** A summary of the calls, by kind in the order of the first call. */
export function foldSummary(calls: readonly ToolCallView[]): string {
  const kinds = new Map<ToolKindView, Set<string>>();
  for (const [i, call] of calls.entries()) {
    const seen = kinds.get(call.toolKind) ?? new Set();
    kinds.set(call.toolKind, seen);
    // A file that was read in three parts is one file.
    if (ABOUT_FILES.has(call.toolKind) && call.locations.length > 0)
      for (const { path } of call.locations) seen.add(path);
    else seen.add(`call ${i}`);
  }
  const text = [...kinds].map(([kind, seen]) => PHRASES[kind](seen.size)).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The time during which at least one of the calls ran; overlapping calls are not counted twice. */
export function busyTime(calls: readonly ToolCallView[]): number | undefined {
  const spans = calls.flatMap(({ durationMs, startedAt, runsSince: from = startedAt }) =>
    durationMs === undefined ? [] : [{ from, to: from + durationMs }],
  );
  if (spans.length === 0) return undefined;
  spans.sort((a, b) => a.from - b.from);
  let total = 0;
  let end = -Infinity;
  for (const { from, to } of spans) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}

const ABOUT_FILES: ReadonlySet<ToolKindView> = new Set(['read', 'edit', 'delete']);

const PHRASES: Record<ToolKindView, (n: number) => string> = {
  read: (n) => (n === 1 ? l10n.t('read 1 file') : l10n.t('read {0} files', n)),
  edit: (n) => (n === 1 ? l10n.t('edited 1 file') : l10n.t('edited {0} files', n)),
  delete: (n) => (n === 1 ? l10n.t('deleted 1 file') : l10n.t('deleted {0} files', n)),
  move: (n) => (n === 1 ? l10n.t('moved 1 file') : l10n.t('moved {0} files', n)),
  search: (n) =>
    n === 1 ? l10n.t('searched once') : n === 2 ? l10n.t('searched twice') : l10n.t('searched {0} times', n),
  execute: (n) => (n === 1 ? l10n.t('ran 1 command') : l10n.t('ran {0} commands', n)),
  think: (n) => (n === 1 ? l10n.t('thought once') : n === 2 ? l10n.t('thought twice') : l10n.t('thought {0} times', n)),
  fetch: (n) => (n === 1 ? l10n.t('fetched 1 page') : l10n.t('fetched {0} pages', n)),
  switch_mode: (n) =>
    n === 1 ? l10n.t('switched mode') : n === 2 ? l10n.t('switched mode twice') : l10n.t('switched mode {0} times', n),
  other: (n) => (n === 1 ? l10n.t('used 1 tool') : l10n.t('used {0} tools', n)),
};
