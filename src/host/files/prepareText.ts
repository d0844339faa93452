import type { ChangeRecorder } from './workspaceFiles';

/**
 * Prepares a write to a document in which the user may type at any time; what they type meanwhile is seen, and kept, too.
 * @param textNow what the document shall hold, from what stands in it now.
 * @throws Error that of `textNow`; the write is not announced any more then.
 */
export async function prepareText(
  recorder: Pick<ChangeRecorder, 'prepareWrite' | 'abandonWrite'>,
  sessionId: string,
  path: string,
  document: { getText(): string },
  textNow: () => Promise<string>,
): Promise<{ readonly before: string; readonly text: string }> {
  try {
    for (;;) {
      const before = document.getText();
      const text = await textNow();
      await recorder.prepareWrite(sessionId, path, before);
      if (document.getText() === before) return { before, text };
    }
  } catch (error) {
    recorder.abandonWrite(sessionId, path);
    throw error;
  }
}
