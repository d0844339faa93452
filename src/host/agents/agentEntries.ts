import * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { OneByOne } from '../../base/oneByOne';
import { distinctName, nameKey } from '../../registry/lookAlikes';
import { demoAgentName } from './agentSettings';
import { catalogue } from './catalogue';

type Entry = Readonly<Record<string, unknown>>;

/** One change after the other: each begins with the result of the one before. */
const queue = new OneByOne();

/** Changes one entry of `parley.agents` in the user's settings, and no other one. */
export async function changeEntry(name: string, change: (entry: Entry) => object): Promise<void> {
  await changeAll((all) => ({ ...all, [name]: change(asObject(all[name])) }));
}

/**
 * Changes the entry of an agent of the index, or adds it. It never changes the entry of another agent, and never adds
 * one with a similar name.
 * @param change gets the agent's entry, an empty one if it has none
 * @returns the name of the entry
 */
export async function changeListedEntry(id: string, name: string, change: (entry: Entry) => object): Promise<string> {
  let used = name;
  await changeAll((all) => {
    const isOwn = (other: string) => asObject(all[other])['registry'] === id;
    const others = new Set(
      [...Object.keys(all).filter((other) => !isOwn(other)), ...catalogue.map((item) => item.name), demoAgentName].map(
        nameKey,
      ),
    );
    used = isOwn(name) ? name : (Object.keys(all).find(isOwn) ?? distinctName(name, id, (key) => others.has(key)));
    return { ...all, [used]: change(isOwn(used) ? asObject(all[used]) : {}) };
  });
  return used;
}

/** @param change returns undefined if no entry is left */
async function changeAll(change: (all: Entry) => Entry | undefined): Promise<void> {
  await queue.run('', async () => {
    const configuration = vscode.workspace.getConfiguration('parley');
    await configuration.update(
      'agents',
      change(asObject(configuration.inspect<unknown>('agents')?.globalValue)),
      vscode.ConfigurationTarget.Global,
    );
  });
}

/** The agent's entry in the user's settings. */
export function entryNamed(name: string): Readonly<Record<string, unknown>> | undefined {
  const all = asObject(vscode.workspace.getConfiguration('parley').inspect<unknown>('agents')?.globalValue);
  return Object.hasOwn(all, name) ? asObject(all[name]) : undefined;
}

/** Removes one entry of `parley.agents`. */
export async function removeEntry(name: string): Promise<void> {
  await changeAll(({ [name]: _removed, ...rest }) => (Object.keys(rest).length === 0 ? undefined : rest));
}
