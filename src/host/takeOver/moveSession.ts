import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { canBringBack, isSameContent } from '../../changes/content';
import { lineEdits } from '../../changes/lineEdits';
import { isFormChange, isPermissionChange } from '../../changes/wholeChange';
import { isWithin } from '../../node/isWithin';
import { withModeOf } from '../changes/beforeImageRecorder';
import { ChangedMeanwhileError } from '../files/fileOnDisk';
import { readStored, standingContent } from '../files/readContent';
import { realOf, spelled } from '../files/realPath';
import type { LiveSession } from '../sessions/liveSession';
import { contentOfText } from '../storage/contentInHand';
import { whyOf } from '../worktrees/makeWorktree';
import { inWorktree, type Worktree } from '../worktrees/worktree';
import { type ChosenChange, takeOverChanges } from './takeOverChanges';
import type { WorktreeServices } from './worktreeCommands';

/** A file with pending changes, and what they are for the worktree. */
interface Pending {
  readonly from: string;
  readonly chosen: ChosenChange;
}

/** A file that is not moved, and why. */
interface Stay {
  readonly label: string;
  readonly why: string;
}

/** The session must be idle: its agent gets a new session in the other folder, with the conversation. */
export async function moveToWorktree(live: LiveSession, services: WorktreeServices): Promise<void> {
  const { worktrees, review } = services;
  const [before, roots] = [live.cwd, live.roots];
  const { worktree, cwd } = await worktrees.make(before, live.title ?? '');
  const { pending, stays: unmoved } = await pendingChanges(live, worktree, services);
  const all = pending.map(({ chosen }) => chosen);
  const { taken, same, left } = await takeOverChanges(all, () => 'theirs', live.id, review);
  const moved = new Set([...taken, ...same]);
  const stays: Stay[] = [...left, ...unmoved];
  for (const { from, chosen } of pending) {
    const { label, base, theirs } = chosen.change;
    if (!moved.has(label)) continue;
    try {
      const now = await standingContent(from);
      if (!isSameContent(now, theirs)) throw new ChangedMeanwhileError();
      // As the agent's own write: an Undo would tell the agent that its change is gone.
      await review.write(live.id, from, now, base);
    } catch (error) {
      stays.push({ label, why: whyOf(error) });
    }
  }
  await live.moveTo(cwd, worktrees.reach(cwd, roots));
  live.session.notify({
    severity: stays.length > 0 ? 'warning' : 'info',
    title: l10n.t('Moved to the worktree {0}', worktree.branch),
    detail: [
      l10n.t('This session works in {0} from now on.', cwd),
      ...[...moved].map((label) => l10n.t('{0}: its changes wait there', label)),
      ...stays.map(({ label, why }) => l10n.t('{0}: its changes stay here. {1}', label, why)),
    ].join('\n'),
  });
}

/** Back to the folder that the worktree was made from. What the worktree has stays there until it is taken over. */
export async function moveBack(live: LiveSession, worktree: Worktree, folders: readonly string[]): Promise<void> {
  const cwd = folderBehind(live.cwd, worktree, folders);
  await live.moveTo(cwd, [...new Set([cwd, ...folders])]);
  live.session.notify({
    severity: 'info',
    title: l10n.t('Moved back from the worktree {0}', worktree.branch),
    detail: l10n.t('This session works in {0} from now on.', cwd),
  });
}

/**
 * The folder from which a worktree was made for a session.
 * @param cwd of the session, in the worktree @param folders of the workspace
 */
export function folderBehind(cwd: string, { path, repository }: Worktree, folders: readonly string[]): string {
  const own = folders.find((folder) => isWithin(folder, repository) || isWithin(repository, folder));
  return own ?? nodePath.join(repository, nodePath.relative(path, cwd));
}

/** The session's pending changes in the repository, as changes for the worktree, and those that stay. */
async function pendingChanges(
  live: LiveSession,
  worktree: Worktree,
  { review, contents }: Pick<WorktreeServices, 'review' | 'contents'>,
): Promise<{ readonly pending: readonly Pending[]; readonly stays: readonly Stay[] }> {
  await review.lookAgain(review.tracked(live.id).map(({ path }) => path));
  const pending: Pending[] = [];
  const stays: Stay[] = [];
  for (const { path, baseline, current, hunks, kind } of review.tracked(live.id)) {
    const whole = review.entry(live.id, path)?.whole;
    const permissions = isPermissionChange(whole) && hunks.length > 0 ? whole : undefined;
    const isWhole = whole !== undefined && !permissions && !isFormChange(whole);
    const real = await realOf(path);
    if (!isWithin(real, worktree.repository) || !(isWhole || hunks.length > 0 || kind !== 'modified')) continue;
    const label = nodePath.relative(worktree.repository, real).split(nodePath.sep).join('/');
    const target = { path: await spelled(inWorktree(real, worktree)), source: path, label };
    try {
      if (isWhole) {
        const { before } = whole;
        if (!before || !canBringBack(before)) throw new Error(l10n.t('Its original is not stored.'));
        const [base, theirs] = [await readStored(path, before, contents), await standingContent(path)];
        const change = { ...target, base, theirs, edits: [] };
        pending.push({ from: path, chosen: { change, edits: [] } });
        continue;
      }
      const edits = baseline !== undefined && current !== undefined ? lineEdits(baseline, current) : [];
      const base = withModeOf(contentOfText(baseline), permissions?.before);
      const theirs = withModeOf(contentOfText(current), permissions?.after);
      const change = { ...target, base, theirs, edits };
      pending.push({ from: path, chosen: { change, edits } });
    } catch (error) {
      stays.push({ label, why: whyOf(error) });
    }
  }
  return { pending, stays };
}
