import * as l10n from '@vscode/l10n';
import type { Version } from '../../changes/checkpointLog';
import { type Content, isSameContent, isSameFile, isSameMode, shortDigest, storedIn } from '../../changes/content';
import type { Target } from '../../changes/scope';
import type { TurnMark, UnsavedWrite } from './stored/beforeImages';
import type { Checkpoints, Moment } from './stored/checkpoints';
import { described, type ReviewContents } from './stored/reviewContents';
import type { ReviewedFiles } from './reviewedFiles';
import { type ContentInHand, contentOfText, textIn } from '../storage/contentInHand';

/** Stores what writes and decisions replace. */
export interface ReviewStorage {
  /** The checkpoints of all sessions. */
  readonly checkpoints?: Pick<Checkpoints, 'log' | 'before' | 'changed' | 'entryOf' | 'recorded' | 'save'>;
  readonly contents?: ReviewContents | undefined;
  /**
   * Stores the content that a write will replace. The result is called when the review knows of the write.
   * @throws NotStoredError
   */
  readonly announce?: (
    sessionId: string,
    path: string,
    before: ContentInHand,
  ) => Promise<(isAbandoned?: boolean) => void>;
  /** Resolves when the review is saved. @throws NotStoredError */
  readonly settled?: () => Promise<void>;
}

/** Stores the content of a file before an agent, or Undo, replaces it; and restores it. */
export class BeforeImageRecorder {
  /** Digests of files that were stored before they are deleted, by session and path. */
  readonly #going = new Map<string, string | null>();
  /** True if the review was saved for the running Undo of many files. */
  #isSaved = false;

  constructor(
    private readonly options: ReviewStorage,
    private readonly files: Pick<
      ReviewedFiles,
      'changed' | 'disk' | 'isOnlyUnsaved' | 'ledger' | 'look' | 'publish' | 'replace' | 'wholes'
    >,
  ) {}

  /** Checks files again before they are restored. @param paths see `DiskAttribution.settle` */
  lookAgain(paths?: readonly string[]): Promise<void> {
    return this.files.disk.settle(paths);
  }

  /** The present content of a file and its pending change. @throws Error if it cannot be read. */
  async standing(sessionId: string, path: string): Promise<Moment> {
    const content = await this.files.look(path);
    const ledger = this.files.ledger(sessionId);
    if (content.kind !== 'binary') await this.files.disk.catchUp(path, content);
    // The file counts as deleted until its editor is saved, so its change stays as it is.
    const isDeleted =
      content.kind === 'text' &&
      ledger.has(path) &&
      ledger.current(path) === undefined &&
      (await this.files.isOnlyUnsaved(path));
    return isDeleted ? { content, entry: ledger.saved.get(path) } : this.#moment(sessionId, path, content);
  }

