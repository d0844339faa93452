import * as vscode from 'vscode';
import { type AgentConfiguration } from './agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { openSetting } from '../platform/settingsEditor';

/** Lets the person choose among the configured agents. @returns undefined when they did not. */
export async function pickAgent(agents: readonly AgentConfiguration[], current: string): Promise<string | undefined> {
  const items = agents.map((agent) => ({
    label: agent.name,
    description: agent.name === current ? 'current' : '',
    detail: agent.isDemo ? 'Built in. Needs no account and no network; shows what Parley can do.' : [agent.command, ...(agent.source ? [] : agent.args)].join(' '),
    name: agent.name as string | undefined,
  }));
  const edit = { label: '$(gear) Edit agents in settings…', description: '', detail: '', name: undefined };
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, name: undefined };
  const chosen = await markedWindow.showQuickPick([...items, separator, edit], { title: 'Parley: Select Agent', placeHolder: 'The agent to work with', matchOnDetail: true });
  if (chosen === edit) await openAgentSettings();
  return chosen?.name;
}

export async function openAgentSettings(): Promise<void> {
  await openSetting('parley.agents');
}
