import type { Version } from '../../../changes/checkpointLog';
import { decodeEntry } from '../../../changes/decodeEntry';
import { hasLines, noLines } from '../../../changes/entry';
import { keptBefore, type Snapshot } from '../../../changes/wholeChange';
import { type ByteFolder, MAX_KEPT_BYTES } from '../../storage/byteFolder';
import type { FileMoment } from './fileMoment';
import type { BlobFolder } from '../../storage/blobFolder';

/** Where texts and bytes of one session lie. */
export type BlobsOfSession = Pick<BlobFolder, 'get' | 'put'> & { readonly bytes: ByteFolder };

/**
 * Keeps a moment of a file.
 * @param waiting where bytes lie that changes without lines wait with.
 * @throws Error where it cannot be kept, or where the file at `path` is not any more what the moment says.
 */
export async function versionOf(blobs: BlobsOfSession, path: string, moment: FileMoment, waiting: ByteFolder | undefined): Promise<Version> {
  const { text, entry, whole, mode, isUnknown } = moment;
  // Beside the blob of the entry, because the log says which bytes are needed.
  const waits = entry?.whole;
  const kept = waits && keptBefore(waits);
  if (kept && waiting) await blobs.bytes.takeFrom(waiting, kept);
  return {
    text: text === undefined ? null : await blobs.put(text),
    review: entry && hasLines(entry) ? await blobs.put(waits ? { ...entry, whole: undefined } : entry) : null,
    ...(whole ? { whole: await keptWhole(blobs.bytes, path, whole, waiting) } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(waits ? { waits } : {}),
    ...(isUnknown ? { isUnknown } : {}),
  };
}

/** The moment again. @throws Error where it cannot be read. */
export async function momentOf(blobs: BlobsOfSession, version: Version): Promise<FileMoment> {
  const text = version.text === null ? undefined : await blobs.get(version.text);
  if (text !== undefined && typeof text !== 'string') throw new Error('not what was written');
  const lines = version.review === null ? undefined : decodeEntry(await blobs.get(version.review));
  const { whole, mode, waits, isUnknown } = version;
  const entry = waits ? { ...(lines ?? noLines), whole: waits } : lines;
  return { text, entry, ...(whole ? { whole } : {}), ...(mode === undefined ? {} : { mode }), ...(isUnknown ? { isUnknown } : {}) };
}

async function keptWhole(bytes: ByteFolder, path: string, whole: Snapshot, waiting: ByteFolder | undefined): Promise<Snapshot> {
  if (whole.kind === 'absent' || whole.isLost) return whole;
  if (whole.kept) {
    if (waiting) await bytes.takeFrom(waiting, whole.kept);
    return whole;
  }
  const kept = await bytes.take(path, MAX_KEPT_BYTES);
  if (!kept) throw new Error('it is too large to be kept (over 50 MB)');
  if (kept.name !== whole.digest) throw new Error('it was being changed at the same moment');
  return { ...whole, kept };
}