  /** A file with this content, and its pending change. Differences from the last known text are attributed to the user. */
  #moment(sessionId: string, path: string, content: ContentInHand): Moment {
    const ledger = this.files.ledger(sessionId);
    // A ledger follows no lines of a binary file.
    if (content.kind !== 'binary') ledger.edited(path, textIn(content));
    return { content, entry: ledger.saved.get(path) };
  }

  /**
   * Restores a file to an earlier version.
   * @param version the same as `target`, with its pending change
   * @param stored the present state of the file, which is stored already.
   * @returns the content of the file afterwards. @throws Error if the file has changed since, or cannot be written.
   */
  async bringBack(
    sessionId: string,
    path: string,
    version: Version,
    target: ContentInHand,
    stored: Moment,
  ): Promise<ContentInHand> {
    // Other files were written meanwhile, and the user may have edited this one.
    const now = (await this.standing(sessionId, path)).content!;
    const then = stored.content!;
    if (!isSameFile(now, then)) throw new Error(changedMeanwhile());
    const entry = await this.options.checkpoints?.entryOf(version);
    const { contents } = this.options;
    const release = entry?.whole && contents?.hold(entry.whole);
    try {
      const written =
        isSameContent(target, now) && isSameMode(target, now)
          ? now
          : await this.files.replace(
              sessionId,
              path,
              now,
              isSameContent(target, now) ? withModeOf(now, target) : target,
            );
      const ledger = this.files.ledger(sessionId);
      ledger.put(path, entry);
      // A ledger follows no lines of a binary file.
      if (target.kind !== 'binary') ledger.edited(path, textIn(written));
      this.files.changed(sessionId, path, textIn(written));
      return written;
    } finally {
      release?.();
    }
  }

  /**
   * An agent is about to write a file.
   * @returns to be called when the review knows of the write, or when the write was abandoned.
   * @throws NotStoredError if the file's content cannot be stored: the write must not happen.
   */
  async prepare(sessionId: string, path: string, before: ContentInHand): Promise<(isAbandoned?: boolean) => void> {
    const { announce, checkpoints, settled } = this.options;
    await this.files.disk.catchUp(path, before);
    const moment = this.#moment(sessionId, path, before);
    const left = (await checkpoints?.log(sessionId))?.leftIn(path);
    if (left !== undefined && left !== shortDigest(before)) {
      // Only the review tells what the user has edited since the agent's last write.
      this.files.publish(sessionId, [path]);
      await settled?.();
    }
    const [told, recorded] = await Promise.allSettled([
      announce?.(sessionId, path, before),
      checkpoints?.before(sessionId, path, moment),
    ]);
    if (told.status === 'rejected') throw told.reason;
    const heard = told.value ?? (() => undefined);
    if (recorded.status === 'fulfilled') return heard;
    heard(true);
    throw recorded.reason;
  }

  /** An agent has changed a file; call this before the ledger is updated. @param mark absent: the last turn */
  changed(sessionId: string, path: string, before: ContentInHand, after: string | undefined, mark?: TurnMark): void {
    this.options.checkpoints?.changed(
      sessionId,
      path,
      this.#moment(sessionId, path, before),
      shortDigest(contentOfText(after)),
      mark?.prompt,
    );
  }

  /**
   * An agent has changed a file as a whole: its bytes, or its permissions. The change becomes pending.
   * @param before undefined if it is unknown.
   */
  replaced(
    sessionId: string,
    path: string,
    before: ContentInHand | undefined,
    content: ContentInHand,
    { turn, prompt }: TurnMark,
  ): void {
    const { files, options } = this;
    const ledger = files.ledger(sessionId);
    const stored = before && (options.contents?.store(before, files.wholes()) ?? described(before));
    options.checkpoints?.changed(
      sessionId,
      path,
      {
        // The checkpoint stores a text even if the review has reached its limit. Of a binary file the bytes in hand may
        // be the present ones.
        content: before?.kind === 'binary' ? { ...before, bytes: undefined, stored: storedIn(stored)[0] } : before,
        entry: ledger.saved.get(path),
      },
      shortDigest(content),
      prompt,
    );
    ledger.agentReplaced(path, stored, described(content), turn);
  }

  /**
   * Stores files before they are replaced or deleted.
   * @returns their present states.
   * @throws Error if they could not be stored
   */
  async replacing(sessionId: string, paths: readonly string[]): Promise<ReadonlyMap<string, Moment>> {
    const moments = new Map<string, Moment>();
    for (const path of paths) {
      const moment = await this.standing(sessionId, path);
      if (moment.content?.kind !== 'absent') moments.set(path, moment);
    }
    if (moments.size > 0) await this.options.checkpoints?.save(sessionId, 'undo', moments);
    return moments;
  }

  /**
   * Prepares Undo of these files. Saves the review once for all, and stores the files that Undo deletes as one save:
   * one save for each would soon push out the first.
   * @throws Error if they could not be stored.
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
      this.#going.set(keyOf(sessionId, path), shortDigest(moment.content!));
  }

  /**
   * True if `deletingMany` has saved everything about a file, and the file still has the text that the agent or a
   * restore left: no text in it belongs only to the user.
   */
  async isAsLeft(sessionId: string, path: string): Promise<boolean> {
    if (!this.#isSaved) return false;
    const log = await this.options.checkpoints?.log(sessionId);
    const now = this.files.ledger(sessionId).current(path);
    return now !== undefined && log?.leftIn(path) === shortDigest(contentOfText(now));
  }

  /**
   * The user is about to keep changes of a session. Afterwards only the checkpoints have the content from before.
   * @throws NotStoredError
   */
  async keeping(sessionId: string): Promise<void> {
    await this.options.checkpoints?.recorded(sessionId);
  }

  /**
   * Undo is about to remove lines of the agent from files. Afterwards only the review has them.
   * @throws NotStoredError
   */
  async takingOut(): Promise<void> {
    await this.options.settled?.();
  }

  /** Undo is about to delete a file. @throws Error if it could not be stored. */
  async deleting(sessionId: string, path: string): Promise<void> {
    const going = this.#going.get(keyOf(sessionId, path));
    if (going === undefined || going !== shortDigest((await this.standing(sessionId, path)).content!))
      await this.replacing(sessionId, [path]);
  }

  /** Restores a write that the review did not hear of before the window ended. */
  async recover({ sessionId, path, before, mayBeSaved }: UnsavedWrite): Promise<void> {
    const ledger = this.files.ledger(sessionId);
    const now = await this.files.look(path).catch(() => before);
    // The write never happened.
    if (isSameFile(before, now)) return;
    if (!isSameContent(before, now) && before.kind !== 'binary' && now.kind !== 'binary') {
      const isSaved = mayBeSaved && ledger.saved.has(path) && textIn(before) !== ledger.current(path);
      if (!isSaved) ledger.agentWrote(path, textIn(before), textIn(now));
      if (!isSameMode(before, now)) this.replaced(sessionId, path, withModeOf(now, before), now, {});
      return;
    }
    const { after } = ledger.whole(path) ?? {};
    if (!after || !isSameFile(after, now)) this.replaced(sessionId, path, before, now, {});
  }
}

function keyOf(sessionId: string, path: string): string {
  return `${sessionId} ${path}`;
}

/** The same content with the permissions of another. */
export function withModeOf(now: ContentInHand, other: Content | undefined): ContentInHand {
  return now.kind === 'absent' || !other || other.kind === 'absent' ? now : { ...now, mode: other.mode };
}

/** Why a restore leaves a file. */
export function changedMeanwhile(): string {
  return l10n.t('it was changed at the same time, so Parley left it unchanged');
}
