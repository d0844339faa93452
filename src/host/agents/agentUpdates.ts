import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import type { VersionRecord } from '../../node/agentStore';
import { inVersion, latestOf, type ManagerName, specOf } from '../../registry/packageNames';
import { isNewer } from '../../registry/versions';
import type { AgentConfiguration, AgentSource } from './agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { changeEntry } from './agentEntries';
import type { AgentInstaller, Surroundings } from './agentInstaller';
import { progressWords } from './installWords';
import { withInstallProgress } from './withInstallProgress';

export interface UpdateRequest {
  readonly installer: AgentInstaller;
  readonly surroundings: Surroundings;
  readonly agents: readonly AgentConfiguration[];
  readonly log: Logger;
}

interface Installed {
  readonly agent: AgentConfiguration;
  readonly source: AgentSource & { readonly manager: ManagerName };
  readonly record: VersionRecord;
}

type Choice = vscode.QuickPickItem & { readonly installed?: Installed; readonly version?: string };

/**
 * Lists installed agents with their versions, and installs the one that the user chooses. Running agents continue; the
 * next start uses the new version.
 */
export async function updateAgents(request: UpdateRequest): Promise<void> {
  const installed = (await Promise.all(request.agents.map((agent) => installedOf(agent, request)))).filter(
    (item) => item !== undefined,
  );
  if (installed.length === 0)
    return void markedWindow.showInformationMessage(
      l10n.t('No agent is installed yet. Parley installs an agent when you start it for the first time.'),
    );
  const chosen = await markedWindow.showQuickPick(installed.flatMap(choicesOf), {
    title: l10n.t('Parley: Update Agents'),
    placeHolder: l10n.t('Select an update'),
  });
  if (!chosen?.installed) return;
  const version = chosen.version ?? (await newer(chosen.installed, request));
  if (version !== undefined) await change(chosen.installed, version, request);
}

async function installedOf(agent: AgentConfiguration, { installer }: UpdateRequest): Promise<Installed | undefined> {
  const { source } = agent;
  // Only a package manager knows the newest version.
  if (source === undefined || source.manager === 'archive') return undefined;
  const record = await installer.store.record(source.key);
  if (!record) return undefined;
  return {
    agent,
    source: { ...source, manager: source.manager },
    record:
      source.pinned && source.version !== record.current
        ? { current: source.version, previous: record.current }
        : record,
  };
}

function choicesOf(installed: Installed): Choice[] {
  const { agent, source, record } = installed;
  const { current, previous } = record;
  return [
    { label: `${agent.name} ${current}`, kind: vscode.QuickPickItemKind.Separator },
    ...(!source.pinned && isNewer(source.version, current)
      ? [
          {
            label: `$(arrow-up) ${l10n.t('Update to {0}', source.version)}`,
            description: agent.name,
            detail: l10n.t('Comes with this version of Parley'),
            installed,
            version: source.version,
          },
        ]
      : []),
    {
      label: `$(search) ${l10n.t('Check {0} for a Newer Version', source.manager)}`,
      description: agent.name,
      installed,
    },
    ...(previous === undefined
      ? []
      : [
          {
            label: `$(history) ${l10n.t('Go Back to {0}', previous)}`,
            description: agent.name,
            installed,
            version: previous,
          },
        ]),
  ];
}

/** Asks the registry for the newest version, and the user whether to install it. */
async function newer({ agent, source, record }: Installed, request: UpdateRequest): Promise<string | undefined> {
  const version = await withInstallProgress(
    agent.name,
    source.name,
    request,
    l10n.t('Looking up {0}', source.name),
    (token, report) =>
      request.installer.newest(source.manager, latestOf(source), {
        name: agent.name,
        surroundings: request.surroundings,
        token,
        onProgress: (progress) => report(progressWords(progress, source)),
      }),
  );
  if (version === undefined) return undefined;
  if (!isNewer(version, record.current))
    return void markedWindow.showInformationMessage(
      plainText(l10n.t('{0} {1} is the newest version.', agent.name, record.current), 200),
    );
  const action = l10n.t('Update to {0}', plainText(version, 40));
  return (await markedWindow.showInformationMessage(
    plainText(l10n.t('{0} {1} is available. Version {2} is installed.', agent.name, version, record.current), 200),
    action,
  )) === action
    ? version
    : undefined;
}

async function change({ agent, source, record }: Installed, version: string, request: UpdateRequest): Promise<void> {
  const { installer, surroundings } = request;
  const { key, manager } = source;
  const item = source.version === version ? source : inVersion(source, version);
  const what = specOf(item);
  const done = await withInstallProgress(
    agent.name,
    what,
    request,
    l10n.t('Installing {0}', what),
    async (token, report) => {
      await installer.install(item, {
        name: agent.name,
        surroundings,
        token,
        onProgress: (progress) => report(progressWords(progress, item)),
      });
      if (source.pinned) await changeEntry(agent.name, (entry) => ({ ...entry, [manager]: what }));
      // Another entry may name a version of the same package.
      await installer.store.choose(item, [
        record.current,
        ...request.agents.flatMap((other) =>
          other.source?.pinned && other.source.key === key ? [other.source.version] : [],
        ),
      ]);
      return true;
    },
  );
  if (done)
    void markedWindow.showInformationMessage(
      plainText(
        l10n.t('{0} {1} is installed. Parley uses it the next time the agent starts.', agent.name, version),
        300,
      ),
    );
}
