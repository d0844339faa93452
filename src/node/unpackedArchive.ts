import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPackage } from '../registry/packageNames';
import type { InstalledProgram } from './packageManager';

type Unpacked = Pick<AgentPackage, 'program' | 'archive'>;

/** In a folder of an unpacked archive: its origin. Written last. */
export const originFile = 'archive.json';
/** In a folder of an unpacked archive: its content. */
export const filesFolder = 'files';

/** True if a folder has the unpacked archive. Another address or checksum is another archive. */
export async function isUnpacked(folder: string, { archive, program = '' }: Unpacked): Promise<boolean> {
  try {
    const { address, sha256, integrity } = JSON.parse(await readFile(path.join(folder, originFile), 'utf8')) as {
      address?: unknown;
      sha256?: unknown;
      integrity?: unknown;
    };
    const isSame =
      archive?.integrity === undefined
        ? address === archive?.address && (archive?.sha256 === undefined || archive.sha256 === sha256)
        : archive.integrity === integrity;
    if (!isSame) return false;
    return (await stat(path.join(folder, filesFolder, program))).isFile();
  } catch {
    return false;
  }
}

/** The program of an unpacked archive. */
export function archiveProgramOf(folder: string, { program = '' }: Unpacked): InstalledProgram {
  const file = path.join(folder, filesFolder, program);
  return { isScript: false, file, nodeArgs: [], binFolder: path.dirname(file), engines: undefined };
}
