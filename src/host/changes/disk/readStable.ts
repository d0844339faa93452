import nodePath from 'node:path';
import { DOUBTFUL_QUIET_MS } from '../../../node/settledFiles';
import { withLineFeeds } from '../../../changes/lineEdits';
import { changedAt } from './diskContent';
import { openDocument } from '../../files/documentEdits';
import { currentText } from '../../files/fileContent';

/**
 * `currentText` of a file that is followed: one that has lost its end or is gone may be written just now, and is looked
 * at again a moment later.
 * @param expected what it held when it was looked at last, with `\n`; undefined where it was not there.
 * @throws as `currentText`.
 */
export async function readStable(path: string, expected: string | undefined): Promise<string | undefined> {
  const text = await currentText(path);
  if (expected === undefined || openDocument(path)?.isDirty) return text;
  if (text === undefined) {
    const folder = await changedAt(nodePath.dirname(path));
    // It has been gone for some time.
    if (folder === undefined || folder < Date.now() - DOUBTFUL_QUIET_MS) return text;
  } else {
    const now = withLineFeeds(text);
    if (now.length >= expected.length || !expected.startsWith(now)) return text;
    const at = await changedAt(path);
    if (at !== undefined && at < Date.now() - DOUBTFUL_QUIET_MS) return text;
  }
  await new Promise((resolve) => setTimeout(resolve, DOUBTFUL_QUIET_MS));
  return currentText(path);
}
