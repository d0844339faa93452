import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type AgentConfiguration } from './agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { openSetting } from '../platform/settingsEditor';

/** What `pickAgent` returns for the gallery. No agent has this name. */
export const galleryItem = Symbol('gallery');

/** Lets the user choose among the configured agents. @returns undefined when they did not, or edit settings */
export async function pickAgent(agents: readonly AgentConfiguration[], current: string): Promise<string | typeof galleryItem | undefined> {
  const items = agents.map((agent) => ({
    label: agent.name,
    description: agent.name === current ? l10n.t({ message: 'current', comment: ['Beside the agent in use, in a list of agents.'] }) : '',
    detail: agent.isDemo ? l10n.t('Shows what Parley can do. No account or network needed.') : [agent.command, ...(agent.source ? [] : agent.args)].join(' '),
    name: agent.name as string | typeof galleryItem | undefined,
  }));
  const more = { label: `$(extensions) ${l10n.t('More agents…')}`, description: '', detail: '', name: galleryItem as string | typeof galleryItem | undefined };
  const edit = { label: `$(gear) ${l10n.t('Edit agents in settings…')}`, description: '', detail: '', name: undefined };
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, name: undefined };
  const chosen = await markedWindow.showQuickPick([...items, separator, more, edit], { title: l10n.t('Parley: Select Agent'), placeHolder: l10n.t('Select an agent'), matchOnDetail: true });
  if (chosen === edit) await openAgentSettings();
  return chosen?.name;
}

export async function openAgentSettings(): Promise<void> {
  await openSetting('parley.agents');
}
