import nodePath from 'node:path';
import { Disposable, DisposableStore } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import type { Clock } from '../../../base/scheduler';
import { withLineFeeds } from '../../../changes/lineEdits';
import type { ThreadAction } from '../../../thread/actions';
import type { BeforeImages, LeftLog, LogMarks } from '../beforeImages';
import type { UnsavedWrite } from '../reviewStore';
import { BeforeCopies } from './beforeCopies';
import { ContentAttribution } from './contentAttribution';
import type { DiskAttribution } from './diskAttribution';
import { contentOfText, type FileContent, lookAt, lookNow, sameContent } from './diskContent';
import { DiskTurns } from './diskTurns';
import { type DiskWatch, hear } from './diskWatch';
import { EditorWatch, isUnsavedOver } from '../../files/editorWatch';
import { filesIn } from './filesIn';
import type { KeptFiles } from '../keptFiles';
import { isWithin } from '../../files/pathPolicy';
import { spelledFolder } from '../../files/realPath';
import { PathQueue } from './pathQueue';
import type { ReviewService } from '../reviewService';
import { replayLog } from './replayLog';
import type { WindowSaves } from './saveAnnouncer';
import { SavedElsewhere } from './savedElsewhere';
import type { ScopeLookup } from '../../platform/sessionScope';
import type { TurnObserver } from './turnFollower';
import { changedSince, TurnRoot } from './turnRoot';

export interface DiskChangesOptions {
  readonly scopes: ScopeLookup;
  readonly review: ReviewService;
  readonly kept: Pick<KeptFiles, 'originals' | 'renames' | 'wrote'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
  /** Whether changes of a file have to be seen whatever git thinks of it. */
  readonly isGuarded: (path: string) => boolean;
  /** What the user saves in other windows; absent where there is none. */
  readonly saves?: WindowSaves;
  /** Keeps on disk what files held before the agent, and records what they hold afterwards. */
  readonly images: Pick<BeforeImages, 'begin' | 'copied' | 'end' | 'finish' | 'holds' | 'knows' | 'writing'>;
  /** A folder of its own, for copies of large files; absolute. */
  readonly copiesFolder: string;
  /** A prompt waits this long at most for what was there before it to be read; 500 ms. */
  readonly patienceMs?: number;
}

export interface Resumed {
  /** How many files agents have changed. */
  readonly found: number;
  /** Writes through Parley of which nobody knows whether they were carried out. */
  readonly unsaved: readonly UnsavedWrite[];
  /** The logs of which the review has everything now. */
  readonly taken: readonly string[];
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

/**
 * Finds what agents write to disk by themselves while a turn runs, by their tools or by commands, and gives it to the
 * review with what was there before. It watches only while a turn runs. What the editor wrote is never an agent's;
 * what was before is known for certain, or said to be unknown.
 */
export class DiskChanges extends Disposable implements DiskAttribution, TurnObserver {
  private watch: DiskWatch | undefined;
  private readonly attribution: ContentAttribution;
  private readonly copies: BeforeCopies;

