import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Said } from '../../protocol/fromWebview';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import { showDiff } from '../changes/changeDiffs';
import type { UnclaimedChanges } from '../changes/unclaimedChanges';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

interface UnclaimedParts {
  readonly unclaimed: UnclaimedChanges;
  readonly baselines: BaselineDocuments;
}

/** Applies the user's decision on one unclaimed change, or on all of a session. */
export async function actOnUnclaimed(
  { unclaimed, baselines }: UnclaimedParts,
  sessionId: string,
  { act, path }: Said<'unclaimed/act'>,
): Promise<void> {
  const targets = unclaimed.of(sessionId).filter((change) => path === undefined || change.path === path);
  if (act === 'dismiss') return unclaimed.dismiss(targets);
  if (act === 'include') {
    const problems = await unclaimed.include(targets);
    if (problems.length > 0) void markedWindow.showWarningMessage(plainText(problems.join(' '), 500));
    return;
  }
  const [change] = targets;
  if (!change) return;
  const [before, after] = await unclaimed.texts(change).catch(() => [undefined, undefined]);
  const file = vscode.Uri.file(change.path);
  if (before === undefined || after === undefined) {
    if (change.after.kind === 'absent')
      return void markedWindow.showInformationMessage(
        l10n.t('The content of this file is not stored, so there is nothing to compare.'),
      );
    await vscode.commands.executeCommand('vscode.open', file, { preview: true });
    return;
  }
  const right = change.after.kind === 'absent' ? baselines.add(change.path, '') : file;
  const title = l10n.t('{0} (changed while the agent worked)', nodePath.basename(change.path));
  await showDiff(baselines.add(change.path, before), right, title);
}
