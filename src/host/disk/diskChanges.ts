import nodePath from 'node:path';
import { Disposable, DisposableStore, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { withLineFeeds } from '../../review/lineEdits';
import type { ThreadAction } from '../../thread/actions';
import { BeforeCopies } from './beforeCopies';
import { ContentAttribution, type Witnesses } from './contentAttribution';
import type { DiskAttribution } from './diskAttribution';
import { contentOfText, lookAt, lookNow, sameContent } from './diskContent';
import { DiskTurns } from './diskTurns';
import { EditorWatch, isUnsavedOver } from '../files/editorWatch';
import { filesIn } from './filesIn';
import type { OpaqueReview } from '../review/opaqueReview';
import { isWithin } from '../files/pathPolicy';
import { spelledFolder } from '../files/realPath';
import { PathQueue } from './pathQueue';
import type { ReviewService } from '../review/reviewService';
import { SavedElsewhere, type WindowSaves } from './savedElsewhere';
import type { ScopeLookup } from '../sessions/sessionScope';
import type { TurnObserver } from './turnFollower';
import { changedSince, TurnRoot } from './turnRoot';

export interface DiskChangesOptions {
  readonly scopes: ScopeLookup;
  readonly review: ReviewService;
  readonly opaque: Pick<OpaqueReview, 'changes' | 'deleted' | 'renames'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
  /** Whether changes of a file have to be seen whatever git thinks of it. */
  readonly isGuarded: (path: string) => boolean;
  /** What the person saves in other windows; absent where there is none. */
  readonly saves?: WindowSaves;
  /** A folder of its own, for copies of large files; absolute. */
  readonly copiesFolder: string;
  /** A prompt waits this long at most for what was there before it to be read; 500 ms. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 500;
/** After a write of our own a file is looked at again. */
const AFTER_WRITE_MS = 120;
/** Events come late: this long after a turn what happened in it may still be told. */
const GRACE_MS = 2_000;
/** After this moment all that no event told of is looked for once more. */
const SWEEP_MS = 400;
/** A write waits this long at most for what happened to its file before. */
const CATCH_UP_MS = 1_000;
const MAX_NEW_FOLDER = 5_000;
const MAX_FOLLOWED = 4;

/** What there is only while a turn runs, and for a moment after it. */
interface Watch extends Witnesses {
  readonly store: DisposableStore;
  readonly roots: Map<string, TurnRoot>;
  readonly queue: PathQueue;
  /** The files that were looked at, by when they had changed then; undefined for those that were not there. */
  readonly seen: Map<string, number | undefined>;
  /** Counts for each file what was heard of it elsewhere; a look that began before is out of date. */
  readonly heard: Map<string, number>;
  sweep: IDisposable | undefined;
  end: IDisposable | undefined;
  /** Nothing can be judged before it is known what was there. */
  prepared: Promise<unknown>;
}

/**
 * Finds what agents write to disk by themselves while a turn runs, by their tools or by commands, and gives it to the
 * review with what was there before. Nothing is watched while no turn runs. What the editor wrote is never an agent's;
 * what was before is known for certain, or said to be unknown.
 */
export class DiskChanges extends Disposable implements DiskAttribution, TurnObserver {
  private watch: Watch | undefined;
  private readonly attribution: ContentAttribution;
  private readonly copies: BeforeCopies;

  constructor(private readonly options: DiskChangesOptions) {
    super();
    this.copies = this.register(new BeforeCopies(options.copiesFolder, options.log));
    this.attribution = new ContentAttribution(options.review, options.opaque);
    options.review.disk = this;
    options.opaque.changes.wrote = (path, content) => {
      if (this.watch) hear(this.watch, path);
      this.rootOf(path)?.set(path, content);
    };
  }

  /** Whether folders are watched now; between turns they are not. */
  get isFollowing(): boolean {
    return this.watch !== undefined;
  }

  /**
   * A turn of a session is about to begin. Resolves when the prompt may go out: soon, at the latest after `patienceMs`.
   * @param isUnderWay the agent has begun by itself: what is read from here on may be its work already.
   */
  async begin(sessionId: string, isUnderWay = false): Promise<void> {
    const scope = this.options.scopes(sessionId);
    if (!scope) return;
    const { clock } = this.options;
    const late = new Promise<void>((resolve) => clock.setTimeout(resolve, this.options.patienceMs ?? PATIENCE_MS));
    // What happened between two turns is nobody's here: what was before this one is read anew.
    if (this.watch && !this.watch.turns.isRunning && !isUnderWay) await Promise.race([this.finish(this.watch), late]);
    if (!this.watch) this.copies.begin();
    const watch = (this.watch ??= this.open());
    watch.end?.dispose();
    const startedAt = clock.now();
    const roots = scope.roots.map((root) => spelledFolder(root));
    watch.turns.begin(sessionId, scope.cwd, roots, startedAt);
    const fresh: TurnRoot[] = [];
    for (const path of roots) {
      if ([...watch.roots.keys()].some((other) => isWithin(path, other))) continue;
      const root = watch.store.add(new TurnRoot(path, startedAt, (file) => this.happened(file), this.options.isGuarded, this.copies, this.options.log));
      watch.roots.set(path, root);
      fresh.push(root);
      if (isUnderWay) root.begin();
    }
    const prepared = this.prepare(fresh);
    watch.prepared = Promise.all([watch.prepared, prepared]);
    await Promise.race([prepared, late]);
    for (const root of fresh) root.begin();
  }

  /** What the agent tells in a turn names files: they are read before it writes them. */
  act(sessionId: string, action: ThreadAction): void {
    if (action.type !== 'toolCall/patched' && action.type !== 'permission/requested') return;
    const turn = this.watch?.turns.running(sessionId);
    if (!turn) return;
    for (const spelled of turn.files.take(action.fields)) {
      const path = nodePath.resolve(turn.cwd, spelled);
      const root = this.rootOf(path);
      const own = root?.own(path);
      if (root && own !== undefined) void root.remember([own]);
    }
    const { status } = action.fields;
    if (status === 'completed' || status === 'failed') for (const path of this.watch?.turns.edited(turn) ?? []) this.happened(path);
  }

  /** The turn has ended: all that it named or touched is looked at once more, so that nothing depends on when an event comes. */
  end(sessionId: string): void {
    const { watch } = this;
    const turn = watch?.turns.running(sessionId);
    if (!watch || !turn) return;
    const { clock } = this.options;
    turn.endedAt = clock.now();
    for (const path of watch.turns.edited(turn)) this.happened(path);
    void this.lookForMore(watch);
    watch.sweep?.dispose();
    watch.sweep = clock.setTimeout(() => void this.lookForMore(watch), SWEEP_MS);
    if (watch.turns.isRunning) return;
    watch.end?.dispose();
    watch.end = clock.setTimeout(() => void this.finish(watch), GRACE_MS);
  }

  async settle(paths: readonly string[]): Promise<void> {
    await this.watch?.queue.now(paths.filter((path) => this.rootOf(path)));
  }

  async catchUp(path: string, text: string | undefined): Promise<void> {
    const { watch } = this;
    const root = this.rootOf(path);
    const known = root?.get(path);
    if (!watch || !root || (known && sameContent(known, contentOfText(text === undefined ? undefined : withLineFeeds(text))))) return;
    // Many files may be looked at just now, and nobody waits for all of them.
    const late = new Promise<void>((resolve) => watch.store.add(this.options.clock.setTimeout(resolve, CATCH_UP_MS)));
    await Promise.race([watch.queue.now([path]), late]);
  }

  takes(path: string, text: string | undefined): boolean {
    const { watch } = this;
    if (this.attribution.held.has(path)) {
      if (isUnsavedOver(path, undefined)) return true;
      this.attribution.held.delete(path);
    }
    if (!watch || !this.rootOf(path)) return false;
    const isFollowed = (watch.followed.get(path)?.length ?? 0) > 0;
    if (!isFollowed && watch.editor.explains(path, text)) return false;
    this.happened(path);
    return true;
  }

  isHeld(path: string): boolean {
    return this.attribution.held.has(path) && isUnsavedOver(path, undefined);
  }

  wrote(path: string, text: string | undefined): void {
    const { watch } = this;
    const root = this.rootOf(path);
    if (!watch || !root) return;
    hear(watch, path);
    if (text !== undefined) watch.editor.ours(path);
    // Only what we know ourselves: what stands there a moment later could be the agent's already.
    const ours = contentOfText(text === undefined ? undefined : withLineFeeds(text));
    root.set(path, ours);
    void lookNow(path).then(({ value }) => value.kind === 'file' && root.get(path) === ours && sameContent(value.content, ours) && root.set(path, value.content));
  }

  originalOf(path: string, text: string) {
    return this.attribution.originalOf(path, text);
  }

  override dispose(): void {
    this.watch?.store.dispose();
    this.watch = undefined;
    super.dispose();
  }

  private open(): Watch {
    const { clock } = this.options;
    const store = new DisposableStore();
    const watch: Watch = {
      store,
      editor: store.add(
        new EditorWatch({
          saved: (path, text) => this.saved(watch, path, text),
          changed: (path, text, version) => this.follows(watch, path, text, version),
          typed: (path, version) => watch.followed.set(path, (watch.followed.get(path) ?? []).filter((item) => item.version !== version)),
          opened: (path) => void this.rootOf(path)?.remember([path]),
        }),
      ),
      elsewhere: this.options.saves && store.add(new SavedElsewhere(this.options.saves)),
      roots: new Map(),
      turns: new DiskTurns((path) => this.rootOf(path)?.own(path)),
      queue: store.add(new PathQueue(clock, (paths) => this.examineAll(watch, paths))),
      seen: new Map(),
      heard: new Map(),
      followed: new Map(),
      sweep: undefined,
      end: undefined,
      prepared: Promise.resolve(),
    };
    return watch;
  }

  private async prepare(roots: readonly TurnRoot[]): Promise<void> {
    try {
      const env = await this.options.environment();
      const notWithin = [...new Set([...roots.map(({ path }) => path), ...(this.watch?.roots.keys() ?? [])])];
      await Promise.all(roots.map((root) => root.prepare(env, notWithin)));
    } catch (error) {
      this.options.log.warn(`What files hold before the turn could not be read: ${String(error)}`);
    }
  }

  /** Looks at everything that the last turn may have left, and then ends the watch, unless another turn has begun. */
  private async finish(watch: Watch): Promise<void> {
    await this.lookForMore(watch);
    if (this.watch !== watch || watch.turns.isRunning) return;
    this.watch = undefined;
    this.options.opaque.renames.endRound();
    watch.store.dispose();
  }

  /** Looks at what has changed since it was looked at, and at what no event told of: watchers drop some, and have limits. */
  private async lookForMore(watch: Watch): Promise<void> {
    for (const path of await changedSince(watch.seen)) this.happened(path);
    for (const root of watch.roots.values()) for (const path of await root.changedNow()) this.happened(path);
    await watch.queue.drain();
  }

  private happened(path: string): void {
    this.watch?.queue.add(path);
  }

  private async examineAll(watch: Watch, told: ReadonlyMap<string, number>): Promise<void> {
    await watch.prepared;
    if (this.watch !== watch) return;
    try {
      for (const root of watch.roots.values()) await this.examine(watch, root, new Map([...told].filter(([path]) => this.rootOf(path) === root)));
    } catch (error) {
      this.options.log.error(`Changes on disk could not be followed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  private async examine(watch: Watch, root: TurnRoot, told: ReadonlyMap<string, number>): Promise<void> {
    const { review, clock } = this.options;
    const paths = [...told.keys()];
    if (paths.length === 0) return;
    const heard = new Map(paths.map((path) => [path, watch.heard.get(path)]));
    const looks = await lookAt(paths, (path) => root.get(path), clock);
    await root.find(paths.filter((path) => looks.get(path)?.kind === 'file'));
    await watch.elsewhere?.refresh();
    const gone: string[] = [];
    const again: string[] = [];
    for (const [path, look] of looks) {
      if (look.kind === 'folder') for (const file of (await filesIn(path, root.rules, MAX_NEW_FOLDER)).files) this.happened(file);
      if (look.kind !== 'file') continue;
      // Writes of our own report by themselves; then it is seen whether that was all.
      if (review.isWriting(path) || heard.get(path) !== watch.heard.get(path)) {
        again.push(path);
        continue;
      }
      const before = root.get(path);
      if (look.content.kind === 'absent' && (before === undefined || before.kind === 'absent')) gone.push(path);
      watch.seen.set(path, look.changedAt);
      this.attribution.judge(watch, root, path, look.content, look.changedAt, told.get(path)!);
    }
    if (again.length > 0) watch.store.add(clock.setTimeout(() => again.forEach((path) => this.happened(path)), AFTER_WRITE_MS));
    // A folder that is gone is told of alone, without its files.
    for (const file of await root.filesUnder(gone)) this.happened(file);
  }

  /** A document that follows its file shows the agent's content only until the person types on, so it is looked at now. */
  private follows(watch: Watch, path: string, text: string, version: number): void {
    const root = this.rootOf(path);
    if (!root?.get(path) || root.rules.isIgnored(path) || this.attribution.held.has(path) || this.options.review.isWriting(path)) return;
    watch.followed.set(path, [...(watch.followed.get(path) ?? []), { text, version }].slice(-MAX_FOLLOWED));
    void watch.queue.now([path]);
  }

  /** The person's text is known from here on; what the agent had written before it comes first. */
  private saved(watch: Watch, path: string, text: string): void {
    const root = this.rootOf(path);
    if (!root) return;
    const followed = watch.followed.get(path)?.at(-1);
    if (followed) this.attribution.judge(watch, root, path, { kind: 'text', text: followed.text }, undefined, this.options.clock.now());
    hear(watch, path);
    root.set(path, { kind: 'text', text });
  }

  private rootOf(path: string): TurnRoot | undefined {
    return [...(this.watch?.roots.values() ?? [])].find((root) => root.own(path) !== undefined);
  }
}

/** What was read of a file before is out of date. */
function hear({ heard }: Watch, path: string): void {
  heard.set(path, (heard.get(path) ?? 0) + 1);
}
