import { Disposable } from '../../base/lifecycle';
import { type FileTally, Tally } from '../../changes/tally';
import type { Thread } from '../../thread/thread';
import type { ReviewService } from '../changes/reviewService';
import type { SessionCalls, TurnDiffs } from './turnDiffs';

/** The limit for files in the panel. After a formatter's run over thousands of files the cards show no counts. */
const MAX_FILES = 500;

interface Known {
  readonly entries: Thread['entries'] | undefined;
  readonly files: readonly FileTally[];
}

/** Counts of decisions by session, file and tool call, for the cards of the calls. */
export class FileTallies extends Disposable {
  readonly #tallies = new Map<string, Tally>();
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly service: ReviewService,
    private readonly live: (sessionId: string) => SessionCalls | undefined,
    private readonly diffs: TurnDiffs,
  ) {
    super();
    this.register(
      service.decisions.onDidDecide((decision) => {
        const tally = this.#tallies.get(decision.sessionId) ?? new Tally();
        this.#tallies.set(decision.sessionId, tally);
        tally.add(decision);
        this.#known.delete(decision.sessionId);
      }),
    );
    this.register(service.onDidChangeChanges(() => this.#known.clear()));
  }

  /** The counts of a session. The same object until something changes. */
  of(sessionId: string): readonly FileTally[] {
    const live = this.live(sessionId);
    const entries = live?.session.thread.entries;
    const known = this.#known.get(sessionId);
    if (known && known.entries === entries) return known.files;
    const fresh = this.#filesOf(sessionId, live);
    // Most new entries of a session do not change the counts.
    const files = known && JSON.stringify(known.files) === JSON.stringify(fresh) ? known.files : fresh;
    this.#known.set(sessionId, { entries, files });
    return files;
  }

  /** Forgets a closed session. */
  forget(sessionId: string): void {
    this.#tallies.delete(sessionId);
    this.#known.delete(sessionId);
  }

  #filesOf(sessionId: string, live: SessionCalls | undefined): readonly FileTally[] {
    const isMany = (this.service.session(sessionId)?.ledger.count ?? 0) > MAX_FILES;
    const tally = this.#tallies.get(sessionId);
    const changes = this.service.tracked(sessionId);
    if (isMany || (!tally && changes.length === 0)) return [];
    const diffsOf = (path: string, turn: string | undefined) =>
      live && turn !== undefined ? this.diffs.of(live, turn, path) : [];
    return (tally ?? new Tally()).files(changes, diffsOf).slice(-MAX_FILES);
  }
}
