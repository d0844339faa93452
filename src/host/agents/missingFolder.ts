import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentConfiguration } from './agentSettings';
import { StartFailure } from './startFailure';

/** The words for a folder in which an agent cannot work. */
export interface MissingFolder {
  readonly text: string;
  readonly help: string;
  /** The advice. A window of another folder cannot start a new session in this one. */
  readonly offer: 'editSettings' | 'openFolder' | 'newSession' | 'showWorktrees';
}

/**
 * Checks whether an agent's folder exists.
 * @param folder of the agent, unless the configuration has another one; absolute.
 * @param branchAt the branch of Parley's worktree that a folder is in
 * @returns undefined if it exists.
 */
export async function missingFolder(
  { cwd }: Pick<AgentConfiguration, 'cwd'>,
  folder: string,
  branchAt: (folder: string) => string | undefined = () => undefined,
): Promise<MissingFolder | undefined> {
  for (const path of cwd === undefined || cwd === folder ? [folder] : [cwd, folder]) {
    const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null,
    );
    // An unreadable path may still be a folder.
    if (found === null || found?.isDirectory()) continue;
    const text = found ? l10n.t('{0} is not a folder.', path) : l10n.t('The folder {0} does not exist.', path);
    if (path === cwd) return { text, help: l10n.t('Correct cwd in the parley.agents setting.'), offer: 'editSettings' };
    const branch = branchAt(path);
    if (branch !== undefined)
      return {
        text,
        help: l10n.t(
          'It was in the worktree {0}. Remove it in the list of worktrees. The session then continues in your folder.',
          branch,
        ),
        offer: 'showWorktrees',
      };
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

/** @throws StartFailure if the folder of an agent is missing, before the system names its program instead. */
export async function refuseMissingFolder(
  configuration: Pick<AgentConfiguration, 'cwd' | 'name'>,
  folder: string,
  branchAt: (folder: string) => string | undefined,
): Promise<void> {
  const missing = await missingFolder(configuration, folder, branchAt);
  if (missing)
    throw new StartFailure(l10n.t('{0} could not be started', configuration.name), `${missing.text} ${missing.help}`, [
      missing.offer,
      'restart',
    ]);
}
