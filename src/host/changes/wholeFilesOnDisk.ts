import { readFile } from 'node:fs/promises';
import { changeMode, moveFile, putBytes } from '../../node/changeFiles';
import { deleteFile, readOnly } from './applyDecision';
import { absent, contentOf, lookNow } from './disk/diskContent';
import { snapshotOf } from './checkpoints/snapshots';
import { isReadOnly } from '../files/fileContent';
import { encodedNew } from '../files/fileText';
import { realOf } from '../files/realPath';
import { refuseUnsaved } from '../files/unsavedWork';
import type { WholeFiles } from './wholeFiles';

/** The files of this computer, through the editor where it counts. */
export const wholeFilesOnDisk: WholeFiles = {
  async look(path) {
    const { value } = await lookNow(path);
    return value.kind === 'file' ? snapshotOf(value.content) : undefined;
  },

  refuseUnsaved,

  async put(path, snapshot, bytes) {
    refuseUnsaved(path);
    if (snapshot.kind === 'absent') {
      await deleteFile(path);
      return absent;
    }
    const { kept, mode, isDecoded } = snapshot;
    if (!kept) throw new Error('what it held was too large to be kept');
    await refuseReadOnly(path);
    const real = await realOf(path);
    const written = await bytes.use(kept, async (file) => {
      const content = isDecoded ? await encodedNew(path, await readFile(file, 'utf8')) : await readFile(file);
      // The question may have taken long, and so may the disk.
      refuseUnsaved(path);
      await putBytes(real, content);
      return content;
    });
    if (mode !== undefined) await changeMode(real, () => mode);
    return snapshot.kind === 'binary' ? { kind: 'binary', digest: snapshot.digest, mode } : contentOf(path, written, mode);
  },

  async putText(path, content) {
    refuseUnsaved(path);
    await refuseReadOnly(path);
    await putBytes(await realOf(path), typeof content === 'string' ? await encodedNew(path, content) : content);
  },

  async move(from, to) {
    refuseUnsaved(from);
    await moveFile(await realOf(from), await realOf(to));
  },

  async setProgram(path, isProgram) {
    await changeMode(await realOf(path), (mode) => (isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111));
    const { value } = await lookNow(path);
    return value.kind === 'file' ? value.content : absent;
  },
};

async function refuseReadOnly(path: string): Promise<void> {
  if (await isReadOnly(path)) throw readOnly();
}
