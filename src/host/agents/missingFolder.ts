import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentConfiguration } from './agentSettings';
import { StartFailure } from './startFailure';

/** What to say of a folder that an agent cannot work in. */
export interface MissingFolder {
  readonly text: string;
  readonly help: string;
  /** What helps. A window of another folder has no use for a new session in this one. */
  readonly offer: 'editSettings' | 'openFolder' | 'newSession';
}

/**
 * Looks whether an agent's folder is there.
 * @param folder where it works unless the configuration says otherwise; absolute.
 * @returns undefined where it is.
 */
export async function missingFolder(
  { cwd }: Pick<AgentConfiguration, 'cwd'>,
  folder: string,
): Promise<MissingFolder | undefined> {
  for (const path of cwd === undefined || cwd === folder ? [folder] : [cwd, folder]) {
    const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null,
    );
    // What cannot be looked at may still be a folder.
    if (found === null || found?.isDirectory()) continue;
    const text = found ? l10n.t('{0} is not a folder.', path) : l10n.t('The folder {0} does not exist.', path);
    if (path === cwd) return { text, help: l10n.t('Correct cwd in the parley.agents setting.'), offer: 'editSettings' };
    const isOpen = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === path) !== false;
    if (isOpen)
      return {
        text,
        help: l10n.t('It was moved or deleted. Restore it, or open another folder.'),
        offer: 'openFolder',
      };
    return { text, help: l10n.t('It was moved or deleted. Restore it, or start a new session.'), offer: 'newSession' };
  }
  return undefined;
}

/** @throws StartFailure where the folder of an agent is missing, before the system blames its program. */
export async function refuseMissingFolder(
  configuration: Pick<AgentConfiguration, 'cwd' | 'name'>,
  folder: string,
): Promise<void> {
  const missing = await missingFolder(configuration, folder);
  if (missing)
    throw new StartFailure(l10n.t('{0} could not be started', configuration.name), `${missing.text} ${missing.help}`, [
      missing.offer,
      'restart',
    ]);
}
