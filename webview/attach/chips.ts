import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { findToken, linesAfter } from '../../src/base/mentionToken';
import { visibleLine } from '../../src/base/visibleText';
import { type AttachmentKind, type AttachmentView, deliveryOf, deliveryRemark } from '../../src/protocol/attachments';
import type { MentionView, PanelView } from '../../src/protocol/viewModel';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';

const icons: Readonly<Record<AttachmentKind, string>> = {
  image: 'file-media',
  audio: 'unmute',
  file: 'file',
  folder: 'folder',
  selection: 'list-selection',
  problems: 'issues',
  terminal: 'terminal',
  changes: 'git-compare',
};

export interface ChipActions {
  readonly removeMention: (mention: MentionView) => void;
  readonly remove: (attachment: AttachmentView) => void;
  readonly open: (attachment: AttachmentView) => void;
  readonly openMention: (mention: MentionView) => void;
  /** Adds the current file to this message. */
  readonly addCurrent: () => void;
  /** Adds the current file to each message, or no longer. */
  readonly follow: (on: boolean) => void;
}

/**
 * All context of the message, each item with a button to remove it. Items that the agent does not accept as they are
 * have a mark and an explanation.
 */
export function chips(
  panel: PanelView,
  mentions: { readonly list: readonly MentionView[]; readonly names: readonly string[] },
  pending: number,
  actions: ChipActions,
) {
  const remarkOf = (item: Pick<AttachmentView, 'kind' | 'linkable'>) =>
    panel.promptCapabilities && deliveryRemark(item, panel.promptCapabilities, panel.agent);
  const attached = panel.attachments.map((item) => {
    const remark = remarkOf(item);
    const isOut = panel.promptCapabilities !== undefined && deliveryOf(item, panel.promptCapabilities) === 'leftOut';
    const picture = item.preview
      ? html`<img class="thumbnail" src=${`data:${item.preview.mimeType};base64,${item.preview.data}`} alt="">`
      : icon(icons[item.kind]);
    return html`<span class="chip ${isOut ? 'left-out' : ''}"><button type="button" class="chip-open"
      title=${lines(item.detail, remark)} aria-label=${l10n.t('Open {0}', item.label)}
        aria-description=${remark ?? item.detail} @click=${() => actions.open(item)}
        @keydown=${onRemoveKey(() => actions.remove(item))}>${picture}<span
          class="label">${item.label}</span>${mark(remark, isOut)}</button>${removeButton(item.label, remark, () =>
            actions.remove(item),
          )}</span>`;
  });
  const mentioned = mentions.list.map((mention, i) => {
    const name = mentions.names[i]!;
    const isFolder = mention.label.endsWith('/');
    const remark = remarkOf({ kind: isFolder ? 'folder' : 'file', linkable: true });
    return html`<span class="chip"><button type="button" class="chip-open" title=${lines(mention.path, remark)}
      aria-label=${l10n.t('Open {0}', name)} aria-description=${remark ?? mention.path}
        @click=${() => actions.openMention(mention)}
        @keydown=${onRemoveKey(() => actions.removeMention(mention))}>${icon(isFolder ? 'folder' : 'file')}<span
          class="label">${name}</span>${mark(remark, false)}</button>${removeButton(name, remark, () =>
            actions.removeMention(mention),
          )}</span>`;
  });
  const busy =
    pending === 0
      ? nothing
      : html`<span class="chip">${spinner()}<span class="label">${l10n.t('Adding…')}</span></span>`;
  return [...attached, ...mentioned, busy, currentChip(panel, actions)];
}

/** A mention's name, with the lines that the text names after it. */
export function shownName({ token, label }: MentionView, text: string): string {
  const at = findToken(text, token);
  const end = at + token.length;
  const lines = at < 0 || label.endsWith('/') ? undefined : linesAfter(text, end);
  return token.slice(1) + text.slice(end, end + (lines?.length ?? 0));
}

/** The current file: pale as an offer, or as part of each message. */
function currentChip({ currentFile: current, agent, attachments }: PanelView, { addCurrent, follow }: ChipActions) {
  if (!current || agent === '') return nothing;
  const [label, detail] = [visibleLine(current.label), visibleLine(current.detail)];
  if (current.isFollowed) {
    const words = l10n.t('The active file goes with each message: {0}', detail);
    const stop = () => follow(false);
    return html`<span class="chip current followed" role="group" aria-label=${words} 
      title=${words}>${icon('pinned')}<span
      class="label">${label}</span><button type="button" class="icon-button codicon codicon-close"
        title=${l10n.t('Stop adding the active file')} aria-label=${l10n.t('Stop adding the active file')}
        @click=${stop} @keydown=${onRemoveKey(stop)}></button></span>`;
  }
  const isAdded = attachments.some((item) => `${item.detail}, `.startsWith(`${current.detail}, `));
  if (isAdded) return nothing;
  const words = l10n.t('Add {0} to the message', detail);
  const always = l10n.t('Add the active file to each message');
  return html`<span class="chip current offered"><button type="button" class="chip-open" title=${words}
    aria-label=${words} @click=${addCurrent}>${icon(current.isSelection ? 'list-selection' : 'file-code')}<span
      class="label">${label}</span></button><button type="button" class="icon-button codicon codicon-pin"
        title=${always} aria-label=${always} @click=${() => follow(true)}></button></span>`;
}

function removeButton(name: string, remark: string | undefined, remove: () => void) {
  return html`<button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Remove')}
    aria-label=${l10n.t('Remove {0}', name)} aria-description=${remark ?? nothing}
      @click=${remove} @keydown=${onRemoveKey(remove)}></button>`;
}

function mark(remark: string | undefined, isOut: boolean) {
  if (remark === undefined) return nothing;
  return icon(isOut ? 'warning' : 'link', 'mark');
}

function onRemoveKey(remove: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== 'Backspace' && event.key !== 'Delete') return;
    event.preventDefault();
    remove();
  };
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}
