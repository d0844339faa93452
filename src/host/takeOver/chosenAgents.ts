import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';

/** Who works on a prompt beside others. */
export interface Competitor {
  readonly agent: string;
  /** Absent: the one with which a session of the agent begins. `key` is that of the `SessionOption`. */
  readonly model?: { readonly key: string; readonly value: string; readonly name: string };
}

/** Who gets the next prompt of a session together. The choice ends with the prompt. */
export class ChosenAgents extends Disposable {
  readonly #bySession = new Map<string, readonly Competitor[]>();
  readonly #changeEmitter = this.register(new Emitter<void>());
  readonly onDidChange = this.#changeEmitter.event;

  /** The session's own agent is the first; empty for that alone. */
  of(sessionId: string): readonly Competitor[] {
    return this.#bySession.get(sessionId) ?? [];
  }

  choose(sessionId: string, agents: readonly Competitor[]): void {
    this.#bySession.set(sessionId, agents);
    this.#changeEmitter.fire();
  }
}
