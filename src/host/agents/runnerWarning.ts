import type * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import type { AgentConfiguration } from '../configuration';
import { markedWindow } from '../markedWindow';
import { plainText } from '../plainText';
import { openSetting } from '../settingsEditor';
import { changeEntry } from './agentEntries';
import type { AgentInstaller, Surroundings } from './agentInstaller';
import { progressWords } from './installWords';
import { packageNameOf, packageRunner } from './packageRunner';
import { withInstallProgress } from './withInstallProgress';

export interface RunnerWarningServices {
  readonly installer: AgentInstaller;
  readonly surroundings: Surroundings;
  /** Remembers which entries were warned of. */
  readonly state: vscode.Memento;
  readonly log: Logger;
}

const warnedKey = 'parley.warnedRunners';

/** Says once of an entry that a package runner decides what it starts, and offers to install its package. Starts nothing. */
export async function warnOfRunner({ name, command, args }: AgentConfiguration, services: RunnerWarningServices): Promise<void> {
  const found = packageRunner(command, args);
  if (!found) return;
  services.log.warn(`${name}: ${found.runner} looks for the package in the open folder first, so a repository can decide what runs.`);
  const entry = JSON.stringify([name, command, args]);
  const warned = services.state.get<readonly string[]>(warnedKey, []);
  if (warned.includes(entry)) return;
  await services.state.update(warnedKey, [...warned, entry].slice(-100));
  const action = found.npm ? 'Install It with Parley' : 'Edit Settings';
  const words = plainText(`${name} starts with ${found.runner}. A repository can change what ${found.runner} runs.`, 300);
  if ((await markedWindow.showWarningMessage(words, action)) !== action) return;
  if (found.npm) await install(name, found.npm, services);
  else await openSetting('parley.agents');
}

async function install(name: string, { spec, args }: { readonly spec: string; readonly args: readonly string[] }, services: RunnerWarningServices): Promise<void> {
  const { installer, surroundings } = services;
  const installed = await withInstallProgress(name, spec, services, `Installing ${spec}`, async (token, report) => {
    const packageName = packageNameOf(spec);
    const version = await installer.newest(spec, surroundings, token);
    const what = `${packageName}@${version}`;
    const item = { key: `npm+${packageName.replace('/', '+')}`, name: packageName, version };
    await installer.install(item, name, surroundings, token, (progress) => report(progressWords(progress, what)));
    await installer.store.choose(item);
    await changeEntry(name, ({ command: _command, args: _args, ...rest }) => ({ npm: what, args, ...rest }));
    return what;
  });
  if (installed !== undefined) void markedWindow.showInformationMessage(plainText(`${installed} is installed. ${name} starts it from now on.`, 300));
}
