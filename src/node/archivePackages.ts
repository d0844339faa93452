import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPackage } from '../registry/packageNames';
import { downloadFile } from './downloadFile';
import { InstallFailure } from './installFailure';
import type { FillRequest, InstalledProgram, PackageManager } from './packageManager';
import { unpackArchive } from './unpackArchive';
import { webAddress } from './webRequest';

/** Bytes of a download, at most. */
const maxDownload = 1024 ** 3;

/** In a folder of an unpacked archive: what it was made from. Written last. */
const originFile = 'archive.json';
const filesFolder = 'files';

type Unpacked = Pick<AgentPackage, 'name' | 'program' | 'archive'>;

/** Agents that are downloaded as an archive, or as a program by itself. */
export const archivePackages: Pick<PackageManager, 'install'> = {
  install: async (staged, { package: item, token, onProgress }: FillRequest) => {
    const { program = '', archive } = item;
    const address = archive && webAddress(archive.address);
    if (!address) throw new InstallFailure({ kind: 'download', trouble: 'address', host: archive?.address ?? '', output: '' });
    const [download, files] = [path.join(staged, 'download'), path.join(staged, filesFolder)];
    const sha256 = await downloadFile(address, download, {
      token,
      maxBytes: maxDownload,
      ...(archive.sha256 === undefined ? {} : { sha256: archive.sha256 }),
      onBytes: (done, total) => onProgress({ step: 'download', done, ...(total === undefined ? {} : { total }) }),
    });
    onProgress({ step: 'unpacking' });
    await mkdir(files);
    await unpackArchive(download, files, program, token);
    await rm(download);
    await writeFile(path.join(staged, originFile), JSON.stringify({ address: archive.address, sha256 }));
  },
};

/** Whether a folder has what an archive was unpacked to. Another address or checksum is another archive. */
export async function isUnpacked(folder: string, { archive, program = '' }: Unpacked): Promise<boolean> {
  try {
    const { address, sha256 } = JSON.parse(await readFile(path.join(folder, originFile), 'utf8')) as { address?: unknown; sha256?: unknown };
    if (address !== archive?.address || (archive?.sha256 !== undefined && archive.sha256 !== sha256)) return false;
    return (await stat(path.join(folder, filesFolder, program))).isFile();
  } catch {
    return false;
  }
}

/** What an unpacked archive runs. */
export function archiveProgramOf(folder: string, { program = '' }: Unpacked): InstalledProgram {
  const file = path.join(folder, filesFolder, program);
  return { isScript: false, file, nodeArgs: [], binFolder: path.dirname(file), engines: undefined };
}
