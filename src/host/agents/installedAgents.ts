import * as l10n from '@vscode/l10n';
import type { CancellationToken } from '../../base/cancellation';
import type { VersionRecord } from '../../node/agentStore';
import { InstallFailure } from '../../node/installFailure';
import { missingNode } from '../../node/nodeRuntime';
import { type AgentPackage, inVersion, specOf } from '../../registry/packageNames';
import { AgentInstaller, type InstallerOptions, type Surroundings } from './agentInstaller';
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
    try {
      // Packages of npm run on Node.js; those of uv bring their own Python.
      const node = item.manager === 'npm' ? await this.installer.node(surroundings) : undefined;
      if (!(await store.isInstalled(item))) {
        const { progressWords } = await import('./installWords');
        await this.installer.install(item, configuration.name, surroundings, token, (progress) =>
          onProgress(progressWords(progress, item), progress.step === 'question'),
        );
      }
      if ((await store.record(item.key))?.current !== item.version)
        await store.choose(item, this.options.pinnedVersions(item.key));
      const program = await store.programOf(item);
      const wanted = node && missingNode(node.version, program.engines);
      if (node && wanted !== undefined) throw new InstallFailure({ kind: 'oldNode', ...node, wanted });
      onProgress(l10n.t('Starting {0}', what));
      const { isScript, file, nodeArgs, binFolder } = program;
      const started =
        node && isScript ? { command: node.file, args: [...nodeArgs, file, ...configuration.args] } : { command: file };
      // Without its package, the configuration is a plain command for the same program.
      const { source: _source, ...entry } = configuration;
      return {
        configuration: { ...entry, ...started, programFolder: binFolder },
        env: surroundings.env,
        ...(node && isScript ? { node: node.version } : {}),
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
