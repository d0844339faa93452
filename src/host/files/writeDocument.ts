import * as vscode from 'vscode';
import { refuseFullDisk } from '../../node/changeFiles';
import { mergeTexts } from '../../changes/lineEdits';
import { withLineFeeds } from '../../changes/lineFeeds';
import type { WriteStep } from '../../changes/writeSteps';
import { editDocument, NotSavedError } from './documentEdits';
import { ChangedMeanwhileError } from './fileOnDisk';
import { refuseElsewhere, saveInto } from './saveInto';
import { letGo, noteSaved } from './staleDocument';
import { WriteWitness } from './writeWitness';

/**
 * Makes a document hold a text, and saves it.
 * @param real the file that was checked, links resolved.
 * @returns what happened to it meanwhile; the last step is what it holds.
 * @param before the text of the document that `text` was made from.
 * @throws ChangedMeanwhileError where the document holds another one; LinkedPathError, SavedElsewhereError, an error
 * with the code `ENOSPC`, Error
 *   where it could not be written; what the user has typed meanwhile stays, and nothing else.
 */
export async function writeDocument(
  document: vscode.TextDocument,
  real: string,
  text: string,
  before = document.getText(),
): Promise<readonly WriteStep[]> {
  const wasClean = !document.isDirty;
  try {
    return await editAndSave(document, real, text, before, wasClean);
  } catch (error) {
    // VS Code may have heard too late of the last change of the file; by now the document has read it again.
    if (!(error instanceof NotSavedError) || !wasClean || document.isDirty || document.getText() !== before)
      throw error;
    return editAndSave(document, real, text, before, wasClean);
  }
}

async function editAndSave(
  document: vscode.TextDocument,
  real: string,
  text: string,
  before: string,
  wasClean: boolean,
): Promise<readonly WriteStep[]> {
  await refuseElsewhere(document, real);
  await refuseFullDisk(real, await savedSize(document, text));
  // What the user has typed up to here is not in the text, and the edit would take it away.
  if (document.getText() !== before) throw new ChangedMeanwhileError();
  const witness = new WriteWitness(document, text);
  const { told } = witness;
  try {
    await editDocument(document, text);
    // What formats on a save may begin before it is announced.
    told.saving();
    try {
      await saveInto(document, real);
    } catch (error) {
      // Nothing was written, so nothing of it may stay in the editor.
      await editDocument(document, told.hasTyping ? withoutWrite(before, text, document.getText()) : before).catch(
        () => undefined,
      );
      if (wasClean && !told.hasTyping && document.getText() === before) await letGo(document);
      throw error;
    }
    await noteSaved(document, real);
    return told.steps;
  } finally {
    witness.dispose();
  }
}

/**
 * The bytes that a save of the text writes. VS Code empties a file before it writes it, and an automatic save may do
 * that as soon as the document is edited: whether there is room has to be known before.
 */
async function savedSize(document: vscode.TextDocument, text: string): Promise<number> {
  const lines = document.eol === vscode.EndOfLine.CRLF ? withLineFeeds(text).replaceAll('\n', '\r\n') : text;
  return (await vscode.workspace.encode(lines, { encoding: document.encoding })).length;
}

/**
 * What the user typed into the text that was written, without that text; where both are in the same lines these stay.
 */
function withoutWrite(before: string, written: string, now: string): string {
  return mergeTexts(withLineFeeds(written), withLineFeeds(now), withLineFeeds(before)).text;
}
