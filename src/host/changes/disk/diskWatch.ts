import { stackOf } from '../../../base/errorText';
import { inGroups } from '../../../base/inGroups';
import { Disposable, type IDisposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import { type Clock, Coalescer, waitAtMost } from '../../../base/scheduler';
import { isSameContent, isSameMode } from '../../../changes/content';
import { isSameForm } from '../../../changes/textForm';
import { keepingFoldersOpen } from '../../../node/openWithoutLinks';
import { EditorWatch, isUnsavedOver } from '../../files/editorWatch';
import { bytesLike } from '../../files/fileOnDisk';
import { ignoresCase } from '../../files/pathPolicy';
import { changedAt, type Look, lookAt, lookNow } from '../../files/readContent';
import type { ScopeLookup } from '../../platform/sessionScope';
import type { BeforeImages } from '../stored/beforeImages';
import type { ReviewContents } from '../stored/reviewContents';
import { type ChangeTime, DiskTurns, SKEW_MS } from './diskTurns';
import { filesIn } from './filesIn';
import type { LargeFiles } from './largeFiles';
import { PathQueue } from './pathQueue';
import { Pulse } from './pulse';
import type { WindowSaves } from './saveAnnouncer';
import { SavedElsewhere } from './savedElsewhere';
import { TurnRoot } from './turnRoot';
import { type ContentInHand, contentOfText, textIn } from '../../storage/contentInHand';
import type { AgentChanges, DoubtfulChanges } from './diskAttribution';

/** A file is checked again this long after Parley wrote it. */
const AFTER_WRITE_MS = 120;
/** How long a write waits for earlier changes of its file. A check of files that never settle takes two seconds. */
const CATCH_UP_MS = 10_000;
/** If a file has no time of its change, the time of the event is used, which is late by at most this. */
const LATE_MS = 800;
const MAX_NEW_FOLDER = 5_000;
const MAX_FOLLOWED = 4;

/** Where contents and changes go. */
export interface DiskStores {
  readonly contents: ReviewContents;
  /** Stores contents from before and after the agent's changes. */
  readonly images: BeforeImages;
  /** Receives changes that no evidence attributes to an agent. */
  readonly unclaimed: DoubtfulChanges;
}

/** What is known of the sessions whose agents write. */
export interface DiskSessions {
  readonly scopes: ScopeLookup;
  /** Resolves when all messages that the agent has sent so far are handled. Absent: no wait. */
  readonly caughtUp?: (sessionId: string) => Promise<void>;
}

/** How the files of a folder are found and read. */
export interface FolderRules {
  /** True if changes of a file must be seen even if git ignores it. */
  readonly isGuarded: (path: string) => boolean;
  /** Of the git that reads them. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>;
}

export interface DiskOptions {
  readonly review: AgentChanges;
  readonly stored: DiskStores;
  readonly sessions: DiskSessions;
  readonly folders: FolderRules;
  /** The user's saves in other windows; absent if there is no storage for them. */
  readonly saves?: WindowSaves;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The text of a document after it was reloaded, until the disk is checked. */
interface Followed {
  readonly text: string;
  readonly version: number;
}

/** A change without evidence so far. A later message of the agent may still explain it. */
interface Doubtful {
  readonly root: TurnRoot;
  readonly before: ContentInHand | undefined;
  readonly content: ContentInHand;
  readonly when: ChangeTime;
}

/**
 * The state of a running turn, and of a moment after it: checks files that may have changed, attributes their contents,
 * and reports those of an agent to the review with the earlier content.
 */
export class DiskWatch extends Disposable {
  readonly roots = new Map<string, TurnRoot>();
  readonly turns = new DiskTurns((path) => this.rootOf(path)?.own(path));
  readonly queue: PathQueue;
  /** The files that an agent has changed. */
  readonly found = new Set<string>();
  /** Ends the watch, unless another turn begins before. */
  end: IDisposable | undefined;
  /** No change can be attributed before the baselines are read. */
  prepared: Promise<unknown> = Promise.resolve();
  /** The checked files with their time of change at the check; undefined for missing files. */
  readonly #seen = new Map<string, number | undefined>();
  /** Files with newer information than the running check, so that its result for them is dropped. */
  readonly #outdated = new Set<string>();
  readonly pulse: Pulse;
  readonly #doubtful = new Map<string, Doubtful>();
  /** Files that Parley was writing when they were checked. They are checked once more. */
  readonly #writing = new Set<string>();
  readonly #afterWrite: Coalescer;
  /** By path, the newest last. */
  readonly #followed = new Map<string, readonly Followed[]>();
  readonly #editor: EditorWatch;
  readonly #elsewhere: SavedElsewhere | undefined;

  /** @param held files that an agent changed while the user had unsaved edits in them; it outlives the watch */
  constructor(
    private readonly options: DiskOptions,
    private readonly large: LargeFiles,
    private readonly held: Set<string>,
  ) {
    super();
    this.#editor = this.register(
      new EditorWatch({
        saved: (path, text) => this.#saved(path, text),
        changed: (path, text, version) => this.#follows(path, text, version),
        typed: (path, version) =>
          this.#followed.set(
            path,
            (this.#followed.get(path) ?? []).filter((item) => item.version !== version),
          ),
        opened: (path) => void this.rootOf(path)?.remember([path]),
      }),
    );
    this.#elsewhere = options.saves && this.register(new SavedElsewhere(options.saves));
    this.pulse = this.register(new Pulse(options.clock));
    this.queue = this.register(new PathQueue(options.clock, (paths) => this.#examineAll(paths)));
    this.#afterWrite = this.register(
      new Coalescer(options.clock, AFTER_WRITE_MS, () => {
        for (const path of this.#writing) this.happened(path);
        this.#writing.clear();
      }),
    );
  }

  /** Watches a folder from now on. @param since epoch ms */
  addRoot(path: string, since: number): TurnRoot {
    const root = this.register(new TurnRoot(path, since, (file) => this.happened(file), this.large, this.options));
    this.roots.set(path, root);
    return root;
  }

  /** The watched folder that contains a file. */
  rootOf(path: string): TurnRoot | undefined {
    return [...this.roots.values()].find((root) => root.own(path) !== undefined);
  }

  /** A file may have changed; it is checked soon. */
  happened(path: string): void {
    this.queue.add(path);
  }

  /**
   * Parley, or the user, has written this content. Only this content is taken as known, because a later read could
   * already find the agent's text. If the file still has it, its bytes are stored too.
   */
  know(path: string, content: ContentInHand): void {
    const root = this.rootOf(path);
    if (!root) return;
    this.#outdated.add(path);
    void root.set(path, content);
    void lookNow(path).then(
      ({ value }) =>
        value.kind === 'file' &&
        root.get(path) === content &&
        sameContent(value.content, content) &&
        void root.set(path, value.content),
    );
  }

  /** See `DiskAttribution.wrote`. */
  wrote(path: string, content: ContentInHand): void {
    if (content.kind === 'text' && this.rootOf(path)) this.#editor.writes.ours(path);
    this.know(path, content);
  }

  /** See `DiskAttribution.takes`. */
  takes(path: string, content: ContentInHand): boolean {
    const root = this.rootOf(path);
    const known = root?.get(path);
    // The content is from before the turn, or its author is known already.
    if (!root || (known && sameContent(known, content))) return false;
    const isFollowed = (this.#followed.get(path)?.length ?? 0) > 0;
    if (!isFollowed && this.#editor.explains(path, textIn(content))) return false;
    this.happened(path);
    return true;
  }

  /** See `DiskAttribution.catchUp`. The wait is limited, because many files may be in the queue. */
  async catchUp(path: string, content: ContentInHand): Promise<void> {
    const root = this.rootOf(path);
    const known = root?.get(path);
    if (!root || (known && sameContent(known, content))) return;
    await waitAtMost(this.options.clock, CATCH_UP_MS, this.queue.now([path]));
  }

  /**
   * Checks again files that have changed since the last check, and files without an event: watchers miss some changes.
   */
  async lookForMore(): Promise<void> {
    await inGroups([...this.#seen], async ([path, at]) => {
      if ((await changedAt(path)) !== at) this.happened(path);
    });
    for (const root of this.roots.values()) for (const path of await root.changedNow()) this.happened(path);
    await this.queue.drain();
  }

  async #examineAll(spelled: ReadonlyMap<string, number>): Promise<void> {
    await this.prepared;
    if (this.store.isDisposed) return;
    try {
      const told = ignoresCase()
        ? await (await import('./diskSpelling')).inDiskSpelling(spelled, (path) => this.rootOf(path)?.own(path))
        : spelled;
      for (const root of this.roots.values())
        await this.#examine(root, new Map([...told].filter(([path]) => this.rootOf(path) === root)));
    } catch (error) {
      this.options.log.error(`Changes on disk could not be followed: ${stackOf(error)}`);
    }
  }

  async #examine(root: TurnRoot, told: ReadonlyMap<string, number>): Promise<void> {
    const { review, clock } = this.options;
    const paths = [...told.keys()];
    if (paths.length === 0) return;
    this.#outdated.clear();
    const looks = await keepingFoldersOpen(() => lookAt(paths, (path) => root.get(path), clock));
    // The agent's messages so far are the evidence for these changes.
    await Promise.all(this.turns.unrested.map((sessionId) => this.options.sessions.caughtUp?.(sessionId)));
    const happened = new Map(
      [...looks].flatMap(([path, look]) =>
        look.kind === 'file' ? [[path, timeOf(look, told.get(path)!)] as const] : [],
      ),
    );
    await root.find([...happened.keys()], (path) => happened.get(path)!.at);
    await this.#elsewhere?.refresh();
    const gone: string[] = [];
    for (const [path, look] of looks) {
      if (look.kind === 'folder')
        for (const file of (await filesIn(path, root.rules, MAX_NEW_FOLDER)).files) this.happened(file);
      if (look.kind !== 'file') continue;
      // Parley's own writes are reported separately; a later check finds anything beyond them.
      if (review.isWriting(path) || this.#outdated.has(path)) {
        this.#writing.add(path);
        this.#afterWrite.schedule();
        continue;
      }
      const before = root.get(path);
      if (look.content.kind === 'absent' && (before === undefined || before.kind === 'absent')) gone.push(path);
      this.#seen.set(path, look.changedAt);
      this.#judge(root, path, look.content, happened.get(path)!, look.changedAt);
    }
    // For a deleted folder, watchers report only the folder.
    for (const file of await root.filesUnder(gone)) this.happened(file);
  }

  /** A reloaded document shows the agent's content only until the user types, so it is checked immediately. */
  #follows(path: string, text: string, version: number): void {
    const root = this.rootOf(path);
    if (!root?.get(path) || root.rules.isIgnored(path) || this.held.has(path) || this.options.review.isWriting(path))
      return;
    this.#followed.set(path, [...(this.#followed.get(path) ?? []), { text, version }].slice(-MAX_FOLLOWED));
    void this.queue.now([path]);
  }

  /** The user saved this text. The agent's earlier content is recorded first. */
  #saved(path: string, text: string): void {
    const root = this.rootOf(path);
    const followed = this.#followed.get(path)?.at(-1);
    if (root && followed)
      this.#judge(root, path, contentOfText(followed.text), { at: this.options.clock.now(), early: LATE_MS });
    this.know(path, contentOfText(text));
  }

  /**
   * Attributes the present content of a file.
   * @param when the time of the change @param changedAt the time that the file itself has, epoch ms
   */
  #judge(root: TurnRoot, path: string, content: ContentInHand, when: ChangeTime, changedAt?: number): void {
    const { review } = this.options;
    const known = root.get(path);
    const followed = this.#followed.get(path)?.at(-1);
    this.#followed.delete(path);
    if (content.kind === 'text') this.#editor.writes.seen(path, content.text);
    if (known && sameContent(known, content)) return this.#judgeBeside(root, path, known, content, when, changedAt);
    const text = textIn(content);
    const claim = this.turns.claim(path, known, content, when);
    const isEditors = this.#isEditors(path, content, textIn(known), when, changedAt);
    // The user typed before the check came. The agent's earlier content is recorded first.
    if (isEditors && followed && followed.text !== text) {
      const seen = { at: when.at, early: LATE_MS };
      this.#judge(root, path, contentOfText(followed.text), seen);
      return this.#judge(root, path, content, seen);
    }
    const standing = content.kind === 'binary' ? undefined : review.textNow(path);
    const isOld =
      !known &&
      (root.isUntouched(path, changedAt) ||
        (changedAt !== undefined && claim !== undefined && changedAt < claim.turn.startedAt - SKEW_MS));
    // Programs make files for a moment. For an unknown file that is gone there is nothing to report.
    const isNothing =
      !known && content.kind === 'absent' && standing === undefined && !(claim && this.turns.isNamed(claim.turn, path));
    if (!claim || isOld || isNothing || isEditors || (standing && standing.text === text))
      return this.#takeForUsers(root, path, content);
    const before = known ?? (standing ? contentOfText(standing.text) : this.turns.before(path, content));
    if (known) this.#storeOriginal(path, known, content);
    if (!claim.isAgents) {
      this.#takeForUsers(root, path, content, claim.turn.sessionId);
      this.#doubtful.set(path, { root, before, content, when });
      this.options.stored.unclaimed.add(claim.turn.sessionId, path, before, content, claim.turn.mark);
      return;
    }
    void root.set(path, content, { by: claim.turn.sessionId });
    if (isUnsavedOver(path, text)) this.held.add(path);
    review.record(claim.turn.sessionId, path, before, content, claim.turn.mark);
    this.found.add(path);
  }

  /** True if the editor of this window or of another one wrote a text, or deleted the file. @param before if known */
  #isEditors(
    path: string,
    content: ContentInHand,
    before: string | undefined,
    when: ChangeTime,
    changedAt: number | undefined,
  ): boolean {
    if (content.kind === 'binary') return false;
    const text = textIn(content);
    return (
      this.#editor.explains(path, text, before, changedAt) || this.#elsewhere?.explains(path, text, when.at) === true
    );
  }

  /** Records a content that no evidence attributes to an agent. @param doubt the session in whose turn it appeared */
  #takeForUsers(root: TurnRoot, path: string, content: ContentInHand, doubt?: string): void {
    const { review } = this.options;
    const text = textIn(content);
    const standing = content.kind === 'binary' ? undefined : review.textNow(path);
    this.#doubtful.delete(path);
    void root.set(path, content, doubt === undefined ? undefined : { doubt });
    if (standing && standing.text !== text && !isUnsavedOver(path, text)) review.recordEdit(path, text);
  }

  /** There is new evidence: unexplained changes may be the agent's after all. */
  reconsider(): void {
    for (const [path, { root, before, content, when }] of this.#doubtful) {
      const claim = this.turns.claim(path, before, content, when);
      if (!claim?.isAgents) continue;
      this.#doubtful.delete(path);
      const { sessionId } = claim.turn;
      void this.options.stored.unclaimed.include([{ sessionId, path }]);
      void root.set(path, root.get(path) ?? content, { by: sessionId });
      this.found.add(path);
    }
  }

  /** Stores the bytes if Undo could not make them again from the text and the present file. */
  #storeOriginal(path: string, known: ContentInHand, content: ContentInHand): void {
    if (
      known.kind !== 'text' ||
      !known.bytes ||
      (content.kind === 'text' &&
        isSameForm(known, content) &&
        content.form?.encoding === known.form?.encoding &&
        known.form?.ends !== 'mixed')
    )
      return;
    const { bytes, mode } = known;
    const { originals } = this.options.stored.contents;
    originals.store(path, known.text, { bytes, mode });
    originals.storeOlder(path, this.options.review.baselines(path), mode, (text) => bytesLike(path, bytes, text));
  }

  /** Line ends, the byte order mark or the permission to execute changed, or nothing. */
  #judgeBeside(
    root: TurnRoot,
    path: string,
    known: ContentInHand,
    content: ContentInHand,
    when: ChangeTime,
    changedAt: number | undefined,
  ): void {
    const isForm = !isSameForm(known, content);
    if (!isForm && isSameMode(known, content)) return;
    const claim = this.turns.claim(path, known, content, when);
    const isEditors = isForm && this.#isEditors(path, content, undefined, when, changedAt);
    const turn = claim?.isAgents && !isEditors ? claim.turn : undefined;
    void root.set(path, content, turn && { by: turn.sessionId });
    if (!turn) return;
    if (isForm) this.#storeOriginal(path, known, content);
    this.options.review.record(turn.sessionId, path, known, content, turn.mark);
    this.found.add(path);
  }
}

/** The possible times of a change whose event came at `told`, epoch ms. */
function timeOf(look: Extract<Look, { kind: 'file' }>, told: number): ChangeTime {
  const { changedAt, goneBy, alsoAt } = look;
  if (changedAt !== undefined) return { at: changedAt, early: 0, ...(alsoAt ? { alsoAt } : {}) };
  if (goneBy === undefined) return { at: told, early: LATE_MS };
  // The event may belong to an earlier change, or the folder may have changed again after the deletion.
  return { at: goneBy, early: 0, ...(told < goneBy ? { orAt: told } : {}) };
}

/** Compares bytes, because the same bytes become another text once the document with their encoding is closed. */
function sameContent(a: ContentInHand, b: ContentInHand): boolean {
  if (a.kind === b.kind || a.kind === 'absent' || b.kind === 'absent') return isSameContent(a, b);
  return a.bytes !== undefined && b.bytes?.equals(a.bytes) === true;
}
