import * as l10n from '@vscode/l10n';
import { NotSent } from '../../thread/sessionLink';
import { setupCommand, setUpWorktree } from '../worktrees/setUpWorktree';
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
      detail: error instanceof Error ? error.message : String(error),
      actions: ['retry'],
    });
    throw new NotSent();
  }
}
