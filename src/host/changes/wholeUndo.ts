import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';
import type { Ledger } from '../../changes/ledger';
import {
  canBringBack,
  type Content,
  type FilledContent,
  isSameContent,
  isSameMode,
  isTooLarge,
} from '../../changes/content';
import { isSameForm } from '../../changes/textForm';
import { isFormChange, type WholeChange } from '../../changes/wholeChange';
import { moveFile } from '../../node/changeFiles';
import { bytesLike } from '../files/fileOnDisk';
import { realOf } from '../files/realPath';
import { refuseUnsaved } from '../files/unsavedWork';
import { readStored } from '../files/readContent';
import type { BeforeImageRecorder } from './beforeImageRecorder';
import type { ReviewContents } from './stored/reviewContents';
import type { ReviewedFiles } from './reviewedFiles';
import type { ContentInHand } from '../storage/contentInHand';

/** The dialogs of Undo. */
export interface UndoDialogs {
  /** Asks before edits of the user are lost ("Delete"). */
  readonly confirm: (message: string, action: string) => Promise<boolean>;
  /** Reports files that were not undone. */
  readonly report: (message: string) => void;
}

/** A file that is ready for Undo. */
interface Ready {
  readonly path: string;
  readonly whole: WholeChange;
  /** The present content of the file. */
  readonly now: ContentInHand;
  /** Only the permissions are restored. */
  readonly isModeOnly: boolean;
}

/**
 * Undoes changes of files as a whole: of binary files, of permissions, and of files with an unknown baseline. It writes
 * the stored bytes, or reports why it cannot.
 */
export class WholeUndo {
  /** @param undone called for each file that has its content from before the agent's change again */
  constructor(
    private readonly sessionId: string,
    private readonly ledger: Ledger,
    private readonly contents: ReviewContents,
    private readonly files: Pick<ReviewedFiles, 'look' | 'replace'>,
    private readonly recorder: Pick<BeforeImageRecorder, 'replacing'>,
    private readonly dialogs: UndoDialogs,
    private readonly undone: (path: string) => void,
  ) {}

