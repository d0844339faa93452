import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { withLineFeeds } from '../../changes/lineFeeds';
import { diskText } from './fileContent';

/** A clean document follows its file by itself; longer than this it is not waited for. Milliseconds. */
const FOLLOW_MS = 1_500;

/**
 * What VS Code knows of a file that has just changed may be older than the text that it shows; then it refuses to save.
 * Milliseconds.
 */
const REST_MS = 500;

/** When the file had changed last after we had saved the document. */
const saved = new WeakMap<vscode.TextDocument, number>();

/** Waits until VS Code has heard of the last change of a file. */
async function waitForRest(document: vscode.TextDocument, path: string): Promise<void> {
  const at = await modifiedAt(path);
  if (at === undefined || at === saved.get(document)) return;
  const left = REST_MS - (Date.now() - at);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, REST_MS)));
}

/** We have saved the document: VS Code knows of that. */
export async function noteSaved(document: vscode.TextDocument, path: string): Promise<void> {
  const at = await modifiedAt(path);
  if (at !== undefined) saved.set(document, at);
}

/**
 * Lets a document show its file again. VS Code can do that only in the editor, which is in front for a moment.
 * @param text what the document holds, of which nothing is the user's. @returns whether it is clean now.
 */
async function readAgain(document: vscode.TextDocument, text: string): Promise<boolean> {
  const front = vscode.window.activeTextEditor;
  const editor = await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
  // The command is about whichever editor is in front, and takes with it what was typed since.
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

/**
 * A document that was clean before an edit of ours that could not be saved, and was taken back, must not stay behind
 * its file.
 */
export async function letGo(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty) await readAgain(document, document.getText()).catch(() => undefined);
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

/**
 * Before a document is edited and saved: whether it has unsaved text, or holds what is on disk. Waits a moment for VS
 * Code to notice that the file has changed.
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
