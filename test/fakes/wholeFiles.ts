import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../../src/host/storage/contentName';
import type { FileContent } from '../../src/host/changes/disk/diskContent';
import { isSameSnapshot } from '../../src/changes/wholeChange';
import type { WholeFiles } from '../../src/host/changes/wholeFiles';
import { snapshotOf } from '../../src/host/changes/checkpoints/fileMoment';

/** What a file holds, as the host tells it; a file with a zero in it is binary. */
export function contentAt(path: string): FileContent {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return { kind: 'absent' };
  const bytes = readFileSync(path);
  const mode = stats.mode & 0o777;
  return bytes.includes(0)
    ? { kind: 'binary', digest: sha256(bytes), bytes, mode }
    : { kind: 'text', text: bytes.toString('utf8'), bytes, mode };
}

/** As it is on disk, without a byte order mark. */
function contentText(path: string): string {
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}

/** The files of the real disk without an editor. */
export function wholeFilesOnDisk(
  unsaved: ReadonlySet<string> = new Set(),
  step: (half?: () => void) => void = () => undefined,
): WholeFiles {
  const refuseUnsaved = (path: string): void => {
    if (unsaved.has(path)) throw new Error('it has unsaved changes');
  };
  return {
    look: async (path) =>
      lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? undefined : snapshotOf(contentAt(path)),
    refuseUnsaved,
    put: async (path, snapshot, now, bytes) => {
      refuseUnsaved(path);
      if (!isSameSnapshot(snapshotOf(contentAt(path)), now)) throw new Error('it was changed at the same time');
      if (snapshot.kind === 'absent') {
        step();
        rmSync(path);
      } else {
        mkdirSync(dirname(path), { recursive: true });
        await bytes.use(snapshot.kept!, async (file) => {
          step(() => writeFileSync(path, readFileSync(file).subarray(0, 1)));
          copyFileSync(file, path);
        });
        if (snapshot.mode !== undefined) chmodSync(path, snapshot.mode);
      }
      const found = contentAt(path);
      if (found.kind === 'text' && sha256(found.text) !== (snapshot.kind === 'absent' ? '' : snapshot.digest))
        throw new Error('another text');
      return found;
    },
    putText: async (path, text) => {
      refuseUnsaved(path);
      writeFileSync(path, text);
    },
    reform: async (path, like) => {
      refuseUnsaved(path);
      const { bytesLike } = await import('../../src/host/files/fileOnDisk');
      writeFileSync(path, await bytesLike(path, like, contentText(path)));
      return contentAt(path);
    },
    move: async (from, to) => {
      refuseUnsaved(from);
      mkdirSync(dirname(to), { recursive: true });
      renameSync(from, to);
    },
    setProgram: async (path, isProgram) => {
      chmodSync(path, isProgram ? 0o755 : 0o644);
      return contentAt(path);
    },
  };
}
