import type * as vscode from 'vscode';
import { withLineFeeds } from '../../changes/lineFeeds';
import { editDocument } from './documentEdits';
import { ChangedMeanwhileError, fileOnDisk } from './fileOnDisk';
import { withoutMark } from './fileText';
import { refuseElsewhere } from './saveInto';
import { writeDocument } from './writeDocument';

/**
 * Edits a document that exists on disk, and saves it where it had nothing unsaved: that is not ours to save. What
 * formats on save has no say: this puts back what was there.
 * @returns the text that was saved, undefined where it was not.
 * @throws Error where it could not be; the document is as it was then.
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
  // A clean document that does not follow its file has nothing to lose and will read the file again.
  const file = await fileOnDisk(path, real, document);
  if (withLineFeeds(file.text) !== withLineFeeds(saved)) throw new ChangedMeanwhileError();
  await file.replace(await file.bytesOf(text));
  return withLineFeeds(withoutMark(text));
}
