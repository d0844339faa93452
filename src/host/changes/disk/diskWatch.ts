import { Disposable, type IDisposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import { type Clock, Coalescer, waitAtMost } from '../../../base/scheduler';
import { isSameContent, isSameMode } from '../../../changes/content';
import { isSameForm } from '../../../changes/textForm';
import { keepingFoldersOpen } from '../../../node/openWithoutLinks';
import { EditorWatch, isUnsavedOver } from '../../files/editorWatch';
import { bytesLike } from '../../files/fileOnDisk';
import { changedAt, type Look, lookAt, lookNow } from '../../files/readContent';
import type { BeforeImages, TurnMark } from '../stored/beforeImages';
import type { ReviewContents } from '../stored/reviewContents';
import { type ChangeTime, DiskTurns, SKEW_MS } from './diskTurns';
import { filesIn } from './filesIn';
import type { LargeFiles } from './largeFiles';
import { PathQueue } from './pathQueue';
import { Pulse } from './pulse';
import type { WindowSaves } from './saveAnnouncer';
import { SavedElsewhere } from './savedElsewhere';
import { inGroups, TurnRoot } from './turnRoot';
import { type ContentInHand, contentOfText, textIn } from '../../storage/contentInHand';
import type { AgentChanges, DoubtfulChanges } from './agentChanges';

/** After a write of our own a file is looked at again. */
const AFTER_WRITE_MS = 120;
/** How long a write waits for earlier changes of its file. A check of files that never settle takes two seconds. */
const CATCH_UP_MS = 10_000;
/** Where a file does not tell when it changed, its event does, which comes so much later at most. */
const LATE_MS = 800;
const MAX_NEW_FOLDER = 5_000;
const MAX_FOLLOWED = 4;

export interface DiskWatchOptions {
  readonly review: AgentChanges;
  readonly contents: ReviewContents;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether changes of a file have to be seen whatever git thinks of it. */
  readonly isGuarded: (path: string) => boolean;
  /** What the user saves in other windows; absent where there is none. */
  readonly saves?: WindowSaves;
  /** Stores what files contained before the agent, and records what they contain afterwards. */
  readonly images: BeforeImages;
  /** Resolves when all is handled that a session's agent has sent by now. Absent: nothing waits. */
  readonly caughtUp?: (sessionId: string) => Promise<void>;
  /** Takes the changes that nothing shows to be an agent's. */
  readonly unclaimed: DoubtfulChanges;
}

/** What a document showed after its file had changed, until the disk was looked at. */
interface Followed {
  readonly text: string;
  readonly version: number;
}

/** A change for which nothing has spoken yet. The agent may still tell of it. */
interface Doubtful {
  readonly root: TurnRoot;
  readonly before: ContentInHand | undefined;
  readonly content: ContentInHand;
  readonly when: ChangeTime;
}

/**
 * What there is only while a turn runs, and for a moment after it: looks at files that something happened to, decides
 * whose their contents are, and gives what is an agent's to the review with what was there before.
 */
export class DiskWatch extends Disposable {
  readonly roots = new Map<string, TurnRoot>();
  readonly turns = new DiskTurns((path) => this.rootOf(path)?.own(path));
  readonly queue: PathQueue;
  /** The files that an agent has changed. */
  readonly found = new Set<string>();
  /** Ends the watch, unless another turn begins before. */
  end: IDisposable | undefined;
  /** Nothing can be judged before it is known what was there. */
  prepared: Promise<unknown> = Promise.resolve();
  /** The files that were looked at, by when they had changed then; undefined for those that were not there. */
  readonly #seen = new Map<string, number | undefined>();
  /** Files of which something became known since the look that runs began: what it has read is out of date. */
  readonly #outdated = new Set<string>();
  readonly pulse: Pulse;
  readonly #doubtful = new Map<string, Doubtful>();
  /** Files that Parley was writing when they were looked at. */
  readonly #writing = new Set<string>();
  readonly #afterWrite: Coalescer;
  /** By path, the newest last. */
  readonly #followed = new Map<string, readonly Followed[]>();
  readonly #editor: EditorWatch;
  readonly #elsewhere: SavedElsewhere | undefined;

  /** @param held files that an agent changed while the user had unsaved work in them; that work outlives the watch */
  constructor(
    private readonly options: DiskWatchOptions,
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

  /** A folder is watched from now on. @param since epoch ms */
  addRoot(path: string, since: number): TurnRoot {
    const root = this.register(new TurnRoot(path, since, (file) => this.happened(file), this.large, this.options));
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

  /**
   * Parley, or the user, has put this into a file. Nothing else is taken for known: a later read could find the agent's
   * text. If the file still holds it, its bytes are noted too.
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
    // It was there before the turn, or it is known already who made it.
    if (!root || (known && sameContent(known, content))) return false;
    const isFollowed = (this.#followed.get(path)?.length ?? 0) > 0;
    if (!isFollowed && this.#editor.explains(path, textIn(content))) return false;
    this.happened(path);
    return true;
  }

  /** See `DiskAttribution.catchUp`. Many files may be looked at just now, and nobody waits for all of them. */
  async catchUp(path: string, content: ContentInHand): Promise<void> {
    const root = this.rootOf(path);
    const known = root?.get(path);
    if (!root || (known && sameContent(known, content))) return;
    await waitAtMost(this.options.clock, CATCH_UP_MS, this.queue.now([path]));
  }

  /** Looks again at what has changed since the last look, and at what no event told of: watchers miss some changes. */
  async lookForMore(): Promise<void> {
    await inGroups([...this.#seen], async ([path, at]) => {
      if ((await changedAt(path)) !== at) this.happened(path);
    });
    for (const root of this.roots.values()) for (const path of await root.changedNow()) this.happened(path);
    await this.queue.drain();
  }

  async #examineAll(told: ReadonlyMap<string, number>): Promise<void> {
    await this.prepared;
    if (this.store.isDisposed) return;
    try {
      for (const root of this.roots.values())
        await this.#examine(root, new Map([...told].filter(([path]) => this.rootOf(path) === root)));
    } catch (error) {
      this.options.log.error(
        `Changes on disk could not be followed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }

  async #examine(root: TurnRoot, told: ReadonlyMap<string, number>): Promise<void> {
    const { review, clock } = this.options;
    const paths = [...told.keys()];
    if (paths.length === 0) return;
    this.#outdated.clear();
    const looks = await keepingFoldersOpen(() => lookAt(paths, (path) => root.get(path), clock));
    // What the agent has said by now shows whose these changes are.
    await Promise.all(this.turns.unrested.map((sessionId) => this.options.caughtUp?.(sessionId)));
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
      // Writes of our own report by themselves; then it is seen whether that was all.
      if (review.isWriting(path) || this.#outdated.has(path)) {
        this.#lookAgain(path);
        continue;
      }
      const before = root.get(path);
      if (look.content.kind === 'absent' && (before === undefined || before.kind === 'absent')) gone.push(path);
      this.#seen.set(path, look.changedAt);
      this.#judge(root, path, look.content, happened.get(path)!, look.changedAt);
    }
    // Of a folder that is gone, watchers name only the folder.
    for (const file of await root.filesUnder(gone)) this.happened(file);
  }

  /** Looks at a file once more after a write of our own. */
  #lookAgain(path: string): void {
    this.#writing.add(path);
    this.#afterWrite.schedule();
  }

  /**
   * A document that follows its file shows the agent's content only until the user types on, so it is looked at now.
   */
  #follows(path: string, text: string, version: number): void {
    const root = this.rootOf(path);
    if (!root?.get(path) || root.rules.isIgnored(path) || this.held.has(path) || this.options.review.isWriting(path))
      return;
    this.#followed.set(path, [...(this.#followed.get(path) ?? []), { text, version }].slice(-MAX_FOLLOWED));
    void this.queue.now([path]);
  }

  /** The user's text is known from here on; what the agent had written before it comes first. */
  #saved(path: string, text: string): void {
    const root = this.rootOf(path);
    const followed = this.#followed.get(path)?.at(-1);
    if (root && followed)
      this.#judge(root, path, contentOfText(followed.text), { at: this.options.clock.now(), early: LATE_MS });
    this.know(path, contentOfText(text));
  }

  /**
   * Looks at what a file holds now.
   * @param when when it became that @param changedAt the same as the file itself tells it, epoch ms
   */
  #judge(root: TurnRoot, path: string, content: ContentInHand, when: ChangeTime, changedAt?: number): void {
    const { review } = this.options;
    const known = root.get(path);
    const followed = this.#followed.get(path)?.at(-1);
    this.#followed.delete(path);
    if (content.kind === 'text') this.#editor.writes.seen(path, content.text);
    if (known && sameContent(known, content)) {
      if (!isSameForm(known, content)) this.#judgeForm(root, path, known, content, when, changedAt);
      else if (!isSameMode(known, content)) this.#judgeMode(root, path, known, content, when);
      return;
    }
    const text = textIn(content);
    const claim = this.turns.claim(path, known, content, when);
    const isBinary = content.kind === 'binary';
    const isEditors =
      !isBinary &&
      (this.#editor.explains(path, text, textIn(known), changedAt) ||
        this.#elsewhere?.explains(path, text, when.at) === true);
    // The user has typed on, and it was seen only now: what the agent had written before it comes first.
    if (isEditors && followed && followed.text !== text) {
      const seen = { at: when.at, early: LATE_MS };
      this.#judge(root, path, contentOfText(followed.text), seen);
      return this.#judge(root, path, content, seen);
    }
    const standing = isBinary ? undefined : review.textNow(path);
    const isOld =
      !known &&
      (root.isUntouched(path, changedAt) ||
        (changedAt !== undefined && claim !== undefined && changedAt < claim.turn.startedAt - SKEW_MS));
    // Programs make files for a moment; of one that is gone and was not known nothing can be told.
    const isNothing =
      !known && content.kind === 'absent' && standing === undefined && !(claim && this.turns.isNamed(claim.turn, path));
    if (!claim || isOld || isNothing || isEditors || (standing && standing.text === text))
      return this.#takeForUsers(root, path, content);
    const before = known ?? (standing ? contentOfText(standing.text) : this.turns.before(path, content));
    if (known) this.#storeOriginal(path, known, content);
    if (!claim.isAgents) {
      this.#takeForUsers(root, path, content, claim.turn.sessionId);
      this.#doubtful.set(path, { root, before, content, when });
      this.options.unclaimed.add(claim.turn.sessionId, path, before, content, claim.turn.mark);
      return;
    }
    void root.set(path, content, { by: claim.turn.sessionId });
    if (isUnsavedOver(path, text)) this.held.add(path);
    this.record(claim.turn.sessionId, path, before, content, claim.turn.mark);
    this.found.add(path);
  }

  /** What a file holds is not an agent's, as far as is known. @param doubt the session in whose turn it came to be */
  #takeForUsers(root: TurnRoot, path: string, content: ContentInHand, doubt?: string): void {
    const { review } = this.options;
    const text = textIn(content);
    const standing = content.kind === 'binary' ? undefined : review.textNow(path);
    this.#doubtful.delete(path);
    void root.set(path, content, doubt === undefined ? undefined : { doubt });
    if (standing && standing.text !== text && !isUnsavedOver(path, text)) review.recordEdit(path, text);
  }

  /** The agent has told more: what nothing spoke for may be its change after all. */
  reconsider(): void {
    for (const [path, { root, before, content, when }] of this.#doubtful) {
      const claim = this.turns.claim(path, before, content, when);
      if (!claim?.isAgents) continue;
      this.#doubtful.delete(path);
      const { sessionId } = claim.turn;
      void this.options.unclaimed.include([{ sessionId, path }]);
      void root.set(path, root.get(path) ?? content, { by: sessionId });
      this.found.add(path);
    }
  }

  /**
   * Gives a change of an agent to the review.
   * @param before undefined where nobody knows what it was.
   * @param mark see `ReviewService.record`
   */
  record(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    content: ContentInHand,
    mark?: TurnMark,
  ): void {
    this.options.review.record(sessionId, path, before, content, mark);
  }

  /** Stores the bytes where Undo could not make them again from the text and the present file. */
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
    const { originals } = this.options.contents;
    originals.store(path, known.text, { bytes, mode });
    originals.storeOlder(path, this.options.review.baselines(path), mode, (text) => bytesLike(path, bytes, text));
  }

  /** Only line ends or the byte order mark changed. */
  #judgeForm(
    root: TurnRoot,
    path: string,
    known: ContentInHand,
    content: ContentInHand,
    when: ChangeTime,
    changedAt: number | undefined,
  ): void {
    const text = textIn(content);
    const claim = this.turns.claim(path, known, content, when);
    const isEditors =
      this.#editor.explains(path, text, undefined, changedAt) ||
      this.#elsewhere?.explains(path, text, when.at) === true;
    const turn = claim?.isAgents && !isEditors ? claim.turn : undefined;
    void root.set(path, content, turn && { by: turn.sessionId });
    if (!turn) return;
    this.#storeOriginal(path, known, content);
    this.options.review.recordWhole(turn.sessionId, path, known, content, turn.mark);
    this.found.add(path);
  }

  /** Only the permission to execute changed. If the file has pending hunks, the review shows only these. */
  #judgeMode(root: TurnRoot, path: string, known: ContentInHand, content: ContentInHand, when: ChangeTime): void {
    const claim = this.turns.claim(path, known, content, when);
    const turn = claim?.isAgents ? claim.turn : undefined;
    void root.set(path, content, turn && { by: turn.sessionId });
    if (turn && this.options.review.textNow(path) === undefined)
      this.options.review.recordWhole(turn.sessionId, path, known, content, turn.mark);
  }
}

/** When a change can have happened whose event came at `told`, epoch ms. */
function timeOf(look: Extract<Look, { kind: 'file' }>, told: number): ChangeTime {
  const { changedAt, goneBy, alsoAt } = look;
  if (changedAt !== undefined) return { at: changedAt, early: 0, ...(alsoAt ? { alsoAt } : {}) };
  if (goneBy === undefined) return { at: told, early: LATE_MS };
  // The event may be of an earlier change, or the folder may have changed again after the deletion.
  return { at: goneBy, early: 0, ...(told < goneBy ? { orAt: told } : {}) };
}

/** The same bytes are another text after the document with their encoding was closed. */
function sameContent(a: ContentInHand, b: ContentInHand): boolean {
  if (a.kind === b.kind || a.kind === 'absent' || b.kind === 'absent') return isSameContent(a, b);
  return a.bytes !== undefined && b.bytes?.equals(a.bytes) === true;
}
