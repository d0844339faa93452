import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { SessionService } from '../sessions/sessionService';
import { signInContext } from '../sessions/signInCommands';
import type { PermissionAnswers } from './permissionAnswers';

/** Sets the context keys of the menus and keybindings in `package.json`. */
export class MenuContext extends Disposable {
  readonly #known = new Map<string, boolean>();

  constructor(
    private readonly sessions: SessionService,
    private readonly answers: PermissionAnswers,
  ) {
    super();
    this.register(sessions.onDidChange(() => this.#update()));
    this.register(sessions.views.onDidSwitch(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const { canSignIn, canSignOut } = signInContext(this.sessions);
    const keys = {
      'parley.isRunning': this.sessions.active.session.isRunning,
      'parley.canSignIn': canSignIn,
      'parley.canSignOut': canSignOut,
      'parley.waiting': this.answers.isWaiting,
    };
    for (const [key, value] of Object.entries(keys)) {
      if (this.#known.get(key) === value) continue;
      this.#known.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
