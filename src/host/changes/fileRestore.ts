import * as l10n from '@vscode/l10n';
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
import type { BeforeImageRecorder } from './beforeImageRecorder';
import { eachFile } from './eachFile';
import type { Checkpoints, Moment } from './stored/checkpoints';
import { type ContentInHand, textIn } from '../storage/contentInHand';

/** One file that a restore would change. */
export interface RestoredFile {
  readonly path: string;
  readonly version: Version;
  readonly target: ContentInHand;
  readonly now: ContentInHand;
  /** What happens to the file. */
  readonly kind: 'changes' | 'goes' | 'comesBack';
  /** Lines, from now to the target. */
  readonly added: number;
  readonly removed: number;
  /** What happens where there are no lines to count, in a few words. */
  readonly note?: string;
  /** The user has changed it since, and this would not be there any more. */
  readonly isEdited: boolean;
}

export interface RestorePlan {
  readonly files: readonly RestoredFile[];
  /** Files that cannot be brought back, each with the reason. */
  readonly problems: readonly string[];
}

/**
 * Brings files back to how they stood at a checkpoint. What stands in them is on disk before, so it can be brought back
 * too.
 */
export class FileRestore {
  /** Between the last write of a restore and its record, what it has left would look like an edit of the user. */
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
   * What going back to these versions would change; files that hold them already are left out.
   * @param prompt the one that is gone back to; of a redo there is none.
   */
  plan(sessionId: string, versions: ReadonlyMap<string, Version>, prompt = Infinity): Promise<RestorePlan> {
    return this.#inTurn.run(sessionId, () => this.#planNow(sessionId, versions, prompt));
  }

  /**
   * Carries out a plan, after a backup of what the files contain at that moment.
   * @param step asked before each file is written; false: the others stay as they are.
   * @returns what could not be done, one line each.
   * @throws Error if it could not be stored; then nothing was changed.
   */
  carryOut(
    sessionId: string,
    files: readonly RestoredFile[],
    reason: SaveReason,
    prompt?: number,
    step = goOn,
  ): Promise<string[]> {
    return this.#inTurn.run(sessionId, () => this.#carryOutNow(sessionId, files, reason, prompt, step));
  }

  async #planNow(sessionId: string, versions: ReadonlyMap<string, Version>, prompt: number): Promise<RestorePlan> {
    const log = await this.checkpoints.log(sessionId);
    await this.recorder.lookAgain([...versions.keys()]);
    const files = new Map<string, RestoredFile>();
    const problems: string[] = [];
    await eachFile(
      [...versions].map(([path, version]) => ({ path, version })),
      goOn,
      async ({ path, version }) => {
        try {
          const now = (await this.recorder.standing(sessionId, path)).content!;
          const { content } = version;
          // What is pending comes and goes with the content; alone it is nothing that anybody asks for.
          if (!content) throw new Error(l10n.t('its original content is unknown'));
          if (isSameContent(content, now) && isSameMode(content, now)) return;
          if (!canBringBack(content))
            throw new Error(
              l10n.t('its original content was too large to back up (over 50 MB, or too large together with others)'),
            );
          if (isTooLarge(now))
            throw new Error(
              l10n.t('its current content is too large to back up (over 50 MB), so Parley leaves it unchanged'),
            );
          const target = await this.checkpoints.read(path, content);
          files.set(path, {
            path,
            version,
            target,
            now,
            kind: target.kind === 'absent' ? 'goes' : now.kind === 'absent' ? 'comesBack' : 'changes',
            ...counts(textIn(now), textIn(target)),
            ...noteOf(now, target),
            isEdited: log.isEdited(path, shortDigest(now), prompt),
          });
        } catch (error) {
          problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        }
      },
    );
    // Of many files some are looked at at the same time, and are done in any order.
    return { files: [...versions.keys()].flatMap((path) => files.get(path) ?? []), problems };
  }

  async #carryOutNow(
    sessionId: string,
    files: readonly RestoredFile[],
    reason: SaveReason,
    prompt: number | undefined,
    step: () => boolean,
  ): Promise<string[]> {
    const problems: string[] = [];
    const now = new Map<string, Moment>();
    await eachFile(files, goOn, async ({ path }) => now.set(path, await this.recorder.standing(sessionId, path)));
    await this.checkpoints.save(sessionId, reason, now, prompt);
    // Many are written together; nobody waits for one of them.
    const left: Promise<void>[] = [];
    await eachFile(files, step, async ({ path, version, target }) => {
      try {
        left.push(
          this.checkpoints.left(
            sessionId,
            path,
            await this.recorder.bringBack(sessionId, path, version, target, now.get(path)!),
          ),
        );
      } catch (error) {
        this.log.error(
          `${path} was not restored: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
        problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    await Promise.all(left);
    return problems;
  }
}

const goOn = () => true;

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
