import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadFile } from './downloadFile';
import { InstallFailure } from './installFailure';
import type { FillRequest, PackageManager } from './packageManager';
import { unpackArchive } from './unpackArchive';
import { filesFolder, originFile } from './unpackedArchive';
import { webAddress } from './webRequest';

/** Bytes of a download, at most. */
const maxDownload = 1024 ** 3;

/**
 * Agents that are downloaded as an archive, or as a single program.
 * @param bunzip see `unpackArchive` @param authorization for the server of the address, if it wants any
 */
export const archivePackages = (bunzip: string, authorization?: string): Pick<PackageManager, 'install'> => ({
  install: async (staged, { package: item, store, token, onProgress }: FillRequest) => {
    const { program = '', archive } = item;
    const address = archive && webAddress(archive.address);
    if (!address)
      throw new InstallFailure({ kind: 'download', trouble: 'address', host: archive?.address ?? '', output: '' });
    const checksum = archive.integrity ?? archive.sha256;
    const [download, files] = [await store.downloadFor(staged, checksum), path.join(staged, filesFolder)];
    const sha256 = await downloadFile(address, download, {
      token,
      maxBytes: maxDownload,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      ...(checksum === undefined ? {} : { checksum }),
      onBytes: (done, total) => onProgress({ step: 'download', done, ...(total === undefined ? {} : { total }) }),
    });
    onProgress({ step: 'unpacking' });
    await mkdir(files);
    await unpackArchive(download, files, program, bunzip, token);
    await rm(download);
    await writeFile(path.join(staged, originFile), JSON.stringify({ ...archive, sha256 }));
  },
});
