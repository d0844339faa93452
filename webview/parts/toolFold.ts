import { render } from 'lit-html';
import type { EntryView } from '../../src/protocol/entryView';
import type { ToolCallView, ToolKindView } from '../../src/protocol/toolCallView';
import { count, formatDuration } from '../lib/format';
import { html } from '../lib/html';
import { icon } from '../lib/icon';

/** Whether a call may stand in a fold with its neighbours: finished, and nothing to look at but its line. */
export function isFoldable(view: EntryView | undefined): view is ToolCallView {
  return view?.kind === 'toolCall' && view.status === 'completed' && view.permissions.length === 0 && view.content.every((c) => c.type === 'content');
}

/** One dim line that stands for several finished calls: "Read 3 files, searched once · 1.2 s". */
export class ToolFold {
  readonly element = document.createElement('div');

  constructor(private readonly toggle: () => void) {
    this.element.className = 'tool-fold';
  }

  update(calls: readonly ToolCallView[], open: boolean): void {
    const time = busyTime(calls);
    render(
      html`<button type="button" class="line-button" aria-expanded=${open} @click=${this.toggle}>
        ${icon(open ? 'chevron-down' : 'chevron-right')}<span class="label">${foldSummary(calls)}</span><span class="end"
          >${time === undefined ? '' : html`<span class="dim">${formatDuration(time)}</span>`}</span>
      </button>`,
      this.element,
    );
  }
}

/** What the calls did, in words, in the order in which each kind came first. */
export function foldSummary(calls: readonly ToolCallView[]): string {
  const kinds = new Map<ToolKindView, Set<string>>();
  for (const [i, call] of calls.entries()) {
    const seen = kinds.get(call.toolKind) ?? new Set();
    kinds.set(call.toolKind, seen);
    // A file that was read in three pieces is one file.
    if (ABOUT_FILES.has(call.toolKind) && call.locations.length > 0) for (const { path } of call.locations) seen.add(path);
    else seen.add(`call ${i}`);
  }
  const text = [...kinds].map(([kind, seen]) => PHRASES[kind](seen.size)).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The time in which at least one of the calls ran; calls that ran side by side are not counted twice. */
export function busyTime(calls: readonly ToolCallView[]): number | undefined {
  const spans = calls.flatMap((c) => (c.durationMs === undefined ? [] : [{ from: c.startedAt, to: c.startedAt + c.durationMs }]));
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

function times(n: number): string {
  return n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`;
}

const ABOUT_FILES: ReadonlySet<ToolKindView> = new Set(['read', 'edit', 'delete']);

const PHRASES: Record<ToolKindView, (n: number) => string> = {
  read: (n) => `read ${count(n, 'file')}`,
  edit: (n) => `edited ${count(n, 'file')}`,
  delete: (n) => `deleted ${count(n, 'file')}`,
  move: (n) => `moved ${count(n, 'file')}`,
  search: (n) => `searched ${times(n)}`,
  execute: (n) => `ran ${count(n, 'command')}`,
  think: (n) => `thought ${times(n)}`,
  fetch: (n) => `fetched ${count(n, 'page')}`,
  switch_mode: (n) => `switched mode ${n === 1 ? '' : times(n)}`.trim(),
  other: (n) => `used ${count(n, 'tool')}`,
};
