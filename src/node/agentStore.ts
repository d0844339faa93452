import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** An agent's npm package in one exact version. */
export interface AgentPackage {
  /** Names its folder in the store; safe as a file name. */
  readonly key: string;
  /** Of the package: "@google/gemini-cli". */
  readonly name: string;
  /** Exact. */
  readonly version: string;
  /** Absolute path of the lockfile that is shipped for this version; npm makes one where there is none. */
  readonly lock?: string;
}

/** Which version starts next, and which one did before an update. */
export interface VersionRecord {
  readonly current: string;
  readonly previous?: string;
}

/** How an installed agent is started. */
export interface InstalledProgram {
  /** It is a script for Node; else it is started by itself. */
  readonly isScript: boolean;
  /** Absolute. */
  readonly file: string;
  /** What its first line hands to Node. */
  readonly nodeArgs: readonly string[];
  /** Its own commands by name, for sign-ins that call it so. */
  readonly binFolder: string;
  /** `engines.node` of its package.json, unchecked. */
  readonly engines: unknown;
}

/** Staging folders of processes that still run are left alone for this long. */
const stagingMs = 24 * 60 * 60 * 1_000;

/**
 * The folder of installed agents: `<key>/<version>/` is a finished installation, which appears by one rename, and
 * `<key>/current.json` its `VersionRecord`. Several windows share it.
 */
export class AgentStore {
  /** @param root absolute */
  constructor(readonly root: string) {}

  folderOf({ key, version }: Pick<AgentPackage, 'key' | 'version'>): string {
    return path.join(this.root, key, version);
  }

  async isInstalled(item: Pick<AgentPackage, 'key' | 'version'>): Promise<boolean> {
    return stat(path.join(this.folderOf(item), 'package.json')).then((found) => found.isFile(), () => false);
  }

  /** @returns undefined where nothing was installed yet, or the file is not ours. */
  async record(key: string): Promise<VersionRecord | undefined> {
    try {
      const read = JSON.parse(await readFile(path.join(this.root, key, 'current.json'), 'utf8')) as Partial<Record<string, unknown>>;
      const { current, previous } = read;
      if (!isVersion(current)) return undefined;
      return { current, ...(isVersion(previous) ? { previous } : {}) };
    } catch {
      return undefined;
    }
  }

  /** Makes a version the one that starts next, and removes those that are neither it nor the one before nor in `keep`. */
  async choose({ key, version }: Pick<AgentPackage, 'key' | 'version'>, keep: readonly string[] = []): Promise<VersionRecord> {
    const before = await this.record(key);
    const previous = before?.current === version ? before.previous : before?.current;
    const record: VersionRecord = { current: version, ...(previous === undefined ? {} : { previous }) };
    const file = path.join(this.root, key, 'current.json');
    const partial = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
    await mkdir(path.dirname(file), { recursive: true });
    await writeWhole(partial, JSON.stringify(record));
    await rename(partial, file);
    for (const entry of await readdir(path.dirname(file), { withFileTypes: true })) {
      if (entry.isDirectory() && ![version, previous, ...keep].includes(entry.name)) await rm(path.join(path.dirname(file), entry.name), { recursive: true, force: true }).catch(() => undefined);
    }
    return record;
  }

  /** A new empty folder beside the finished ones, for one installation. */
  async stage({ key, version }: Pick<AgentPackage, 'key' | 'version'>): Promise<string> {
    const folder = path.join(this.root, '.staging', `${process.pid}~${randomBytes(4).toString('hex')}~${key}~${version}`);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Puts a staged installation in its place. Where another window was faster, its installation stays. */
  async finish(staged: string, item: Pick<AgentPackage, 'key' | 'version'>): Promise<void> {
    const folder = this.folderOf(item);
    await mkdir(path.dirname(folder), { recursive: true });
    for (let attempt = 1; ; attempt++) {
      try {
        return await rename(staged, folder);
      } catch (error) {
        if (await this.isInstalled(item)) return;
        // Virus scanners on Windows hold new files open for a moment.
        const { code } = error as NodeJS.ErrnoException;
        if (attempt >= 20 || (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES')) throw error;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }

  /** Removes what installations left behind that were ended in the middle. */
  async sweep(): Promise<void> {
    const folder = path.join(this.root, '.staging');
    for (const name of await readdir(folder).catch(() => [])) {
      const pid = Number(name.split('~', 1)[0]);
      const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: 0 }));
      if (pid === process.pid || (isAlive(pid) && Date.now() - mtimeMs < stagingMs)) continue;
      await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/**
 * What an installed package runs, as its package.json says; the rule for several commands is npx's: the one with the package's name.
 * @param folder the package's installation, with `node_modules`
 * @throws Error that says what is missing.
 */
export async function programOf(folder: string, name: string): Promise<InstalledProgram> {
  const packageFolder = path.join(folder, 'node_modules', name);
  const { bin, engines } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as { bin?: unknown; engines?: { node?: unknown } };
  const commands = typeof bin === 'string' ? [[name, bin] as const] : Object.entries(typeof bin === 'object' && bin !== null ? bin : {});
  const named = commands.length === 1 ? commands[0] : commands.find(([command]) => command === name.split('/').at(-1));
  if (!named || typeof named[1] !== 'string') throw new Error(`${name} has no command that could be started.`);
  const file = path.resolve(packageFolder, named[1]);
  const line = await firstLine(file);
  const shebang = /^#!\s*\S*\/(?:env\s+(?:-S\s+)?)?node(?:\s+(.*))?$/.exec(line);
  const isScript = shebang !== null || (!line.startsWith('#!') && /\.[cm]?js$/.test(file));
  return { isScript, file, nodeArgs: shebang?.[1]?.trim().split(/\s+/).filter(Boolean) ?? [], binFolder: path.join(folder, 'node_modules/.bin'), engines: engines?.node };
}

async function firstLine(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead).split(/\r?\n/, 1)[0]!;
  } finally {
    await handle.close();
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

/** It names a folder, so it must be no path. */
function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d[\w.+-]*$/.test(value);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
