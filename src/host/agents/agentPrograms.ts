import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { Later } from '../../base/later';
import type { VersionRecord } from '../../node/agentStore';
import { childEnvironment, userEnvironment } from '../../node/environment';
import { findProgram } from '../../node/findProgram';
import { foldersToAvoid, trustedEnvironment } from '../../node/trustedFolders';
import type { AgentSecrets } from './agentSecrets';
import type { AgentInstaller, InstallerOptions, Surroundings } from './agentInstaller';
import type { PreparationFailure } from './installWords';
import type { AgentConfiguration, AgentSource } from './agentSettings';

export interface AgentProgramsOptions {
  readonly installation: InstallerOptions;
  /** Remembers which warnings were shown. */
  readonly state: vscode.Memento;
  /** Of the variables of agents; absent if there are none. */
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
  /** Version of the Node.js that runs it, if Parley chose that. */
  readonly node?: string;
}

export type Prepared =
  | Launch
  | { readonly failure: PreparationFailure }
  | { readonly missing: string }
  | { readonly cancelled: true };

/** Turns entries of `parley.agents` into programs to start, and installs missing ones. */
export class AgentPrograms {
  /** An agent with a plain command does not need it. */
  readonly #installed = new Later(
    async () =>
      new (await import('./installedAgents')).InstalledAgents({
        ...this.options.installation,
        pinnedVersions: (key) => this.pinnedVersions(key),
      }),
  );

  constructor(private readonly options: AgentProgramsOptions) {}

  /**
   * Finds the program of an agent. A package is installed first if its version is missing: the only time that npm or uv
   * runs.
   * @param folder of the session, absolute
   * @param onProgress gets the current step in words, and whether a dialog waits for the user
   */
  async prepare(
    entry: AgentConfiguration,
    folder: string,
    token: CancellationToken,
    onProgress: (detail: string, asks?: boolean) => void,
  ): Promise<Prepared> {
    const { source, command, name } = entry;
    const completed = (await this.options.secrets?.complete(name, entry.env)) ?? entry;
    if ('missing' in completed)
      return {
        failure: {
          title: l10n.t('{0} could not be started', name),
          detail: l10n.t(
            'The value of {0} is not in VS Code’s secret storage. Edit the agent in “Parley: Show Agents” to enter it.',
            completed.missing,
          ),
        },
      };
    const configuration: AgentConfiguration = { ...entry, env: completed.env };
    const surroundings = await this.#surroundings(folder, configuration.env);
    const { env, avoid } = surroundings;
    if (source) return (await this.#installed.get()).prepare(configuration, source, surroundings, token, onProgress);
    const file = await findProgram(command, configuration.cwd ?? folder, env, { avoid });
    if (file === undefined) {
      const inside = await findProgram(command, folder, await this.#ownEnvironment(configuration.env));
      if (inside === undefined) return { missing: command };
      return {
        failure: {
          title: l10n.t('{0} could not be started', name),
          detail: l10n.t(
            '“{0}” is only inside the workspace, at {1}. Parley does not start programs there by name. To start it ' +
              'anyway, enter its full path in the parley.agents setting.',
            command,
            inside,
          ),
        },
      };
    }
    if (!configuration.isDemo)
      void import('./runnerWarning').then(({ warnOfRunner }) =>
        warnOfRunner(configuration, {
          installer: () => this.#installer(),
          surroundings,
          state: this.options.state,
          log: this.options.installation.log,
        }),
      );
    return { configuration: { ...configuration, command: file }, env };
  }

  /** Notes that an agent has answered in the started version. */
  async worked({ source }: AgentConfiguration): Promise<void> {
    if (source)
      await this.#installed
        .get()
        .then((agents) => agents.worked(source))
        .catch((error: unknown) => this.options.installation.log.warn(`A version was not noted: ${String(error)}`));
  }

  /** The installer for the gallery, and its surroundings. */
  async desk(): Promise<{ readonly installer: AgentInstaller; readonly surroundings: Surroundings }> {
    return { installer: await this.#installer(), surroundings: await this.#surroundings(undefined, {}) };
  }

  /** The version that starts next, if it is installed. */
  async versionOf(source: AgentSource): Promise<string | undefined> {
    return (await this.#installed.get()).versionOf(source);
  }

  async recordOf(source: AgentSource): Promise<VersionRecord | undefined> {
    return (await this.#installed.get()).recordOf(source);
  }

  /** Lets the user choose versions of installed agents. */
  async update(): Promise<void> {
    const { updateAgents } = await import('./agentUpdates');
    await updateAgents({ ...(await this.desk()), agents: this.options.agents(), log: this.options.installation.log });
  }

  /** Versions that entries pin. Two entries may name two versions of one package; neither removes the other's. */
  pinnedVersions(key: string): string[] {
    return this.options
      .agents()
      .flatMap(({ source }) => (source?.pinned && source.key === key ? [source.version] : []));
  }

  async #installer(): Promise<AgentInstaller> {
    return (await this.#installed.get()).installer;
  }

  async #surroundings(folder: string | undefined, extra: Readonly<Record<string, string>>): Promise<Surroundings> {
    const avoid = await foldersToAvoid(
      [...(folder === undefined ? [] : [folder]), ...this.options.folders()],
      homedir(),
    );
    const env = await trustedEnvironment(await this.#ownEnvironment(extra), avoid);
    return { env, avoid };
  }

  async #ownEnvironment(extra: Readonly<Record<string, string>>): Promise<Record<string, string | undefined>> {
    return childEnvironment(await userEnvironment(), extra);
  }
}
