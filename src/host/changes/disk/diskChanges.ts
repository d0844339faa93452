import nodePath from 'node:path';
import { stackOf } from '../../../base/errorText';
import { usualPath } from '../../../base/fileNames';
import { Deferred } from '../../../base/deferred';
import { Disposable } from '../../../base/lifecycle';
import { waitAtMost } from '../../../base/scheduler';
import type { ToolCallFields } from '../../../acp/decodeUpdate';
import type { ThreadAction } from '../../../thread/actions';
import type { Heard } from '../../../thread/turnEvidence';
import { isUnsavedOver } from '../../files/editorWatch';
import { isWithin } from '../../../node/isWithin';
import { spelledFolder } from '../../files/realPath';
import type { LeftLog, LogMarks, UnsavedWrite } from '../stored/beforeImages';
import type { DiskAttribution } from './diskAttribution';
import type { DiskTurn } from './diskTurns';
import { DiskWatch, type DiskOptions } from './diskWatch';
import { LargeFiles } from './largeFiles';
import { NamedFiles } from './namedFiles';
import type { TurnObserver } from './turnFollower';
import type { TurnRoot } from './turnRoot';
import type { ContentInHand } from '../../storage/contentInHand';

export interface Resumed {
  /** How many files the agents have changed meanwhile. */
  readonly found: number;
  /** Writes through Parley that may or may not have happened. */
  readonly unsaved: readonly UnsavedWrite[];
  /** The logs of which the review has everything now. */
  readonly taken: readonly string[];
}

/** git usually needs a fraction of this. After the prompt is sent, git's answer may include the agent's own changes. */
const PATIENCE_MS = 3_000;
/** Events may come this long after the end of a turn. Then all files are checked once more. */
const GRACE_MS = 2_000;
/** An agent may outlive a killed window by this much. */
const LIMBO_MS = 10_000;

/**
 * Finds the direct disk writes of agents during a turn, by their tools or by commands, and reports them to the review
 * with the earlier content. It watches only while a turn runs. Writes of the editor are never an agent's. The earlier
 * content is either certain or reported as unknown.
 */
export class DiskChanges extends Disposable implements DiskAttribution, TurnObserver {
  #watch: DiskWatch | undefined;
  /** Files that an agent changed while the user had unsaved work in them. */
  readonly #held = new Set<string>();
  readonly #large: LargeFiles;
  /** Running commands in Parley's terminals, by session. */
  readonly #commands = new Map<string, Set<string>>();
  readonly #named: NamedFiles;
  /** Resolves when this is disposed, which ends all waits. */
  readonly #isOver = new Deferred<void>();

  /**
   * @param patienceMs the longest wait before a prompt: first for the last turn's changes, then for the baselines
   */
  constructor(
    private readonly options: DiskOptions,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    super();
    this.#large = new LargeFiles(options.stored.contents.contents, options.log);
    this.#named = this.register(new NamedFiles(options.clock));
  }

  /** True while folders are watched, which is not the case between turns. */
  get isFollowing(): boolean {
    return this.#watch !== undefined;
  }

