import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { lineEdits } from '../../changes/lineEdits';
import { isWithin } from '../../node/isWithin';
import { realOf, spelled } from '../files/realPath';
import type { LiveSession } from '../sessions/liveSession';
import { contentOfText } from '../storage/contentInHand';
import { inWorktree, type Worktree } from '../worktrees/worktree';
import { type ChosenChange, takeOverChanges } from './takeOverChanges';
import type { WorktreeServices } from './worktreeCommands';

/** The session must be idle: its agent gets a new session in the other folder, with the conversation. */
export async function moveToWorktree(live: LiveSession, services: WorktreeServices): Promise<void> {
  const { worktrees, review, shown } = services;
  const [before, roots] = [live.cwd, live.roots];
  const { worktree, cwd } = await worktrees.make(before, live.title ?? '');
  const chosen = await pendingChanges(live, worktree, services);
  const { taken, same, left } = await takeOverChanges(chosen, 'theirs', live.id, review);
  // What is pending there is not pending here any more.
  const moved = new Set([...taken, ...same]);
  const paths = new Set(
    chosen.flatMap(({ change: { label } }) => (moved.has(label) ? [nodePath.join(worktree.repository, label)] : [])),
  );
  const targets = await Promise.all(
    shown.targets({ sessionId: live.id }).map(async (target) => (paths.has(await realOf(target.path)) ? [target] : [])),
  );
  await shown.undoTargets(targets.flat());
  await live.moveTo(cwd, worktrees.reach(cwd, roots));
  live.session.notify({
    severity: left.length > 0 ? 'warning' : 'info',
    title: l10n.t('Moved to the worktree {0}', worktree.branch),
    detail: [
      l10n.t('This session works in {0} from now on.', cwd),
      ...[...taken, ...same].map((label) => l10n.t('{0}: its changes wait there', label)),
      ...left.map(({ label, why }) => l10n.t('{0}: its changes stay here. {1}', label, why)),
    ].join('\n'),
  });
}

/** Back to the folder that the worktree was made from. What the worktree has stays there until it is taken over. */
export async function moveBack(live: LiveSession, worktree: Worktree, folders: readonly string[]): Promise<void> {
  const inner = nodePath.join(worktree.repository, nodePath.relative(worktree.path, live.cwd));
  const own = folders.find((folder) => isWithin(folder, worktree.repository) || isWithin(worktree.repository, folder));
  const cwd = own ?? inner;
  await live.moveTo(cwd, [...new Set([cwd, ...folders])]);
  live.session.notify({
    severity: 'info',
    title: l10n.t('Moved back from the worktree {0}', worktree.branch),
    detail: l10n.t('This session works in {0} from now on.', cwd),
  });
}

/** The session's pending texts in the repository, as changes for the worktree. */
async function pendingChanges(
  live: LiveSession,
  worktree: Worktree,
  { review }: WorktreeServices,
): Promise<readonly ChosenChange[]> {
  await review.lookAgain(review.tracked(live.id).map(({ path }) => path));
  const found = await Promise.all(
    review.tracked(live.id).map(async ({ path, baseline, current, hunks, kind }): Promise<readonly ChosenChange[]> => {
      const real = await realOf(path);
      const isPending = hunks.length > 0 || kind !== 'modified';
      if (!isPending || !isWithin(real, worktree.repository)) return [];
      const edits = baseline !== undefined && current !== undefined ? lineEdits(baseline, current) : [];
      const label = nodePath.relative(worktree.repository, real).split(nodePath.sep).join('/');
      const target = await spelled(inWorktree(real, worktree));
      return [
        {
          change: { path: target, label, base: contentOfText(baseline), theirs: contentOfText(current), edits },
          edits,
        },
      ];
    }),
  );
  return found.flat();
}
