import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { withLineFeeds } from '../../changes/lineFeeds';
import { diskText } from './fileContent';

/** How long to wait until a clean document has read its changed file again. Milliseconds. */
const FOLLOW_MS = 1_500;

/**
 * VS Code's information about a file that has just changed may be older than the shown text; then it refuses to save.
 * Milliseconds.
 */
const REST_MS = 500;

/** The last change of the file after we had saved the document. */
const saved = new WeakMap<vscode.TextDocument, number>();

/** Waits until VS Code has noticed the last change of a file. */
async function waitForRest(document: vscode.TextDocument, path: string): Promise<void> {
  const at = await modifiedAt(path);
  if (at === undefined || at === saved.get(document)) return;
  const left = REST_MS - (Date.now() - at);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, REST_MS)));
}

/** We have saved the document, so VS Code knows its last change. */
export async function noteSaved(document: vscode.TextDocument, path: string): Promise<void> {
  const at = await modifiedAt(path);
  if (at !== undefined) saved.set(document, at);
}

/**
 * Makes a document read its file again. VS Code can do that only in the active editor, which is shown for a moment.
 * @param text of the document, which contains no work of the user. @returns whether it is clean now.
 */
async function readAgain(document: vscode.TextDocument, text: string): Promise<boolean> {
  const front = vscode.window.activeTextEditor;
  const editor = await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
  // The command applies to any active editor, and would discard text typed since.
  if (editor !== vscode.window.activeTextEditor || document.getText() !== text) return false;
  await vscode.commands.executeCommand('workbench.action.files.revert');
  if (front && front.document !== document)
    await vscode.window.showTextDocument(front.document, {
      viewColumn: front.viewColumn,
      preserveFocus: true,
      preview: false,
    });
  return !document.isDirty;
}

/** Keeps a document in step with its file after an edit of ours could not be saved and was reverted. */
export async function letGo(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty) await readAgain(document, document.getText()).catch(() => undefined);
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

/**
 * Before a document is edited and saved: whether it has unsaved text, or the text on disk. Waits a moment for VS Code
 * to notice a change of the file.
 */
export async function followsDisk(document: vscode.TextDocument, path: string, real: string): Promise<boolean> {
  if (!document.isDirty) await waitForRest(document, path);
  const deadline = Date.now() + FOLLOW_MS;
  for (;;) {
    const disk = await diskText(path, document, real);
    if (document.isDirty || (disk !== undefined && withLineFeeds(disk) === withLineFeeds(document.getText())))
      return true;
    if (Date.now() > deadline) return false;
    const changed = new Deferred<void>();
    const registration = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document) changed.resolve();
    });
    const timer = setTimeout(() => changed.resolve(), 100);
    await changed.promise;
    clearTimeout(timer);
    registration.dispose();
  }
}
