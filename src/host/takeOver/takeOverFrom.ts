import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import { guardMatcher, SECRET_FILES } from '../../changes/guardedFiles';
import type { Overlap } from '../../changes/merge';
import type { NewAttachment } from '../attachments/attachment';
import type { ReviewService } from '../changes/reviewService';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { foldersOnDisk } from '../platform/workspaceFolders';
import type { LiveSession } from '../sessions/liveSession';
import type { Worktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';
import { askOverlaps } from './askOverlaps';
import { type FileToMerge, mergeText } from './mergeText';
import { folderBehind } from './moveSession';
import { pickChanges } from './pickChanges';
import { overlapsOf, takeOverChanges } from './takeOverChanges';
import { worktreeChanges } from './worktreeChanges';

/** A prompt that waits in a new session until the user sends it. */
export interface PreparedPrompt {
  readonly agent: string;
  /** Our own id of the session whose view shows the new one. */
  readonly from: string;
  /** Where the new session works, absolute, and its folders with that one. */
  readonly place: { readonly cwd: string; readonly roots: readonly string[] };
  readonly text: string;
  readonly attachment: NewAttachment;
}

export interface TakeOverServices {
  readonly worktrees: Worktrees;
  readonly review: ReviewService;
  readonly prompts: {
    /** True for a protected file, absolute: no prompt gets its content. */
    isGuarded(path: string): boolean;
    open(prompt: PreparedPrompt): Promise<void>;
  };
}

/**
 * Takes over what the user chooses of a worktree, as changes of the session that wait for review.
 * @param only the label of a file
 * @returns whether the panel shows a prompt now that asks for a merge
 */
export async function takeOverFrom(
  live: LiveSession,
  worktree: Worktree,
  { worktrees, review, prompts }: TakeOverServices,
  only?: string,
): Promise<boolean> {
  const folder = nodePath.basename(worktree.repository);
  const { changes, unread } = await shownWait(
    l10n.t('Comparing {0} with {1}', worktree.branch, folder),
    worktreeChanges(worktree, worktrees),
  );
  if (changes.length === 0 && unread.length === 0) {
    void markedWindow.showInformationMessage(l10n.t('{0} has no changes to take over.', worktree.branch));
    return false;
  }
  const offered = only === undefined ? changes : changes.filter(({ label }) => label === only);
  const chosen = await pickChanges(offered, worktree.branch, folder);
  if (!chosen || chosen.length === 0) return false;
  const overlapping = await overlapsOf(chosen);
  const answers = overlapping.size === 0 ? new Map<string, never>() : await askOverlaps(overlapping, live.agent);
  if (!answers) return false;
  const answerFor = (label: string) => answers.get(label) ?? 'mine';
  const linesFor = (label: string): Overlap => {
    const answer = answerFor(label);
    return answer === 'merge' ? 'mine' : answer;
  };
  const { taken, same, left, overlaps } = await shownWait(
    l10n.t('Taking over changes of {0}', worktree.branch),
    takeOverChanges(chosen, linesFor, live.id, review),
  );
  const mayShow = ({ path, label }: FileToMerge) => !prompts.isGuarded(path) && !isSecret(label);
  const asked = overlaps.filter(({ label }) => answerFor(label) === 'merge');
  const toMerge = asked.filter(mayShow);
  const hidden = asked.filter((file) => !mayShow(file));
  const stays = [
    ...left,
    ...unread.map((label) => ({ label, why: l10n.t('It cannot be read.') })),
    ...hidden.map(({ label }) => ({ label, why: l10n.t('It is protected or may contain secrets.') })),
  ];
  // The user was not asked about them.
  const since = overlaps.filter(({ label }) => !answers.has(label));
  const isOpen = (label: string) => answerFor(label) !== 'theirs' && overlaps.some((file) => file.label === label);
  live.session.notify({
    severity: stays.length + since.length > 0 ? 'warning' : 'info',
    title:
      taken.length === 0
        ? l10n.t('Nothing was taken over into {0}', folder)
        : taken.length === 1
          ? l10n.t('Took over 1 file from {0} into {1}', worktree.branch, folder)
          : l10n.t('Took over {0} files from {1} into {2}', taken.length, worktree.branch, folder),
    detail: [
      ...taken,
      ...same.filter((label) => !isOpen(label)).map((label) => l10n.t('{0}: has these changes already', label)),
      ...toMerge.map(({ label }) => l10n.t('{0}: your lines stay until {1} has merged them', label, live.agent)),
      ...since.map(({ label }) =>
        l10n.t('{0}: lines that you have changed meanwhile stay. Take over again to choose.', label),
      ),
      ...stays.map(({ label, why }) => l10n.t('{0}: left as it is. {1}', label, why)),
    ].join('\n'),
  });
  if (toMerge.length === 0) return false;
  await prompts.open(promptFor(toMerge, live, worktree));
  return true;
}

/** The agent of the worktree cannot write to the user's folder, so a new session of it there gets the prompt. */
function promptFor(files: readonly FileToMerge[], live: LiveSession, worktree: Worktree): PreparedPrompt {
  const { branch } = worktree;
  const folders = foldersOnDisk();
  const cwd = folderBehind(live.cwd, worktree, folders);
  const places = files.reduce((sum, { overlaps }) => sum + overlaps.length, 0);
  const [first] = files;
  return {
    agent: live.agent,
    from: live.id,
    place: { cwd, roots: [...new Set([cwd, ...folders])] },
    text:
      files.length === 1
        ? l10n.t(
            'Merge the attached lines of {0}, which have changed here and on the branch {1}.',
            first!.label,
            branch,
          )
        : l10n.t('Merge the attached lines of {0} files, which have changed here and on {1}.', files.length, branch),
    attachment: {
      kind: 'file',
      label: l10n.t('Lines to merge from {0}', plainText(branch, 60)),
      detail: places === 1 ? l10n.t('1 place') : l10n.t('{0} places', places),
      linkable: false,
      uri: `parley:/merge/${encodeURIComponent(branch)}`,
      mimeType: 'text/markdown',
      content: mergeText(files, branch),
      fileName: 'merge.md',
    },
  };
}

const isSecret = guardMatcher(SECRET_FILES);
