import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { VersionRecord } from '../../node/agentStore';
import { childEnvironment, joinPaths, loginShellPath } from '../../node/environment';
import { findProgram } from '../../node/findProgram';
import { InstallFailure } from '../../node/installFailure';
import { missingNode } from '../../node/nodeRuntime';
import { type AgentPackage, inVersion, specOf } from '../../registry/packageNames';
import { foldersToAvoid, trustedEnvironment } from '../../node/trustedFolders';
import type { AgentSecrets } from './agentSecrets';
import { AgentInstaller, type InstallerOptions, type Surroundings } from './agentInstaller';
import type { PreparationFailure } from './installWords';
import { packageRunner } from './packageRunner';
import type { AgentConfiguration, AgentSource } from './agentSettings';

export interface AgentProgramsOptions extends InstallerOptions {
  /** Remembers which warnings were shown. */
  readonly state: vscode.Memento;
  /** Of the variables of agents; absent where there are none. */
  readonly secrets?: Pick<AgentSecrets, 'complete'>;
  readonly agents: () => readonly AgentConfiguration[];
  /** Folders of the workspace, absolute. */
  readonly folders: () => readonly string[];
}

/** Everything that is needed to start an agent's process. */
export interface Launch {
  /** Its command is the absolute path of a program. */
  readonly configuration: AgentConfiguration;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version of the Node.js that runs it, where Parley chose that. */
  readonly node?: string;
}

export type Prepared = Launch | { readonly failure: PreparationFailure } | { readonly missing: string } | { readonly cancelled: true };

/** Turns entries of `parley.agents` into programs to start, and installs what is not there yet. */
export class AgentPrograms {
  private readonly installer: AgentInstaller;

  constructor(private readonly options: AgentProgramsOptions) {
    this.installer = new AgentInstaller(options);
  }

  /**
   * Finds the program of an agent. One of a package is installed first where its version is not there: the only time that npm or uv runs.
   * @param folder of the session, absolute @param onProgress what is being done, in words
   */
  async prepare(entry: AgentConfiguration, folder: string, token: CancellationToken, onProgress: (detail: string) => void): Promise<Prepared> {
    const { source, command, name } = entry;
    const completed = (await this.options.secrets?.complete(name, entry.env)) ?? entry;
    if ('missing' in completed) return { failure: { title: l10n.t('{0} could not be started', name), detail: l10n.t('The value of {0} is not in VS Code’s secret storage. Edit the agent in “Parley: Agents” to enter it.', completed.missing) } };
    const configuration: AgentConfiguration = { ...entry, env: completed.env };
    const surroundings = await this.surroundings(folder, configuration.env);
    const { env, avoid } = surroundings;
    if (source) return this.prepareInstalled(configuration, source, surroundings, token, onProgress);
    const file = await findProgram(command, configuration.cwd ?? folder, env, { avoid });
    if (file === undefined) {
      const inside = await findProgram(command, folder, await this.ownEnvironment(configuration.env));
      if (inside === undefined) return { missing: command };
      return { failure: { title: l10n.t('{0} could not be started', name), detail: l10n.t('“{0}” was found only inside the workspace, at {1}. Parley does not start it from there by its name. To start it anyway, enter its full path in the setting parley.agents.', command, inside) } };
    }
    if (packageRunner(command, configuration.args)) void import('./runnerWarning').then(({ warnOfRunner }) => warnOfRunner(configuration, { installer: this.installer, surroundings, state: this.options.state, log: this.options.log }));
    return { configuration: { ...configuration, command: file }, env };
  }

  /** Notes that an agent has answered in the version that was started. */
  async worked({ source }: AgentConfiguration): Promise<void> {
    if (source) await this.installer.store.worked(await this.chosenVersion(source)).catch((error: unknown) => this.options.log.warn(`A version was not noted: ${String(error)}`));
  }

  /** What installs agents for the gallery, and what it finds programs in. */
  async desk(): Promise<{ readonly installer: AgentInstaller; readonly surroundings: Surroundings }> {
    return { installer: this.installer, surroundings: await this.surroundings(undefined, {}) };
  }

