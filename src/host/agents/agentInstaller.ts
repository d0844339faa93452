import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import { Later } from '../../base/later';
import type { Logger } from '../../base/log';
import { AgentStore } from '../../node/agentStore';
import { joinPaths } from '../../node/environment';
import { type LookupEnvironment, variableOf } from '../../node/findProgram';
import { InstallFailure, lacks, type RuntimeLack, type RuntimeName } from '../../node/installFailure';
import { findNode, missingNode, type NodeRuntime } from '../../node/nodeRuntime';
import type { OwnPrograms, OwnRuntime, OwnRuntimeOptions, RuntimeOffer } from '../../node/ownRuntime';
import type { InstallProgress, PackageManager } from '../../node/packageManager';
import type { StandalonePackage } from '../../node/standalonePackage';
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
  readonly runtime: OwnRuntimeOptions;
  /** VS Code's setting `http.proxy`; "" for none. */
  readonly proxy?: () => string;
  readonly log: Logger;
}

/** The surroundings for finding programs: a clean environment, and folders whose programs are not used. */
export interface Surroundings {
  readonly env: LookupEnvironment;
  /** Real paths. */
  readonly avoid: readonly string[];
}

/** One piece of work for an agent that may have to install something first. */
export interface InstallTask {
  /** Of the agent, for questions. */
  readonly name: string;
  readonly surroundings: Surroundings;
  readonly token: CancellationToken;
  readonly onProgress: (progress: InstallProgress) => void;
  /** The user agreed to download Parley's own runtime, if the agent needs it. Else they are asked then. */
  readonly mayDownloadRuntime?: boolean;
}

