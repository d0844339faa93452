import * as l10n from '@vscode/l10n';
import type { ToolContent } from '../acp/decodeUpdate';
import type { DiffView, HunkView } from '../protocol/diffView';
import { maxDiffLines } from './projectDiff';
import { labelOfPath, resolvePath } from './labels';
import { ViewCache } from './viewCache';

type FileChange = Extract<ToolContent, { type: 'fileChange' }>;

/**
 * One file of a diff of v2. Its hunks are those of the patch that the agent sent; where it sent none, what is known is
 * said in words. `cwd` is the session's folder, "" when there is none.
 */
export function fileChangeView(change: FileChange, cwd: string): DiffView {
  const path = resolvePath(change.path, cwd);
  const { hunks, added, removed, truncated } = hunksOf(change.patch ?? '');
  const remark = remarkOf(change, hunks.length === 0 && !truncated, cwd);
  return {
    type: 'diff',
    path,
    label: labelOfPath(path, cwd),
    isNew: change.operation === 'add',
    added,
    removed,
    hunks,
    truncated,
    ...(remark === undefined ? {} : { remark }),
    opens: change.operation === 'delete' ? 'nothing' : 'file',
  };
}

const views = new ViewCache<object, DiffView>();

/** The same, made once per change. `cwd` must not change for it. */
export function cachedFileChangeView(change: FileChange, cwd: string): DiffView {
  return views.get(change, () => fileChangeView(change, cwd));
}

function remarkOf({ operation, oldPath, patch }: FileChange, isBare: boolean, cwd: string): string | undefined {
  const from = oldPath === undefined ? undefined : labelOfPath(resolvePath(oldPath, cwd), cwd);
  switch (operation) {
    case 'delete':
      return l10n.t('Deleted');
    case 'move':
      return from === undefined ? l10n.t('Moved') : l10n.t('Moved from {0}', from);
    case 'copy':
      return from === undefined ? l10n.t('Copied') : l10n.t('Copied from {0}', from);
    case 'add':
      return isBare ? (patch === undefined ? l10n.t('Created; the agent did not send its lines') : l10n.t('Created')) : undefined;
    case 'modify':
    case 'other':
      return isBare ? l10n.t('Changed; the agent did not send the lines') : undefined;
  }
}

/** Reads the hunks of one file of a git patch. Lines that belong to no hunk are passed over; nothing throws. */
function hunksOf(patch: string): Pick<DiffView, 'hunks' | 'added' | 'removed' | 'truncated'> {
  const hunks: HunkView[] = [];
  let lines: string[] = [];
  let added = 0;
  let removed = 0;
  let room = maxDiffLines;
  // How many lines of each side the hunk still has: a line of "--- " may be one that was removed.
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of patch.split('\n')) {
    const sign = line[0] ?? ' ';
    if (oldLeft <= 0 && newLeft <= 0) {
      const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (!head) continue;
      lines = [];
      oldLeft = Number(head[2] ?? 1);
      newLeft = Number(head[4] ?? 1);
      if (room > 0) hunks.push({ oldStart: Number(head[1]), newStart: Number(head[3]), lines });
    } else if (sign === '+' || sign === '-' || sign === ' ' || sign === '\r') {
      if (sign !== '+') oldLeft--;
      if (sign !== '-') newLeft--;
      if (sign === '+') added++;
      if (sign === '-') removed++;
      if (room-- > 0) lines.push(`${sign === '\r' ? ' ' : sign}${line.slice(1).replace(/\r$/, '')}`);
    }
  }
  return { hunks: hunks.filter((hunk) => hunk.lines.length > 0), added, removed, truncated: room < 0 };
}
