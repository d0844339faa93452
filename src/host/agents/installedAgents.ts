import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import type { VersionRecord } from '../../node/agentStore';
import { joinPaths } from '../../node/environment';
import { InstallFailure } from '../../node/installFailure';
import { missingNode, type NodeRuntime } from '../../node/nodeRuntime';
import type { InstallProgress } from '../../node/packageManager';
import { type AgentPackage, inVersion, specOf } from '../../registry/packageNames';
import { AgentInstaller, type InstallerOptions, type InstallTask, type Surroundings } from './agentInstaller';
import type { Prepared } from './agentPrograms';
import type { AgentConfiguration, AgentSource } from './agentSettings';

export interface InstalledAgentsOptions extends InstallerOptions {
  /** See `AgentPrograms.pinnedVersions`. */
  readonly pinnedVersions: (key: string) => readonly string[];
}

/** The agents that Parley installs: finds their programs, and installs missing ones. Loaded with the first of them. */
export class InstalledAgents {
  readonly installer: AgentInstaller;

  constructor(private readonly options: InstalledAgentsOptions) {
    this.installer = new AgentInstaller(options);
  }

  /**
   * Finds the program of an agent's package, which is installed first if its version is missing. See
   * `AgentPrograms.prepare`.
   */
  async prepare(
    configuration: AgentConfiguration,
    source: AgentSource,
    surroundings: Surroundings,
    token: CancellationToken,
    onProgress: (detail: string, asks?: boolean) => void,
  ): Promise<Prepared> {
    const { store } = this.installer;
    const item = await this.#chosenVersion(source);
    const what = specOf(item);
    let said = Promise.resolve();
    const say = async (progress: InstallProgress) => {
      const { progressWords } = await import('./installWords');
      onProgress(progressWords(progress, item), progress.step === 'question');
    };
    const task: InstallTask = {
      name: configuration.name,
      surroundings,
      token,
      onProgress: (progress) => (said = said.then(() => say(progress))),
    };
    try {
      await this.installer.install(item, task);
      if ((await store.record(item.key))?.current !== item.version)
        await store.choose(item, this.options.pinnedVersions(item.key));
      const program = await store.programOf(item);
      const { isScript, file, nodeArgs, binFolder, engines } = program;
      const node = isScript ? await this.installer.withNode(task, (found) => newEnough(found, engines)) : undefined;
      await said;
      onProgress(l10n.t('Starting {0}', what));
      const started = node
        ? { command: node.file, args: [...nodeArgs, file, ...configuration.args] }
        : { command: file };
      // Its sign-in may be a script for Node.js, and Parley's own is on no PATH.
      const folders = node?.npm === undefined ? binFolder : joinPaths(binFolder, path.dirname(node.file))!;
      // Without its package, the configuration is a plain command for the same program.
      const { source: _source, ...entry } = configuration;
      return {
        configuration: { ...entry, ...started, programFolders: folders },
        env: surroundings.env,
        ...(node ? { node: node.version } : {}),
      };
    } catch (error) {
      const { problem } = InstallFailure.of(error);
      if (problem.kind === 'cancelled') return { cancelled: true };
      this.options.log.error(`${configuration.name}: ${String(error)}`);
      const { installWords } = await import('./installWords');
      return { failure: { ...installWords(problem, configuration.name, what, store.root), kind: problem.kind } };
    }
  }

  /** Notes that an agent has answered in the started version. */
  async worked(source: AgentSource): Promise<void> {
    await this.installer.store.worked(await this.#chosenVersion(source));
  }

  /** The version that starts next, if it is installed. */
  async versionOf(source: AgentSource): Promise<string | undefined> {
    const item = await this.#chosenVersion(source);
    return (await this.installer.store.isInstalled(item)) ? item.version : undefined;
  }

  recordOf({ key }: AgentSource): Promise<VersionRecord | undefined> {
    return this.installer.store.record(key);
  }

  /** The version in the setting, else the last chosen one, else the one that Parley knows. */
  async #chosenVersion(source: AgentSource): Promise<AgentPackage> {
    const record = source.pinned ? undefined : await this.installer.store.record(source.key);
    if (!record || record.current === source.version) return source;
    return inVersion(source, record.current);
  }
}

function newEnough(node: NodeRuntime, engines: unknown): Promise<NodeRuntime> {
  const wanted = missingNode(node.version, engines);
  return wanted === undefined
    ? Promise.resolve(node)
    : Promise.reject(new InstallFailure({ kind: 'oldNode', file: node.file, version: node.version, wanted }));
}
