import * as vscode from 'vscode';
import { asObject } from '../../acp/json';

/** Changes one entry of `parley.agents` where the user keeps it, and leaves all others as they are. */
export async function changeEntry(name: string, change: (entry: Readonly<Record<string, unknown>>) => object): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('parley');
  const all = asObject(configuration.inspect<unknown>('agents')?.globalValue);
  await configuration.update('agents', { ...all, [name]: change(asObject(all[name])) }, vscode.ConfigurationTarget.Global);
}
