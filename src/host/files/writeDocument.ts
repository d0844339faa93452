import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import { refuseFullDisk } from '../../node/changeFiles';
import { mergeTexts } from '../../changes/merge';
import { withLineFeeds } from '../../changes/lineFeeds';
import { type WriteStep, WriteSteps } from '../../changes/writeSteps';
import { editDocument, NotSavedError } from './documentEdits';
import { ChangedMeanwhileError } from './fileOnDisk';
import { refuseElsewhere, saveInto } from './saveInto';
import { letGo, noteSaved } from './staleDocument';

/**
 * Sets the text of a document, and saves it.
 * @param real the checked file, links resolved.
 * @returns the steps of the document meanwhile; the last one is its content.
 * @param before the document's text from which `text` was made.
 * @throws ChangedMeanwhileError if the document has another text; LinkedPathError, SavedElsewhereError, an error with
 * the code `ENOSPC`, Error if it could not be written; only the user's typing stays then.
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
    // VS Code may have noticed the file's last change too late; by now the document has read it again.
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
  // The text lacks the user's typing up to here, and the edit would remove it.
  if (document.getText() !== before) throw new ChangedMeanwhileError();
  const witness = new WriteWitness(document, text);
  const { told } = witness;
  try {
    await editDocument(document, text);
    // Formatting on save may begin before the save is announced.
    told.saving();
    try {
      await saveInto(document, real);
    } catch (error) {
      // Nothing was written, so the editor must not keep the text.
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
 * The size of a save of the text. VS Code empties a file before it writes it, and an automatic save may do that as soon
 * as the document is edited, so the room must be checked before.
 */
async function savedSize(document: vscode.TextDocument, text: string): Promise<number> {
  const lines = document.eol === vscode.EndOfLine.CRLF ? withLineFeeds(text).replaceAll('\n', '\r\n') : text;
  return (await vscode.workspace.encode(lines, { encoding: document.encoding })).length;
}

/** The user's typing without the written text; if both are in the same lines, these stay. */
function withoutWrite(before: string, written: string, now: string): string {
  return mergeTexts(withLineFeeds(written), withLineFeeds(now), withLineFeeds(before)).text;
}

/** Observes a document during an agent's write, and separates the user's typing. */
class WriteWitness extends Disposable {
  readonly told: WriteSteps;

  /** @param text the agent's new text. */
  constructor(document: vscode.TextDocument, text: string) {
    super();
    this.told = new WriteSteps(document.getText(), text);
    const { workspace } = vscode;
    this.register(
      workspace.onDidChangeTextDocument((event) => {
        if (event.document !== document || event.contentChanges.length === 0) return;
        const editor = vscode.window.activeTextEditor;
        this.told.changed(
          document.getText(),
          event.contentChanges,
          editor?.document === document ? editor.selections : [],
        );
      }),
    );
    this.register(workspace.onWillSaveTextDocument((event) => event.document === document && this.told.saving()));
    this.register(workspace.onDidSaveTextDocument((saved) => saved === document && this.told.saved()));
  }
}