  /** Asks first if someone changed a file since, backs up the present content, and reports failures. */
  async run(paths: readonly string[]): Promise<void> {
    const { ledger, recorder, sessionId } = this;
    const { report } = this.dialogs;
    const problems: string[] = [];
    const ready: Ready[] = [];
    const collect = async (path: string, work: () => Promise<unknown>) => {
      await work().catch((error: unknown) => problems.push(`${nodePath.basename(path)}: ${messageOf(error)}`));
    };
    for (const path of paths) {
      const whole = ledger.whole(path);
      const move = whole && this.#moveBack(path, whole);
      if (isFormChange(whole)) await collect(path, () => this.#storeAsBefore(path, whole));
      else if (move) await collect(move.to, () => this.#moveItBack(move));
      else if (whole) await collect(path, async () => ready.push(...(await this.#asked(path, whole))));
    }
    try {
      await recorder.replacing(
        sessionId,
        ready.flatMap(({ path, now, isModeOnly }) => (isModeOnly || isTooLarge(now) ? [] : path)),
      );
    } catch (error) {
      report(l10n.t('Nothing was undone: {0}', messageOf(error)));
      return;
    }
    for (const item of ready) {
      const { path, whole } = item;
      await collect(path, async () => {
        await this.#bringBack(item);
        // A change that an agent made meanwhile stays pending.
        if (ledger.whole(path) === whole) this.undone(path);
      });
    }
    if (problems.length > 0) report([...new Set(problems)].join('\n'));
  }

  /**
   * Finds the move of a file that is too large to back up. It can still be moved back, which undoes both of its
   * changes.
   */
  #moveBack(path: string, whole: WholeChange): { readonly from: string; readonly to: string } | undefined {
    const { ledger } = this;
    const { fromOf } = this.contents.renames;
    const to =
      whole.after.kind === 'absent'
        ? ledger.paths.find((other) => ledger.whole(other) && fromOf(other) === path)
        : path;
    const from = to === undefined ? undefined : fromOf(to);
    if (to === undefined || from === undefined) return undefined;
    const [old, fresh] = [ledger.whole(from), ledger.whole(to)];
    const isMove =
      old?.before &&
      !canBringBack(old.before) &&
      old.after.kind === 'absent' &&
      fresh?.before?.kind === 'absent' &&
      isSameContent(old.before, fresh.after);
    return isMove ? { from, to } : undefined;
  }

  async #moveItBack({ from, to }: { readonly from: string; readonly to: string }): Promise<void> {
    if (!isSameContent(await this.#standing(to), this.ledger.whole(to)!.after)) {
      throw new Error(
        l10n.t(
          'it has changed since it was moved, and the content of {0} is too large to back up (over 50 MB), so Parley left it unchanged',
          nodePath.basename(from),
        ),
      );
    }
    if ((await this.#standing(from)).kind !== 'absent')
      throw new Error(l10n.t('{0} exists again, so Parley left it unchanged', nodePath.basename(from)));
    refuseUnsaved(to);
    await moveFile(await realOf(to), await realOf(from));
    for (const path of [from, to]) this.undone(path);
  }

  /** Restores only the storage form. The lines have their own decisions. */
  async #storeAsBefore(
    path: string,
    { before, after }: WholeChange & { readonly before: FilledContent },
  ): Promise<void> {
    const now = await this.#standing(path);
    if (now.kind !== 'text') throw new Error(l10n.t('it is no longer a text file, so Parley left it unchanged'));
    if (!isSameForm(now, before) || now.form === undefined) {
      refuseUnsaved(path);
      const { stored } = before;
      if (!stored) throw new Error(l10n.t('its original content was too large to back up'));
      const bytes = await bytesLike(path, await this.contents.contents.read(stored), now.text);
      await this.#replace(path, now, { ...now, bytes });
    }
    await this.#setMode(path, before, after);
    this.undone(path);
  }

  /**
   * Asks the user if that is needed.
   * @returns nothing if the user declines.
   * @throws Error if it cannot be undone.
   */
  async #asked(path: string, whole: WholeChange): Promise<readonly Ready[]> {
    const { before, after } = whole;
    const { confirm } = this.dialogs;
    const name = nodePath.basename(path);
    if (!before) throw new Error(l10n.t('its original content is unknown, so Parley left it unchanged'));
    const now = await this.#standing(path);
    const isModeOnly = isSameContent(before, after);
    if (isModeOnly && now.kind === 'absent') throw new Error(l10n.t('it no longer exists'));
    if (isModeOnly || isSameContent(now, before)) return [{ path, whole, now, isModeOnly: true }];
    if (!canBringBack(before))
      throw new Error(
        l10n.t(
          'its original content is too large to back up (over 50 MB, or over 500 MB together with others), so Parley left it unchanged',
        ),
      );
    refuseUnsaved(path);
    const question =
      before.kind === 'absent'
        ? l10n.t('{0} has changed since the agent created it. Delete it?', name)
        : l10n.t('{0} has changed since the agent wrote it. Restore the version from before the agent’s change?', name);
    const action = before.kind === 'absent' ? l10n.t('Delete') : l10n.t('Replace');
    if (!isSameContent(now, after) && !(await confirm(question, action))) return [];
    if (
      isTooLarge(now) &&
      !(await confirm(l10n.t('{0} is too large to back up (over 50 MB). You cannot undo this.', name), action))
    )
      return [];
    return [{ path, whole, now, isModeOnly: false }];
  }

  /** @throws Error if it cannot be restored. */
  async #bringBack({ path, whole, now: asked, isModeOnly }: Ready): Promise<void> {
    const before = whole.before!;
    if (isModeOnly) return this.#setMode(path, before, await this.#standing(path));
    const now = await this.#standing(path);
    // The user may have edited the file before answering.
    if (!isSameContent(now, asked))
      throw new Error(l10n.t('it was changed at the same time, so Parley left it unchanged'));
    refuseUnsaved(path);
    await this.#replace(path, now, await readStored(path, before, this.contents.contents));
  }

  /** Restores the execute permission of a file, and not its content. */
  async #setMode(path: string, before: Content, after: Content): Promise<void> {
    if (isSameMode(before, after) || before.kind === 'absent') return;
    const now = await this.#standing(path);
    if (now.kind !== 'absent') await this.#replace(path, now, { ...now, mode: before.mode });
  }

  async #replace(path: string, expected: ContentInHand, next: ContentInHand): Promise<void> {
    await this.files.replace(this.sessionId, path, expected, next);
  }

  async #standing(path: string): Promise<ContentInHand> {
    return this.files.look(path).catch(() => {
      throw new Error(l10n.t('it is no longer a regular file, so Parley left it unchanged'));
    });
  }
}
