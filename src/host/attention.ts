import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import type { LiveSession } from './liveSession';
import { plainText } from './plainText';
import type { SessionService } from './sessionService';
import type { ThreadPanel } from './threadPanel';

/**
 * Tells the person that an agent waits, in whichever session: a number on the view's icon always, and a notification
 * while the panel, or that session, is out of sight. Never takes the focus.
 */
export class Attention extends Disposable {
  private shown = -1;
  private wasVisible = false;

  constructor(
    private readonly sessions: SessionService,
    private readonly panel: ThreadPanel,
  ) {
    super();
    this.register(sessions.onDidChange(() => this.update()));
    this.register(sessions.onDidSwitch(() => this.update()));
    this.register(sessions.onDidAsk(({ session, title }) => void this.notify(session, title)));
    this.register(panel.onDidChangeVisibility(() => this.update()));
    this.update();
  }

  private update(): void {
    const waiting = this.sessions.open.reduce((sum, item) => sum + item.session.thread.waiting.length + (item.signIn.view ? 1 : 0), 0);
    // Called with every update of a stream.
    if (waiting === this.shown && this.panel.isVisible === this.wasVisible) return;
    this.shown = waiting;
    this.wasVisible = this.panel.isVisible;
    this.panel.setBadge(waiting, waiting === 1 ? 'An agent waits for your answer' : `Agents wait for ${waiting} answers`);
  }

  private async notify(session: LiveSession, title: string): Promise<void> {
    if (this.panel.isVisible && session === this.sessions.active) return;
    const show = 'Show';
    const chosen = await vscode.window.showInformationMessage(`${session.agent} asks: ${plainText(title)}`, show);
    if (chosen !== show) return;
    await this.sessions.openSession(session.id);
    await this.panel.reveal('question');
  }
}
