import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentPackage } from '../registry/packageNames';
import { downloadFile } from './downloadFile';
import type { PackageRegistry } from './npmConfiguration';
import { isForThisSystem, type Lockfile, manifestFor } from './npmPackages';
import { npmProgramOf } from './npmProgram';
import { tarballOf } from './ownRuntime';
import type { FillRequest, PackageManager } from './packageManager';
import { unpackArchive } from './unpackArchive';

/** A package that is a program for this system, which needs no Node.js. */
export interface StandalonePackage {
  readonly package: string;
  readonly version: string;
  /** SHA-512 as npm writes it. */
  readonly integrity: string;
  /** In the package. */
  readonly program: string;
}

/** Bytes of a download, at most. */
const maxDownload = 1024 ** 3;

/**
 * The program for this system that a package brings as an optional one, by the lockfile that Parley ships.
 * @returns undefined if it brings none.
 */
export async function standaloneOf({ name, lock }: AgentPackage): Promise<StandalonePackage | undefined> {
  if (lock === undefined) return undefined;
  const { packages } = JSON.parse(await readFile(lock, 'utf8')) as Lockfile;
  for (const optional of Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {})) {
    const found = packages[`node_modules/${optional}`];
    if (found?.bin === undefined || !found.version || !found.integrity || !isForThisSystem(found)) continue;
    const [program, more] = Object.values(found.bin);
    if (program !== undefined && more === undefined)
      return { package: optional, version: found.version, integrity: found.integrity, program };
  }
  return undefined;
}

/** Installs only that program of a package. It lies where npm would put it, so it starts and updates as ever. */
export const standalonePackages = (
  program: StandalonePackage,
  registry: PackageRegistry,
): Pick<PackageManager, 'install'> => ({
  install: async (staged, { package: item, store, token, onProgress }: FillRequest) => {
    const { authorization } = registry;
    const download = await store.downloadFor(staged, program.integrity);
    await downloadFile(tarballOf(program, registry), download, {
      token,
      maxBytes: maxDownload,
      checksum: program.integrity,
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      onBytes: (done, total) => onProgress({ step: 'download', done, ...(total === undefined ? {} : { total }) }),
    });
    onProgress({ step: 'unpacking' });
    const [folder, own] = [program.package, item.name].map((name) => path.join(staged, 'node_modules', name));
    await mkdir(folder!, { recursive: true });
    const file = await unpackArchive(download, folder!, `package/${program.program}`, '', token);
    await rm(download);
    await mkdir(own!, { recursive: true });
    const bin = path.relative(own!, file).split(path.sep).join('/');
    await writeFile(
      path.join(own!, 'package.json'),
      JSON.stringify({ name: item.name, version: item.version, bin: { [item.name.split('/').at(-1)!]: bin } }),
    );
    await writeFile(path.join(staged, 'package.json'), JSON.stringify(manifestFor(item), null, 2));
    await npmProgramOf(staged, item);
  },
});
