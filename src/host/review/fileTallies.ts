import { Disposable } from '../../base/lifecycle';
import { type CallDiff, diffLines, type DiffLines, type FileTally, Tally } from '../../changes/tally';
import { beginsTurn, entryIdAt, indexOfEntry, type Thread, type ToolCall } from '../../thread/thread';
import { resolvePath } from '../../view/labels';
import type { ReviewService } from '../changes/reviewService';

/** The limit for files in the panel. After a formatter's run over thousands of files the cards show no counts. */
const MAX_FILES = 500;

type ToolDiff = Extract<ToolCall['content'][number], { readonly type: 'diff' }>;

/** A session with the tool calls. */
interface Live {
  readonly cwd: string;
  readonly session: { readonly thread: Thread };
}

interface Known {
  readonly entries: Thread['entries'] | undefined;
  readonly files: readonly FileTally[];
}

/** Counts of decisions by session, file and tool call, for the cards of the calls. */
export class FileTallies extends Disposable {
  readonly #tallies = new Map<string, Tally>();
  readonly #known = new Map<string, Known>();
  readonly #lines = new WeakMap<ToolDiff, DiffLines>();

  constructor(
    private readonly service: ReviewService,
    private readonly live: (sessionId: string) => Live | undefined,
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

  #filesOf(sessionId: string, live: Live | undefined): readonly FileTally[] {
    const isMany = (this.service.session(sessionId)?.ledger.count ?? 0) > MAX_FILES;
    const tally = this.#tallies.get(sessionId);
    const changes = this.service.tracked(sessionId);
    if (isMany || (!tally && changes.length === 0)) return [];
    const turns = new Map<string, ReadonlyMap<string, readonly CallDiff[]>>();
    const diffsOf = (path: string, turn: string | undefined): readonly CallDiff[] => {
      if (!live || turn === undefined) return [];
      let diffs = turns.get(turn);
      if (!diffs) turns.set(turn, (diffs = this.#diffsIn(live, turn)));
      return diffs.get(path) ?? [];
    };
    return (tally ?? new Tally()).files(changes, diffsOf).slice(-MAX_FILES);
  }

  /** The diffs of one turn's tool calls, by file. */
  #diffsIn({ cwd, session }: Live, turn: string): ReadonlyMap<string, readonly CallDiff[]> {
    const { entries } = session.thread;
    const diffs = new Map<string, CallDiff[]>();
    const first = indexOfEntry(turn);
    for (let index = first; index < entries.length; index++) {
      const entry = entries.at(index);
      if (entry && beginsTurn(entry) && index > first) break;
      if (entry?.kind !== 'toolCall') continue;
      for (const item of entry.content) {
        if (item.type !== 'diff' && item.type !== 'fileChange') continue;
        const path = resolvePath(item.path, cwd);
        const ofFile = diffs.get(path) ?? [];
        diffs.set(path, ofFile);
        ofFile.push({
          call: entryIdAt(index),
          ...(item.type === 'diff' ? this.#linesOf(item) : diffLines(undefined, undefined)),
        });
      }
    }
    return diffs;
  }

  #linesOf(diff: ToolDiff): DiffLines {
    let lines = this.#lines.get(diff);
    if (!lines) this.#lines.set(diff, (lines = diffLines(diff.oldText ?? undefined, diff.newText)));
    return lines;
  }
}
