import { isAscii } from 'node:buffer';
import { open, readFile } from 'node:fs/promises';
import { withLineFeeds } from '../../review/lineEdits';
import type { OriginalFile } from '../review/carryOut';
import { openDocument } from './documentEdits';

/**
 * Replaces the text of a file of which there is no document: to make one for each of thousands takes minutes. Only where
 * bytes and text say the same in every encoding, and all lines end alike.
 * @param standing what stands in the file, with `\n`. @param original the file that held `text`, where it is known.
 * @returns false where the file has to go through a document.
 * @throws Error where it could not be written.
 */
export async function putUnopened(path: string, standing: string | undefined, text: string, original: OriginalFile | undefined): Promise<boolean> {
  if (openDocument(path)) return false;
  const bytes = await readFile(path);
  const disk = bytes.toString('latin1');
  const lines = withLineFeeds(disk);
  const isCrlf = disk.length !== lines.length;
  const isPlain = isAscii(bytes) && !bytes.includes(0) && !bytes.includes(ESCAPE) && (isCrlf ? lines.replaceAll('\n', '\r\n') : lines) === disk;
  const fresh = original?.bytes ?? Buffer.from(isCrlf ? text.replaceAll('\n', '\r\n') : text);
  if (!isPlain || lines !== standing || (!original && !isAscii(fresh)) || openDocument(path)) return false;
  await writeOver(path, fresh);
  return true;
}

/** Without emptying the file first: a host that is killed in between must not leave less than either text. */
async function writeOver(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  try {
    let written = 0;
    while (written < bytes.length) written += (await file.write(bytes, written, bytes.length - written, written)).bytesWritten;
    await file.truncate(bytes.length);
  } finally {
    await file.close();
  }
}

/** With it encodings such as ISO-2022-JP begin other characters. */
const ESCAPE = 0x1b;
