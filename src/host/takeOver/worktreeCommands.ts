import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IDisposable } from '../../base/lifecycle';
import { folderSize } from '../../node/folderSize';
import { isWithin } from '../../node/isWithin';
import { formatSize } from '../../protocol/format';
import { markedWindow } from '../platform/markedWindow';
import { shownWait } from '../platform/longWork';
import { type LiveRow, pickLive } from '../platform/liveList';
import type { LiveSession } from '../sessions/liveSession';
import type { ContentStore } from '../storage/contentStore';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { SessionService } from '../sessions/sessionService';
import { isThere, removeWorktree, whyItStays, type WorktreeUse } from '../worktrees/removeWorktree';
import type { Worktree } from '../worktrees/worktree';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { commitActs, type MenuAct } from './commitActs';
import { folderBehind, moveBack, moveToWorktree } from './moveSession';
import { takeOverFrom, type TakeOverServices } from './takeOverFrom';

/** The sessions, reviews and repositories that worktrees belong to. */
export interface WorktreeServices extends TakeOverServices {
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  /** Of the review: what files were before their pending changes. */
  readonly contents: ContentStore;
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
    const compare = comparison && {
      label: `$(layers) ${l10n.t('Compare Agents…')}`,
      description: comparison.title,
      act: comparison.show,
    };
    await this.#pickAct(worktree, [
      ...(compare ? [compare] : []),
      {
        label: `$(git-merge) ${l10n.t('Take Over Changes…')}`,
        description: l10n.t('into {0}', folder),
        act: () => this.takeOver(live, worktree),
      },
      ...(await this.#commitActs(worktree)),
      openAct(worktree),
      {
        label: `$(reply) ${l10n.t('Move Session to {0}', folder)}`,
        act: () => this.#whileIdle(live, async () => moveBack(live, worktree, foldersOnDisk())),
      },
      this.#removeAct(worktree),
      { label: `$(list-unordered) ${l10n.t('All Worktrees…')}`, act: () => this.list() },
    ]);
  }

  /** See `takeOverFrom`. */
  takeOver(live: LiveSession, worktree: Worktree, only?: string): Promise<boolean> {
    return takeOverFrom(live, worktree, this.services, only);
  }

  /** Removes a worktree if nothing in it would be lost, else says what would be. */
  async remove(worktree: Worktree): Promise<void> {
    const { worktrees } = this.services;
    const { branch, repository } = worktree;
    const isOrphan = (await isThere(worktree)) && !(await isThere({ path: repository }));
    if (isOrphan && !this.#use.isBusy(worktree)) {
      const takeOff = l10n.t('Take Off the List');
      const question = l10n.t(
        'The repository of the worktree {0} is not at {1} any more. Take the worktree off the list? Its files stay.',
        branch,
        repository,
      );
      if ((await markedWindow.showWarningMessage(question, takeOff)) !== takeOff) return;
      // A session may work in it by now.
      if (this.#use.isBusy(worktree)) return this.remove(worktree);
      await worktrees.forget(worktree);
      return this.#leave(worktree);
    }
    const why = await shownWait(
      l10n.t('Checking the worktree {0}', branch),
      whyItStays(worktree, worktrees, this.#use),
    );
    if (why !== undefined)
      return void markedWindow.showWarningMessage(l10n.t('The worktree {0} stays: {1}', branch, why));
    try {
      const end = await removeWorktree(worktree, worktrees, this.#use);
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
   * Removes a worktree with all that is in no commit. The user has agreed to that.
   * @returns why it stays, in a sentence; undefined if it is gone
   */
  async discard(worktree: Worktree): Promise<string | undefined> {
    const { review, worktrees } = this.services;
    if (this.#use.isBusy(worktree)) return l10n.t('A session works in it.');
    try {
      await removeWorktree(worktree, worktrees, this.#use, true);
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
      key: '',
      label: `$(add) ${l10n.t('Move This Session to a New Worktree')}`,
      description: active.title ?? '',
      detail: l10n.t('With its changes that wait for review.'),
    };
    const sizes = new Map<Worktree, string>();
    const picked = await pickLive<LiveRow & { readonly worktree?: Worktree }>(
      { title: l10n.t('Worktrees of Parley'), matchOnDetail: true },
      () => [
        ...rows.map(({ worktree, state }) => ({
          key: worktree.path,
          worktree,
          label: `$(git-branch) ${worktree.branch}`,
          description: [state, ...(sizes.has(worktree) ? [sizes.get(worktree)] : [])].join(' · '),
          detail: worktree.path,
        })),
        ...(canMove ? [move] : []),
      ],
      (redraw) =>
        measured(
          rows.map(({ worktree }) => worktree),
          (worktree, size) => {
            sizes.set(worktree, size);
            redraw();
          },
        ),
    );
    if (picked?.key === '') await this.#whileIdle(active, () => moveToWorktree(active, this.services));
    else if (picked?.worktree) await this.#actOn(picked.worktree);
  }

  async #actOn(worktree: Worktree): Promise<void> {
    const { sessions } = this.services;
    const [newest] = this.#sessionsIn(worktree);
    const show = newest && {
      label: `$(comment-discussion) ${l10n.t('Show Session')}`,
      description: newest.title ?? '',
      act: () => sessions.openSession(newest.id),
    };
    const commits = await this.#commitActs(worktree);
    await this.#pickAct(worktree, [...(show ? [show] : []), ...commits, openAct(worktree), this.#removeAct(worktree)]);
  }

  async #pickAct({ branch, path }: Worktree, acts: readonly MenuAct[]): Promise<void> {
    const title = l10n.t('Worktree {0}', branch);
    const picked = await markedWindow.showQuickPick(acts, { title, placeHolder: path });
    await picked?.act();
  }

  #commitActs(worktree: Worktree): Promise<readonly MenuAct[]> {
    return shownWait(l10n.t('Looking at the worktrees'), commitActs(worktree, this.services.worktrees));
  }

  #removeAct(worktree: Worktree): MenuAct {
    return { label: `$(trash) ${l10n.t('Remove Worktree')}`, act: () => this.remove(worktree) };
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
      if (live) await live.whileMoving(() => moveBack(live, worktree, folders));
      else index.patch(id, { cwd: folderBehind(cwd, worktree, folders), agreedFolder: undefined });
    }
  }

  async #whileIdle(live: LiveSession, move: () => Promise<void>): Promise<void> {
    if (!live.isIdle)
      return void markedWindow.showInformationMessage(l10n.t('The session works. Stop it, or wait for its end.'));
    await shownWait(l10n.t('Moving the session'), live.whileMoving(move));
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

function openAct({ path }: Worktree): MenuAct {
  return {
    label: `$(empty-window) ${l10n.t('Open in New Window')}`,
    act: async () =>
      vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), { forceNewWindow: true }),
  };
}

/**
 * Measures folders, one after another, until it is disposed.
 * @param told gets the size of each in words: "12 MB", "more than 3.4 GB" where counting would take too long
 */
function measured<Folder extends { readonly path: string }>(
  folders: readonly Folder[],
  told: (folder: Folder, size: string) => void,
): IDisposable {
  let isWanted = true;
  const measure = async () => {
    for (const folder of folders) {
      const { bytes, isMore } = await folderSize(folder.path, () => isWanted);
      if (!isWanted) return;
      const size = formatSize(bytes);
      told(folder, isMore ? l10n.t('more than {0}', size) : size);
    }
  };
  void measure();
  return { dispose: () => void (isWanted = false) };
}
