import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { markedWindow } from '../platform/markedWindow';
import { fileCountOf, listedIn, uncommittedIn } from './uncommitted';
import type { Place, Worktrees } from './worktrees';

/**
 * Lets the user choose where a session works that has not begun. Says what a worktree is before one is made.
 * @returns `compare` if several agents are to work on the prompt; undefined if the user cancels
 */
export async function pickPlace(
  worktrees: Worktrees,
  { agent, cwd }: { readonly agent: string; readonly cwd: string },
): Promise<Place | 'compare' | undefined> {
  const chosen = worktrees.placeOf(agent, cwd);
  const repository = worktrees.repositoryOf(cwd);
  if (chosen === undefined || !repository) return undefined;
  const { HEAD } = repository.state;
  const root = repository.rootUri.fsPath;
  const files = fileCountOf(await uncommittedIn(repository).catch(() => listedIn(repository)));
  const current = l10n.t('current');
  const item = (place: Place | 'compare', label: string, description: string, detail: string) => ({
    place,
    label,
    description: place === chosen ? `${description} · ${current}` : description,
    detail,
  });
  const picked = await markedWindow.showQuickPick(
    [
      item(
        'folder',
        `$(folder) ${l10n.t('This Folder')}`,
        nodePath.basename(cwd),
        l10n.t('{0} works on the files that you see.', agent),
      ),
      item(
        'worktree',
        `$(git-branch) ${l10n.t('New Worktree')}`,
        [
          HEAD?.name === undefined ? l10n.t('from the current commit') : l10n.t('from {0}', HEAD.name),
          ...(files === 0
            ? []
            : [
                files === 1
                  ? l10n.t('1 uncommitted file stays here')
                  : l10n.t('{0} uncommitted files stay here', files),
              ]),
        ].join(' · '),
        l10n.t('A new branch and a new folder next to {0}. Git runs the repository’s hooks.', nodePath.basename(root)),
      ),
      item(
        'compare',
        `$(layers) ${l10n.t('Several Agents…')}`,
        '',
        l10n.t('Each works on your next prompt in a worktree of its own. Compare, and take over the best.'),
      ),
    ],
    { title: l10n.t('Where New Sessions of {0} Work', agent) },
  );
  if (picked && picked.place !== 'compare') await worktrees.choose(agent, picked.place);
  return picked?.place;
}