  /**
   * Prepares for a turn of a session. Resolves when the prompt can be sent, after twice `patienceMs` at the latest.
   * @param underWaySince when the agent began by itself, epoch ms: contents that are read from then on may be its work
   * already.
   */
  async begin(sessionId: string, underWaySince?: number): Promise<void> {
    const isUnderWay = underWaySince !== undefined;
    const scope = this.options.sessions.scopes(sessionId);
    if (!scope) return;
    const { clock } = this.options;
    const by = this.#patience();
    // Changes between two turns belong to no agent, so the baselines of this turn are read anew.
    if (this.#watch && !this.#watch.turns.isRunning && !isUnderWay) await this.#waitFor(this.#finish(this.#watch), by);
    if (!isUnderWay) await this.#waitFor(this.options.review.lookAgain(), by);
    if (!this.#watch) this.#large.begin();
    const watch = (this.#watch ??= this.#open());
    watch.end?.dispose();
    watch.pulse.start();
    const startedAt = underWaySince ?? clock.now();
    const roots = scope.roots.map((root) => spelledFolder(root));
    watch.turns.begin(
      sessionId,
      scope.cwd,
      roots,
      startedAt,
      this.options.stored.images.begin(sessionId, scope.cwd, roots, startedAt),
    );
    if (isUnderWay) this.sent(sessionId, startedAt);
    const fresh: TurnRoot[] = [];
    for (const path of roots) {
      if ([...watch.roots.keys()].some((other) => isWithin(path, other))) continue;
      const root = watch.addRoot(path, startedAt);
      fresh.push(root);
      if (isUnderWay) root.begin();
    }
    const prepared = this.#prepare(watch, fresh);
    watch.prepared = Promise.all([watch.prepared, prepared]);
    // This wait has its own limit: the waits above may have used up the first one.
    await this.#waitFor(prepared);
    for (const root of fresh) root.begin();
  }

  sent(sessionId: string, at: number): void {
    this.#watch?.turns.sent(sessionId, at);
    this.options.stored.images.hears({ type: 'sent', sessionId, at });
  }

  /** Collects evidence from the agent's messages. Files that they name are read before the agent writes them. */
  act(sessionId: string, action: ThreadAction): void {
    const watch = this.#watch;
    const turn = watch?.turns.running(sessionId);
    if (!watch || !turn) return;
    const { at } = action;
    const heard = { at, since: Math.max(Math.min(watch.pulse.before(at) ?? 0, at), turn.sentAt ?? turn.startedAt) };
    const { evidence } = turn;
    if (action.type === 'permission/resolved') {
      const { requestId, choice } = action;
      const isAllowed = choice?.kind.startsWith('allow') === true;
      evidence.answered(requestId, isAllowed, at);
      this.options.stored.images.hears({ type: 'answer', sessionId, at, requestId, isAllowed });
    } else if (action.type === 'toolCall/patched') {
      const { fields } = action;
      this.#takeCall(watch, turn, fields, heard, evidence.take(fields, heard));
    } else if (action.type === 'permission/requested') {
      const { fields, requestId } = action;
      this.#takeCall(watch, turn, fields, heard, evidence.asks(requestId, fields, heard), requestId);
    } else if (action.type === 'permission/answered') {
      const { fields, choice } = action;
      this.#takeCall(watch, turn, fields, heard, evidence.ruled(fields, choice.kind.startsWith('allow'), heard));
    } else if (action.type.startsWith('message/')) evidence.heard(at);
  }

  /** A command in one of Parley's terminals began or ended. */
  command(sessionId: string, terminalId: string, isRunning: boolean, at: number): void {
    const running = this.#commands.get(sessionId) ?? new Set();
    if (isRunning) running.add(terminalId);
    else running.delete(terminalId);
    if (running.size > 0) this.#commands.set(sessionId, running);
    else this.#commands.delete(sessionId);
    const watch = this.#watch;
    if (!watch) return;
    const turn = watch.turns.running(sessionId);
    if (turn) {
      turn.evidence.command(terminalId, isRunning, at);
      this.options.stored.images.hears({ type: 'command', sessionId, at, terminalId, isRunning });
    }
    if (running.size > 0 || !watch.turns.rest(sessionId, at)) return;
    void watch.lookForMore();
    this.#finishSoon(watch);
  }

  #takeCall(
    watch: DiskWatch,
    turn: DiskTurn,
    fields: ToolCallFields,
    heard: Heard,
    named: readonly string[],
    requestId?: string,
  ): void {
    for (const spelled of named) {
      const path = nodePath.resolve(turn.cwd, usualPath(spelled));
      const root = watch.rootOf(path);
      if (root) this.#named.add(root, root.own(path)!);
    }
    const { status, toolCallId, kind } = fields;
    if (status === undefined && kind === undefined && named.length === 0 && requestId === undefined) return;
    const edited = watch.turns.edited(turn, toolCallId);
    this.options.stored.images.hears({
      type: 'call',
      sessionId: turn.sessionId,
      ...heard,
      requestId,
      fields: {
        toolCallId,
        status,
        kind: edited.length > 0 ? 'edit' : kind,
        locations: edited.map((path) => ({ path })),
      },
    });
    if (status === 'completed' || status === 'failed') for (const path of edited) watch.happened(path);
    watch.reconsider();
  }

  /**
   * The turn has ended: all files that it named or touched are checked once more, so that late events make no
   * difference.
   */
  end(sessionId: string, at: number): void {
    const watch = this.#watch;
    this.#named.flush();
    const ended = watch?.turns.end(sessionId, at, this.#commands.has(sessionId)) ?? [];
    if (!watch || ended.length === 0) return;
    const { stored, review } = this.options;
    for (const turn of ended) {
      stored.images.end(sessionId, turn.endedAt!);
      for (const path of watch.turns.edited(turn)) watch.happened(path);
    }
    if (!watch.turns.isWorking) watch.pulse.stop();
    void review.lookAgain();
    void watch.lookForMore();
    this.#finishSoon(watch);
  }

  #finishSoon(watch: DiskWatch): void {
    if (watch.turns.isRunning) return;
    watch.end?.dispose();
    watch.end = this.options.clock.setTimeout(() => void this.#finish(watch), GRACE_MS);
  }

  async settle(paths?: readonly string[]): Promise<void> {
    const watch = this.#watch;
    if (paths) await watch?.queue.now(paths.filter((path) => watch.rootOf(path)));
    // While an agent writes, there may always be one more file to check, so this wait is limited.
    else if (watch) await this.#waitFor(watch.lookForMore());
  }

  async catchUp(path: string, content: ContentInHand): Promise<void> {
    await this.#watch?.catchUp(path, content);
  }

  takes(path: string, content: ContentInHand): boolean {
    if (this.isHeld(path)) return true;
    this.#held.delete(path);
    return this.#watch?.takes(path, content) ?? false;
  }

  isHeld(path: string): boolean {
    return this.#held.has(path) && isUnsavedOver(path, undefined);
  }

  async writing(path: string): Promise<() => void> {
    return this.#watch?.rootOf(path) ? this.options.stored.images.writing(path) : () => undefined;
  }

  /**
   * Finds changes of agents that still worked when another window ended, as if they still worked.
   * @param saved how much of each log the review knows. @returns see `Resumed`.
   */
  async resume(left: readonly LeftLog[], saved: LogMarks): Promise<Resumed> {
    const { review, log } = this.options;
    const found = new Set<string>();
    const unsaved: UnsavedWrite[] = [];
    const taken: string[] = [];
    for (const { id, records, endedAt } of left) {
      const watch = (this.#watch = this.#open());
      try {
        const [{ replayLog }, env] = await Promise.all([import('./replayLog'), this.options.folders.environment()]);
        unsaved.push(
          ...(await replayLog(records, saved.get(id) ?? 0, {
            watch,
            env,
            review,
            unclaimed: this.options.stored.unclaimed,
            contents: this.options.stored.contents.contents,
          })),
        );
        // Agents end a moment after the window.
        watch.turns.endAll(endedAt + LIMBO_MS);
        await watch.lookForMore();
        taken.push(id);
      } catch (error) {
        log.error(`What an agent changed before the window ended could not be found: ${stackOf(error)}`);
      }
      for (const path of watch.found) found.add(path);
      this.#close(watch);
    }
    return { found: found.size, unsaved, taken };
  }

  wrote(path: string, content: ContentInHand): void {
    this.#watch?.wrote(path, content);
  }

  override dispose(): void {
    this.#isOver.resolve();
    this.#watch?.dispose();
    this.#watch = undefined;
    super.dispose();
  }

  /** The end of a wait that begins now, epoch ms. */
  #patience(): number {
    return this.options.clock.now() + this.patienceMs;
  }

  /**
   * Waits for some work until it has ended, until a time (epoch ms), or until this is disposed. Leaves no timer behind.
   */
  async #waitFor(work: Promise<unknown>, by = this.#patience()): Promise<void> {
    const { clock } = this.options;
    const left = by - clock.now();
    if (left > 0) await waitAtMost(clock, left, Promise.race([work, this.#isOver.promise]));
  }

  #open(): DiskWatch {
    return new DiskWatch(this.options, this.#large, this.#held);
  }

  async #prepare(watch: DiskWatch, fresh: readonly TurnRoot[]): Promise<void> {
    try {
      const env = await this.options.folders.environment();
      await Promise.all(fresh.map((root) => root.prepare(env, [...watch.roots.keys()])));
    } catch (error) {
      this.options.log.warn(`What files hold before the turn could not be read: ${String(error)}`);
    }
  }

  /** Checks everything that the last turn may have changed, then ends the watch, unless another turn has begun. */
  async #finish(watch: DiskWatch): Promise<void> {
    await watch.lookForMore();
    if (this.#watch === watch && !watch.turns.isRunning) this.#close(watch);
  }

  #close(watch: DiskWatch): void {
    this.#watch = undefined;
    this.options.stored.contents.renames.endRound();
    watch.dispose();
    this.options.stored.images.finish();
  }
}
