import * as l10n from '@vscode/l10n';
import { messageOf, stackOf } from '../../base/errorText';
import type { Logger } from '../../base/log';
import { OneByOne } from '../../base/oneByOne';
import type { CheckpointLog, SaveReason, Version } from '../../changes/checkpointLog';
import { lineCounts } from '../../changes/lineEdits';
import {
  canBringBack,
  type Content,
  isProgramIn,
  isSameContent,
  isSameMode,
  isTooLarge,
  shortDigest,
} from '../../changes/content';
import { toLines } from '../../changes/pieces';
import { type BeforeImageRecorder, changedMeanwhile } from './beforeImageRecorder';
import { eachFile } from './eachFile';
import type { Checkpoints, Moment } from './stored/checkpoints';
import { type ContentInHand, textIn } from '../storage/contentInHand';

/** One file that a restore would change. */
export interface RestoredFile {
  readonly path: string;
  readonly version: Version;
  readonly target: ContentInHand;
  readonly now: ContentInHand;
  /** `changes`: it gets another content. `goes`: it is deleted. `comesBack`: it is created again. */
  readonly kind: 'changes' | 'goes' | 'comesBack';
  /** Lines, from now to the target. */
  readonly added: number;
  readonly removed: number;
  /** A short description if there are no lines to count. */
  readonly note?: string;
  /** The restore would remove edits of the user. */
  readonly isEdited: boolean;
}

export interface RestorePlan {
  readonly files: readonly RestoredFile[];
  /** Files that cannot be restored, each with the reason. */
  readonly problems: readonly string[];
}

/** Restores files to a checkpoint. Their present contents are stored first, so that they can be restored too. */
export class FileRestore {
  /**
   * One restore per session at a time: between its last write and its record, a plan would see its result as an edit of
   * the user.
   */
  readonly #inTurn = new OneByOne();

  constructor(
    private readonly recorder: Pick<BeforeImageRecorder, 'lookAgain' | 'standing' | 'bringBack'>,
    private readonly checkpoints: Pick<Checkpoints, 'left' | 'log' | 'read' | 'save'>,
    private readonly log: Logger,
  ) {}

  /** The checkpoints of a session, with the agent's most recent writes. */
  async settledLog(sessionId: string): Promise<CheckpointLog> {
    await this.recorder.lookAgain();
    return this.checkpoints.log(sessionId);
  }

  /**
   * The changes that a restore of these versions would make; files that already have them are left out.
   * @param prompt the prompt to restore to; absent for a redo.
   */
  plan(sessionId: string, versions: ReadonlyMap<string, Version>, prompt = Infinity): Promise<RestorePlan> {
    return this.#inTurn.run(sessionId, async () => {
      const log = await this.checkpoints.log(sessionId);
      await this.recorder.lookAgain([...versions.keys()]);
      const files = new Map<string, RestoredFile>();
      const problems: string[] = [];
      const targets = [...versions].map(([path, version]) => ({ path, version }));
      await eachFile(targets, async ({ path, version }) => {
        try {
          const file = await this.#changeTo(sessionId, path, version, log, prompt);
          if (file) files.set(path, file);
        } catch (error) {
          problems.push(`${path}: ${messageOf(error)}`);
        }
      });
      // Several files are processed at the same time, in any order, so their order is restored here.
      return { files: [...versions.keys()].flatMap((path) => files.get(path) ?? []), problems };
    });
  }

  /**
   * The change of one file.
   * @returns undefined if the file has that content already. @throws Error if it cannot be restored
   */
  async #changeTo(
    sessionId: string,
    path: string,
    version: Version,
    log: CheckpointLog,
    prompt: number,
  ): Promise<RestoredFile | undefined> {
    const now = (await this.recorder.standing(sessionId, path)).content!;
    const { content } = version;
    // A pending change is restored with its content; it alone is no reason to list a file.
    if (!content) throw new Error(l10n.t('its original content is unknown'));
    if (isSameContent(content, now) && isSameMode(content, now)) return undefined;
    if (!canBringBack(content))
      throw new Error(
        l10n.t('its original content was too large to back up (over 50 MB, or too large together with others)'),
      );
    if (isTooLarge(now))
      throw new Error(
        l10n.t('its current content is too large to back up (over 50 MB), so Parley leaves it unchanged'),
      );
    const target = await this.checkpoints.read(path, content);
    return {
      path,
      version,
      target,
      now,
      kind: target.kind === 'absent' ? 'goes' : now.kind === 'absent' ? 'comesBack' : 'changes',
      ...counts(textIn(now), textIn(target)),
      ...noteOf(now, target),
      isEdited: log.isEdited(path, shortDigest(now), prompt),
    };
  }

  /**
   * Applies a plan, after a backup of the present contents.
   * @param step called before each file is written; false: the others stay as they are.
   * @returns the problems, one line each.
   * @throws Error if the backup failed; then nothing was changed.
   */
  carryOut(
    sessionId: string,
    files: readonly RestoredFile[],
    reason: SaveReason,
    prompt?: number,
    step?: () => boolean,
  ): Promise<string[]> {
    return this.#inTurn.run(sessionId, async () => {
      const problems: string[] = [];
      const now = new Map<string, Moment>();
      await eachFile(files, async ({ path }) => now.set(path, await this.recorder.standing(sessionId, path)));
      await this.checkpoints.save(sessionId, reason, now, prompt);
      // Records of many files are written together, so no single one is awaited.
      const left: Promise<void>[] = [];
      const bringBack = async ({ path, version, target, now: planned }: RestoredFile) => {
        const moment = now.get(path)!;
        try {
          // The user has not seen what they would lose since.
          if (!isSameContent(moment.content!, planned)) throw new Error(changedMeanwhile());
          const content = await this.recorder.bringBack(sessionId, path, version, target, moment);
          left.push(this.checkpoints.left(sessionId, path, content));
        } catch (error) {
          this.log.error(`${path} was not restored: ${stackOf(error)}`);
          problems.push(`${path}: ${messageOf(error)}`);
        }
      };
      await eachFile(files, bringBack, step);
      await Promise.all(left);
      return problems;
    });
  }
}

function noteOf(now: ContentInHand, target: Content): { readonly note?: string } {
  if (now.kind === 'binary' || target.kind === 'binary') return { note: l10n.t('binary file') };
  if (!isSameContent(now, target)) return {};
  return {
    note: isProgramIn(target) === true ? l10n.t('becomes executable again') : l10n.t('is no longer executable'),
  };
}

function counts(from: string | undefined, to: string | undefined): { added: number; removed: number } {
  const lines = (text: string | undefined) =>
    text === undefined || text === '' ? [] : toLines(text.replace(/\n$/, ''));
  return lineCounts(lines(from), lines(to));
}
