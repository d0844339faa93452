import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';

/** The agents that get the next prompt of a session together. The choice ends with the prompt. */
export class ChosenAgents extends Disposable {
  readonly #bySession = new Map<string, readonly string[]>();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  /** Names; empty for the session's own agent alone. */
  of(sessionId: string): readonly string[] {
    return this.#bySession.get(sessionId) ?? [];
  }

  choose(sessionId: string, agents: readonly string[]): void {
    this.#bySession.set(sessionId, agents);
    this.#changeEmitter.fire();
  }
}
