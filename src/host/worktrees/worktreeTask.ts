import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Deferred } from '../../base/deferred';
import { visibleLine } from '../../base/visibleText';
import { portOf, type Worktree } from './worktree';

/**
 * Runs a command of the user in a worktree, as a task whose terminal stays open.
 * @param name of the task and its terminal; it names the worktree
 * @param isShown whether the terminal comes to the front
 * @returns its exit code; undefined if it did not end by itself
 * @throws Error if VS Code does not run tasks here
 */
export async function runInWorktree(
  command: string,
  worktree: Worktree,
  name: string,
  isShown: boolean,
): Promise<number | undefined> {
  const task = new vscode.Task(
    { type: 'parley.worktree' },
    vscode.TaskScope.Workspace,
    visibleLine(name),
    'Parley',
    new vscode.ShellExecution(command, { cwd: worktree.path, env: portOf(worktree) }),
  );
  task.presentationOptions = {
    reveal: isShown ? vscode.TaskRevealKind.Always : vscode.TaskRevealKind.Never,
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

/** The command that prepares new worktrees, such as `npm ci`; undefined for none. A workspace cannot set it. */
export function setupCommand(): string | undefined {
  const command = vscode.workspace.getConfiguration('parley').inspect<string>('worktree.setup')?.globalValue;
  return typeof command === 'string' && command.trim() !== '' ? command : undefined;
}

/** Runs the setup command in a worktree; see `runInWorktree`. */
export function setUpWorktree(command: string, worktree: Worktree): Promise<number | undefined> {
  return runInWorktree(command, worktree, l10n.t('Set up {0}', worktree.branch), true);
}
