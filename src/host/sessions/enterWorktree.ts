import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import { NotSent } from '../../thread/sessionLink';
import type { Attachment } from '../attachments/attachment';
import { fileInWorktree } from '../worktrees/fileInWorktree';
import type { Worktree } from '../worktrees/worktree';
import { setupCommand, setUpWorktree } from '../worktrees/worktreeTask';
import type { Draft } from './draft';
import type { LiveSession } from './liveSession';
import type { SessionServices } from './sessionServices';

/**
 * Has a worktree made for the first prompt of a session, and says so in the thread.
 * @param words the branch is named after their first line
 * @param unlessStopped waits for work until the user stops the turn
 * @returns where the session works from now on
 * @throws NotSent if there is none; the thread says why
 */
export async function enterWorktree(
  { cwd: folder, roots, session, connection }: LiveSession,
  { opening: { worktrees } }: SessionServices,
  words: string,
  unlessStopped: (work: Promise<void>) => Promise<void>,
): Promise<{ readonly cwd: string; readonly roots: readonly string[] }> {
  connection.announce(l10n.t('Creating a worktree'));
  try {
    const { worktree, cwd } = await worktrees.make(folder, words.trim().split('\n', 1)[0]!);
    session.notify({
      severity: 'info',
      title: l10n.t('New worktree: {0}', worktree.branch),
      detail: l10n.t('This session works in {0}. Uncommitted changes of your folder are not there.', worktree.path),
    });
    const command = setupCommand();
    if (command !== undefined) {
      connection.announce(l10n.t('Setting up the worktree'));
      await unlessStopped(
        setUpWorktree(command, worktree)
          // VS Code may refuse to run tasks. The worktree is there all the same.
          .catch(() => undefined)
          .then((code) => {
            if (code !== 0)
              session.notify({
                severity: 'warning',
                title:
                  code === undefined
                    ? l10n.t('The setup of the worktree did not end')
                    : l10n.t('The setup of the worktree ended with exit code {0}', code),
                detail: command,
              });
          }),
      );
    }
    return { cwd, roots: worktrees.reach(cwd, roots) };
  } catch (error) {
    connection.retract();
    session.notify({
      severity: 'error',
      title: l10n.t('The worktree could not be created'),
      detail: messageOf(error),
      actions: ['retry'],
    });
    throw new NotSent();
  }
}

/**
 * A draft whose files of the repository are those of the worktree, because the user names files by what the editor
 * lists.
 */
export async function draftInWorktree(draft: Draft, worktree: Worktree): Promise<Draft> {
  const moved = (path: string) => fileInWorktree(path, worktree);
  const mentions = draft.mentions.map(async (mention) => ({ ...mention, path: await moved(mention.path) }));
  const attachments = draft.attachments.map((item) => attachmentAt(item, moved));
  return { ...draft, mentions: await Promise.all(mentions), attachments: await Promise.all(attachments) };
}

async function attachmentAt(attachment: Attachment, moved: (path: string) => Promise<string>): Promise<Attachment> {
  const uri = vscode.Uri.parse(attachment.uri);
  if (uri.scheme !== 'file') return attachment;
  const path = await moved(uri.fsPath);
  if (path === uri.fsPath) return attachment;
  const { real: _, ...rest } = attachment;
  return { ...rest, uri: vscode.Uri.file(path).with({ fragment: uri.fragment }).toString() };
}
