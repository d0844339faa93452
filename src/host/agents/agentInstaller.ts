import { mkdir, rm } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import type { Logger } from '../../base/log';
import { AgentStore } from '../../node/agentStore';
import type { LookupEnvironment } from '../../node/findProgram';
import { InstallFailure } from '../../node/installFailure';
import { findNode, type NodeRuntime } from '../../node/nodeRuntime';
import type { InstallProgress, PackageManager } from '../../node/packageManager';
import { type AgentPackage, type ManagerName, specOf } from '../../registry/packageNames';
import type { ManagerProgram, ManagerTree } from '../../node/runManager';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

export interface InstallerOptions {
  /** Folder of installed agents in the extension's global storage, absolute. */
  readonly root: string;
  readonly tree: ManagerTree;
  /** Absolute path of the built `node/bunzipMain.ts`. */
  readonly bunzip?: string;
  readonly log: Logger;
}

/** The surroundings for finding programs: a clean environment, and folders whose programs are not used. */
export interface Surroundings {
  readonly env: LookupEnvironment;
  /** Real paths. */
  readonly avoid: readonly string[];
}

/** Installs packages of agents into the store, and asks before a package's own script runs. */
export class AgentInstaller {
  readonly store: AgentStore;

  constructor(private readonly options: InstallerOptions) {
    this.store = new AgentStore(options.root);
  }

  /** @throws InstallFailure */
  async node({ env, avoid }: Surroundings): Promise<NodeRuntime> {
    await this.#makeRoot();
    const node = await findNode(env, this.store.root, avoid);
    if (!node) throw new InstallFailure({ kind: 'noNode' });
    return node;
  }

  /** Installs one version unless it is there. @param name of the agent, for the question @throws InstallFailure */
  async install(
    item: AgentPackage,
    name: string,
    surroundings: Surroundings,
    token: CancellationToken,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<void> {
    const { tree, log } = this.options;
    if (await this.store.isInstalled(item)) return;
    const { manager, source } = await this.#sourceOf(item, surroundings);
    log.info(`${name}: installing ${specOf(item)} ${source}`);
    const { installPackage } = await import('../../node/installPackage');
    await installPackage({
      package: item,
      store: this.store,
      manager,
      token,
      tree,
      onProgress,
      mayRunScript: () => {
        onProgress({ step: 'question' });
        return askForScript(name, item);
      },
    });
  }

  /** The newest version that a registry has for a package and range, such as "gemini@latest". @throws InstallFailure */
  async newest(name: ManagerName, spec: string, surroundings: Surroundings, token: CancellationToken): Promise<string> {
    const { manager } = await this.#manager(name, surroundings);
    const folder = await this.store
      .stage({ key: 'view', version: '0' })
      .catch((error: unknown) => Promise.reject(InstallFailure.of(error)));
    try {
      return await manager.newest(spec, folder, { token, tree: this.options.tree });
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #sourceOf(
    { manager: name, archive }: AgentPackage,
    surroundings: Surroundings,
  ): Promise<{ readonly manager: Pick<PackageManager, 'install'>; readonly source: string }> {
    // Few agents come as an archive, and what unpacks them is large.
    if (name === 'archive')
      return {
        manager: (await import('../../node/archivePackages')).archivePackages(this.options.bunzip ?? ''),
        source: `from ${archive?.address ?? ''}`,
      };
    const { manager, program } = await this.#manager(name, surroundings);
    return { manager, source: `with ${[program.command, ...program.args].join(' ')}` };
  }

  /** The user's own manager, found outside the workspace. */
  async #manager(
    name: ManagerName,
    surroundings: Surroundings,
  ): Promise<{ readonly manager: PackageManager; readonly program: ManagerProgram }> {
    const { env, avoid } = surroundings;
    if (name === 'uv') {
      await this.#makeRoot();
      const [{ findUv }, { uvPackages }] = await Promise.all([
        import('../../node/uv'),
        import('../../node/uvPackages'),
      ]);
      const uv = await findUv(this.store.root, env, avoid);
      if (!uv) throw new InstallFailure({ kind: 'noUv' });
      return { manager: uvPackages(uv), program: uv };
    }
    const node = await this.node(surroundings);
    const [{ findNpm }, { npmPackages }] = await Promise.all([
      import('../../node/npm'),
      import('../../node/npmPackages'),
    ]);
    const npm = await findNpm(node, this.store.root, env, avoid);
    if (!npm) throw new InstallFailure({ kind: 'noNpm' });
    return { manager: npmPackages(node, npm), program: npm };
  }

  async #makeRoot(): Promise<void> {
    await mkdir(this.store.root, { recursive: true }).catch((error: unknown) =>
      Promise.reject(InstallFailure.of(error)),
    );
  }
}

/** Asks the user for the script of one package by name. Scripts of its dependencies never run. */
async function askForScript(agent: string, item: AgentPackage): Promise<boolean> {
  const action = l10n.t('Run Install Script');
  const words = plainText(
    l10n.t(
      'Installing {0} runs the install script of {1}. The script can do anything that you can.',
      agent,
      specOf(item),
    ),
    500,
  );
  return (await markedWindow.showWarningMessage(words, { modal: true }, action)) === action;
}
