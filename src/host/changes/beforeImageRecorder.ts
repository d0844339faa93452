import * as l10n from '@vscode/l10n';
import { withLineFeeds } from '../../changes/lineFeeds';
import type { Target } from '../../changes/scope';
import type { ByteFolder } from '../storage/byteFolder';
import type { Checkpoints } from './checkpoints/checkpoints';
import { digest } from '../storage/contentName';
import { digestOf, type FileMoment, isProgramAt, isSameMoment, snapshotAt, snapshotOf } from './checkpoints/fileMoment';
import type { FileContent } from './disk/diskContent';
import type { KeptFiles } from './keptFiles';
import type { ReviewedFiles } from './reviewedFiles';
import type { TurnMark, UnsavedWrite } from './beforeImages';
import type { StandingFile } from './standingFile';

export interface RecorderOptions {
  /** Where each session can go back to. */
  readonly checkpoints?: Pick<Checkpoints, 'log' | 'before' | 'changed' | 'keep' | 'recorded'>;
  /** Bytes, permissions and moves. */
  readonly kept?: KeptFiles;
  /**
   * Puts on disk what a write is about to take the place of; the result is called when the review knows of the write.
   * @throws NotKeptError
   */
  readonly announce?: (
    sessionId: string,
    path: string,
    before: string | undefined,
  ) => Promise<(isAbandoned?: boolean) => void>;
  /** Resolves when what the review knows is on disk. @throws NotKeptError */
  readonly settled?: () => Promise<void>;
}

/** Sees to it that what stands in a file is on disk before an agent, or Undo, takes its place; and brings it back. */
export class BeforeImageRecorder {
  /** Digests of files that were kept before they are deleted, by session and path. */
  readonly #going = new Map<string, string | null>();
  /** The review was saved before the Undo of many that runs. */
  #isSaved = false;

  constructor(
    private readonly options: RecorderOptions,
    private readonly files: Pick<
      ReviewedFiles,
      'changed' | 'disk' | 'isOnlyUnsaved' | 'ledger' | 'look' | 'put' | 'wholes'
    >,
  ) {}

  /** Looks once more at files before they are brought back. @param paths see `DiskAttribution.settle` */
  lookAgain(paths?: readonly string[]): Promise<void> {
    return this.files.disk.settle(paths);
  }

  /** A file as it stands, with what waits in it. @throws Error where it cannot be read. */
  async standing(sessionId: string, path: string): Promise<FileMoment> {
    return this.#momentOf(sessionId, path, await this.files.look(path));
  }

