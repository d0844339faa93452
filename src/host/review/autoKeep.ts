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

/** At most this many files are compared with a commit; each comparison runs git. */
const MAX_COMPARED = 500;

export interface AutoKeepOptions {
  readonly review: Pick<Review, 'sessions' | 'keepTargets' | 'look' | 'onDidChange' | 'isGuarded'>;
  readonly committed: Pick<CommittedFiles, 'start' | 'turnEnded' | 'onDidMove'>;
  /** The present setting, without a repository's value. */
  readonly mode: () => AutoKeepMode;
  readonly sessions: {
    /** The open sessions, by Parley's own ids. */
    readonly open: readonly { readonly id: string; readonly session: { readonly thread: Thread } }[];
    readonly onDidChange: Event<unknown>;
  };
  /** Tells the user, who can undo it. */
  readonly told: (files: number) => void;
  readonly clock: Clock;
}

/** Keeps changes without a click if the user has set that. Protected files and conflicts always stay pending. */
export class AutoKeep extends Disposable {
  /** The countdown that the panel shows before changes are kept. */
  readonly countdown: KeepCountdown;
  /** The last seen turn of each session. */
  readonly #turns = new Map<string, string>();
  /** When a turn last ran or ended, epoch ms. At first the start of the window, because earlier turns are not known. */
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

  /** A setting, a session or a pending change may have changed. */
  update(): void {
    const mode = this.options.mode();
    const isRunning = this.#isAnyRunning();
    if (isRunning || this.#wasRunning) this.#lastRan = this.options.clock.now();
    // Commits that are in HEAD at the end of a turn are not later commits of the user.
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
    // Work that an agent begins by itself is not a prompt of the user.
    if (mode !== 'onNextPrompt' || entries.at(turn.firstIndex)?.kind !== 'userMessage') return;
    const now = entryIdAt(turn.firstIndex);
    void this.#keep(this.#candidates().filter((candidate) => candidate.sessionId === id && candidate.turn !== now));
  }

  async #committed({ root, commits, holds }: HeadMove): Promise<void> {
    // A commit that is made while an agent works may be the agent's own: the agent must not keep its own changes. A
    // commit may be reported long after it was made, so its own time is compared.
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
 * Counts down until changes are kept. It starts again for a new change and for another delay, and pauses while it is
 * held. It does not start again for changes for which the user stopped it.
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

  /** The countdown as the panel shows it; undefined if it does not run. */
  get view(): KeepCountdownView | undefined {
    if (this.#counted.size === 0) return undefined;
    return this.#timer ? { endsAt: this.#startedAt + this.#remaining } : { remainingMs: this.#remaining };
  }

  /** Counts down for these changes. @param ids changes to keep when the time is up, by stable ids */
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

  /** Pauses the countdown while the bar is hovered or focused (`person`), or cannot be seen (`hidden`). */
  hold(who: 'person' | 'hidden', isHeld: boolean): void {
    if (this.#holds.has(who) === isHeld) return;
    if (isHeld) this.#holds.add(who);
    else this.#holds.delete(who);
    this.#rest();
    this.#run();
    if (this.#counted.size > 0) this.#changeEmitter.fire();
  }

  /** Stops the countdown for all of these changes, because the user wants to decide on them. */
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
