import * as l10n from '@vscode/l10n';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type AgentPackage, archivePackage } from '../registry/packageNames';
import { AgentStore } from './agentStore';
import { archivePackages } from './archivePackages';
import type { LookupEnvironment } from './findProgram';
import { InstallFailure, type RuntimeName } from './installFailure';
import { installPackage } from './installPackage';
import { npmEnvironment } from './npm';
import { packageRegistry, type PackageRegistry } from './npmConfiguration';
import type { InstallProgress, RunOptions } from './packageManager';
import { runProgram } from './runProgram';
import { systemLibc } from './systemLibc';

/** A package of a registry in media/runtime.json. */
interface PackagePin {
  readonly package: string;
  readonly version: string;
  /** SHA-512 as npm writes it. */
  readonly integrity: string;
  /** Of the download. */
  readonly bytes: number;
}

/** A file of a project's release in media/runtime.json. */
interface FilePin {
  readonly address: string;
  readonly version: string;
  /** In lower case hex. */
  readonly sha256: string;
}

type Pin = PackagePin | FilePin;

/** A runtime for this machine, as it would be downloaded. */
export interface RuntimeOffer {
  readonly name: RuntimeName;
  /** Versions of its programs: of Node.js and npm, or of uv. */
  readonly versions: readonly string[];
  /** Of all downloads, if Parley knows it. */
  readonly bytes?: number;
  readonly host: string;
  /** The packages with their versions, or the files. */
  readonly packages: readonly string[];
}

/** The programs of an installed runtime. */
export interface OwnPrograms {
  readonly version: string;
  /** Absolute: of Node.js and npm's script, or of uv. */
  readonly files: readonly string[];
  /** Parley's folder for what the runtime itself stores, absolute. */
  readonly folder: string;
}

export interface OwnRuntimeOptions {
  /** Parley's folder for all runtimes, absolute. */
  readonly root: string;
  /** Absolute path of media/runtime.json. */
  readonly pins: string;
  /** The setting `parley.runtime.url`; "" for the registry of the user's npm, and the projects' own releases. */
  readonly address: () => string;
}

interface Piece {
  readonly title: string;
  readonly pin: Pin;
  /** Without its address. */
  readonly item: AgentPackage;
}

/** A runtime of Parley's own, for agents on a machine that has none, or too old ones. It is on nobody's PATH. */
export class OwnRuntime {
  readonly #root: string;
  readonly #store: AgentStore;
  #pieces: Promise<readonly Piece[] | undefined> | undefined;

  constructor(
    readonly name: RuntimeName,
    private readonly options: OwnRuntimeOptions,
  ) {
    this.#root = path.join(options.root, name);
    this.#store = new AgentStore(this.#root);
  }

  /** True if Parley has this runtime for this machine. */
  async fits(): Promise<boolean> {
    return (await this.#forThisMachine()) !== undefined;
  }

  /** @returns undefined if Parley has none for this machine. @throws InstallFailure if the registry has no address */
  async offer(env: LookupEnvironment): Promise<RuntimeOffer | undefined> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) return undefined;
    const sources = await Promise.all(pieces.map(({ pin }) => this.#sourceOf(pin, env)));
    const sizes = pieces.flatMap(({ pin }) => ('bytes' in pin ? [pin.bytes] : []));
    return {
      name: this.name,
      versions: pieces.map(({ pin }) => pin.version),
      ...(sizes.length === pieces.length ? { bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) } : {}),
      host: sources[0]!.address.host,
      packages: pieces.map(({ pin }) =>
        'package' in pin ? `${pin.package}@${pin.version}` : pin.address.slice(pin.address.lastIndexOf('/') + 1),
      ),
    };
  }

