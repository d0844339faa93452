import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Overlap } from '../../changes/takeOver';
import { isWithin } from '../../node/isWithin';
import type { ReviewService } from '../changes/reviewService';
import { markedWindow } from '../platform/markedWindow';
import { shownWait } from '../platform/longWork';
import { overlapsOf, takeOverChanges } from './takeOverChanges';
import { worktreeChanges } from './worktreeChanges';
import type { LiveSession } from '../sessions/liveSession';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { SessionService } from '../sessions/sessionService';
import { isThere, removeWorktree, whyItStays, type WorktreeUse } from '../worktrees/removeWorktree';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { folderBehind, moveBack, moveToWorktree } from './moveSession';
import { pickChanges } from './pickChanges';

/** The sessions, reviews and repositories that worktrees belong to. */
export interface WorktreeServices {
  readonly worktrees: Worktrees;
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  readonly review: ReviewService;
}

/** What the user does with worktrees: take over, open, remove, and the list of all. */
export class WorktreeCommands {
  constructor(private readonly services: WorktreeServices) {}

  /** The menu of the worktree that a session works in. @param comparison the one that it belongs to */
  async show(
    live: LiveSession,
    comparison?: { readonly title: string; readonly show: () => Promise<void> },
  ): Promise<void> {
    const { worktree } = live;
    if (!worktree) return;
    const folder = nodePath.basename(worktree.repository);
    const takeOver = { label: `$(git-merge) ${l10n.t('Take Over Changes…')}`, description: l10n.t('into {0}', folder) };
    const open = { label: `$(empty-window) ${l10n.t('Open in New Window')}` };
    const back = { label: `$(reply) ${l10n.t('Move Session to {0}', folder)}` };
    const remove = { label: `$(trash) ${l10n.t('Remove Worktree')}` };
    const all = { label: `$(list-unordered) ${l10n.t('All Worktrees…')}` };
    const compare = { label: `$(layers) ${l10n.t('Compare Agents…')}`, description: comparison?.title ?? '' };
    const picked = await markedWindow.showQuickPick(
      [...(comparison ? [compare] : []), takeOver, open, back, remove, all],
      {
        title: l10n.t('Worktree {0}', worktree.branch),
        placeHolder: worktree.path,
      },
    );
    if (picked === compare) await comparison?.show();
    else if (picked === takeOver) await this.takeOver(live, worktree);
    else if (picked === open) await openFolder(worktree);
    else if (picked === back) await this.#whileIdle(live, async () => moveBack(live, worktree, foldersOnDisk()));
    else if (picked === remove) await this.remove(worktree);
    else if (picked === all) await this.list();
  }

  /**
   * Takes over what the user chooses of a worktree, as changes of the session that wait for review.
   * @param only the label of a file
   */
  async takeOver(live: LiveSession, worktree: Worktree, only?: string): Promise<void> {
    const { worktrees, review } = this.services;
    const folder = nodePath.basename(worktree.repository);
    const { changes, unread } = await shownWait(
      l10n.t('Comparing {0} with {1}', worktree.branch, folder),
      worktreeChanges(worktree, worktrees),
    );
    if (changes.length === 0 && unread.length === 0)
      return void markedWindow.showInformationMessage(l10n.t('{0} has no changes to take over.', worktree.branch));
    const offered = only === undefined ? changes : changes.filter(({ label }) => label === only);
    const chosen = await pickChanges(offered, worktree.branch, folder);
    if (!chosen || chosen.length === 0) return;
    const overlapping = await overlapsOf(chosen);
    const overlap = overlapping === 0 ? 'mine' : await askOverlap(overlapping);
    if (!overlap) return;
    const { taken, same, left } = await shownWait(
      l10n.t('Taking over changes of {0}', worktree.branch),
      takeOverChanges(chosen, overlap, live.id, review),
    );
    const stays = [...left, ...unread.map((label) => ({ label, why: l10n.t('It cannot be read.') }))];
    live.session.notify({
      severity: stays.length > 0 ? 'warning' : 'info',
      title:
        taken.length === 0
          ? l10n.t('Nothing was taken over into {0}', folder)
          : taken.length === 1
            ? l10n.t('Took over 1 file from {0} into {1}', worktree.branch, folder)
            : l10n.t('Took over {0} files from {1} into {2}', taken.length, worktree.branch, folder),
      detail: [
        ...taken,
        ...same.map((label) => l10n.t('{0}: has these changes already', label)),
        ...stays.map(({ label, why }) => l10n.t('{0}: left as it is. {1}', label, why)),
      ].join('\n'),
    });
  }

