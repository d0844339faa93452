import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import type { PermissionView, ToolCallView } from '../../src/protocol/viewModel';
import { icon } from '../lib/icon';
import type { PartContext } from './context';
import { countsOf, diffLines } from './diffCard';

/** A key press or click that was meant for something else must not answer a question that just appeared under it. */
const INERT_MS = 400;

/**
 * Knows since when each question is on screen. A question takes no focus by itself, and for a moment no answer.
 */
export class QuestionClock {
  private readonly since = new Map<string, number>();

  constructor(private readonly redraw: () => void) {}

  /** Whether the options of this question can be chosen already. */
  isReady(requestId: string): boolean {
    const now = performance.now();
    let since = this.since.get(requestId);
    if (since === undefined) {
      since = now;
      this.since.set(requestId, now);
      setTimeout(() => this.redraw(), INERT_MS);
    }
    // Timers may fire a fraction early.
    return now - since >= INERT_MS - 2;
  }
}

/** The question: what is asked in full, and the agent's options in its own words and order. */
export function permissionCard(
  permission: PermissionView,
  call: ToolCallView,
  options: { readonly ready: boolean; readonly shownAll: boolean; readonly showAll: () => void; readonly content: TemplateResult | typeof nothing },
  context: PartContext,
): TemplateResult {
  // The smaller yes first, wherever the agent puts it.
  const primary = ['allow_once', 'allow_always'].map((kind) => permission.options.findIndex((o) => o.kind === kind)).find((index) => index >= 0);
  const choose = (optionId: string) => context.post({ type: 'permission/select', requestId: permission.requestId, optionId });
  const handleKey = (event: KeyboardEvent) => {
    const option = /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey ? permission.options[Number(event.key) - 1] : undefined;
    if (!option || !options.ready) return;
    event.preventDefault();
    choose(option.optionId);
  };
  return html`<div class="card permission" role="group" aria-label=${`Permission: ${permission.title}`} tabindex="-1"
      data-question=${permission.requestId} @keydown=${handleKey}>
    <div class="card-head">${icon('shield', 'attention')}<span class="title">${permission.title}</span><span
        class="dim asks">${context.panel().agent || 'The agent'} asks</span></div>
    ${permission.description === undefined ? nothing : html`<div class="asked-why">${permission.description}</div>`}
    <div class="permission-body">${subject(call, permission, options)}${options.content}</div>
    <div class="buttons">${permission.options.map(
      (option, i) => html`<button type="button" class=${i === primary ? 'primary' : 'secondary'} ?disabled=${!options.ready}
          title=${option.name} @click=${() => choose(option.optionId)}>
        <span>${option.name}</span>${i < 9 ? html`<kbd aria-hidden="true">${i + 1}</kbd>` : nothing}
      </button>`,
    )}</div>
  </div>`;
}

/** The command, the changes or else the raw input, and the paths: everything that the answer depends on. */
function subject(call: ToolCallView, permission: PermissionView, options: { readonly shownAll: boolean; readonly showAll: () => void }) {
  const diffs = call.content.filter((c) => c.type === 'diff');
  // What the question itself names is what the answer decides on.
  const command = permission.command?.text ?? call.command;
  const cwd = permission.command ? permission.command.cwd : call.cwd;
  const known = command !== undefined || diffs.length > 0;
  const elsewhere = call.locations.filter((l) => !diffs.some((d) => d.path === l.path));
  return html`${command === undefined ? nothing : html`<pre class="asked" tabindex="0">${command}</pre>`}
    ${command !== undefined && cwd ? html`<div class="asked-path dim">${icon('folder')}<span>${cwd}</span></div>` : nothing}
    ${diffs.map(
      (diff) => html`<div class="asked-diff"><div class="asked-path">${icon(diff.isNew ? 'new-file' : 'edit')}<span>${diff.label}</span>${countsOf(diff)}</div>${diffLines(diff, options.shownAll, options.showAll)}</div>`,
    )}
    ${!known && call.input !== undefined ? html`<pre class="asked" tabindex="0">${call.input}</pre>` : nothing}
    ${elsewhere.map(
      (location) => html`<div class="asked-path">${icon('file')}<a href="#" data-path=${location.path} data-line=${location.line ?? ''}
          title=${location.path}>${location.label}${location.line ? `:${location.line}` : ''}</a></div>`,
    )}`;
}
