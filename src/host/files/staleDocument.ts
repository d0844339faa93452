import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { withLineFeeds } from '../../changes/lineFeeds';
import { editDocument } from './documentEdits';
import { diskText } from './fileContent';
import { changedMeanwhile, fileOnDisk } from './fileOnDisk';
import { withoutMark } from './fileText';
import { refuseElsewhere, saveInto } from './saveInto';
import { WriteWitness } from './writeWitness';

/** A clean document follows its file by itself; longer than this it is not waited for. Milliseconds. */
const FOLLOW_MS = 1_500;

/** What VS Code knows of a file that has just changed may be older than the text that it shows; then it refuses to save. Milliseconds. */
const REST_MS = 500;

/** When the file had changed last after we had saved the document. */
const saved = new WeakMap<vscode.TextDocument, number>();

/** Waits, before a document is edited and saved, until VS Code has heard of the last change of its file. */
export async function waitForRest(document: vscode.TextDocument, path: string): Promise<void> {
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
 * Saves a document that was clean before we edited it. VS Code refuses where it thinks that the file is newer than the
 * document, although the text is the same: then the file is read again, in its editor, and the edit is made once more.
 * @param before what stood in it before the edit. @throws Error where the file could not be written.
 */
async function saveEdited(document: vscode.TextDocument, path: string, real: string, before: string): Promise<void> {
  const text = document.getText();
  try {
    await saveInto(document, real);
  } catch (error) {
    const isOurs = document.getText() === text && withLineFeeds((await diskText(path, document, real)) ?? '') === withLineFeeds(before);
    if (!isOurs) throw error;
    if (!(await readAgain(document, text)) || withLineFeeds(document.getText()) !== withLineFeeds(before)) throw error;
    await editDocument(document, text);
    await saveInto(document, real);
  }
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
  if (front && front.document !== document) await vscode.window.showTextDocument(front.document, { viewColumn: front.viewColumn, preserveFocus: true, preview: false });
  return !document.isDirty;
}

/** A document that was clean before an edit of ours that could not be saved, and was taken back, must not stay behind its file. */
export async function letGo(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty) await readAgain(document, document.getText()).catch(() => undefined);
}

/**
 * Edits a document that exists on disk, and saves it where it had nothing unsaved: that is not ours to save. What formats
 * on save has no say: this puts back what was there.
 * @returns the text that was saved, undefined where it was not. @throws Error where it could not be; the edit stands in the document then.
 */
export async function putText(document: vscode.TextDocument, path: string, real: string, text: string): Promise<string | undefined> {
  await refuseElsewhere(document, real);
  const hadUnsaved = document.isDirty;
  const before = document.getText();
  const witness = new WriteWitness(document, text);
  try {
    await editDocument(document, text);
    if (hadUnsaved) return undefined;
    witness.saving();
    await saveEdited(document, path, real, before);
    await noteSaved(document, path);
  } finally {
    witness.dispose();
  }
  const saved = document.getText();
  if (witness.hasTyping || document.isDirty || withLineFeeds(saved) === withLineFeeds(text)) return saved;
  return replaceOnDisk(document, path, real, text, saved);
}

async function modifiedAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

/** Whether a clean document holds what is on disk; waits a moment for VS Code to notice that the file has changed. */
export async function followsDisk(document: vscode.TextDocument, path: string, real: string): Promise<boolean> {
  const deadline = Date.now() + FOLLOW_MS;
  for (;;) {
    const disk = await diskText(path, document, real);
    if (document.isDirty || (disk !== undefined && withLineFeeds(disk) === withLineFeeds(document.getText()))) return true;
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

/**
 * For a clean document that does not follow its file: it has nothing to lose and will read the file again.
 * @param expected what is on disk as far as is known. @returns the text as written, with `\n`.
 * @throws Error where something else is on disk: it is nobody's to take back.
 */
export async function replaceOnDisk(document: vscode.TextDocument, path: string, real: string, content: string, expected: string | undefined): Promise<string> {
  const file = await fileOnDisk(path, real, document);
  if (withLineFeeds(file.text) !== withLineFeeds(expected ?? '')) throw changedMeanwhile();
  await file.replace(await file.bytesOf(content));
  return withLineFeeds(withoutMark(content));
}
