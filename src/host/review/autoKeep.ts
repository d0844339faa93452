import nodePath from 'node:path';
import { Emitter, type Event } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { KeepCountdownView } from '../../protocol/changeView';
import {
  autoKeepDelayMs,
  type AutoKeepMode,
  type KeepCandidate,
  keepCandidates,
  ownCommits,
} from '../../changes/autoKeepRules';
import { targetsOf } from '../../changes/scope';
import { entryIdAt, type Thread } from '../../thread/thread';
import type { CommittedFiles } from './committedFiles';
import type { HeadMove } from '../changes/disk/headMove';
import type { Review } from './review';

/** Files that are compared with a commit at most; each is a run of git. */
const MAX_COMPARED = 500;

export interface AutoKeepOptions {
  readonly review: Pick<Review, 'sessions' | 'keepTargets' | 'look' | 'onDidChange' | 'isGuarded'>;
  readonly committed: Pick<CommittedFiles, 'start' | 'turnEnded' | 'onDidMove'>;
  /** The setting as it is now; a repository's does not count. */
  readonly mode: () => AutoKeepMode;
  readonly sessions: {
    /** Those that are open, by our own ids. */
    readonly open: readonly { readonly id: string; readonly session: { readonly thread: Thread } }[];
    readonly onDidChange: Event<unknown>;
  };
  /** Tells the user, who can take it back. */
  readonly told: (files: number) => void;
  readonly clock: Clock;
}

/** Keeps changes without a click where the user has asked for that; what is guarded or conflicted always waits. */
export class AutoKeep extends Disposable {
  /** What the panel shows before changes are kept after a delay. */
  readonly countdown: KeepCountdown;
  /** The turn that each session was seen in. */
  readonly #turns = new Map<string, string>();
  /** When a turn was last seen to run or to end. Epoch ms; what was before the start is not known. */
  #lastRan: number;
  #wasRunning = false;

