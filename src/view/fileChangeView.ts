import * as l10n from '@vscode/l10n';
import type { ToolContent } from '../acp/decodeUpdate';
import type { DiffView } from '../protocol/diffView';
import { labelOfPath, resolvePath } from './labels';
import { diffViewOf, hunksOf } from './patchText';
import { ViewCache } from './viewCache';

type FileChange = Extract<ToolContent, { type: 'fileChange' }>;

/**
 * One file of a diff of v2. Its hunks are those of the patch that the agent sent; where it sent none, what is known is
 * said in words. `cwd` is the session's folder, "" when there is none.
 */
export function fileChangeView(change: FileChange, cwd: string): DiffView {
  const hunks = hunksOf(change.patch ?? '');
  const remark = remarkOf(change, hunks.length === 0, cwd);
  return diffViewOf(
    { path: change.path, isNew: change.operation === 'add', hunks, ...(remark === undefined ? {} : { remark }) },
    cwd,
    change.operation === 'delete' ? 'nothing' : 'file',
  );
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
      return isBare
        ? patch === undefined
          ? l10n.t('Created (the agent did not send the lines)')
          : l10n.t('Created')
        : undefined;
    case 'modify':
    case 'other':
      return isBare ? l10n.t('Changed (the agent did not send the lines)') : undefined;
  }
}
