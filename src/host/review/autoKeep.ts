import nodePath from 'node:path';
import type { Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import { type AutoKeepMode, type KeepCandidate, keepCandidates } from '../../changes/autoKeepRules';
import { targetsOf } from '../../changes/scope';
import { entryIdAt, type Thread } from '../../thread/thread';
import type { HeadMove, HeadMoves } from './headMoves';
import type { Review } from './review';
import { readUserCommits } from './userCommits';

/** At most this many files are compared with a commit; each comparison runs git. */
const MAX_COMPARED = 500;

export interface AutoKeepOptions {
  readonly review: Pick<Review, 'sessions' | 'keepTargets' | 'look' | 'isGuarded'>;
  readonly heads: Pick<HeadMoves, 'start' | 'turnEnded' | 'onDidMove'>;
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
  /** The last seen turn of each session. */
  readonly #turns = new Map<string, string>();
  /** When a turn last ran or ended, epoch ms. At first the start of the window, because earlier turns are not known. */
  #lastRan: number;
  #wasRunning = false;

  constructor(private readonly options: AutoKeepOptions) {
    super();
    this.#lastRan = options.clock.now();
    this.register(options.heads.onDidMove((move) => void this.#committed(move)));
    this.register(options.sessions.onDidChange(() => this.update()));
    this.update();
  }

  /** A setting or a session may have changed. */
  update(): void {
    const mode = this.options.mode();
    const isRunning = this.#isAnyRunning();
    if (isRunning || this.#wasRunning) this.#lastRan = this.options.clock.now();
    // Commits that are in HEAD at the end of a turn are not later commits of the user.
    if (this.#wasRunning && !isRunning && mode === 'onCommit') this.options.heads.turnEnded();
    this.#wasRunning = isRunning;
    if (mode === 'onCommit') void this.options.heads.start();
    for (const { id, session } of this.options.sessions.open) this.#lookAtTurn(id, session.thread, mode);
  }

  #lookAtTurn(id: string, { turn, entries }: Thread, mode: AutoKeepMode): void {
    if (!turn || this.#turns.get(id) === turn.turnId) return;
    this.#turns.set(id, turn.turnId);
    // Work that an agent begins by itself is not a prompt of the user.
    if (mode !== 'onNextPrompt' || entries.at(turn.firstIndex)?.kind !== 'userMessage') return;
    const now = entryIdAt(turn.firstIndex);
    void this.#keep(this.#candidates().filter((candidate) => candidate.sessionId === id && candidate.turn !== now));
  }

  async #committed({ root, head, earlier, commits }: HeadMove): Promise<void> {
    // A commit that is made while an agent works may be the agent's own: the agent must not keep its own changes. A
    // commit may be reported long after it was made, so its own time is compared.
    const mayKeep = () => this.options.mode() === 'onCommit' && !this.#isAnyRunning();
    if (!mayKeep()) return;
    const times = { lastRan: this.#lastRan, now: this.options.clock.now() };
    const isCommitted = await readUserCommits(commits, head, earlier, times);
    if (!isCommitted || !mayKeep()) return;
    await this.options.review.look();
    const inside = this.#candidates().filter(({ path }) => path.startsWith(root + nodePath.sep));
    const texts = new Map(inside.map(({ path, asOf }) => [path, asOf.current]));
    const clean = new Set<string>();
    for (const [path, text] of [...texts].slice(0, MAX_COMPARED)) if (await isCommitted(path, text)) clean.add(path);
    // The user may have changed the setting meanwhile.
    if (this.options.mode() === 'onCommit') await this.#keep(inside.filter(({ path }) => clean.has(path)));
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
