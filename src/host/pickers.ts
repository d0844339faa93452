import * as vscode from 'vscode';
import { isPermissiveMode } from '../thread/permissiveMode';
import { type AgentConfiguration } from './configuration';
import { plainText } from './plainText';
import type { SessionService } from './sessionService';

/** Lets the person choose among the configured agents. @returns undefined when they did not. */
export async function pickAgent(agents: readonly AgentConfiguration[], current: string): Promise<string | undefined> {
  const items = agents.map((agent) => ({
    label: agent.name,
    description: agent.name === current ? 'current' : '',
    detail: agent.isDemo ? 'Built in. Needs no account and no network; shows what Parley can do.' : [agent.command, ...agent.args].join(' '),
    name: agent.name as string | undefined,
  }));
  const edit = { label: '$(gear) Edit agents in settings…', description: '', detail: '', name: undefined };
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, name: undefined };
  const chosen = await vscode.window.showQuickPick([...items, separator, edit], { title: 'Parley: Select Agent', placeHolder: 'The agent to work with', matchOnDetail: true });
  if (chosen === edit) await openAgentSettings();
  return chosen?.name;
}

export async function openAgentSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents');
}

/** Lets the person choose among the modes of the agent that runs, and sets the one they chose. */
export async function pickMode(sessions: SessionService): Promise<void> {
  if (!sessions.active.session.thread.modes && !(await sessions.tryAttach())) return;
  const { modes } = sessions.active.session.thread;
  if (!modes || modes.availableModes.length === 0) {
    void vscode.window.showInformationMessage(`${sessions.active.agent} has no modes to choose from.`);
    return;
  }
  const items = modes.availableModes.map((mode) => ({
    label: `${isPermissiveMode(mode) ? '$(warning) ' : ''}${mode.name}`,
    description: mode.id === modes.currentModeId ? 'current' : '',
    detail: mode.description ?? '',
    id: mode.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: `Parley: Select Mode for ${sessions.active.agent}`, placeHolder: 'How the agent may work' });
  if (chosen) await setMode(sessions, chosen.id);
}

/** Goes to the agent's next mode, from the last to the first. */
export async function nextMode(sessions: SessionService): Promise<void> {
  if (!sessions.active.session.thread.modes && !(await sessions.tryAttach())) return;
  const { modes } = sessions.active.session.thread;
  if (!modes || modes.availableModes.length < 2) return;
  const index = modes.availableModes.findIndex((mode) => mode.id === modes.currentModeId);
  await setMode(sessions, modes.availableModes[(index + 1) % modes.availableModes.length]!.id);
}

async function setMode(sessions: SessionService, modeId: string): Promise<void> {
  try {
    await sessions.active.session.setMode(modeId);
  } catch (error) {
    void vscode.window.showErrorMessage(`The mode was not changed: ${plainText(error instanceof Error ? error.message : String(error))}`);
  }
}
