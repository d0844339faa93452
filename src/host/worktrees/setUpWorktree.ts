import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Worktree } from './worktree';
import { runInWorktree } from './worktreeTask';

/** The command that prepares new worktrees, such as `npm ci`; undefined for none. A workspace cannot set it. */
export function setupCommand(): string | undefined {
  const command = vscode.workspace.getConfiguration('parley').inspect<string>('worktree.setup')?.globalValue;
  return typeof command === 'string' && command.trim() !== '' ? command : undefined;
}

/** Runs the setup command in a worktree; see `runInWorktree`. */
export function setUpWorktree(command: string, worktree: Worktree): Promise<number | undefined> {
  return runInWorktree(command, worktree, l10n.t('Set up {0}', worktree.branch), true);
}
