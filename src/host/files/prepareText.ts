import { lineEndsOf } from '../../changes/lineEnds';
import type { ChangeRecorder, PreparedWrite } from './workspaceFiles';
import { contentOfText } from '../storage/contentInHand';

/**
 * Prepares a write to a document in which the user may type at any time; their typing meanwhile is included.
 * @param textNow makes the new text from the document's current one.
 * @returns `text` was made from `before`.
 * @throws the error of `textNow`; no write is prepared then.
 */
export async function prepareText(
  recorder: ChangeRecorder,
  sessionId: string,
  path: string,
  document: { getText(): string },
  textNow: () => Promise<string>,
): Promise<{ readonly write: PreparedWrite; readonly text: string; readonly before: string }> {
  for (;;) {
    const before = document.getText();
    const text = await textNow();
    const write = await recorder.prepareWrite(sessionId, path, {
      ...contentOfText(before),
      form: { encoding: '', ends: lineEndsOf(before) },
    });
    if (document.getText() === before) return { write, text, before };
    write.abandon();
  }
}
