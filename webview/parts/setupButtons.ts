import * as l10n from '@vscode/l10n';
import { nothing, render } from 'lit-html';
import type { FolderView, ServerView, SetupView } from '../../src/protocol/setupView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** The session's setup, next to its title: MCP servers and further folders. Absent if there are none. */
export class SetupButtons {
  readonly element = document.createElement('div');
  #drawn: SetupView | undefined;

  constructor(private readonly context: PartContext) {
    this.element.className = 'setup end';
    this.element.hidden = true;
  }

  update(setup: SetupView | undefined): void {
    if (this.#drawn === setup) return;
    this.#drawn = setup;
    this.element.hidden = setup === undefined;
    render(
      setup ? html`${this.#servers(setup)}${this.#folders(setup)}${this.#worktree(setup)}${elsewhere(setup)}` : nothing,
      this.element,
    );
  }

  #servers({ servers, changed }: SetupView) {
    if (servers.length === 0) return nothing;
    const passed = servers.filter(({ state }) => state === 'passed').length;
    const waiting = servers.filter(({ state }) => state === 'review').length;
    // Servers that the user refused are not missing.
    const wanted = servers.filter(({ state }) => state !== 'off').length;
    if (wanted === 0 && !changed) return nothing;
    const count = passed === wanted ? String(passed) : l10n.t('{0} of {1}', passed, wanted);
    const lines = [...servers.map(serverLine), ...(changed ? [changedLine()] : [])];
    const words =
      waiting === 0
        ? l10n.t('MCP servers: {0}', count)
        : waiting === 1
          ? l10n.t('Review 1 MCP server')
          : l10n.t('Review {0} MCP servers', waiting);
    return html`<button type="button" class="setup-button ${waiting > 0 ? 'attention' : ''}" aria-label=${words}
      title=${lines.join('\n')} @click=${() => this.context.post({ type: 'setup/showServers' })}>
      ${icon('plug')}<span class="label">${
        waiting > 0
          ? html`<span class="setup-short">${l10n.t('Review')}</span><span class="setup-more">${words}</span>`
          : count
      }</span>${changed && waiting === 0 ? html`<span class="setup-changed">${l10n.t('changed')}</span>` : nothing}
    </button>`;
  }

  #folders({ folders, foldersWhy, changed }: SetupView) {
    if (folders.length === 0) return nothing;
    const inReach = folders.filter(({ state }) => state === 'cwd' || state === 'passed').length;
    const count = inReach === folders.length ? String(inReach) : l10n.t('{0} of {1}', inReach, folders.length);
    const lines = [
      ...folders.map(folderLine),
      ...(foldersWhy === undefined ? [] : [foldersWhy]),
      ...(changed ? [changedLine()] : []),
    ];
    return html`<button type="button" class="setup-button" aria-label=${l10n.t('Session folders: {0}', count)}
      title=${lines.join('\n')} @click=${() => this.context.post({ type: 'setup/showFolders' })}>
      ${icon('folder')}<span class="label">${count}</span>
    </button>`;
  }

  /** The branch that the session works on, if that is a worktree's. */
  #worktree({ worktree }: SetupView) {
    if (worktree === undefined) return nothing;
    return html`<button type="button" class="setup-button setup-branch"
      aria-label=${l10n.t('Worktree: {0}', worktree.branch)}
      title=${l10n.t('Works in the worktree {0}, in {1}', worktree.branch, worktree.path)}
      @click=${() => this.context.post({ type: 'worktree/show' })}>
      ${icon('git-branch')}<span class="label"><bdi>${worktree.branch}</bdi></span>
    </button>`;
  }
}

/** The session's folder, if it is an unexpected one. */
function elsewhere({ elsewhere: folder }: SetupView) {
  if (folder === undefined) return nothing;
  const words = l10n.t('Works outside the workspace: {0}', folder);
  return html`<span class="setup-button attention setup-elsewhere" role="note" aria-label=${words}
    title=${words}>${icon('folder-opened')}<span class="label"><bdi>${folder}</bdi></span></span>`;
}

function changedLine(): string {
  return l10n.t('Changes to servers or folders apply to the next session.');
}

function serverLine({ name, state, why, use }: ServerView): string {
  if (use !== undefined) return l10n.t('{0}: tools of VS Code ({1})', name, use);
  if (state === 'passed') return l10n.t('{0}: passed on', name);
  return why === undefined ? l10n.t('{0}: not passed on', name) : l10n.t('{0}: not passed on ({1})', name, why);
}

function folderLine({ name, state }: FolderView): string {
  switch (state) {
    case 'cwd':
      return l10n.t('{0}: working directory', name);
    case 'passed':
      return l10n.t('{0}: additional folder', name);
    case 'left':
      return l10n.t('{0}: not passed on', name);
    case 'next':
      return l10n.t('{0}: from the next session', name);
  }
}
