import { Disposable } from '../../base/lifecycle';
import { type FileTally, Tally } from '../../changes/tally';
import type { ReviewService } from '../changes/reviewService';

/** Files of which a panel is told; of a formatter's run over thousands the cards say nothing. */
const MAX_FILES = 500;

/** What became of the agent's changes, by session and file: for the cards of the calls that made them. */
export class FileTallies extends Disposable {
  readonly #tallies = new Map<string, Tally>();
  readonly #known = new Map<string, readonly FileTally[]>();

  constructor(private readonly service: ReviewService) {
    super();
    this.register(
      service.decisions.onDidDecide((decision) => {
        const tally = this.#tallies.get(decision.sessionId) ?? new Tally();
        this.#tallies.set(decision.sessionId, tally);
        tally.add(decision);
        this.#known.clear();
      }),
    );
    this.register(service.onDidChangeChanges(() => this.#known.clear()));
  }

  /** The same value as long as nothing changes. */
  of(sessionId: string): readonly FileTally[] {
    const known = this.#known.get(sessionId);
    if (known) return known;
    const isMany = (this.service.session(sessionId)?.ledger.count ?? 0) > MAX_FILES;
    const files = isMany ? [] : (this.#tallies.get(sessionId) ?? new Tally()).files(this.service.tracked(sessionId)).slice(-MAX_FILES);
    this.#known.set(sessionId, files);
    return files;
  }

  /** The session is gone. */
  forget(sessionId: string): void {
    this.#tallies.delete(sessionId);
  }
}