  /** @returns undefined if it is not installed. */
  async installed(): Promise<OwnPrograms | undefined> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) return undefined;
    for (const { item } of pieces) if (!(await this.#store.isInstalled(item))) return undefined;
    const programs = await Promise.all(pieces.map(({ item }) => this.#store.programOf(item)));
    return { version: pieces[0]!.pin.version, files: programs.map(({ file }) => file), folder: this.#root };
  }

  /** Downloads what is missing, after the user agreed. @throws InstallFailure */
  async install(
    env: LookupEnvironment,
    run: RunOptions,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<OwnPrograms> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) throw new InstallFailure({ kind: this.name === 'node' ? 'noNode' : 'noUv' });
    for (const { item, title, pin } of pieces) {
      const { address, authorization } = await this.#sourceOf(pin, env);
      await installPackage({
        package: { ...item, archive: { ...item.archive, address: address.href } },
        store: this.#store,
        manager: archivePackages('', authorization),
        ...run,
        onProgress: (progress) =>
          onProgress(
            progress.step === 'download' || progress.step === 'unpacking'
              ? { ...progress, of: `${title} ${pin.version}` }
              : progress,
          ),
        mayRunScript: () => Promise.resolve(false),
      });
      await this.#store.choose(item);
    }
    const own = (await this.installed())!;
    if (await this.#runs(own, env)) return own;
    await this.remove();
    const output = `${pieces[0]!.title} ${own.version}`;
    throw new InstallFailure({ kind: 'ownRuntime', runtime: this.name, output });
  }

  /** Removes all of it, whatever version of Parley downloaded it. */
  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Where packages are downloaded from without npm. @throws InstallFailure if its address cannot be used */
  async registry(env: LookupEnvironment): Promise<PackageRegistry> {
    const mirror = this.#mirror();
    const registry = await packageRegistry(npmEnvironment(env), mirror);
    if (registry) return registry;
    throw new InstallFailure({
      kind: 'download',
      trouble: 'address',
      host: mirror ?? l10n.t('the registry in your .npmrc'),
      output: '',
    });
  }

  #mirror(): string | undefined {
    return this.options.address().trim() || undefined;
  }

  /** The address of a download, with the key for its server. A mirror has a project's files at their own path. */
  async #sourceOf(pin: Pin, env: LookupEnvironment): Promise<PackageRegistry> {
    if (!('package' in pin) && this.#mirror() === undefined) return { address: new URL(pin.address) };
    const registry = await this.registry(env);
    const address =
      'package' in pin ? tarballOf(pin, registry) : new URL(new URL(pin.address).pathname.slice(1), registry.address);
    return { ...registry, address };
  }

  async #runs({ files }: OwnPrograms, env: LookupEnvironment): Promise<boolean> {
    const limits = { timeoutMs: 15_000, maxBytes: 10_000 };
    return runProgram(files[0]!, ['--version'], { cwd: this.#root, env: env as NodeJS.ProcessEnv, ...limits }).then(
      () => true,
      () => false,
    );
  }

  async #forThisMachine(): Promise<readonly Piece[] | undefined> {
    this.#pieces ??= readFile(this.options.pins, 'utf8').then((text) => {
      const pins = JSON.parse(text) as {
        readonly node: Readonly<Record<string, Pin>>;
        readonly npm: Pin;
        readonly uv?: Readonly<Record<string, Pin>>;
      };
      const machine = `${process.platform}-${process.arch}${systemLibc() === 'musl' ? '-musl' : ''}`;
      const pin = pins[this.name]?.[machine];
      const ending = process.platform === 'win32' ? '.exe' : '';
      if (pin === undefined) return undefined;
      return this.name === 'node'
        ? [
            piece('node', 'Node.js', pin, `package/bin/node${ending}`),
            piece('npm', 'npm', pins.npm, 'package/bin/npm-cli.js'),
          ]
        : [piece('uv', 'uv', pin, uvIn(pin))];
    });
    return this.#pieces;
  }
}

function piece(id: string, title: string, pin: Pin, program: string): Piece {
  const integrity = 'package' in pin ? pin.integrity : pin.sha256;
  return { title, pin, item: archivePackage(id, title, pin.version, program, { address: '', integrity }) };
}

/** uv's archives for Windows have no folder; the others have one with their own name. */
function uvIn(pin: Pin): string {
  const file = 'address' in pin ? path.posix.basename(pin.address) : '';
  return file.endsWith('.zip') ? 'uv.exe' : `${file.replace(/\.tar\.gz$/, '')}/uv`;
}

/** A package's file in a registry, where npm itself looks for it. */
export function tarballOf(
  { package: name, version }: Pick<PackagePin, 'package' | 'version'>,
  { address }: PackageRegistry,
): URL {
  return new URL(`${name}/-/${name.split('/').at(-1)}-${version}.tgz`, address);
}
