import { access, chmod, constants, copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import type { Snapshot } from '../review/opaqueEntry';
import type { ByteFolder } from './byteFolder';
import { discard, readOnly } from './carryOut';
import { absent, contentOf, type FileContent, lookNow } from './diskContent';
import { snapshotOf } from './snapshots';
import { refuseUnsaved } from './unsavedWork';

/** Files as a whole, as the review of changes without lines needs them. */
export interface WholeFiles {
  /** What stands there now; undefined where that is no regular file. */
  look(path: string): Promise<Snapshot | undefined>;
  /** @throws Error where an editor of any kind holds work on the file that is not saved. */
  refuseUnsaved(path: string): void;
  /**
   * Makes a file hold this, or be gone.
   * @returns what it holds then. @throws Error where that is not kept any more, or cannot be written.
   */
  put(path: string, snapshot: Snapshot, bytes: ByteFolder): Promise<FileContent>;
  /** Makes a file hold a text in the place of what is none. @throws Error where it cannot be written. */
  putText(path: string, text: string): Promise<void>;
  /** Makes a file a program, or none. The rest of the permissions is the person's. */
  setProgram(path: string, isProgram: boolean): Promise<void>;
}

export const wholeFiles: WholeFiles = {
  async look(path) {
    const { value } = await lookNow(path);
    return value.kind === 'file' ? snapshotOf(value.content) : undefined;
  },

  refuseUnsaved,

  async put(path, snapshot, bytes) {
    const uri = vscode.Uri.file(path);
    refuseUnsaved(path);
    if (snapshot.kind === 'absent') {
      await discard(uri);
      return absent;
    }
    const { kept, mode, isDecoded } = snapshot;
    if (!kept) throw new Error('what it held was too large to be kept');
    await refuseReadOnly(path);
    await mkdir(nodePath.dirname(path), { recursive: true });
    await bytes.use(kept, async (file) => {
      // The question may have taken long, and so may the disk.
      refuseUnsaved(path);
      if (isDecoded) await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(await readFile(file, 'utf8'), { uri }));
      // In place, so that links to the file and its owner stay; what stands in it was kept before.
      else await copyFile(file, path);
    });
    if (mode !== undefined) await chmod(path, mode);
    return snapshot.kind === 'binary' ? { kind: 'binary', digest: snapshot.digest, mode } : contentOf(path, await readFile(path), mode);
  },

  async putText(path, text) {
    const uri = vscode.Uri.file(path);
    refuseUnsaved(path);
    await refuseReadOnly(path);
    await vscode.workspace.fs.writeFile(uri, await vscode.workspace.encode(text, { uri }));
  },

  async setProgram(path, isProgram) {
    const { mode } = await stat(path);
    await chmod(path, isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
  },
};

/** An administrator may write everything, so the permission bits are asked too. */
async function refuseReadOnly(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && ((stats.mode & 0o222) === 0 || !(await access(path, constants.W_OK).then(() => true, () => false)))) throw readOnly();
}