/** Installs packages of agents into the store, and asks before a package's own script runs. */
export class AgentInstaller {
  readonly store: AgentStore;
  readonly #runtimes = new Later(async () => {
    const { OwnRuntime } = await import('../../node/ownRuntime');
    const { runtime } = this.options;
    return { node: new OwnRuntime('node', runtime), uv: new OwnRuntime('uv', runtime) };
  });

  constructor(private readonly options: InstallerOptions) {
    this.store = new AgentStore(options.root);
  }

  /** Parley's own runtime. Few machines need one. */
  async runtime(name: RuntimeName): Promise<OwnRuntime> {
    return (await this.#runtimes.get())[name];
  }

  /** Does something with the Node.js on the user's PATH, else with Parley's own. See `#orOwn`. */
  withNode<T>(task: InstallTask, act: (node: NodeRuntime) => Promise<T>): Promise<T> {
    return this.#orOwn(
      'node',
      task,
      async () => act(await this.#usersNode(task.surroundings)),
      ({ files: [file = '', npm = ''], version }) => act({ file, version, npm }),
    );
  }

  /**
   * Does something with the user's own runtime. If there is none or it will not do, does it again with Parley's own,
   * which is downloaded after the user agreed.
   * @throws InstallFailure the first one, if Parley has none for this machine; `cancelled` if the user declines
   */
  async #orOwn<T>(
    name: RuntimeName,
    task: InstallTask,
    withUsers: () => Promise<T>,
    withOwn: (programs: OwnPrograms) => Promise<T>,
  ): Promise<T> {
    try {
      return await withUsers();
    } catch (error) {
      const failure = InstallFailure.of(error);
      const own = lacks(name, failure.problem) ? await this.#own(name, task, failure.problem) : undefined;
      if (own === undefined) throw failure;
      return withOwn(own);
    }
  }

  /** The runtime that a package would be installed with, if that is not on this machine. @throws InstallFailure */
  async missingRuntime(item: AgentPackage, surroundings: Surroundings): Promise<RuntimeOffer | undefined> {
    if (item.manager === 'archive') return undefined;
    if (item.manager === 'uv') {
      if (await this.#usersUv(surroundings)) return undefined;
    } else {
      if (!(await this.#lacksNodeFor(item, surroundings))) return undefined;
      const { standaloneOf } = await import('../../node/standalonePackage');
      if (await standaloneOf(item)) return undefined;
    }
    const runtime = await this.runtime(item.manager === 'uv' ? 'uv' : 'node');
    return (await runtime.installed()) ? undefined : runtime.offer(surroundings.env);
  }

  /** Installs one version unless it is there. @throws InstallFailure */
  async install(item: AgentPackage, task: InstallTask): Promise<void> {
    if (await this.store.isInstalled(item)) return;
    const fill = async (manager: Pick<PackageManager, 'install'>, source: string) => {
      const { name, token, onProgress } = task;
      this.options.log.info(`${name}: installing ${specOf(item)} ${source}`);
      const { installPackage } = await import('../../node/installPackage');
      await installPackage({
        package: item,
        store: this.store,
        manager,
        token,
        tree: this.options.tree,
        onProgress,
        mayRunScript: () => {
          onProgress({ step: 'question' });
          return askForScript(name, item);
        },
      });
    };
    if (item.manager === 'archive') {
      // Few agents come as an archive, and what unpacks them is large.
      const { archivePackages } = await import('../../node/archivePackages');
      return fill(archivePackages(this.options.bunzip ?? ''), `from ${item.archive?.address ?? ''}`);
    }
    const standalone = item.manager === 'npm' ? await this.#standaloneFor(item, task.surroundings) : undefined;
    if (standalone) {
      const registry = await (await this.runtime('node')).registry(task.surroundings.env);
      const { standalonePackages } = await import('../../node/standalonePackage');
      return fill(standalonePackages(standalone, registry), `from ${registry.address.host}`);
    }
    return this.#withManager(item.manager, task, (manager, { command, args }) =>
      fill(manager, `with ${[command, ...args].join(' ')}`),
    );
  }

  /** The package's own program for this system, if the user's Node.js will not do. It needs none. */
  async #standaloneFor(item: AgentPackage, surroundings: Surroundings): Promise<StandalonePackage | undefined> {
    const { standaloneOf } = await import('../../node/standalonePackage');
    const standalone = await standaloneOf(item);
    return standalone && (await this.#lacksNodeFor(item, surroundings)) ? standalone : undefined;
  }

  /** True if the user's Node.js or npm is missing, or too old for a package in a lockfile of Parley's. */
  async #lacksNodeFor(item: AgentPackage, surroundings: Surroundings): Promise<boolean> {
    try {
      const node = await this.#usersNode(surroundings);
      await this.#npm(node, surroundings);
      const { lockedEngines } = await import('../../node/npmPackages');
      return missingNode(node.version, await lockedEngines(item)) !== undefined;
    } catch (error) {
      if (lacks('node', InstallFailure.of(error).problem)) return true;
      throw error;
    }
  }

  /** The newest version that a registry has for a package and range, such as "gemini@latest". @throws InstallFailure */
  async newest(name: ManagerName, spec: string, task: InstallTask): Promise<string> {
    const folder = await this.store
      .stage({ key: 'view', version: '0' })
      .catch((error: unknown) => Promise.reject(InstallFailure.of(error)));
    try {
      return await this.#withManager(name, task, (manager) =>
        manager.newest(spec, folder, { token: task.token, tree: this.options.tree }),
      );
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Does something with the user's own manager, found outside the workspace, or with Parley's own. */
  async #withManager<T>(
    name: ManagerName,
    task: InstallTask,
    act: (manager: PackageManager, program: ManagerProgram) => Promise<T>,
  ): Promise<T> {
    if (name === 'npm')
      return this.withNode(task, async (node) => {
        const program = await this.#npm(node, task.surroundings);
        const { npmPackages } = await import('../../node/npmPackages');
        return act(npmPackages(node, program), program);
      });
    const [{ ownUv }, { uvPackages }] = await Promise.all([import('../../node/uv'), import('../../node/uvPackages')]);
    return this.#orOwn(
      'uv',
      task,
      async () => {
        const uv = await this.#usersUv(task.surroundings);
        if (!uv) throw new InstallFailure({ kind: 'noUv' });
        return act(uvPackages(uv), uv);
      },
      async ({ files: [file = ''], folder }) => {
        const { env, avoid } = task.surroundings;
        const uv = await ownUv(file, folder, this.#withProxy(env), avoid);
        return act(uvPackages(uv), uv);
      },
    );
  }

  async #usersUv({ env, avoid }: Surroundings): Promise<ManagerProgram | undefined> {
    await this.#makeRoot();
    const { findUv } = await import('../../node/uv');
    return findUv(this.store.root, env, avoid);
  }

  async #usersNode({ env, avoid }: Surroundings): Promise<NodeRuntime> {
    await this.#makeRoot();
    const node = await findNode(env, this.store.root, avoid);
    if (!node) throw new InstallFailure({ kind: 'noNode' });
    return node;
  }

  async #npm(node: NodeRuntime, { env, avoid }: Surroundings): Promise<ManagerProgram> {
    const { findNpm, npmEnvironment } = await import('../../node/npm');
    if (node.npm !== undefined) {
      // An install script that the user agreed to may ask for node by name.
      const PATH = joinPaths(path.dirname(node.file), variableOf(env, 'PATH'));
      return { command: node.file, args: [node.npm], env: { ...npmEnvironment(this.#withProxy(env)), PATH } };
    }
    const npm = await findNpm(node, this.store.root, this.#withProxy(env), avoid);
    if (!npm) throw new InstallFailure({ kind: 'noNpm' });
    return npm;
  }

  /** The environment with VS Code's proxy, if it names none. One in the user's .npmrc comes before both. */
  #withProxy(env: LookupEnvironment): LookupEnvironment {
    const proxy = this.options.proxy?.() ?? '';
    if (proxy === '' || Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) return env;
    return { ...env, HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  }

  /** @returns undefined if there is none for this machine. @throws InstallFailure `cancelled` if the user declines */
  async #own(of: RuntimeName, task: InstallTask, problem: RuntimeLack): Promise<OwnPrograms | undefined> {
    const { name, surroundings, token, onProgress, mayDownloadRuntime } = task;
    const { env } = surroundings;
    const runtime = await this.runtime(of);
    const there = await runtime.installed();
    if (there !== undefined) return there;
    const offer = await runtime.offer(env);
    if (offer === undefined) return undefined;
    if (mayDownloadRuntime !== true) {
      onProgress({ step: 'question' });
      const { askForRuntime } = await import('./askForRuntime');
      if (!(await askForRuntime(name, problem, offer))) throw new InstallFailure({ kind: 'cancelled' });
    }
    this.options.log.info(`${name}: downloading ${offer.packages.join(', ')} from ${offer.host}`);
    return runtime.install(env, { token, tree: this.options.tree }, onProgress);
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
