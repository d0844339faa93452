import * as l10n from '@vscode/l10n';
import { nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { UnclaimedAct, UnclaimedChangeView, UnclaimedView } from '../../src/protocol/changeView';
import { html } from '../lib/html';
import { fileIcon, icon } from '../lib/icon';
import type { PartContext } from './context';
import type { PendingPart } from './pendingStrip';
import { action } from './stripAction';

/** Files that changed while the agent worked, and may be the user's. */
export function pendingUnclaimed({ files, changes }: UnclaimedView, context: PartContext): PendingPart {
  const act = (kind: UnclaimedAct, path?: string) => () =>
    context.post({ type: 'unclaimed/act', act: kind, ...(path === undefined ? {} : { path }) });
  return {
    kind: 'unclaimed',
    name: l10n.t('Other changes'),
    label: files === 1 ? l10n.t('1 other change') : l10n.t('{0} other changes', files),
    hint: why(),
    icon: 'question',
    brief: files,
    actions: html`${action(
      l10n.t('Dismiss'),
      'close',
      act('dismiss'),
      l10n.t('Hide these changes. The files stay as they are.'),
    )}
      ${action(l10n.t('Include'), 'add', act('include'), l10n.t('Add these changes to the review as agent changes'))}`,
    list: (open) =>
      html`${
        open ? html`<p class="dim unclaimed-why">${why()}</p>` : nothing
      }<ul aria-label=${l10n.t('Changed while the agent worked')} role="list"
        class=${open ? '' : 'visually-hidden'}>${repeat(
          changes,
          ({ path }) => path,
          (change) => (open ? row(change, act) : html`<li>${change.label}</li>`),
        )}${
          files > changes.length
            ? html`<li class="dim more">${l10n.t('and {0} more', files - changes.length)}</li>`
            : nothing
        }</ul>`,
  };
}

/** Why they are not among the agent's changes. */
function why(): string {
  return l10n.t('Changed while the agent worked, but by no tool call. Undo skips these files.');
}

function row({ path, label, kind }: UnclaimedChangeView, act: (kind: UnclaimedAct, path: string) => () => void) {
  const slash = Math.max(label.lastIndexOf('/'), label.lastIndexOf('\\'));
  const words = kind === 'created' ? l10n.t('Created') : kind === 'deleted' ? l10n.t('Deleted') : undefined;
  return html`<li class="change-row change-${kind}">
    <button type="button" class="head-button" title=${l10n.t('Open diff')} @click=${act('open', path)}>
      ${icon(fileIcon(label))}<span class="label">${label.slice(slash + 1)}</span>${
        slash > 0 ? html`<span class="dim folder">${label.slice(0, slash)}</span>` : nothing
      }${words === undefined ? nothing : html`<span class="visually-hidden">${words}</span>`}
    </button>
    <span class="end">${
      words === undefined
        ? nothing
        : html`<span class="kind" title=${words} aria-hidden="true">${kind === 'created' ? 'A' : 'D'}</span>`
    }
      <button type="button" class="icon-button codicon codicon-close" title=${l10n.t('Dismiss')}
        aria-label=${l10n.t('Dismiss {0}', label)} @click=${act('dismiss', path)}></button>
      <button type="button" class="icon-button codicon codicon-add" title=${l10n.t('Include')}
        aria-label=${l10n.t('Include {0}', label)} @click=${act('include', path)}></button>
    </span>
  </li>`;
}