  /** Removes a worktree if nothing in it would be lost, else says what would be. */
  async remove(worktree: Worktree): Promise<void> {
    const { worktrees } = this.services;
    const { branch } = worktree;
    const why = await shownWait(
      l10n.t('Checking the worktree {0}', branch),
      whyItStays(worktree, worktrees, this.#use),
    );
    if (why !== undefined)
      return void markedWindow.showWarningMessage(l10n.t('The worktree {0} stays: {1}', branch, why));
    try {
      const end = await removeWorktree(worktree, worktrees);
      await this.#leave(worktree);
      void markedWindow.showInformationMessage(
        end === 'branchGone'
          ? l10n.t('Removed the worktree {0} and its branch, which had no commits of its own.', branch)
          : l10n.t('Removed the worktree {0}. Its branch stays.', branch),
      );
    } catch (error) {
      void markedWindow.showErrorMessage(
        l10n.t('The worktree {0} could not be removed: {1}', branch, (error as Error).message),
      );
    }
  }

  /**
   * Removes the worktree of a session with all that is in no commit. The user has agreed to that.
   * @returns why it stays, in a sentence; undefined if it is gone
   */
  async discard(live: LiveSession, worktree: Worktree): Promise<string | undefined> {
    const { review, worktrees } = this.services;
    if (!live.isIdle) return l10n.t('A session works in it.');
    try {
      await removeWorktree(worktree, worktrees, true);
      // Nothing to decide on is left of a file that is gone.
      await review.lookAgain();
      await this.#leave(worktree);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** A session was archived: its worktree may go with it. @param folder where the session worked */
  async offerRemoval(folder: string): Promise<void> {
    const { worktrees } = this.services;
    const worktree = worktrees.at(folder);
    if (!worktree || this.#sessionsIn(worktree).some(({ isArchived }) => !isArchived)) return;
    const why = await whyItStays(worktree, worktrees, this.#use);
    if (why !== undefined)
      return void markedWindow.showInformationMessage(l10n.t('The worktree {0} stays: {1}', worktree.branch, why));
    const remove = l10n.t('Remove Worktree');
    const question = l10n.t('The session is archived. Remove its worktree {0}, too?', worktree.branch);
    if ((await markedWindow.showInformationMessage(question, remove)) === remove) await this.remove(worktree);
  }

  /** All worktrees of Parley in this workspace, with what holds each of them. */
  async list(): Promise<void> {
    const { worktrees } = this.services;
    const rows = await shownWait(
      l10n.t('Looking at the worktrees'),
      Promise.all(worktrees.all.map(async (worktree) => ({ worktree, state: await this.#stateOf(worktree) }))),
    );
    const { active } = this.services.sessions;
    const canMove = active.hasBegun && !active.imported && !active.worktree && worktrees.repositoryOf(active.cwd);
    if (rows.length === 0 && !canMove)
      return void markedWindow.showInformationMessage(
        l10n.t('Parley has no worktrees in this workspace. Choose “New worktree” under the message box to begin one.'),
      );
    const move = {
      label: `$(add) ${l10n.t('Move This Session to a New Worktree')}`,
      description: active.title ?? '',
      detail: l10n.t('With its changes that wait for review.'),
    };
    const picked = await markedWindow.showQuickPick<vscode.QuickPickItem & { readonly worktree?: Worktree }>(
      [
        ...rows.map(({ worktree, state }) => ({
          worktree,
          label: `$(git-branch) ${worktree.branch}`,
          description: state,
          detail: worktree.path,
        })),
        ...(canMove ? [move] : []),
      ],
      { title: l10n.t('Worktrees of Parley'), matchOnDetail: true },
    );
    if (picked === move) await this.#whileIdle(active, () => moveToWorktree(active, this.services));
    else if (picked?.worktree) await this.#actOn(picked.worktree);
  }

  async #actOn(worktree: Worktree): Promise<void> {
    const { sessions } = this.services;
    const [newest] = this.#sessionsIn(worktree);
    const show = { label: `$(comment-discussion) ${l10n.t('Show Session')}`, description: newest?.title ?? '' };
    const open = { label: `$(empty-window) ${l10n.t('Open in New Window')}` };
    const remove = { label: `$(trash) ${l10n.t('Remove Worktree')}` };
    const picked = await markedWindow.showQuickPick([...(newest ? [show] : []), open, remove], {
      title: l10n.t('Worktree {0}', worktree.branch),
      placeHolder: worktree.path,
    });
    if (picked === show && newest) await sessions.openSession(newest.id);
    else if (picked === open) await openFolder(worktree);
    else if (picked === remove) await this.remove(worktree);
  }

  async #stateOf(worktree: Worktree): Promise<string> {
    const sessions = this.#sessionsIn(worktree);
    const whose =
      sessions.length === 0
        ? l10n.t('no session')
        : sessions.length === 1
          ? (sessions[0]!.title ?? sessions[0]!.agent)
          : l10n.t('{0} sessions', sessions.length);
    if (!(await isThere(worktree))) return l10n.t('{0} · its folder is gone', whose);
    const pending = this.#use.pending(worktree);
    if (this.#use.isBusy(worktree)) return l10n.t('{0} · works', whose);
    return pending === 0 ? whose : l10n.t('{0} · {1} to review', whose, pending);
  }

  /** Sessions of a worktree that is gone go on in the folder that it was made from. */
  async #leave(worktree: Worktree): Promise<void> {
    const { index, sessions } = this.services;
    const folders = foldersOnDisk();
    for (const { id, cwd } of this.#sessionsIn(worktree)) {
      const live = sessions.find(id);
      if (live) await moveBack(live, worktree, folders);
      else index.patch(id, { cwd: folderBehind(cwd, worktree, folders), agreedFolder: undefined });
    }
  }

  async #whileIdle(live: LiveSession, move: () => Promise<void>): Promise<void> {
    if (!live.isIdle)
      return void markedWindow.showInformationMessage(l10n.t('The session works. Stop it, or wait for its end.'));
    await shownWait(l10n.t('Moving the session'), move());
  }

  /** The newest first. */
  #sessionsIn({ path }: Worktree) {
    return this.services.index.list().filter(({ cwd }) => isWithin(cwd, path));
  }

  readonly #use: WorktreeUse = {
    isBusy: ({ path }) => this.services.sessions.open.some((live) => isWithin(live.cwd, path) && !live.isIdle),
    pending: ({ path }) => {
      const { review } = this.services;
      const paths = review.pendingSessions.flatMap((id) => review.tracked(id).map((change) => change.path));
      return new Set(paths.filter((file) => isWithin(file, path))).size;
    },
  };
}

async function openFolder({ path }: Worktree): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), { forceNewWindow: true });
}

async function askOverlap(count: number): Promise<Overlap | undefined> {
  const choices: readonly (vscode.QuickPickItem & { readonly overlap: Overlap })[] = [
    { overlap: 'mine', label: l10n.t('Yours'), detail: l10n.t('Leaves those changes out.') },
    { overlap: 'theirs', label: l10n.t('The Worktree’s'), detail: l10n.t('Undo of the change brings yours back.') },
    { overlap: 'both', label: l10n.t('Both'), detail: l10n.t('Yours first. Edit the result, or undo the change.') },
  ];
  const picked = await markedWindow.showQuickPick(choices, {
    title:
      count === 1
        ? l10n.t('One Place Has Changed on Both Sides')
        : l10n.t('{0} Places Have Changed on Both Sides', count),
    placeHolder: l10n.t('Which lines do you want there?'),
  });
  return picked?.overlap;
}
