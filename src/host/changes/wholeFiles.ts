import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { isBeyondKeeping, isSameSnapshot, type Snapshot, withProgram } from '../../changes/wholeChange';
import type { ByteFolder } from '../storage/byteFolder';
import { changeMode, type Expected, moveFile, putBytes, removeFile } from '../../node/changeFiles';
import { absent, contentOf, digestOfHuge, type FileContent, lookNow } from './disk/diskContent';
import { snapshotOf } from './checkpoints/fileMoment';
import { openDocument } from '../files/documentEdits';
import { bytesLike, ChangedMeanwhileError, fileOnDisk } from '../files/fileOnDisk';
import { isReadOnly, readOnly } from '../files/fileContent';
import { encodedNew } from '../files/fileText';
import { realOf } from '../files/realPath';
import { refuseUnsaved } from '../files/unsavedWork';

/** The files of this computer as a whole, through the editor where it counts. */
export const wholeFiles = {
  /** What stands there now; undefined where that is no regular file. */
  async look(path: string): Promise<Snapshot | undefined> {
    const { value } = await lookNow(path);
    return value.kind === 'file' ? snapshotOf(value.content) : undefined;
  },

  refuseUnsaved,

  /**
   * Makes a file hold this, or be gone.
   * @param now what it holds, as far as the user knows. @param bytes the folder of what it shall hold.
   * @returns what it holds then.
   * @throws ChangedMeanwhileError; Error where that is not kept any more, or cannot be written.
   */
  async put(path: string, snapshot: Snapshot, now: Snapshot, bytes: ByteFolder): Promise<FileContent> {
    refuseUnsaved(path);
    if (snapshot.kind === 'absent') {
      if (!(await removeFile(await realOf(path), expecting(path, now)))) throw new ChangedMeanwhileError();
      return absent;
    }
    const { kept, mode, isDecoded } = snapshot;
    if (!kept) throw new Error(l10n.t('its original content was too large to back up'));
    await refuseReadOnly(path);
    const real = await realOf(path);
    const written = await bytes.use(kept, async (file) => {
      const content = isDecoded ? await encodedNew(path, await readFile(file, 'utf8')) : await readFile(file);
      // The question may have taken long, and so may the disk.
      refuseUnsaved(path);
      if (!(await putBytes(real, content, expecting(path, now)))) throw new ChangedMeanwhileError();
      return content;
    });
    if (mode !== undefined) await changeMode(real, () => mode);
    return snapshot.kind === 'binary'
      ? { kind: 'binary', digest: snapshot.digest, mode }
      : contentOf(path, written, mode);
  },

  /** Makes a file hold a text, or its bytes, in the place of what is none. @param now as for `put`. @throws as `put` */
  async putText(path: string, content: string | Uint8Array, now: Snapshot): Promise<void> {
    refuseUnsaved(path);
    await refuseReadOnly(path);
    const fresh = typeof content === 'string' ? await encodedNew(path, content) : content;
    if (!(await putBytes(await realOf(path), fresh, expecting(path, now)))) throw new ChangedMeanwhileError();
  },

  /**
   * Stores the text of a file as another file is stored: its encoding, mark and line ends.
   * @returns what it holds then.
   * @throws as `put`
   */
  async reform(path: string, like: Buffer): Promise<FileContent> {
    refuseUnsaved(path);
    await refuseReadOnly(path);
    const file = await fileOnDisk(path, await realOf(path), openDocument(path));
    const fresh = await bytesLike(path, like, file.text);
    refuseUnsaved(path);
    await file.replace(fresh);
    return contentOf(path, fresh, undefined);
  },

  /** Gives a file another name. @throws Error where something has that name, or it cannot be done. */
  async move(from: string, to: string): Promise<void> {
    refuseUnsaved(from);
    await moveFile(await realOf(from), await realOf(to));
  },

  /** Makes a file a program, or none. @returns what it holds */
  async setProgram(path: string, isProgram: boolean): Promise<FileContent> {
    await changeMode(await realOf(path), (mode) => withProgram(mode, isProgram));
    const { value } = await lookNow(path);
    return value.kind === 'file' ? value.content : absent;
  },
};

/** See `wholeFiles`; a test has its own. */
export type WholeFiles = typeof wholeFiles;

/** Whether a file still holds this; undefined where there shall be none. */
function expecting(path: string, now: Snapshot): Expected | undefined {
  if (now.kind === 'absent') return undefined;
  return async (bytes, { size, mtimeMs }) =>
    isBeyondKeeping(now)
      ? now.digest === digestOfHuge(size, mtimeMs)
      : isSameSnapshot(snapshotOf(await contentOf(path, bytes, undefined, 0)), now);
}

async function refuseReadOnly(path: string): Promise<void> {
  if (await isReadOnly(path)) throw readOnly();
}
