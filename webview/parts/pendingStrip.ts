import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { UiState } from '../uiState';

type Drawn = TemplateResult | typeof nothing;

/** One kind of pending work: changes, other changes, comments, or the queue. */
export interface PendingPart {
  readonly kind: 'changes' | 'unclaimed' | 'notes' | 'queue';
  /** The name of its group. */
  readonly name: string;
  readonly label: string;
  readonly counts?: TemplateResult;
  /** The counts as text, for the tooltip of a narrow toggle. */
  readonly countsText?: string;
  readonly hint?: string | undefined;
  /** Replaces the label and the counts if kinds share a narrow row; a word needs no icon. */
  readonly icon?: string | undefined;
  readonly brief: string | number;
  readonly actions: Drawn;
  /** Its head if no other kind is pending. Without one, its toggle and its actions are the head. */
  readonly ownHead?: Drawn;
  readonly list: (open: boolean, isAlone: boolean) => Drawn;
}

/**
 * All pending work, in one row and the list of at most one kind. Each kind has the same elements whether it shares the
 * row or not, so that the focus stays when another kind comes or goes.
 */
export function pendingStrip(parts: readonly PendingPart[], ui: UiState, redraw: () => void): Drawn {
  const [first] = parts;
  if (!first) return nothing;
  const isAlone = parts.length === 1;
  const ownHead = isAlone ? first.ownHead : undefined;
  // The user's new message is visible, unless they closed the list or opened another.
  const open =
    parts.find(({ kind }) => ui.isExpanded(keyOf(kind))) ??
    parts.find(({ kind }) => kind === 'queue' && (isAlone || ui.isExpanded(keyOf(kind)) === undefined));
  const toggle = (part: PendingPart) => () => {
    for (const { kind } of parts) ui.setExpanded(keyOf(kind), kind === part.kind && part !== open);
    redraw();
  };
  const button = (part: PendingPart) => {
    const title = isAlone ? part.hint : [part.label, part.countsText, part.hint].filter(Boolean).join('\n');
    return html`<button type="button" class="head-button toggle toggle-${part.kind}" aria-expanded=${part === open}
      title=${title ?? nothing} @click=${toggle(part)}>
      ${icon(part === open ? 'chevron-down' : 'chevron-right')}${
        isAlone
          ? nothing
          : html`${
              part.icon === undefined ? nothing : icon(part.icon, 'brief')
            }<span class="brief" aria-hidden="true">${part.brief}</span>`
      }<span class="label">${part.label}</span>${part.counts}
    </button>`;
  };
  return html`<div class="strip pending-strip ${isAlone ? '' : 'shared'} kinds-${parts.length}"
    role=${ownHead ? nothing : 'group'} aria-label=${ownHead ? nothing : isAlone ? first.name : l10n.t('Pending')}>
    ${
      ownHead ??
      html`<div class="strip-line">
      ${repeat(parts, ({ kind }) => kind, button)}${repeat(
        [open ?? first].filter(({ actions }) => actions !== nothing),
        ({ kind }) => kind,
        ({ name, actions }) =>
          html`<span class="end actions" role=${isAlone ? nothing : 'group'}
            aria-label=${isAlone ? nothing : name}>${actions}</span>`,
      )}
    </div>`
    }
    ${repeat(
      parts,
      ({ kind }) => kind,
      (part) => html`<div class="${part.kind}-strip">${part.list(part === open, isAlone)}</div>`,
    )}
  </div>`;
}

/** The next message that is queued is shown again. */
export function forgetQueue(ui: UiState): void {
  if (ui.isExpanded(keyOf('queue')) !== undefined) ui.setExpanded(keyOf('queue'), undefined);
}

/** The key of the user's choice to open or close a kind. */
export function keyOf(kind: PendingPart['kind']): string {
  return `dock:${kind}`;
}
