import type * as vscode from 'vscode';
import { withLineFeeds } from '../../changes/lineFeeds';
import { editDocument } from './documentEdits';
import { ChangedMeanwhileError, fileOnDisk } from './fileOnDisk';
import { withoutMark } from './fileText';
import { refuseElsewhere } from './saveInto';
import { writeDocument } from './writeDocument';

/**
 * Edits a document of an existing file, and saves it if it was clean: other unsaved text is not ours to save. Format on
 * save does not apply: this restores an earlier text.
 * @returns the saved text, undefined if it was not saved.
 * @throws Error if it failed; the document is unchanged then.
 */
export async function putText(
  document: vscode.TextDocument,
  path: string,
  real: string,
  text: string,
): Promise<string | undefined> {
  if (document.isDirty) {
    const before = document.getText();
    await refuseElsewhere(document, real);
    if (document.getText() !== before) throw new ChangedMeanwhileError();
    await editDocument(document, text);
    return undefined;
  }
  const steps = await writeDocument(document, real, text);
  const saved = document.getText();
  if (steps.some(({ by }) => by === 'person') || document.isDirty || withLineFeeds(saved) === withLineFeeds(text))
    return saved;
  // A clean document that does not match its file has nothing to lose and will read the file again.
  const file = await fileOnDisk(path, real, document);
  if (withLineFeeds(file.text) !== withLineFeeds(saved)) throw new ChangedMeanwhileError();
  await file.replace(await file.bytesOf(text));
  return withLineFeeds(withoutMark(text));
}
