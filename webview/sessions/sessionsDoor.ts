import type { PanelView } from '../../src/protocol/viewModel';
import type { PartContext } from '../parts/context';
import type { SessionsPage } from './sessionsPage';

/** The place of the list of sessions over the thread. Its code is loaded when it is first opened. */
export class SessionsDoor {
  readonly element = document.createElement('div');
  private page: SessionsPage | undefined;
  private isLoading = false;
  private latest: PanelView | undefined;

  constructor(private readonly context: PartContext) {
    this.element.className = 'session-list';
    this.element.hidden = true;
    this.element.dataset['vscodeContext'] = '{"preventDefaultContextMenuItems":true}';
  }

  /** @returns whether it was closed while it had the focus */
  update(panel: PanelView): boolean {
    this.latest = panel;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = panel.sessions === undefined;
    if (this.page) this.page.update(panel.sessions, panel.agentIcons);
    else if (panel.sessions && !this.isLoading) void this.load();
    return hadFocus && this.element.hidden;
  }

  private async load(): Promise<void> {
    this.isLoading = true;
    try {
      const { SessionsPage } = await import('./sessionsPage');
      this.page = new SessionsPage(this.element, this.context);
      if (this.latest) this.page.update(this.latest.sessions, this.latest.agentIcons);
    } catch (error) {
      this.isLoading = false;
      this.context.log(error);
    }
  }
}
