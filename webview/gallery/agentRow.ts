import * as l10n from '@vscode/l10n';
import { nothing, type TemplateResult } from 'lit-html';
import type { GalleryAct, GalleryAgentView } from '../../src/protocol/galleryView';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { PartContext } from '../parts/context';

const buttonWords: Readonly<Record<GalleryAct, () => string>> = {
  use: () => l10n.t('Use'),
  install: () => l10n.t('Install'),
  update: () => l10n.t('Update'),
  retry: () => l10n.t('Try Again'),
  signIn: () => l10n.t('Sign In'),
  cancel: () => l10n.t('Cancel'),
  goBack: () => l10n.t('Go Back'),
  pin: () => l10n.t('Pin'),
  unpin: () => l10n.t('Unpin'),
  remove: () => l10n.t('Remove'),
  edit: () => l10n.t('Edit'),
  duplicate: () => l10n.t('Duplicate'),
  menu: () => l10n.t('More Actions'),
};

export const needsWords = { node: 'Node.js', uv: 'uv', download: '' } as const;

/** One agent: its description, its state, and one button. */
export function agentRow(agent: GalleryAgentView, picture: HTMLElement, { post }: PartContext): TemplateResult {
  const { key, name, about, button, hasMenu, version } = agent;
  const act = (what: GalleryAct) => () => post({ type: 'gallery/act', key, act: what });
  return html`<li class="agent-row" data-key=${key}>
    ${picture}
    <div class="agent-title"><span class="label"
      title=${version === undefined ? name : `${name} ${version}`}>${name}</span>${
        version === undefined ? nothing : html`<span class="dim version">${version}</span>`
      }</div>
    <div class="agent-actions">
      ${button ? actButton(buttonWords[button](), name, act(button)) : nothing}
      ${
        hasMenu
          ? html`<button type="button" class="icon-button codicon codicon-ellipsis" title=${l10n.t('More Actions…')}
            aria-label=${l10n.t('More actions for {0}', name)} @click=${act('menu')}></button>`
          : nothing
      }
    </div>
    ${about === '' ? nothing : html`<div class="dim about" title=${about}>${about}</div>`}
    ${stateLine(agent, act('update'))}
    ${
      agent.problem
        ? html`<p class="agent-problem" role="status">${icon('error', 'failed')}<span>${agent.problem}</span></p>`
        : nothing
    }
  </li>`;
}

/** True if the agent's installer is missing on this machine. */
export function lacks({ state, needs, isMissing }: GalleryAgentView): boolean {
  return (
    isMissing && needs !== undefined && needsWords[needs] !== '' && (state === 'notInstalled' || state === 'failed')
  );
}

function actButton(word: string, name: string, act: () => void) {
  const label = l10n.t({
    message: '{0} {1}',
    args: [word, name],
    comment: ['What a button does and the name of an agent, for screen readers: "Install Codex"'],
  });
  return html`<button type="button" class="secondary" aria-label=${label} @click=${act}>${word}</button>`;
}

/** The state of the agent, and its missing runtime. An install button already implies that it is not installed. */
function stateLine(agent: GalleryAgentView, update: () => void) {
  const { state, needs, offered, isPinned, isCurrent, progress, part, button } = agent;
  const installed = state === 'ready' || state === 'update' || state === 'signIn';
  const parts: unknown[] = [];
  if (state === 'installing')
    parts.push(
      html`<span class="agent-state">${spinner()}<span role="status">${progress ?? l10n.t('Preparing')}</span></span>`,
    );
  else if (state === 'signIn')
    parts.push(html`<span class="agent-state">${icon('account')}${l10n.t('Needs sign-in')}</span>`);
  else if (state === 'unavailable')
    parts.push(html`<span class="agent-state">${l10n.t('Not available for this system')}</span>`);
  else if (state === 'notInstalled' && button === undefined)
    parts.push(html`<span class="agent-state">${l10n.t('Not installed')}</span>`);
  else if (installed && isCurrent)
    parts.push(html`<span class="agent-state current">${icon('check')}${l10n.t('In use')}</span>`);
  if (lacks(agent))
    parts.push(
      html`<span class="agent-state">${icon('warning', 'missing')}${l10n.t('Needs {0}', needsWords[needs!])}</span>`,
    );
  if (state === 'update' && offered !== undefined)
    parts.push(
      html`<button type="button" class="text-button" @click=${update}>${l10n.t('Update to {0}', offered)}</button>`,
    );
  if (installed && isPinned) parts.push(html`<span>${l10n.t('Stays on this version')}</span>`);
  if (parts.length === 0 && part === undefined) return nothing;
  return html`<div class="agent-status"><div class="dim">${parts}</div>${
    part === undefined || state !== 'installing'
      ? nothing
      : html`<progress max="1" .value=${part} aria-label=${l10n.t('Download')}></progress>`
  }</div>`;
}
