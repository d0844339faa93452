import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InstalledProgram } from './packageManager';
import type { AgentPackage } from '../registry/packageNames';
import { npmProgramOf } from './npmProgram';
import { renameFile } from './renameFile';
import { isAlive } from './signals';
import { archiveProgramOf, isUnpacked } from './unpackedArchive';
import { pythonOf, uvProgramOf } from './uvProgram';

/** The version that starts next, and the one to go back to. */
export interface VersionRecord {
  readonly current: string;
  readonly previous?: string;
  /** The last version that answered. */
  readonly working?: string;
}

/** Staging folders younger than this may belong to a running installation and are kept. */
const stagingMs = 24 * 60 * 60 * 1_000;

/** Interrupted downloads are kept for a week. */
const partialMs = 7 * stagingMs;

/** A download in a staging folder, named after its checksum. */
const download = /^download-[0-9a-f]{32}$/;

/** In a folder of a package from uv: the path of its environment. */
const environmentFile = 'environment.json';

type Installation = Pick<AgentPackage, 'manager' | 'key' | 'name' | 'version' | 'program' | 'archive'>;

/**
 * The folder of installed agents: `<key>/<version>/` is a finished installation, which appears by one rename, and
 * `<key>/current.json` its `VersionRecord`. Several windows share it.
 *
 * A Python environment cannot be renamed: its programs contain the path of their Python. It is created at its final
 * place in `.uv/`, and the renamed folder only has its path. Every environment in `.uv/` is named by a staging folder
 * or by a finished one.
 */
export class AgentStore {
  /** @param root absolute */
  constructor(readonly root: string) {}

  folderOf({ key, version }: Pick<AgentPackage, 'key' | 'version'>): string {
    return path.join(this.root, key, version);
  }

  async isInstalled(item: Installation): Promise<boolean> {
    const folder = this.folderOf(item);
    if (item.manager === 'archive') return isUnpacked(folder, item);
    const environment = item.manager === 'uv' ? await this.#environmentOf(folder) : undefined;
    if (item.manager === 'uv' && environment === undefined) return false;
    // An environment is useless without its Python, which the user may have removed.
    const file = environment === undefined ? path.join(folder, 'package.json') : pythonOf(environment, item);
    return stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
  }

  /** The program of an installed version. @throws InstallFailure if there is none */
  async programOf(item: Installation): Promise<InstalledProgram> {
    const folder = this.folderOf(item);
    if (item.manager === 'archive') return archiveProgramOf(folder, item);
    return item.manager === 'npm'
      ? npmProgramOf(folder, item)
      : uvProgramOf((await this.#environmentOf(folder)) ?? folder, item);
  }

  /** @returns undefined if nothing is installed yet, or the file is not ours. */
  async record(key: string): Promise<VersionRecord | undefined> {
    try {
      const read = JSON.parse(await readFile(path.join(this.root, key, 'current.json'), 'utf8')) as Partial<
        Record<string, unknown>
      >;
      const { current, previous, working } = read;
      if (!isVersion(current)) return undefined;
      return { current, ...(isVersion(previous) ? { previous } : {}), ...(isVersion(working) ? { working } : {}) };
    } catch {
      return undefined;
    }
  }

  /**
   * Sets the version that starts next, and removes all others except the previous one and those in `keep`. The previous
   * one is the last that answered, if any did.
   */
  async choose(
    { key, version }: Pick<AgentPackage, 'key' | 'version'>,
    keep: readonly string[] = [],
  ): Promise<VersionRecord> {
    const before = await this.record(key);
    const working = before?.working;
    const former = working ?? before?.current;
    const previous = before?.current === version || former === version ? before?.previous : former;
    const record: VersionRecord = {
      current: version,
      ...(previous === undefined || previous === version ? {} : { previous }),
      ...(working === undefined ? {} : { working }),
    };
    await this.#write(key, record);
    const folder = path.join(this.root, key);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && ![version, previous, ...keep].includes(entry.name))
        await this.#remove(path.join(folder, entry.name)).catch(() => undefined);
    }
    return record;
  }

  /** Notes that a version has answered. The user never goes back to an update that has not. */
  async worked({ key, version }: Pick<AgentPackage, 'key' | 'version'>): Promise<void> {
    const record = await this.record(key);
    if (record?.current === version && record.working !== version)
      await this.#write(key, { ...record, working: version });
  }

