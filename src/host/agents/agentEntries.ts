import * as vscode from 'vscode';
import { asObject } from '../../acp/json';

/** Changes one entry of `parley.agents` where the user keeps it, and leaves all others as they are. */
export async function changeEntry(name: string, change: (entry: Readonly<Record<string, unknown>>) => object): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('parley');
  const all = asObject(configuration.inspect<unknown>('agents')?.globalValue);
  await configuration.update('agents', { ...all, [name]: change(asObject(all[name])) }, vscode.ConfigurationTarget.Global);
}

/** The entry of an agent as the user has it. */
export function entryNamed(name: string): Readonly<Record<string, unknown>> | undefined {
  const all = asObject(vscode.workspace.getConfiguration('parley').inspect<unknown>('agents')?.globalValue);
  return Object.hasOwn(all, name) ? asObject(all[name]) : undefined;
}

/** Removes one entry of `parley.agents`. */
export async function removeEntry(name: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('parley');
  const { [name]: _removed, ...rest } = asObject(configuration.inspect<unknown>('agents')?.globalValue);
  await configuration.update('agents', Object.keys(rest).length === 0 ? undefined : rest, vscode.ConfigurationTarget.Global);
}
