import * as vscode from 'vscode';
import type { Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { SessionService } from '../sessions/sessionService';

/** The steps of the walkthrough in package.json, by the end of their context keys. */
type Step = 'agent' | 'prompt' | 'review' | 'permission';

/** Completes the steps of the walkthrough when the user has done them. VS Code remembers that. */
export class FirstSteps extends Disposable {
  readonly #done = new Set<Step>();

  constructor(
    sessions: SessionService,
    decisions: { readonly onDidDecide: Event<unknown> },
    gate: { readonly opened: object | undefined },
  ) {
    super();
    this.register(sessions.onDidChange(({ runningAgent }) => runningAgent && this.#finish('agent')));
    this.register(
      sessions.onDidEndTurn(() => {
        this.#finish('prompt');
        // The gate is loaded with the first permission request.
        if (gate.opened) this.#finish('permission');
      }),
    );
    this.register(decisions.onDidDecide(() => this.#finish('review')));
  }

  #finish(step: Step): void {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    void vscode.commands.executeCommand('setContext', `parley.did.${step}`, true);
  }
}