  constructor(private readonly options: DiskChangesOptions) {
    super();
    this.copies = new BeforeCopies(options.copiesFolder, options.log, undefined, options.images.copied);
    this.attribution = new ContentAttribution(options.review, options.kept);
    options.review.disk = this;
    options.kept.wrote = (path, content) => {
      if (this.watch) hear(this.watch, path);
      void this.rootOf(path)?.set(path, content);
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
    if (!isUnderWay) await Promise.race([this.options.review.lookAgain(), late]);
    if (!this.watch) this.copies.begin();
    const watch = (this.watch ??= this.open());
    watch.end?.dispose();
    const startedAt = clock.now();
    const roots = scope.roots.map((root) => spelledFolder(root));
    watch.turns.begin(sessionId, scope.cwd, roots, startedAt);
    this.options.images.begin(sessionId, scope.cwd, roots, startedAt);
    const fresh: TurnRoot[] = [];
    for (const path of roots) {
      if ([...watch.roots.keys()].some((other) => isWithin(path, other))) continue;
      const root = this.addRoot(watch, path, startedAt);
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
    const ended = watch?.turns.end(sessionId, this.options.clock.now()) ?? [];
    if (!watch || ended.length === 0) return;
    const { clock, images, review } = this.options;
    for (const turn of ended) {
      images.end(sessionId, turn.endedAt!);
      for (const path of watch.turns.edited(turn)) this.happened(path);
    }
    void review.lookAgain();
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
    const root = this.rootOf(path);
    if (!watch || !root) return false;
    const known = root.get(path);
    // It was there before the turn, or it is known already who made it.
    if (known && sameContent(known, contentOfText(text === undefined ? undefined : withLineFeeds(text)))) return false;
    const isFollowed = (watch.followed.get(path)?.length ?? 0) > 0;
    if (!isFollowed && watch.editor.explains(path, text)) return false;
    this.happened(path);
    return true;
  }

  isHeld(path: string): boolean {
    return this.attribution.held.has(path) && isUnsavedOver(path, undefined);
  }

  async writing(path: string): Promise<() => void> {
    return this.rootOf(path) ? this.options.images.writing(path) : () => undefined;
  }

  /**
   * Finds what agents have changed that still worked when another window ended, as if they worked still.
   * @param saved how much of each log the review knows. @returns see `Resumed`.
   */
  async resume(left: readonly LeftLog[], saved: LogMarks): Promise<Resumed> {
    const { attribution, copies } = this;
    const { review, log } = this.options;
    const found = new Set<string>();
    const unsaved: UnsavedWrite[] = [];
    const taken: string[] = [];
    for (const { id, records } of left) {
      const watch = (this.watch = this.open());
      try {
        const env = await this.options.environment();
        unsaved.push(...(await replayLog(records, saved.get(id) ?? 0, { watch, env, attribution, review, copies, addRoot: (path, since) => this.addRoot(watch, path, since) })));
        attribution.found = (path) => found.add(path);
        await this.lookForMore(watch);
        taken.push(id);
      } catch (error) {
        log.error(`What an agent changed before the window ended could not be found: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
      attribution.found = () => undefined;
      this.close(watch);
    }
    return { found: found.size, unsaved, taken };
  }

  wrote(path: string, text: string | undefined): void {
    const { watch } = this;
    const root = this.rootOf(path);
    if (!watch || !root) return;
    hear(watch, path);
    if (text !== undefined) watch.editor.ours(path);
    know(root, path, contentOfText(text === undefined ? undefined : withLineFeeds(text)));
  }

  override dispose(): void {
    // The next window goes on from the copies where an agent works still.
    if (!this.watch) this.copies.dispose();
    this.watch?.store.dispose();
    this.watch = undefined;
    super.dispose();
  }

  private addRoot(watch: DiskWatch, path: string, since: number): TurnRoot {
    const { isGuarded, images, log } = this.options;
    const root = watch.store.add(new TurnRoot(path, since, (file) => this.happened(file), isGuarded, this.copies, images, log));
    watch.roots.set(path, root);
    return root;
  }

  private open(): DiskWatch {
    const { clock } = this.options;
    const store = new DisposableStore();
    const watch: DiskWatch = {
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
  private async finish(watch: DiskWatch): Promise<void> {
    await this.lookForMore(watch);
    if (this.watch === watch && !watch.turns.isRunning) this.close(watch);
  }

  private close(watch: DiskWatch): void {
    this.watch = undefined;
    this.options.kept.renames.endRound();
    watch.store.dispose();
    this.options.images.finish();
  }

  /** Looks at what has changed since it was looked at, and at what no event told of: watchers drop some, and have limits. */
  private async lookForMore(watch: DiskWatch): Promise<void> {
    for (const path of await changedSince(watch.seen)) this.happened(path);
    for (const root of watch.roots.values()) for (const path of await root.changedNow()) this.happened(path);
    await watch.queue.drain();
  }

  private happened(path: string): void {
    this.watch?.queue.add(path);
  }

  private async examineAll(watch: DiskWatch, told: ReadonlyMap<string, number>): Promise<void> {
    await watch.prepared;
    if (this.watch !== watch) return;
    try {
      for (const root of watch.roots.values()) await this.examine(watch, root, new Map([...told].filter(([path]) => this.rootOf(path) === root)));
    } catch (error) {
      this.options.log.error(`Changes on disk could not be followed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  private async examine(watch: DiskWatch, root: TurnRoot, told: ReadonlyMap<string, number>): Promise<void> {
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

  /** A document that follows its file shows the agent's content only until the user types on, so it is looked at now. */
  private follows(watch: DiskWatch, path: string, text: string, version: number): void {
    const root = this.rootOf(path);
    if (!root?.get(path) || root.rules.isIgnored(path) || this.attribution.held.has(path) || this.options.review.isWriting(path)) return;
    watch.followed.set(path, [...(watch.followed.get(path) ?? []), { text, version }].slice(-MAX_FOLLOWED));
    void watch.queue.now([path]);
  }

  /** The user's text is known from here on; what the agent had written before it comes first. */
  private saved(watch: DiskWatch, path: string, text: string): void {
    const root = this.rootOf(path);
    if (!root) return;
    const followed = watch.followed.get(path)?.at(-1);
    if (followed) this.attribution.judge(watch, root, path, { kind: 'text', text: followed.text }, undefined, this.options.clock.now());
    hear(watch, path);
    know(root, path, { kind: 'text', text });
  }

  private rootOf(path: string): TurnRoot | undefined {
    return [...(this.watch?.roots.values() ?? [])].find((root) => root.own(path) !== undefined);
  }
}

/** Takes only what Parley itself wrote: a later read could find the agent's text. If the file still holds ours, its bytes are noted too. */
function know(root: TurnRoot, path: string, content: FileContent): void {
  void root.set(path, content);
  void lookNow(path).then(({ value }) => value.kind === 'file' && root.get(path) === content && sameContent(value.content, content) && void root.set(path, value.content));
}
