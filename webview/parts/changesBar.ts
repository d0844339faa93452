import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { numberText } from '../../src/base/numberText';
import type { ChangeView, ConflictChoice } from '../../src/protocol/changeView';
import type { PanelView } from '../../src/protocol/viewModel';
import { fileCount } from '../../src/protocol/format';
import { html } from '../lib/html';
import { fileIcon, icon } from '../lib/icon';
import type { PartContext } from './context';
import { diffCounts } from './diffCard';
import type { PendingPart } from './pendingStrip';
import { action } from './stripAction';

/** The files with pending changes: their sum, or one line per file. */
export function pendingChanges(
  { changes, moreChanges }: Pick<PanelView, 'changes' | 'moreChanges'>,
  context: PartContext,
): PendingPart {
  const added = changes.reduce((n, c) => n + c.added, moreChanges?.added ?? 0);
  const removed = changes.reduce((n, c) => n + c.removed, moreChanges?.removed ?? 0);
  const files = changes.length + (moreChanges?.files ?? 0);
  return {
    kind: 'changes',
    name: l10n.t('Changes'),
    label: fileCount(files),
    counts: diffCounts(added, removed),
    countsText: l10n.t('{0} added, {1} removed', added, removed),
    icon: 'files',
    brief: files,
    actions: html`${action(l10n.t('Review'), 'diff-multiple', () => context.post({ type: 'change/open' }))}
      ${action(
        l10n.t('Undo'),
        'discard',
        () => context.post({ type: 'change/undo' }),
        l10n.t('Undo all changes of this session'),
      )}
      ${action(
        l10n.t('Keep'),
        'check',
        () => context.post({ type: 'change/keep' }),
        l10n.t('Keep all changes of this session'),
      )}`,
    list: (open) =>
      html`<ul aria-label=${l10n.t('Changed files')} role="list" class=${open ? '' : 'visually-hidden'}>${repeat(
        changes,
        ({ path }) => path,
        (change) => (open ? row(change, context) : summary(change)),
      )}${moreChanges ? more(moreChanges.files, open, context) : nothing}</ul>`,
  };
}

/** While closed, the list is there only for assistive technology. */
function summary(change: ChangeView) {
  return html`<li>${change.guarded ? l10n.t('{0}, protected', change.label) : change.label}${
    (change.note ?? change.beside) === undefined ? '' : `: ${change.note ?? change.beside}`
  }</li>`;
}

/** A command may change thousands of files; the tree lists all of them. */
function more(left: number, open: boolean, context: PartContext) {
  const words = l10n.t('and {0} more', numberText(left));
  return open
    ? html`<li class="change-row"><button type="button" class="more"
      @click=${() => context.post({ type: 'change/list' })}>${words}</button></li>`
    : html`<li>${words}</li>`;
}

function row(change: ChangeView, context: PartContext) {
  const { path, label, note, beside, from } = change;
  const slash = Math.max(label.lastIndexOf('/'), label.lastIndexOf('\\'));
  const kind = kindWords(change.kind);
  const opens = note === undefined ? l10n.t('Open diff') : l10n.t('Open file');
  return html`<li class="change-row change-${change.kind}">
    <button type="button" class="head-button" title=${opens}
      @click=${() => context.post({ type: 'change/open', path })}>
      ${icon(fileIcon(label))}<span class="label">${label.slice(slash + 1)}</span>${
        slash > 0 ? html`<span class="dim folder">${label.slice(0, slash)}</span>` : nothing
      }${
        change.guarded
          ? html`<span class="guarded" title=${l10n.t('Skipped by Keep All and auto-keep')}>${icon('shield')}<span
            class="word">${l10n.t('Protected')}</span></span>`
          : nothing
      }${change.hunks > 1 ? html`<span class="dim places">${l10n.t('{0} changes', change.hunks)}</span>` : nothing}${
        from === undefined ? nothing : html`<span class="dim folder">${l10n.t('from {0}', from)}</span>`
      }${beside === undefined ? nothing : html`<span class="dim folder" title=${beside}>${beside}</span>`}${
        kind === undefined ? nothing : html`<span class="visually-hidden">${kind}</span> `
      }<span class="visually-hidden">${opens}</span>
    </button>
    <span class="end">${
      kind === undefined
        ? nothing
        : html`<span class="kind" title=${kind} aria-hidden="true">${LETTERS[change.kind]}</span>`
    }${
      note === undefined
        ? diffCounts(change.added, change.removed)
        : html`<span class="dim note" title=${note}>${note}</span>`
    }
      ${
        change.cannotUndo
          ? nothing
          : html`<button type="button" class="icon-button codicon codicon-discard" title=${l10n.t('Undo')}
            aria-label=${l10n.t('Undo {0}', label)}
            @click=${() => context.post({ type: 'change/undo', path })}></button>`
      }
      <button type="button" class="icon-button codicon codicon-check" title=${l10n.t('Keep')}
        aria-label=${l10n.t('Keep {0}', label)} @click=${() => context.post({ type: 'change/keep', path })}></button>
    </span>
    ${change.conflicts > 0 ? conflictLine(change, context) : nothing}
  </li>`;
}

/** Shown if Undo found the user's edits on the agent's lines. */
function conflictLine({ path, label, conflicts }: ChangeView, context: PartContext) {
  const choose = (name: string, choice: ConflictChoice) =>
    html`<button type="button" class="secondary" aria-label=${`${name}: ${label}`}
      @click=${() => context.post({ type: 'change/resolve', path, choice })}>${name}</button>`;
  return html`<div class="conflict-line" role="group" aria-label=${l10n.t('Edited by you too: {0}', label)}>
    <span class="conflict-text">${icon('warning')}${
      conflicts === 1 ? l10n.t('You edited one of these changes') : l10n.t('You edited {0} of these changes', conflicts)
    }</span>
    <span class="actions">${choose(l10n.t('Keep mine'), 'mine')}${choose(
      l10n.t('Keep agent’s version'),
      'agents',
    )}${choose(l10n.t('Show both'), 'both')}</span>
  </div>`;
}

/** The letters of VS Code's own lists of files. */
const LETTERS: Partial<Record<ChangeView['kind'], string>> = { created: 'A', deleted: 'D', renamed: 'R' };

/** The kind of change, unless it is only a modification. */
function kindWords(kind: ChangeView['kind']): string | undefined {
  switch (kind) {
    case 'created':
      return l10n.t('Created');
    case 'deleted':
      return l10n.t('Deleted');
    case 'renamed':
      return l10n.t('Moved');
    case 'modified':
      return undefined;
  }
}
