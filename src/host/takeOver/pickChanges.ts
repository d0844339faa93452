import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { linesOf } from '../../changes/lineEdits';
import { markedWindow } from '../platform/markedWindow';
import { isPermissionOnly, permissionWords } from './permissions';
import type { ChosenChange } from './takeOverChanges';
import type { WorktreeChange } from './worktreeChanges';

/** With more changes than this, whole files are listed. */
const MAX_HUNKS = 500;

interface Item extends vscode.QuickPickItem {
  readonly change: WorktreeChange;
  /** Which edits of the file; undefined: the file as a whole. */
  readonly at?: number;
}

/**
 * Lets the user choose changes of a worktree: all are chosen at first.
 * @returns undefined if the user cancels
 */
export async function pickChanges(
  changes: readonly WorktreeChange[],
  branch: string,
  folder: string,
): Promise<readonly ChosenChange[] | undefined> {
  const hunks = changes.reduce((sum, { edits }) => sum + edits.length, 0);
  const picked = await markedWindow.showQuickPick(
    changes.flatMap((change) => itemsOf(change, hunks <= MAX_HUNKS)),
    {
      canPickMany: true,
      matchOnDescription: true,
      title: l10n.t('Take Over from {0} into {1}', branch, folder),
      placeHolder: l10n.t('They arrive as changes to review'),
    },
  );
  if (!picked) return undefined;
  const chosen = new Map<WorktreeChange, number[]>();
  for (const item of picked as readonly Item[]) {
    const edits = chosen.get(item.change) ?? [];
    chosen.set(item.change, edits);
    edits.push(...(item.at === undefined ? item.change.edits.keys() : [item.at]));
  }
  return [...chosen].map(([change, edits]) => ({
    change,
    edits: edits.toSorted((a, b) => a - b).map((at) => change.edits[at]!),
  }));
}

function itemsOf(change: WorktreeChange, byHunk: boolean): Item[] {
  const { label, edits, base, theirs } = change;
  if (edits.length <= 1 || !byHunk) {
    const kind =
      base.kind === 'absent'
        ? l10n.t('new')
        : theirs.kind === 'absent'
          ? l10n.t('deleted')
          : edits.length === 0
            ? isPermissionOnly(change)
              ? undefined
              : l10n.t('as a whole')
            : edits.length === 1
              ? firstLine(change, 0)
              : l10n.t('{0} changes', edits.length);
    return [{ change, label, description: describe(kind, change), picked: true }];
  }
  return edits.map(({ start }, at) => ({
    change,
    at,
    label: `${label}:${start + 1}`,
    description: describe(firstLine(change, at), change),
    picked: true,
  }));
}

/** The execute permission comes with each change of the file. */
function describe(words: string | undefined, change: WorktreeChange): string {
  return [...permissionWords(change), ...(words === undefined ? [] : [words])].join(' · ');
}

/** The first line that a change brings, or removes. */
function firstLine({ edits, base }: WorktreeChange, at: number): string {
  const { start, end, lines } = edits[at]!;
  const added = lines.find((line) => line.trim() !== '')?.trim();
  const removed =
    base.kind === 'text'
      ? linesOf(base.text)
          .slice(start, end)
          .find((line) => line.trim() !== '')
      : '';
  return `+${lines.length} −${end - start} ${added ?? removed?.trim() ?? ''}`.slice(0, 100);
}
