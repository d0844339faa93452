import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { visibleLine } from '../../base/visibleText';
import { portOf, type Worktree } from './worktree';

/** The command that prepares new worktrees, such as `npm ci`; undefined for none. A workspace cannot set it. */
export function setupCommand(): string | undefined {
  const command = vscode.workspace.getConfiguration('parley').inspect<string>('worktree.setup')?.globalValue;
  return typeof command === 'string' && command.trim() !== '' ? command : undefined;
}

/**
 * Runs the setup command in a worktree, as a task whose terminal stays open.
 * @returns its exit code; undefined if it did not end by itself
 */
export async function setUpWorktree(command: string, worktree: Worktree): Promise<number | undefined> {
  const { path: cwd, branch } = worktree;
  const task = new vscode.Task(
    { type: 'parley.worktree' },
    vscode.TaskScope.Workspace,
    visibleLine(l10n.t('Set up {0}', branch)),
    'Parley',
    new vscode.ShellExecution(command, { cwd, env: portOf(worktree) }),
  );
  task.presentationOptions = {
    reveal: vscode.TaskRevealKind.Always,
    focus: false,
    panel: vscode.TaskPanelKind.Dedicated,
    showReuseMessage: false,
  };
  const ended = new Deferred<number | undefined>();
  const own: { execution?: vscode.TaskExecution } = {};
  const listeners = [
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name === task.name && execution.task.source === task.source) ended.resolve(exitCode);
    }),
    // A task whose process never began ends without an exit code.
    vscode.tasks.onDidEndTask(({ execution }) => {
      if (execution === own.execution) ended.resolve(undefined);
    }),
  ];
  try {
    own.execution = await vscode.tasks.executeTask(task);
    return await ended.promise;
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}
