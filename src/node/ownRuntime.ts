import * as l10n from '@vscode/l10n';
import { readFile, rm } from 'node:fs/promises';
import { type AgentPackage, archivePackage } from '../registry/packageNames';
import { AgentStore } from './agentStore';
import { archivePackages } from './archivePackages';
import type { LookupEnvironment } from './findProgram';
import { InstallFailure } from './installFailure';
import { installPackage } from './installPackage';
import { askNode, type NodeRuntime } from './nodeRuntime';
import { npmEnvironment } from './npm';
import { packageRegistry, type PackageRegistry } from './npmConfiguration';
import type { InstallProgress, RunOptions } from './packageManager';
import { systemLibc } from './systemLibc';

/** A package in media/runtime.json. */
interface Pin {
  readonly package: string;
  readonly version: string;
  /** SHA-512 as npm writes it. */
  readonly integrity: string;
  /** Of the download. */
  readonly bytes: number;
}

/** Node.js and npm for this machine, as they would be downloaded. */
export interface RuntimeOffer {
  readonly node: string;
  readonly npm: string;
  /** Of both downloads. */
  readonly bytes: number;
  readonly host: string;
  /** The packages with their versions. */
  readonly packages: readonly string[];
}

export interface OwnRuntimeOptions {
  /** Parley's folder for it, absolute. */
  readonly root: string;
  /** Absolute path of media/runtime.json. */
  readonly pins: string;
  /** The setting `parley.runtime.url`; "" for the registry of the user's npm. */
  readonly address: () => string;
}

interface Piece {
  readonly title: string;
  readonly pin: Pin;
  /** Without its address. */
  readonly item: AgentPackage;
}

/** Parley's own Node.js and npm, for agents on a machine that has none, or too old ones. It is on nobody's PATH. */
export class OwnRuntime {
  readonly #store: AgentStore;
  #pieces: Promise<readonly [Piece, Piece] | undefined> | undefined;

  constructor(private readonly options: OwnRuntimeOptions) {
    this.#store = new AgentStore(options.root);
  }

  /** True if Parley has a Node.js for this machine. */
  async fits(): Promise<boolean> {
    return (await this.#forThisMachine()) !== undefined;
  }

  /** @returns undefined if Parley has none for this machine. @throws InstallFailure if the registry has no address */
  async offer(env: LookupEnvironment): Promise<RuntimeOffer | undefined> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) return undefined;
    const [node, npm] = pieces;
    const { address } = await this.registry(env);
    return {
      node: node.pin.version,
      npm: npm.pin.version,
      bytes: node.pin.bytes + npm.pin.bytes,
      host: address.host,
      packages: pieces.map(({ pin }) => `${pin.package}@${pin.version}`),
    };
  }

  /** @returns undefined if it is not installed. */
  async installed(): Promise<NodeRuntime | undefined> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) return undefined;
    for (const { item } of pieces) if (!(await this.#store.isInstalled(item))) return undefined;
    const [node, npm] = await Promise.all(pieces.map(({ item }) => this.#store.programOf(item)));
    return { file: node!.file, version: pieces[0].pin.version, npm: npm!.file };
  }

  /** Downloads what is missing, after the user agreed. @throws InstallFailure */
  async install(
    env: LookupEnvironment,
    run: RunOptions,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<NodeRuntime> {
    const pieces = await this.#forThisMachine();
    if (pieces === undefined) throw new InstallFailure({ kind: 'noNode' });
    const registry = await this.registry(env);
    for (const { item, title, pin } of pieces) {
      await installPackage({
        package: {
          ...item,
          archive: { address: tarballOf(pin, registry).href, integrity: pin.integrity },
        },
        store: this.#store,
        manager: archivePackages('', registry.authorization),
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
    const node = (await this.installed())!;
    if ((await askNode(node.file, this.options.root, env)) !== undefined) return node;
    await this.remove();
    throw new InstallFailure({ kind: 'ownNode', output: `${pieces[0].title} ${node.version}` });
  }

  /** Removes all of it, whatever version of Parley downloaded it. */
  async remove(): Promise<void> {
    await rm(this.options.root, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Where packages are downloaded from without npm. @throws InstallFailure if its address cannot be used */
  async registry(env: LookupEnvironment): Promise<PackageRegistry> {
    const mirror = this.options.address().trim() || undefined;
    const registry = await packageRegistry(npmEnvironment(env), mirror);
    if (registry) return registry;
    throw new InstallFailure({
      kind: 'download',
      trouble: 'address',
      host: mirror ?? l10n.t('the registry in your .npmrc'),
      output: '',
    });
  }

  async #forThisMachine(): Promise<readonly [Piece, Piece] | undefined> {
    this.#pieces ??= readFile(this.options.pins, 'utf8').then((text) => {
      const { node, npm } = JSON.parse(text) as { readonly node: Readonly<Record<string, Pin>>; readonly npm: Pin };
      // All packages of Node.js for Linux are built for glibc.
      const pin = systemLibc() === 'musl' ? undefined : node[`${process.platform}-${process.arch}`];
      const program = process.platform === 'win32' ? 'package/bin/node.exe' : 'package/bin/node';
      return (
        pin && ([piece('node', 'Node.js', pin, program), piece('npm', 'npm', npm, 'package/bin/npm-cli.js')] as const)
      );
    });
    return this.#pieces;
  }
}

function piece(id: string, title: string, pin: Pin, program: string): Piece {
  return {
    title,
    pin,
    item: archivePackage(id, title, pin.version, program, { address: '', integrity: pin.integrity }),
  };
}

/** A package's file in a registry, where npm itself looks for it. */
export function tarballOf(
  { package: name, version }: Pick<Pin, 'package' | 'version'>,
  { address }: PackageRegistry,
): URL {
  return new URL(`${name}/-/${name.split('/').at(-1)}-${version}.tgz`, address);
}