  constructor(private readonly options: AutoKeepOptions) {
    super();
    const { review, committed } = options;
    this.#lastRan = options.clock.now();
    this.countdown = this.register(
      new KeepCountdown(
        options.clock,
        (ids) => void this.#keep(this.#candidates().filter(({ id }) => ids.includes(id))),
      ),
    );
    this.register(committed.onDidMove((move) => void this.#committed(move)));
    this.register(review.onDidChange(() => this.update()));
    this.register(options.sessions.onDidChange(() => this.update()));
    this.update();
  }

  /** Something has changed: a setting, a thread, what waits. */
  update(): void {
    const mode = this.options.mode();
    const isRunning = this.#isAnyRunning();
    if (isRunning || this.#wasRunning) this.#lastRan = this.options.clock.now();
    // What stands in HEAD now is nothing that the user commits later.
    if (this.#wasRunning && !isRunning && mode === 'onCommit') this.options.committed.turnEnded();
    this.#wasRunning = isRunning;
    if (mode === 'onCommit') void this.options.committed.start();
    for (const { id, session } of this.options.sessions.open) this.#lookAtTurn(id, session.thread, mode);
    const delayMs = autoKeepDelayMs(mode);
    if (delayMs === undefined || isRunning) this.countdown.count([], 0);
    else
      this.countdown.count(
        this.#candidates().map(({ id }) => id),
        delayMs,
      );
  }

  #lookAtTurn(id: string, { turn, entries }: Thread, mode: AutoKeepMode): void {
    if (!turn || this.#turns.get(id) === turn.turnId) return;
    this.#turns.set(id, turn.turnId);
    // Work that an agent begins by itself is no prompt of the user.
    if (mode !== 'onNextPrompt' || entries.at(turn.firstIndex)?.kind !== 'userMessage') return;
    const now = entryIdAt(turn.firstIndex);
    void this.#keep(this.#candidates().filter((candidate) => candidate.sessionId === id && candidate.turn !== now));
  }

  async #committed({ root, commits, holds }: HeadMove): Promise<void> {
    // A commit that is made while an agent works may be the agent's own: it must not agree to its own changes. Of a
    // commit
    // we may hear long after it was made, so its time counts.
    const own = ownCommits(commits, this.#lastRan, this.options.clock.now());
    if (this.options.mode() !== 'onCommit' || this.#isAnyRunning() || own === 0) return;
    await this.options.review.look();
    const inside = this.#candidates().filter(({ path }) => path.startsWith(root + nodePath.sep));
    const clean = new Set<string>();
    for (const [path, current] of [...new Map(inside.map(({ path, asOf }) => [path, asOf.current]))].slice(
      0,
      MAX_COMPARED,
    )) {
      if (await holds(path, current, own)) clean.add(path);
    }
    await this.#keep(inside.filter(({ path }) => clean.has(path)));
  }

  async #keep(candidates: readonly KeepCandidate[]): Promise<void> {
    const files = await this.options.review.keepTargets(targetsOf(candidates));
    if (files > 0) this.options.told(files);
  }

  #candidates(): KeepCandidate[] {
    return keepCandidates(this.options.review.sessions, this.options.review.isGuarded);
  }

  #isAnyRunning(): boolean {
    return this.options.sessions.open.some(({ session }) => session.thread.turn !== undefined);
  }
}

/**
 * Counts down until changes are kept. It starts again for a change that it has not seen and for another delay, and
 * pauses while someone holds it. Changes for which the user stopped it do not start it again.
 */
class KeepCountdown extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #counted: ReadonlySet<string> = new Set();
  readonly #stopped = new Set<string>();
  readonly #holds = new Set<string>();
  #delay = 0;
  #remaining = 0;
  #startedAt = 0;
  #timer: IDisposable | undefined;

  readonly onDidChange = this.#changeEmitter.event;

  /** @param ended the time is up for these changes */
  constructor(
    private readonly clock: Clock,
    private readonly ended: (ids: readonly string[]) => void,
  ) {
    super();
  }

  /** What the panel shows; undefined while there is nothing to count for. */
  get view(): KeepCountdownView | undefined {
    if (this.#counted.size === 0) return undefined;
    return this.#timer ? { endsAt: this.#startedAt + this.#remaining } : { remainingMs: this.#remaining };
  }

  /** @param ids changes that may be kept when the time is up, by names that last */
  count(ids: readonly string[], delayMs: number): void {
    const open = ids.filter((id) => !this.#stopped.has(id));
    const isFresh = open.some((id) => !this.#counted.has(id)) || (open.length > 0 && delayMs !== this.#delay);
    const before = this.#counted.size;
    this.#counted = new Set(open);
    if (isFresh || open.length === 0) {
      this.#rest();
      this.#remaining = this.#delay = delayMs;
    }
    this.#run();
    if (isFresh || before > 0 !== open.length > 0) this.#changeEmitter.fire();
  }

  /** Stands still as long as anyone holds it: the bar is hovered or has the focus, or cannot be seen. */
  hold(who: 'person' | 'hidden', isHeld: boolean): void {
    if (this.#holds.has(who) === isHeld) return;
    if (isHeld) this.#holds.add(who);
    else this.#holds.delete(who);
    this.#rest();
    this.#run();
    if (this.#counted.size > 0) this.#changeEmitter.fire();
  }

  /** The user wants to decide on all of these. */
  stop(): void {
    for (const id of this.#counted) this.#stopped.add(id);
    this.count([], 0);
  }

  override dispose(): void {
    this.#rest();
    super.dispose();
  }

  #run(): void {
    if (this.#timer || this.#holds.size > 0 || this.#counted.size === 0) return;
    this.#startedAt = this.clock.now();
    this.#timer = this.clock.setTimeout(() => {
      const ids = [...this.#counted];
      this.count([], 0);
      this.ended(ids);
    }, this.#remaining);
  }

  #rest(): void {
    if (!this.#timer) return;
    this.#timer.dispose();
    this.#timer = undefined;
    this.#remaining = Math.max(0, this.#remaining - (this.clock.now() - this.#startedAt));
  }
}
