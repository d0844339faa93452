import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Logger } from '../../base/log';
import { InstallFailure } from '../../node/installFailure';
import { exactPackage, packageNameOf, specOf } from '../../registry/packageNames';
import type { AgentConfiguration } from './agentSettings';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { openSetting } from '../platform/settingsEditor';
import { changeEntry } from './agentEntries';
import type { AgentInstaller, InstallTask, Surroundings } from './agentInstaller';
import { progressWords } from './installWords';
import { packageRunner, type RunnerPackage } from './packageRunner';
import { withInstallProgress } from './withInstallProgress';

export interface RunnerWarningServices {
  /** Loads the installer of the package. */
  readonly installer: () => Promise<AgentInstaller>;
  readonly surroundings: Surroundings;
  /** Remembers the entries with a warning. */
  readonly state: vscode.Memento;
  readonly log: Logger;
}

const warnedKey = 'parley.warnedRunners';

/**
 * Warns once about an entry in which a package runner decides which program starts, and offers to install its package.
 * Starts nothing.
 */
export async function warnOfRunner(
  { name, command, args }: AgentConfiguration,
  services: RunnerWarningServices,
): Promise<void> {
  const found = packageRunner(command, args);
  if (!found) return;
  services.log.warn(`${name} starts with ${found.runner}, which decides what runs`);
  const entry = JSON.stringify([name, command, args]);
  const warned = services.state.get<readonly string[]>(warnedKey, []);
  if (warned.includes(entry)) return;
  await services.state.update(warnedKey, [...warned, entry].slice(-100));
  const action = found.package ? l10n.t('Install with Parley') : l10n.t('Edit Settings');
  if ((await markedWindow.showWarningMessage(plainText(warningWords(name, found.runner), 300), action)) !== action)
    return;
  if (found.package) await install(name, found.package, services);
  else await openSetting('parley.agents');
}

/**
 * npx and similar runners prefer the packages of the current folder. uvx does not, but it may run another version each
 * time.
 */
function warningWords(name: string, runner: string): string {
  if (/^uvx?\b/.test(runner)) return l10n.t('{1} starts {0}, and can run a different version each time.', name, runner);
  return l10n.t('{1} starts {0}. A repository can change what {1} runs.', name, runner);
}

async function install(
  name: string,
  { manager, spec, args, program }: RunnerPackage,
  services: RunnerWarningServices,
): Promise<void> {
  const { surroundings, log } = services;
  const installer = await services.installer();
  const installed = await withInstallProgress(
    name,
    spec,
    { installer, log },
    l10n.t('Installing {0}', spec),
    async (token, report) => {
      const task = (of: Parameters<typeof progressWords>[1]): InstallTask => ({
        name,
        surroundings,
        token,
        onProgress: (progress) => report(progressWords(progress, of)),
      });
      const named = manager === 'uv' ? exactPackage(manager, spec, program) : undefined;
      const what = named
        ? spec
        : specOf({
            manager,
            name: packageNameOf(manager, spec),
            version: await installer.newest(manager, spec, task({ manager, name: spec, version: '' })),
          });
      const item = named ?? exactPackage(manager, what, program);
      // The setting must accept the new entry.
      if (!item) throw new InstallFailure({ kind: manager, code: '', output: what });
      await installer.install(item, task(item));
      // It may be another program of an installed package.
      await installer.store.programOf(item);
      await installer.store.choose(item);
      await changeEntry(name, ({ command: _command, args: _args, ...rest }) => ({
        [manager]: what,
        ...(program === undefined ? {} : { program }),
        args,
        ...rest,
      }));
      return what;
    },
  );
  if (installed !== undefined)
    void markedWindow.showInformationMessage(
      plainText(l10n.t('{0} is installed. {1} uses it from now on.', installed, name), 300),
    );
}