  async #momentOf(sessionId: string, path: string, { text, whole, mode }: StandingFile): Promise<FileMoment> {
    if (whole) return { text: undefined, entry: this.files.ledger(sessionId).saved.get(path), whole };
    await this.files.disk.catchUp(path, text);
    const ledger = this.files.ledger(sessionId);
    // The file is deleted until its editor is saved, and its change stays as it is.
    const isDeleted =
      text !== undefined &&
      ledger.has(path) &&
      ledger.current(path) === undefined &&
      (await this.files.isOnlyUnsaved(path));
    const moment = isDeleted ? { text, entry: ledger.saved.get(path) } : this.#moment(sessionId, path, text);
    return mode === undefined ? moment : { ...moment, mode };
  }

  /** The same of a file that holds `text`; what differs from what was known of it is the user's. */
  #moment(sessionId: string, path: string, text: string | undefined): FileMoment {
    const ledger = this.files.ledger(sessionId);
    ledger.edited(path, text);
    return { text, entry: ledger.saved.get(path) };
  }

  /**
   * Brings a file back to how it stood.
   * @param kept how it stands: that is kept. @param bytes where the bytes of the moments are.
   * @returns the text of the file afterwards. @throws Error where it stands otherwise now, or cannot be written.
   */
  async bringBack(
    sessionId: string,
    path: string,
    target: FileMoment,
    kept: FileMoment,
    bytes: ByteFolder,
  ): Promise<Pick<FileMoment, 'text' | 'whole'>> {
    const files = this.options.kept;
    // Other files were written meanwhile, and the user may have gone on in this one.
    const standing = await this.files.look(path);
    const now = await this.#momentOf(sessionId, path, standing);
    if (now.text !== kept.text || !isSameMoment(now, kept))
      throw new Error(l10n.t('it was changed at the same time, so Parley left it unchanged'));
    let text: string | undefined;
    const waiting = target.entry?.whole;
    const release = waiting && files?.hold(waiting);
    try {
      if (waiting) await files?.takeFrom(bytes, waiting);
      if (files && (target.whole ?? now.whole)) {
        const present = snapshotAt(now);
        if (target.text === undefined) await files.put(path, target.whole ?? { kind: 'absent' }, present, bytes);
        else await files.putText(path, (text = target.text), present);
      } else
        text =
          digestOf(target) === digestOf(now)
            ? target.text
            : await this.files.put(sessionId, path, target.text, standing.original);
      const isProgram = target.whole ? undefined : isProgramAt(target);
      if (isProgram !== undefined && isProgramAt(now) !== isProgram) await files?.setProgram(path, isProgram);
      const ledger = this.files.ledger(sessionId);
      ledger.put(path, target.entry);
      // What has no lines is nothing that a ledger could follow.
      if (!target.whole) ledger.edited(path, text);
      this.files.changed(sessionId, path, text);
      return target.whole ? { text: undefined, whole: target.whole } : { text };
    } finally {
      release?.();
    }
  }

  /**
   * An agent's write is about to happen.
   * @returns to be called when the review knows of it, or nothing comes of it.
   * @throws NotKeptError if the file's content cannot be kept: the write must not happen.
   */
  async prepare(sessionId: string, path: string, before: string | undefined): Promise<(isAbandoned?: boolean) => void> {
    const { announce, checkpoints } = this.options;
    await this.files.disk.catchUp(path, before);
    const [told, recorded] = await Promise.allSettled([
      announce?.(sessionId, path, before),
      checkpoints?.before(sessionId, path, this.#moment(sessionId, path, before)),
    ]);
    if (told.status === 'rejected') throw told.reason;
    const heard = told.value ?? (() => undefined);
    if (recorded.status === 'fulfilled') return heard;
    heard(true);
    throw recorded.reason;
  }

  /** An agent has changed a file; to be told before the ledger is. @param mark absent: in the last turn */
  changed(
    sessionId: string,
    path: string,
    before: string | undefined,
    after: string | undefined,
    mark?: TurnMark,
  ): void {
    this.options.checkpoints?.changed(
      sessionId,
      path,
      this.#moment(sessionId, path, before),
      digest(after),
      mark?.prompt,
    );
  }

  /**
   * An agent has changed a file as a whole: its bytes, or its permissions. The change is pending from now on.
   * @param before undefined where nobody knows what it was.
   */
  replaced(
    sessionId: string,
    path: string,
    before: FileContent | undefined,
    content: FileContent,
    { turn, prompt }: TurnMark,
  ): void {
    const { files, options } = this;
    const ledger = files.ledger(sessionId);
    const snapshot = before && options.kept?.keep(before, files.wholes());
    const after = snapshotOf(content);
    const entry = ledger.saved.get(path);
    const text = before?.kind === 'text' ? before : undefined;
    const binary = snapshot?.kind === 'binary' ? snapshot : undefined;
    const whole = binary && !binary.kept ? { ...binary, isLost: true } : binary;
    options.checkpoints?.changed(
      sessionId,
      path,
      { entry, text: text?.text, mode: text?.mode, whole, isUnknown: before ? undefined : true },
      digestOf({ text: undefined, whole: after.kind === 'absent' ? undefined : after }),
      prompt,
    );
    ledger.agentReplaced(path, snapshot, after, turn);
  }

  /**
   * Something is about to take the place of files, or to delete them.
   * @returns how they stand.
   * @throws Error where they could not be kept
   */
  async replacing(sessionId: string, paths: readonly string[]): Promise<ReadonlyMap<string, FileMoment>> {
    const moments = new Map<string, FileMoment>();
    for (const path of paths) {
      const moment = await this.standing(sessionId, path);
      if (digestOf(moment) !== null) moments.set(path, moment);
    }
    if (moments.size > 0) await this.options.checkpoints?.keep(sessionId, 'undo', moments);
    return moments;
  }

  /**
   * Undo of these is about to begin. Saves the review once for all, and keeps the files that it deletes, all in one:
   * one save for each would soon push out the first.
   * @throws Error where they could not be kept.
   */
  async deletingMany(sessionId: string, targets: readonly Pick<Target, 'path' | 'ids' | 'of'>[]): Promise<void> {
    this.#isSaved = false;
    await this.takingOut();
    this.#isSaved = true;
    this.#going.clear();
    const ledger = this.files.ledger(sessionId);
    const deleted = targets.filter(({ path, ids, of }) => {
      const plan = ledger.plan(path, 'undo', ids, of);
      return plan !== undefined && plan.text === undefined;
    });
    for (const [path, moment] of await this.replacing(
      sessionId,
      deleted.map(({ path }) => path),
    ))
      this.#going.set(keyOf(sessionId, path), digestOf(moment));
  }

  /**
   * Whether `deletingMany` has saved everything about a file, and it still holds what the agent or a restore left: no
   * text in it is only the user's.
   */
  async isAsLeft(sessionId: string, path: string): Promise<boolean> {
    if (!this.#isSaved) return false;
    const log = await this.options.checkpoints?.log(sessionId);
    const now = this.files.ledger(sessionId).current(path);
    return now !== undefined && log?.leftIn(path) === digest(now);
  }

  /**
   * The user is about to agree to changes of a session: from then on only the checkpoints have what was there before.
   * @throws NotKeptError
   */
  async keeping(sessionId: string): Promise<void> {
    await this.options.checkpoints?.recorded(sessionId);
  }

  /**
   * Lines of the agent are about to be taken out of files: from then on only the review has them.
   * @throws NotKeptError
   */
  async takingOut(): Promise<void> {
    await this.options.settled?.();
  }

  /** Undo is about to delete a file. @throws Error where it could not be kept. */
  async deleting(sessionId: string, path: string): Promise<void> {
    const going = this.#going.get(keyOf(sessionId, path));
    if (going === undefined || going !== digestOf(await this.standing(sessionId, path)))
      await this.replacing(sessionId, [path]);
  }

  /** Takes over a write that the review did not hear of before the window ended. */
  async recover({ sessionId, path, before }: UnsavedWrite): Promise<void> {
    const ledger = this.files.ledger(sessionId);
    const same = (a: string | undefined, b: string | undefined) => (a && withLineFeeds(a)) === (b && withLineFeeds(b));
    const now = await this.files.look(path).then(
      ({ text, whole }) => (whole ? before : text),
      () => before,
    );
    // What was kept of the file is newer than this write, or nothing has come of it.
    if (same(before, now) || (ledger.saved.has(path) && !same(before, ledger.current(path)))) return;
    ledger.agentWrote(path, before, now);
  }
}

function keyOf(sessionId: string, path: string): string {
  return `${sessionId} ${path}`;
}