  /** Removes an agent with all its versions. */
  async removeAll(key: string): Promise<void> {
    const folder = path.join(this.root, key);
    await rm(path.join(folder, 'current.json'), { force: true });
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory()) await this.#remove(path.join(folder, entry.name));
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #write(key: string, record: VersionRecord): Promise<void> {
    const file = path.join(this.root, key, 'current.json');
    const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeWhole(partial, JSON.stringify(record));
      await renameFile(partial, file);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** A new empty folder beside the finished ones, for one installation. */
  async stage({ key, version }: Pick<AgentPackage, 'key' | 'version'>): Promise<string> {
    const folder = path.join(
      this.root,
      '.staging',
      `${process.pid}~${randomBytes(4).toString('hex')}~${key}~${version}`,
    );
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /**
   * A new folder for the environment of a staged installation. It keeps its path when the installation is finished, and
   * is removed with it.
   */
  async placeFor(staged: string): Promise<string> {
    // Some systems limit the length of paths, and those in an environment are long.
    const folder = path.join(this.root, '.uv', randomBytes(4).toString('hex'));
    // Write the path first, so that no environment exists without a folder that names it.
    await writeWhole(path.join(staged, environmentFile), JSON.stringify({ folder }));
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** See `EnvironmentPlaces`. */
  async downloadFor(staged: string, checksum: string | undefined): Promise<string> {
    if (checksum === undefined) return path.join(staged, 'download');
    const name = `download-${createHash('sha256').update(checksum).digest('hex').slice(0, 32)}`;
    const file = path.join(staged, name);
    await rename(path.join(this.#partial, name), file).catch(() => undefined);
    return file;
  }

  /** Renames a staged installation to its final place. If another window was faster, its installation stays. */
  async finish(staged: string, item: Installation): Promise<void> {
    const folder = this.folderOf(item);
    await mkdir(path.dirname(folder), { recursive: true });
    for (let attempt = 1; ; attempt++) {
      try {
        return await rename(staged, folder);
      } catch (error) {
        if (await this.isInstalled(item)) return;
        // The existing one cannot start any more, such as an environment without its Python.
        if (
          attempt === 1 &&
          (await this.#remove(folder).then(
            () => true,
            () => false,
          ))
        )
          continue;
        // Virus scanners on Windows hold new files open for a moment.
        const { code } = error as NodeJS.ErrnoException;
        if (attempt >= 20 || (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES')) throw error;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  /** Removes the remains of interrupted installations. */
  async sweep(): Promise<void> {
    const folder = path.join(this.root, '.staging');
    for (const name of await readdir(folder).catch(() => [])) {
      const pid = Number(name.split('~', 1)[0]);
      const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: 0 }));
      if (pid === process.pid || (isAlive(pid) && Date.now() - mtimeMs < stagingMs)) continue;
      await this.discard(path.join(folder, name)).catch(() => undefined);
    }
    for (const name of await readdir(this.#partial).catch(() => [])) {
      const { mtimeMs } = await stat(path.join(this.#partial, name)).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > partialMs) await rm(path.join(this.#partial, name), { force: true });
    }
  }

  get #partial(): string {
    return path.join(this.root, '.partial');
  }

  /**
   * Removes a staging folder and its environment, and keeps the beginning of a download; does nothing if it was
   * finished.
   */
  async discard(staged: string): Promise<void> {
    for (const name of await readdir(staged).catch(() => [])) {
      if (!download.test(name)) continue;
      await mkdir(this.#partial, { recursive: true });
      await rename(path.join(staged, name), path.join(this.#partial, name)).catch(() => undefined);
    }
    const environment = await this.#environmentOf(staged);
    // Remove the folder that names the environment last, so that a later sweep can continue.
    for (const folder of [environment, staged]) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Renames an installation away, then removes it. */
  async #remove(folder: string): Promise<void> {
    const staged = path.join(this.root, '.staging', `${process.pid}~${randomBytes(4).toString('hex')}~removed`);
    await mkdir(path.dirname(staged), { recursive: true });
    await renameFile(folder, staged);
    await this.discard(staged).catch(() => undefined);
  }

  /** Accepts only a folder of ours, whatever the file says: it is removed as a whole, and its programs are started. */
  async #environmentOf(folder: string): Promise<string | undefined> {
    try {
      const { folder: named } = JSON.parse(await readFile(path.join(folder, environmentFile), 'utf8')) as {
        folder?: unknown;
      };
      return typeof named === 'string' &&
        path.dirname(named) === path.join(this.root, '.uv') &&
        /^[0-9a-f]+$/.test(path.basename(named))
        ? named
        : undefined;
    } catch {
      return undefined;
    }
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await writeFile(handle, text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** It becomes the name of a folder, so it must not be a path. */
function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d[\w.+-]*$/.test(value);
}
