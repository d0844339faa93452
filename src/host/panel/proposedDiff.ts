import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { visibleLine } from '../../base/visibleText';
import { readRepositoryFile } from '../../node/readRepositoryFile';
import { comparison, proposedEdits } from '../../view/proposedText';
import type { BaselineDocuments } from '../changes/baselineDocuments';
import { openDocument } from '../files/documentEdits';
import { fileText } from '../files/fileText';
import { checkPath, isAbsolutePath } from '../files/pathPolicy';
import type { PermissionAnswers } from './permissionAnswers';

/** For a longer file only the agent's own texts are compared. Bytes. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Opens the diff editor for one file of a permission request: the current file with unsaved text on the left, the
 * proposed one on the right. Both sides are read-only documents, so nothing is written. Its title has the answers.
 * @param file absolute, as the card names it; a file that the request does not name opens nothing
 */
export async function openProposedDiff(
  requestId: string,
  file: string,
  answers: Pick<PermissionAnswers, 'addDiff' | 'subjectOf'>,
  baselines: BaselineDocuments,
  log: Logger,
): Promise<void> {
  const asked = answers.subjectOf(requestId);
  if (!asked) return;
  const { subject, cwd, roots } = asked;
  const edits = proposedEdits(subject, file, cwd);
  if (edits.length === 0) return;
  const { before, after, isWholeFile } = comparison(edits, await currentText(path.normalize(file), roots, log));
  const name = path.basename(file);
  const title = isWholeFile ? l10n.t('{0} (proposed change)', name) : l10n.t('{0} (proposed lines)', name);
  const proposed = baselines.add(file, after, 'proposed');
  answers.addDiff(proposed, requestId);
  await vscode.commands.executeCommand('vscode.diff', baselines.add(file, before), proposed, visibleLine(title), {
    preview: true,
  });
}

/** Reads only files in the session's folders, because the path comes from an agent. */
async function currentText(file: string, roots: readonly string[], log: Logger): Promise<string | undefined> {
  if (!isAbsolutePath(file)) return undefined;
  const { inside, real } = await checkPath(file, roots);
  if (!inside) return undefined;
  const open = openDocument(file);
  if (open) return open.getText();
  const bytes = await readRepositoryFile(path.dirname(real), real, maxBytes, log);
  return bytes && (await fileText(file, bytes))?.text;
}
