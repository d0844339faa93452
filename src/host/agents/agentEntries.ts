import * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { OneByOne } from '../../base/oneByOne';
import { distinctName, nameKey } from '../../registry/lookAlikes';
import { demoAgentName } from './agentSettings';
import { catalogue } from './catalogue';

type Entry = Readonly<Record<string, unknown>>;

/** One change after the other: each begins with what the one before it wrote. */
const queue = new OneByOne();

/** Changes one entry of `parley.agents` where the user keeps it, and leaves all others as they are. */
export async function changeEntry(name: string, change: (entry: Entry) => object): Promise<void> {
  await changeAll((all) => ({ ...all, [name]: change(asObject(all[name])) }));
}

/**
 * Changes the entry of an agent of the index, or adds it. No entry of another agent is changed, nor is one added that
 * looks like it.
 * @param change gets the entry that the agent has, an empty one where it has none
 * @returns under what name
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

/** @param change gives nothing where no entry is left */
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

/** The entry of an agent as the user has it. */
export function entryNamed(name: string): Readonly<Record<string, unknown>> | undefined {
  const all = asObject(vscode.workspace.getConfiguration('parley').inspect<unknown>('agents')?.globalValue);
  return Object.hasOwn(all, name) ? asObject(all[name]) : undefined;
}

/** Removes one entry of `parley.agents`. */
export async function removeEntry(name: string): Promise<void> {
  await changeAll(({ [name]: _removed, ...rest }) => (Object.keys(rest).length === 0 ? undefined : rest));
}
