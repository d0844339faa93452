import { lookSettled } from '../../node/settledFiles';
import type { OriginalFile } from './originals';
import { type FileMoment, heldIn } from './checkpoints/fileMoment';
import { contentOfText, type Look, lookNow, quietMs } from './disk/diskContent';
import { documentAt } from '../files/documentEdits';
import { currentText } from '../files/fileContent';
import { fileText } from '../files/fileText';
import { realOf } from '../files/realPath';
import { systemClock } from '../platform/clock';

/**
 * What a file contains now: a text with its own line ends, unsaved changes included, or the snapshot of what is no
 * text.
 */
export interface StandingFile extends Pick<FileMoment, 'text' | 'mode' | 'whole'> {
  /** The same byte by byte, where that is all that there is of it. */
  readonly original?: OriginalFile;
}

/**
 * Looks at a file in one read, once nobody is writing it any more.
 * @param expected the text that it had, where that is known: one that has lost its end or is gone may be written just
 * now.
 * @throws as `currentText`
 */
export async function standingFile(path: string, expected?: string): Promise<StandingFile> {
  const document = await documentAt(path, await realOf(path));
  const isText = (look: Look) => look.kind === 'file' && look.content.kind === 'text';
  // While thousands of files come back, none is waited for that is not there yet.
  const quiet = (_: string, look: Look) =>
    expected === undefined && !isText(look) ? 0 : quietMs(look, contentOfText(expected));
  const found = await lookSettled([path], { look: lookNow, quietMs: quiet, clock: systemClock });
  const look = found.get(path)!;
  const content = look.kind === 'file' ? look.content : undefined;
  if (content?.kind === 'binary') return { text: undefined, whole: heldIn(content) };
  const mode = content?.kind === 'text' ? content.mode : undefined;
  // What is no file has its own error.
  if (document?.isDirty || !content) return { text: await currentText(path), mode };
  if (content.kind === 'absent') return { text: undefined };
  const { bytes } = content;
  const text = bytes?.includes(CARRIAGE_RETURN)
    ? (await fileText(path, bytes, document?.encoding))?.text
    : content.text;
  return { text, mode, ...(bytes ? { original: { bytes, mode } } : {}) };
}

const CARRIAGE_RETURN = 13;
