import { Disposable, type IDisposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import type { Clock } from '../../../base/scheduler';
import { keepingFoldersOpen } from '../../../node/openWithoutLinks';
import { EditorWatch } from '../../files/editorWatch';
import type { BeforeImages } from '../beforeImages';
import type { ReviewService } from '../reviewService';
import type { ContentAttribution, Followed, Witnesses } from './contentAttribution';
import type { BeforeCopies } from './beforeCopies';
import { type FileContent, lookAt, lookNow, sameContent } from './diskContent';
import { DiskTurns } from './diskTurns';
import { filesIn } from './filesIn';
import { PathQueue } from './pathQueue';
import type { WindowSaves } from './saveAnnouncer';
import { SavedElsewhere } from './savedElsewhere';
import { changedSince, TurnRoot } from './turnRoot';

/** After a write of our own a file is looked at again. */
const AFTER_WRITE_MS = 120;
/** A write waits this long at most for what happened to its file before. */
const CATCH_UP_MS = 1_000;
const MAX_NEW_FOLDER = 5_000;
const MAX_FOLLOWED = 4;

export interface DiskWatchOptions {
  readonly review: ReviewService;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether changes of a file have to be seen whatever git thinks of it. */
  readonly isGuarded: (path: string) => boolean;
  /** What the user saves in other windows; absent where there is none. */
  readonly saves?: WindowSaves;
  /** Keeps on disk what files held before the agent, and records what they hold afterwards. */
  readonly images: Pick<BeforeImages, 'holds' | 'knows'>;
}

/** What there is only while a turn runs, and for a moment after it: looks at files that something happened to. */
export class DiskWatch extends Disposable implements Witnesses {
  readonly roots = new Map<string, TurnRoot>();
  readonly turns = new DiskTurns((path) => this.rootOf(path)?.own(path));
  readonly editor: EditorWatch;
  readonly elsewhere: SavedElsewhere | undefined;
  readonly queue: PathQueue;
  readonly followed = new Map<string, readonly Followed[]>();
  sweep: IDisposable | undefined;
  end: IDisposable | undefined;
  /** Nothing can be judged before it is known what was there. */
  prepared: Promise<unknown> = Promise.resolve();
  /** The files that were looked at, by when they had changed then; undefined for those that were not there. */
  private readonly seen = new Map<string, number | undefined>();
  /** Counts for each file what was heard of it elsewhere; a look that began before is out of date. */
  private readonly heard = new Map<string, number>();

  constructor(
    private readonly options: DiskWatchOptions,
    private readonly attribution: ContentAttribution,
    private readonly copies: BeforeCopies,
  ) {
    super();
    this.editor = this.register(
      new EditorWatch({
        saved: (path, text) => this.saved(path, text),
        changed: (path, text, version) => this.follows(path, text, version),
        typed: (path, version) => this.followed.set(path, (this.followed.get(path) ?? []).filter((item) => item.version !== version)),
        opened: (path) => void this.rootOf(path)?.remember([path]),
      }),
    );
    this.elsewhere = options.saves && this.register(new SavedElsewhere(options.saves));
    this.queue = this.register(new PathQueue(options.clock, (paths) => this.examineAll(paths)));
  }

  /** A folder is watched from now on. @param since epoch ms */
  addRoot(path: string, since: number): TurnRoot {
    const { isGuarded, images, log } = this.options;
    const root = this.register(new TurnRoot(path, since, (file) => this.happened(file), isGuarded, this.copies, images, log));
    this.roots.set(path, root);
    return root;
  }

  /** The folder that a file is in. */
  rootOf(path: string): TurnRoot | undefined {
    return [...this.roots.values()].find((root) => root.own(path) !== undefined);
  }

  /** Something happened to a file, which is looked at soon. */
  happened(path: string): void {
    this.queue.add(path);
  }

  /** What was read of a file before is out of date. */
  hear(path: string): void {
    this.heard.set(path, (this.heard.get(path) ?? 0) + 1);
  }

  /**
   * Parley, or the user, has put this into a file. Nothing else is taken for known: a later read could find the agent's text. If the file
   * still holds it, its bytes are noted too.
   */
  know(path: string, content: FileContent): void {
    const root = this.rootOf(path);
    if (!root) return;
    this.hear(path);
    void root.set(path, content);
    void lookNow(path).then(({ value }) => value.kind === 'file' && root.get(path) === content && sameContent(value.content, content) && void root.set(path, value.content));
  }

  /** Looks at a file before all others. Many may be looked at just now, and nobody waits for all of them. */
  async lookFirst(path: string): Promise<void> {
    const late = new Promise<void>((resolve) => this.register(this.options.clock.setTimeout(resolve, CATCH_UP_MS)));
    await Promise.race([this.queue.now([path]), late]);
  }

  /** Looks again at what has changed since the last look, and at what no event told of: watchers miss some changes. */
  async lookForMore(): Promise<void> {
    for (const path of await changedSince(this.seen)) this.happened(path);
    for (const root of this.roots.values()) for (const path of await root.changedNow()) this.happened(path);
    await this.queue.drain();
  }

  private async examineAll(told: ReadonlyMap<string, number>): Promise<void> {
    await this.prepared;
    if (this.store.isDisposed) return;
    try {
      for (const root of this.roots.values()) await this.examine(root, new Map([...told].filter(([path]) => this.rootOf(path) === root)));
    } catch (error) {
      this.options.log.error(`Changes on disk could not be followed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  private async examine(root: TurnRoot, told: ReadonlyMap<string, number>): Promise<void> {
    const { review, clock } = this.options;
    const paths = [...told.keys()];
    if (paths.length === 0) return;
    const heard = new Map(paths.map((path) => [path, this.heard.get(path)]));
    const looks = await keepingFoldersOpen(() => lookAt(paths, (path) => root.get(path), clock));
    await root.find(paths.filter((path) => looks.get(path)?.kind === 'file'));
    await this.elsewhere?.refresh();
    const gone: string[] = [];
    const again: string[] = [];
    for (const [path, look] of looks) {
      if (look.kind === 'folder') for (const file of (await filesIn(path, root.rules, MAX_NEW_FOLDER)).files) this.happened(file);
      if (look.kind !== 'file') continue;
      // Writes of our own report by themselves; then it is seen whether that was all.
      if (review.isWriting(path) || heard.get(path) !== this.heard.get(path)) {
        again.push(path);
        continue;
      }
      const before = root.get(path);
      if (look.content.kind === 'absent' && (before === undefined || before.kind === 'absent')) gone.push(path);
      this.seen.set(path, look.changedAt);
      this.attribution.judge(this, root, path, look.content, look.changedAt, told.get(path)!);
    }
    if (again.length > 0) this.register(clock.setTimeout(() => again.forEach((path) => this.happened(path)), AFTER_WRITE_MS));
    // Of a folder that is gone, watchers name only the folder.
    for (const file of await root.filesUnder(gone)) this.happened(file);
  }

  /** A document that follows its file shows the agent's content only until the user types on, so it is looked at now. */
  private follows(path: string, text: string, version: number): void {
    const root = this.rootOf(path);
    if (!root?.get(path) || root.rules.isIgnored(path) || this.attribution.held.has(path) || this.options.review.isWriting(path)) return;
    this.followed.set(path, [...(this.followed.get(path) ?? []), { text, version }].slice(-MAX_FOLLOWED));
    void this.queue.now([path]);
  }

  /** The user's text is known from here on; what the agent had written before it comes first. */
  private saved(path: string, text: string): void {
    const root = this.rootOf(path);
    const followed = this.followed.get(path)?.at(-1);
    if (root && followed) this.attribution.judge(this, root, path, { kind: 'text', text: followed.text }, undefined, this.options.clock.now());
    this.know(path, { kind: 'text', text });
  }
}
