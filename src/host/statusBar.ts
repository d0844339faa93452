import * as vscode from 'vscode';
import { Disposable } from '../base/lifecycle';
import { isPermissiveMode } from '../thread/permissiveMode';
import { currentChoice, optionOf } from '../thread/sessionOptions';
import type { SessionService } from './sessionService';

/** Agent and mode in the status bar; a click opens the picker of modes, or of agents while there are no modes. */
export class StatusBar extends Disposable {
  private readonly item = this.register(vscode.window.createStatusBarItem('parley.status', vscode.StatusBarAlignment.Right, 100));

  private shown = '';

  constructor(private readonly sessions: SessionService) {
    super();
    this.item.name = 'Parley';
    this.register(sessions.onDidChange(() => this.update()));
    this.update();
    this.item.show();
  }

  private update(): void {
    const { session, agent, signIn } = this.sessions.active;
    const waits = waitsFor(session.thread.waiting.length, signIn.view !== undefined);
    const { options } = session.thread;
    const option = optionOf(options, 'mode');
    const mode = option?.type === 'select' ? currentChoice(option) : undefined;
    const connection = this.sessions.connection.state;
    const icon = waits ? '$(bell-dot)' : session.isRunning || connection === 'starting' ? '$(loading~spin)' : connection === 'failed' ? '$(warning)' : '$(comment-discussion)';
    const label = [agent || 'Choose an agent', mode?.name].filter(Boolean).join(' · ');
    const state = waits ? waits : connection === 'starting' ? 'starting' : session.isRunning ? 'working' : connection === 'failed' ? 'not running' : undefined;
    const text = `${icon} ${label}`;
    // Called with every update of a stream.
    const shown = [text, state, mode?.value, mode?.description, connection].join('\n');
    if (this.shown === shown) return;
    this.shown = shown;
    this.item.text = text;
    this.item.tooltip = [`Parley: ${agent || 'no agent'}${state ? `, ${state}` : ''}`, mode && `Mode: ${mode.name}`, mode?.description].filter(Boolean).join('\n');
    this.item.accessibilityInformation = { label: `Parley: ${label}${state ? `, ${state}` : ''}` };
    this.item.command = mode ? 'parley.selectMode' : agent ? 'parley.openChat' : 'parley.selectAgent';
    this.item.backgroundColor = isPermissiveMode(mode && { id: mode.value, name: mode.name }) ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }
}

function waitsFor(questions: number, signIn: boolean): string | undefined {
  if (signIn) return 'waits for you to sign in';
  return questions > 0 ? 'waits for you' : undefined;
}
