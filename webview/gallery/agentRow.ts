import { nothing, type TemplateResult } from 'lit-html';
import type { ConsentView, GalleryAct, GalleryAgentView } from '../../src/protocol/galleryView';
import { html } from '../lib/html';
import { icon, spinner } from '../lib/icon';
import type { PartContext } from '../parts/context';

const buttonWords: Readonly<Record<GalleryAct, string>> = {
  use: 'Use',
  install: 'Install',
  update: 'Update',
  retry: 'Try Again',
  signIn: 'Sign In',
  cancel: 'Cancel',
  goBack: 'Go Back',
  pin: 'Pin',
  unpin: 'Unpin',
  remove: 'Remove',
  edit: 'Edit',
  duplicate: 'Duplicate',
  menu: 'More Actions',
};

const needsWords = { node: 'Node.js', uv: 'uv (Python)', download: '' } as const;

/** One agent: what it is, its state, and one button. */
export function agentRow(agent: GalleryAgentView, picture: HTMLElement, { post }: PartContext): TemplateResult {
  const { key, name, about, button, hasMenu, version } = agent;
  const act = (what: GalleryAct) => () => post({ type: 'gallery/act', key, act: what });
  return html`<li class="agent-row" data-key=${key}>
    ${picture}
    <div class="agent-words">
      <div class="agent-title"><span class="label" title=${version === undefined ? name : `${name} ${version}`}>${name}</span>${version === undefined ? nothing : html`<span class="dim version">${version}</span>`}</div>
      ${about === '' ? nothing : html`<div class="dim about" title=${about}>${about}</div>`}
    </div>
    <div class="agent-actions">
      ${button ? html`<button type="button" class="secondary" aria-label=${`${buttonWords[button]} ${name}`} @click=${act(button)}>${buttonWords[button]}</button>` : nothing}
      ${hasMenu ? html`<button type="button" class="icon-button codicon codicon-ellipsis" title="More Actions…" aria-label=${`More actions for ${name}`} @click=${act('menu')}></button>` : nothing}
    </div>
    ${stateLine(agent, act('update'))}
    ${agent.problem ? html`<p class="agent-problem" role="status">${icon('error', 'failed')}<span>${agent.problem}</span></p>` : nothing}
    ${agent.consent ? consentCard(agent, agent.consent, post) : nothing}
  </li>`;
}

/** What state the agent is in, and what it needs that is worth knowing before. */
function stateLine(agent: GalleryAgentView, update: () => void) {
  const { state, needs, isMissing, offered, isPinned, isCurrent, kind, progress, part } = agent;
  const installed = state === 'ready' || state === 'update' || state === 'signIn';
  const parts: unknown[] = [];
  if (state === 'installing') parts.push(html`<span class="agent-state">${spinner()}<span role="status">${progress ?? 'Preparing'}</span></span>`);
  else if (state === 'signIn') parts.push(html`<span class="agent-state">${icon('account')}Needs sign-in</span>`);
  else if (state === 'unavailable') parts.push(html`<span class="agent-state">Not available for this system</span>`);
  else if (state === 'notInstalled') parts.push(html`<span class="agent-state">Not installed</span>`);
  else if (installed && isCurrent) parts.push(html`<span class="agent-state current">${icon('check')}In use</span>`);
  if (kind === 'custom') parts.push(html`<span>Custom</span>`);
  if (!installed && state !== 'installing' && state !== 'unavailable' && needs && needsWords[needs] !== '') parts.push(isMissing ? html`<span class="agent-state">${icon('warning', 'missing')}Needs ${needsWords[needs]}, which is not installed</span>` : html`<span>Uses ${needsWords[needs]}</span>`);
  if (state === 'update' && offered !== undefined) parts.push(html`<button type="button" class="text-button" @click=${update}>Update to ${offered}</button>`);
  if (installed && isPinned) parts.push(html`<span>Stays on this version</span>`);
  if (parts.length === 0 && part === undefined) return nothing;
  return html`<div class="agent-status"><div class="dim">${parts}</div>${part === undefined || state !== 'installing' ? nothing : html`<progress max="1" .value=${part} aria-label="Download"></progress>`}</div>`;
}

/** What is installed, from where and in which version, before anything happens. */
function consentCard({ key, name }: GalleryAgentView, consent: ConsentView, post: PartContext['post']) {
  const { isUpdate, runs, from, host, version, env, check, sha256, fingerprint } = consent;
  const title = isUpdate ? `Update ${name} to ${version}?` : `Install ${name} ${version}?`;
  return html`<div class="consent" tabindex="-1" role="group" aria-label=${title}>
    <div class="consent-title">${title}</div>
    <dl>
      <dt>From</dt><dd>${host === undefined ? nothing : html`<span class="host">${host}</span>`}<code>${from}</code></dd>
      <dt>Runs</dt><dd><code>${runs}</code></dd>
      ${env.length === 0 ? nothing : html`<dt>Variables</dt><dd>${env.map((item) => html`<code>${item}</code>`)}</dd>`}
      <dt>Check</dt><dd>${checkWords[check]}${sha256 === undefined ? nothing : html`<code>${sha256}</code>`}</dd>
    </dl>
    <p class="dim">An agent can do anything that you can: read and change files, and run commands.</p>
    <div class="buttons">
      <button type="button" class="primary" @click=${() => post({ type: 'gallery/agree', key, fingerprint })}>${isUpdate ? 'Update' : 'Install'}</button>
      <button type="button" class="secondary" @click=${() => post({ type: 'gallery/act', key, act: 'cancel' })}>Cancel</button>
    </div>
  </div>`;
}

const checkWords = {
  sha256: 'The download must have this SHA-256.',
  npm: 'npm checks the hashes of your registry.',
  uv: 'uv checks the hashes of your package index.',
  none: 'The author gives no checksum, so nothing checks the download.',
} as const;
