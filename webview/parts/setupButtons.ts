import { nothing, render } from 'lit-html';
import type { FolderView, ServerView, SetupView } from '../../src/protocol/setupView';
import { html } from '../lib/html';
import { icon } from '../lib/icon';
import type { PartContext } from './context';

/** What the session was opened with, beside its title: MCP servers and further folders. Absent where there are none. */
export class SetupButtons {
  readonly element = document.createElement('div');
  private drawn: SetupView | undefined;

  constructor(private readonly context: PartContext) {
    this.element.className = 'setup end';
    this.element.hidden = true;
  }

  update(setup: SetupView | undefined): void {
    if (this.drawn === setup) return;
    this.drawn = setup;
    this.element.hidden = setup === undefined;
    render(setup ? html`${this.servers(setup)}${this.folders(setup)}` : nothing, this.element);
  }

  private servers({ servers, changed }: SetupView) {
    if (servers.length === 0) return nothing;
    const passed = servers.filter(({ state }) => state === 'passed').length;
    const waiting = servers.filter(({ state }) => state === 'review').length;
    // What the person does not want is missed by nobody.
    const wanted = servers.filter(({ state }) => state !== 'off').length;
    if (wanted === 0 && !changed) return nothing;
    const count = passed === wanted ? String(passed) : `${passed} of ${wanted}`;
    const lines = [...servers.map(serverLine), ...(changed ? ['A change since then applies to the next session.'] : [])];
    const words = waiting > 0 ? `Review ${inWords(waiting)}` : `MCP servers: ${count}`;
    return html`<button type="button" class="setup-button ${waiting > 0 ? 'attention' : ''}" aria-label=${words} title=${lines.join('\n')} @click=${() => this.context.post({ type: 'setup/showServers' })}>
      ${icon('plug')}<span class="label">${waiting > 0 ? html`Review<span class="setup-more"> ${inWords(waiting)}</span>` : count}</span>${changed && waiting === 0 ? html`<span class="setup-changed">changed</span>` : nothing}
    </button>`;
  }

  private folders({ folders, foldersWhy, changed }: SetupView) {
    if (folders.length === 0) return nothing;
    const inReach = folders.filter(({ state }) => state === 'cwd' || state === 'passed').length;
    const count = inReach === folders.length ? String(inReach) : `${inReach} of ${folders.length}`;
    const lines = [...folders.map(folderLine), ...(foldersWhy === undefined ? [] : [foldersWhy]), ...(changed ? ['A change since then applies to the next session.'] : [])];
    return html`<button type="button" class="setup-button" aria-label="Session folders: ${count}" title=${lines.join('\n')} @click=${() => this.context.post({ type: 'setup/showFolders' })}>
      ${icon('folder')}<span class="label">${count}</span>
    </button>`;
  }
}

const folderWords = { cwd: 'working folder', passed: 'in reach', left: 'not passed on', next: 'from the next session on' } as const;

function inWords(count: number): string {
  return count === 1 ? '1 MCP server' : `${count} MCP servers`;
}

function serverLine({ name, state, why }: ServerView): string {
  return state === 'passed' ? `${name}: passed on` : `${name}: not passed on${why === undefined ? '' : ` (${why})`}`;
}

function folderLine({ name, state }: FolderView): string {
  return `${name}: ${folderWords[state]}`;
}