  /** The version that starts next. */
  async versionOf(source: AgentSource): Promise<string | undefined> {
    const item = await this.chosenVersion(source);
    return (await this.installer.store.isInstalled(item)) ? item.version : undefined;
  }

  recordOf({ key }: AgentSource): Promise<VersionRecord | undefined> {
    return this.installer.store.record(key);
  }

  /** Lets the user choose versions of installed agents. */
  async update(): Promise<void> {
    const surroundings = await this.surroundings(undefined, {});
    const { updateAgents } = await import('./agentUpdates');
    await updateAgents({ installer: this.installer, surroundings, agents: this.options.agents(), log: this.options.log });
  }

  private async prepareInstalled(configuration: AgentConfiguration, source: AgentSource, surroundings: Surroundings, token: CancellationToken, onProgress: (detail: string) => void): Promise<Prepared> {
    const { store } = this.installer;
    const item = await this.chosenVersion(source);
    const what = specOf(item);
    try {
      // Packages of npm run on Node.js; those of uv bring what runs them.
      const node = item.manager === 'npm' ? await this.installer.node(surroundings) : undefined;
      if (!(await store.isInstalled(item))) {
        const { progressWords } = await import('./installWords');
        await this.installer.install(item, configuration.name, surroundings, token, (progress) => onProgress(progressWords(progress, item)));
      }
      if ((await store.record(item.key))?.current !== item.version) await store.choose(item, this.pinnedVersions(item.key));
      const program = await store.programOf(item);
      const wanted = node && missingNode(node.version, program.engines);
      if (node && wanted !== undefined) throw new InstallFailure({ kind: 'oldNode', ...node, wanted });
      onProgress(l10n.t('Starting {0}', what));
      const { isScript, file, nodeArgs, binFolder } = program;
      const started = node && isScript ? { command: node.file, args: [...nodeArgs, file, ...configuration.args] } : { command: file };
      // Without its package it is a plain command, and means the same program once more.
      const { source: _source, ...entry } = configuration;
      return { configuration: { ...entry, ...started, programFolder: binFolder }, env: surroundings.env, ...(node && isScript ? { node: node.version } : {}) };
    } catch (error) {
      const { problem } = InstallFailure.of(error);
      if (problem.kind === 'cancelled') return { cancelled: true };
      this.options.log.error(`${configuration.name}: ${String(error)}`);
      const { installWords } = await import('./installWords');
      return { failure: { ...installWords(problem, configuration.name, what, store.root), kind: problem.kind } };
    }
  }

  /** The version in the setting, else the one that was chosen last, else the one that Parley knows. */
  private async chosenVersion(source: AgentSource): Promise<AgentPackage> {
    const record = source.pinned ? undefined : await this.installer.store.record(source.key);
    if (!record || record.current === source.version) return source;
    return inVersion(source, record.current);
  }

  /** Two entries may name two versions of one package; neither takes the other's away. */
  pinnedVersions(key: string): string[] {
    return this.options.agents().flatMap(({ source }) => (source?.pinned && source.key === key ? [source.version] : []));
  }

  private async surroundings(folder: string | undefined, extra: Readonly<Record<string, string>>): Promise<Surroundings> {
    const avoid = await foldersToAvoid([...(folder === undefined ? [] : [folder]), ...this.options.folders()], homedir());
    const env = await trustedEnvironment(await this.ownEnvironment(extra), avoid);
    return { env, avoid };
  }

  private async ownEnvironment(extra: Readonly<Record<string, string>>): Promise<Record<string, string | undefined>> {
    const env = { ...childEnvironment(process.env), PATH: joinPaths(await loginShellPath(), process.env['PATH']) };
    if (process.platform !== 'win32') return { ...env, ...extra };
    // Windows has one variable whatever its case: the last one that is set wins.
    const byName = new Map([...Object.entries(env), ['PATH', env.PATH] as const, ...Object.entries(extra)].map(([name, value]) => [name.toUpperCase(), [name, value] as const]));
    return Object.fromEntries(byName.values());
  }
}
