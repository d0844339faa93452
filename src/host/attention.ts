import * as vscode from 'vscode';
import { Disposable, MutableDisposable, toDisposable } from '../base/lifecycle';
import { plainText } from './plainText';
import type { SessionService } from './sessionService';
import type { ThreadPanel } from './threadPanel';

/**
 * Tells the person that an agent waits: a number on the view's icon always, and a notification while the panel is out
 * of sight. Never takes the focus.
 */
export class Attention extends Disposable {
  private readonly subscription = this.register(new MutableDisposable());
  private notified = new Set<string>();
  private shown = -1;
  private wasVisible = false;

  constructor(
    private readonly sessions: SessionService,
    private readonly panel: ThreadPanel,
  ) {
    super();
    this.register(sessions.onDidSwitch(() => this.follow()));
    this.register(sessions.onDidChange(() => this.update()));
    this.register(panel.onDidChangeVisibility(() => this.update()));
    this.follow();
  }

  private follow(): void {
    this.notified = new Set();
    const subscription = this.sessions.active.session.onDidAsk(({ requestId, title }) => void this.notify(requestId, title));
    this.subscription.value = toDisposable(() => subscription.dispose());
    this.update();
  }

  private update(): void {
    const { waiting } = this.sessions.active.session.thread;
    // Called with every update of a stream.
    if (waiting.length === this.shown && this.panel.isVisible === this.wasVisible) return;
    this.shown = waiting.length;
    this.wasVisible = this.panel.isVisible;
    this.panel.setBadge(waiting.length, waiting.length === 1 ? 'An agent waits for your answer' : `An agent waits for ${waiting.length} answers`);
  }

  private async notify(requestId: string, title: string): Promise<void> {
    if (this.panel.isVisible || this.notified.has(requestId)) return;
    this.notified.add(requestId);
    const show = 'Show';
    const chosen = await vscode.window.showInformationMessage(`${this.sessions.active.agent} asks: ${plainText(title)}`, show);
    if (chosen === show) await this.panel.reveal('question');
  }
}
