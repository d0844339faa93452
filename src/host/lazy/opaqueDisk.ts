import { access, chmod, constants, copyFile, lstat, mkdir, readFile, rename, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { discard, readOnly } from '../review/carryOut';
import { absent, contentOf, lookNow } from '../disk/diskContent';
import { snapshotOf } from '../checkpoints/snapshots';
import { refuseUnsaved } from '../files/unsavedWork';
import type { WholeFiles } from '../review/wholeFiles';

/** The files of this computer, through the editor where it counts. */
export const wholeFilesOnDisk: WholeFiles = {
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

  async move(from, to) {
    refuseUnsaved(from);
    await mkdir(nodePath.dirname(to), { recursive: true });
    if (await lstat(to).catch(() => undefined)) throw new Error(`${to} is there again`);
    await rename(from, to);
  },

  async setProgram(path, isProgram) {
    const { mode } = await stat(path);
    await chmod(path, isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
    const { value } = await lookNow(path);
    return value.kind === 'file' ? value.content : absent;
  },
};

/** An administrator may write everything, so the permission bits are asked too. */
async function refuseReadOnly(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && ((stats.mode & 0o222) === 0 || !(await access(path, constants.W_OK).then(() => true, () => false)))) throw readOnly();
}
