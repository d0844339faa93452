import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import { type Decision, decisionOf } from '../review/decision';
import type { Ledger, Wish } from '../review/ledger';

/** Tells what the person decides of agents' changes, by whatever way; the base of the service that carries it out. */
export abstract class Decisions extends Disposable {
  private readonly decided = this.register(new Emitter<Decision>());
  readonly onDidDecide = this.decided.event;

  protected decideToKeep(ledger: Ledger | undefined, sessionId: string, path: string, ids?: readonly string[]): void {
    const before = ledger?.get(path);
    ledger?.keep(path, ids);
    this.tellDecision(decisionOf(sessionId, 'kept', before, ledger?.get(path)));
  }

  /** @param work carries out the wish. */
  protected async whileDeciding<T>(ledger: Ledger, sessionId: string, path: string, wish: Wish, work: () => Promise<T>): Promise<T> {
    const before = ledger.get(path);
    const result = await work();
    if (wish !== 'restore') this.tellDecision(decisionOf(sessionId, wish === 'agents' ? wish : 'undone', before, ledger.get(path)));
    return result;
  }

  private tellDecision(decision: Decision | undefined): void {
    if (decision) this.decided.fire(decision);
  }
}
