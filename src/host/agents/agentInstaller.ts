import { mkdir, rm } from 'node:fs/promises';
import type { CancellationToken } from '../../base/cancellation';
import type { Logger } from '../../base/log';
import { type AgentPackage, AgentStore } from '../../node/agentStore';
import { InstallFailure } from '../../node/installFailure';
import { type InstallProgress, installPackage } from '../../node/installPackage';
import { findNode, type NodeRuntime } from '../../node/nodeRuntime';
import type { LookupEnvironment } from '../../node/findProgram';
import { findNpm, type NpmProgram, type NpmTree, runNpm } from '../../node/npm';
import { markedWindow } from '../markedWindow';
import { plainText } from '../plainText';

export interface InstallerOptions {
  /** Folder of installed agents in the extension's global storage, absolute. */
  readonly root: string;
  readonly tree: NpmTree;
  readonly log: Logger;
}

/** What programs are looked up in: a clean environment, and the folders whose programs are not used. */
export interface Surroundings {
  readonly env: LookupEnvironment;
  /** Real paths. */
  readonly avoid: readonly string[];
}

/** Installs npm packages of agents into the store, and asks before a package's own script runs. */
export class AgentInstaller {
  readonly store: AgentStore;

  constructor(private readonly options: InstallerOptions) {
    this.store = new AgentStore(options.root);
  }

  /** @throws InstallFailure */
  async node({ env, avoid }: Surroundings): Promise<NodeRuntime> {
    await mkdir(this.store.root, { recursive: true }).catch((error: unknown) => Promise.reject(InstallFailure.of(error)));
    const node = await findNode(env, this.store.root, avoid);
    if (!node) throw new InstallFailure({ kind: 'noNode' });
    return node;
  }

  /** Installs one version unless it is there. @param name of the agent, for the question @throws InstallFailure */
  async install(item: AgentPackage, name: string, surroundings: Surroundings, token: CancellationToken, onProgress: (progress: InstallProgress) => void): Promise<void> {
    const { tree, log } = this.options;
    if (await this.store.isInstalled(item)) return;
    const { node, npm } = await this.npm(surroundings);
    log.info(`${name}: installing ${item.name}@${item.version} with ${npm.command} ${npm.args.join(' ')}`);
    await installPackage({ package: item, store: this.store, node, npm, token, tree, onProgress, mayRunScript: () => askForScript(name, item) });
  }

  /** The newest version that a registry has for a package and range, such as "gemini@latest". @throws InstallFailure */
  async newest(spec: string, surroundings: Surroundings, token: CancellationToken): Promise<string> {
    const { npm } = await this.npm(surroundings);
    const folder = await this.store.stage({ key: 'view', version: '0' }).catch((error: unknown) => Promise.reject(InstallFailure.of(error)));
    try {
      const said: unknown = JSON.parse((await runNpm(npm, ['view', spec, 'version', '--json'], { cwd: folder, token, tree: this.options.tree })) || 'null');
      const version: unknown = Array.isArray(said) ? said.at(-1) : said;
      if (typeof version !== 'string') throw new InstallFailure({ kind: 'npm', code: 'ENOVERSIONS', output: `npm view ${spec} names no version` });
      return version;
    } finally {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  private async npm(surroundings: Surroundings): Promise<{ readonly node: NodeRuntime; readonly npm: NpmProgram }> {
    const node = await this.node(surroundings);
    const npm = await findNpm(node, this.store.root, surroundings.env, surroundings.avoid);
    if (!npm) throw new InstallFailure({ kind: 'noNpm' });
    return { node, npm };
  }
}

/** The user agrees to the script of one package by name. Scripts of the packages below it never run. */
async function askForScript(agent: string, { name, version }: AgentPackage): Promise<boolean> {
  const action = 'Run Install Script';
  const words = plainText(`Installing ${agent} runs the install script of ${name}@${version}. The script can do anything that you can.`, 500);
  return (await markedWindow.showWarningMessage(words, { modal: true }, action)) === action;
}
