import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import type { JsonObject } from '../../base/json';
import type { IDisposable } from '../../base/lifecycle';
import { waitAtMost } from '../../base/scheduler';
import { visibleLine } from '../../base/visibleText';
import { counted, listAnswer } from '../../editor/answers';
import { pageOf, requiredText, textOf, ToolError, wholeOf } from '../../editor/toolInput';
import type { RunTool } from './languageTools';
import { type TaskCommand, taskCommand } from './taskCommand';
import { sessionFile, type ToolSession } from './toolSession';

/** How long an answer waits for the end of a task by default, and at most. Seconds. */
const usualSeconds = 120;
const maxSeconds = 600;
/** Extensions look for tasks in the whole workspace. */
const fetchMs = 30_000;
/** Bytes of a task's output that are kept, and characters of its end in an answer. */
const keptBytes = 256 * 1024;
const shownCharacters = 12_000;
/** Characters of a command line. The user could not judge a longer one. */
const maxCommand = 8_000;

/** The tools of VS Code's tasks. */
export const taskTools: Readonly<Record<string, RunTool>> = { tasks: listTasks, run_task: runTask };

async function listTasks(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const group = textOf(args, 'group', 100);
  const page = pageOf(args);
  const found = (await tasksOf(session, token)).filter((task) => group === undefined || task.group?.id === group);
  const title = `${counted(found.length, 'task')}${group === undefined ? '' : ` of the group ${group}`}`;
  return listAnswer(title, found.map(lineOfTask), page);
}

function lineOfTask({ name, source, group, detail, isBackground }: vscode.Task): string {
  const facts = [source, group && `group ${group.id}`, isBackground && 'in the background'].filter(Boolean);
  const more = detail === undefined || detail === '' ? '' : `: ${visibleLine(detail, 200)}`;
  return `  ${visibleLine(name, 500)} (${visibleLine(facts.join(', '), 200)})${more}`;
}

async function runTask(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const ms = secondsOf(args) * 1_000;
  const run = textOf(args, 'run', 200);
  if (run !== undefined) return outcomeOf(run, session, ms, token);
  const task = await findTask(requiredText(args, 'task'), textOf(args, 'source', 500), session, token);
  const command = taskCommand(task, { cwd: session.scope.cwd, environment: process.env });
  const words = command?.words ?? l10n.t('a command that VS Code does not show');
  if (words.length > maxCommand) throw new ToolError('The command line of this task is too long to be shown.');
  if (command) await sessionFile(command.cwd, session.scope);
  const needed = dependenciesOf(task);
  const name = visibleLine(task.name, 500);
  const title = [
    l10n.t('Run the task “{0}”: {1}', name, visibleLine(words)),
    ...(command && command.cwd !== session.scope.cwd ? [l10n.t('(in {0})', visibleLine(command.cwd))] : []),
    ...(needed.length > 0 ? [l10n.t('(after {0})', visibleLine(needed.join(', ')))] : []),
  ].join(' ');
  if (!(await session.ask({ title, kind: 'execute' }, token)))
    throw new ToolError('The user did not allow this task. Do not ask again; go on without it.');
  if (command?.isComplete && needed.length === 0) return runInTerminal(task, command, session, ms, token);
  // VS Code reads the task again when it runs it, so it must still be what the user agreed to.
  const again = await findTask(task.name, task.source, session, token);
  if (
    taskCommand(again, { cwd: session.scope.cwd, environment: process.env })?.words !== command?.words ||
    dependenciesOf(again).join('\n') !== needed.join('\n')
  )
    throw new ToolError('The task was changed while the user was asked. Call run_task again.');
  return runByEditor(again, needed, session, ms, token);
}

/** The session's tasks: those of its folders, and those of no folder. */
async function tasksOf(session: ToolSession, token: CancellationToken): Promise<readonly vscode.Task[]> {
  let all: readonly vscode.Task[] = [];
  const stopped = new Deferred<void>();
  const listener = token.onCancellationRequested(() => stopped.resolve());
  try {
    const work = Promise.resolve(vscode.tasks.fetchTasks()).then((found) => void (all = found));
    if (!(await waitAtMost(session.clock, fetchMs, Promise.race([work, stopped.promise]))))
      throw new ToolError('VS Code did not list the tasks in time: an extension is still looking for them. Try again.');
  } finally {
    listener.dispose();
  }
  if (token.isCancellationRequested) throw new ToolError('The call was withdrawn.');
  const inSession = await Promise.all(
    all.map(async ({ scope }) => typeof scope !== 'object' || isOfSession(scope.uri, session)),
  );
  return all.filter((_, at) => inSession[at]);
}

async function isOfSession({ scheme, fsPath }: vscode.Uri, { scope }: ToolSession): Promise<boolean> {
  return (
    scheme === 'file' &&
    sessionFile(fsPath, scope).then(
      () => true,
      () => false,
    )
  );
}

async function findTask(
  name: string,
  source: string | undefined,
  session: ToolSession,
  token: CancellationToken,
): Promise<vscode.Task> {
  const named = (await tasksOf(session, token)).filter((task) => task.name === name);
  const found = source === undefined ? named : named.filter((task) => task.source === source);
  if (found.length === 0) throw new ToolError('There is no such task. List them with the tool tasks.');
  const own = found.length > 1 ? found.filter((task) => isIn(task, session.scope.cwd)) : found;
  if (own.length === 1) return own[0]!;
  const sources = found.map((task) => visibleLine(task.source, 100)).join(', ');
  throw new ToolError(`${counted(found.length, 'task')} have this name. Add source, one of: ${sources}.`);
}

function isIn({ scope }: vscode.Task, folder: string): boolean {
  return typeof scope === 'object' && scope.uri.fsPath === folder;
}

/** The labels of the tasks that run before a task of tasks.json; the API of tasks does not have them. */
function dependenciesOf({ name, scope, source }: vscode.Task): readonly string[] {
  if (source !== 'Workspace' && source !== 'User') return [];
  const folder = typeof scope === 'object' ? scope.uri : undefined;
  const all = vscode.workspace.getConfiguration('tasks', folder).get<unknown>('tasks');
  const list: readonly unknown[] = Array.isArray(all) ? all : [];
  const own = list.find((item): item is JsonObject => (item as JsonObject | null)?.['label'] === name);
  const needed = own?.['dependsOn'];
  return (Array.isArray(needed) ? needed : [needed]).flatMap((item: unknown) =>
    typeof item === 'string' ? [item] : item !== undefined && item !== null ? [l10n.t('another task')] : [],
  );
}

async function runInTerminal(
  task: vscode.Task,
  { command, args, cwd, env }: TaskCommand,
  session: ToolSession,
  ms: number,
  token: CancellationToken,
): Promise<string> {
  const { sessionId } = session.scope;
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const { terminalId } = await session.terminals.createTerminal(
    { sessionId, command, args: [...args], cwd, env: variables, outputByteLimit: keptBytes },
    token,
  );
  if ((task.presentationOptions.reveal ?? vscode.TaskRevealKind.Always) === vscode.TaskRevealKind.Always)
    await session.terminals.show(terminalId);
  return outcomeOf(terminalId, session, ms, token);
}

/** Waits for the end of a task in a terminal of the session. A withdrawn call ends the task. */
async function outcomeOf(
  terminalId: string,
  { scope, terminals, clock }: ToolSession,
  ms: number,
  token: CancellationToken,
): Promise<string> {
  const terminal = { sessionId: scope.sessionId, terminalId };
  const ended = terminals.waitForTerminalExit(terminal, token);
  const isOver = await waitAtMost(clock, ms, ended).catch(async (error: unknown) => {
    if (token.isCancellationRequested) {
      await terminals.killTerminal(terminal);
      await terminals.releaseTerminal(terminal);
      throw new ToolError('The call was withdrawn, and the task was stopped.');
    }
    throw error;
  });
  if (!isOver) ended.catch(() => undefined);
  const { output, truncated, exitStatus } = await terminals.terminalOutput(terminal);
  if (exitStatus) await terminals.releaseTerminal(terminal);
  const end = output.length > shownCharacters ? output.slice(-shownCharacters) : output;
  const cut = truncated || end.length < output.length ? '… only the end of the output:\n' : '';
  const how = !exitStatus
    ? `Still running after ${ms / 1_000} s. Look again with run_task and run "${terminalId}".`
    : exitStatus.signal
      ? `Ended by ${exitStatus.signal}.`
      : `Exit code ${exitStatus.exitCode ?? '?'}.`;
  return `${how}\n${cut}${plainOutput(end)}`;
}

/** Without the codes of a terminal. */
function plainOutput(output: string): string {
  return (
    output
      .replaceAll(/\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[[?>=][0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|.)/g, '')
      .replaceAll('\r\n', '\n')
      .split('\n')
      // What a line was before the cursor went back to its beginning.
      .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
      .join('\n')
      .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')
      .trim()
  );
}

async function runByEditor(
  task: vscode.Task,
  needed: readonly string[],
  { clock }: ToolSession,
  ms: number,
  token: CancellationToken,
): Promise<string> {
  const remark =
    'VS Code ran this task in its own terminal, so its output cannot be read here.' +
    (needed.length > 0 ? ' The results of the tasks before it are not known.' : '');
  const ended = new Deferred<number | undefined>();
  // It may be rejected before anybody waits for it.
  ended.promise.catch(() => undefined);
  const listeners: IDisposable[] = [];
  let execution: vscode.TaskExecution | undefined;
  const isThis = (other: vscode.TaskExecution) => other === execution || other.task === task;
  try {
    listeners.push(
      vscode.tasks.onDidEndTaskProcess((event) => isThis(event.execution) && ended.resolve(event.exitCode)),
      // A task without a process has only this event, and for others it comes after the one above.
      vscode.tasks.onDidEndTask((event) => isThis(event.execution) && ended.resolve(undefined)),
      token.onCancellationRequested(() => {
        execution?.terminate();
        ended.reject(new ToolError('The call was withdrawn, and the task was stopped.'));
      }),
    );
    execution = await vscode.tasks.executeTask(task);
    if (token.isCancellationRequested) execution.terminate();
    if (!(await waitAtMost(clock, ms, ended.promise))) return `Still running after ${ms / 1_000} s. ${remark}`;
    const code = await ended.promise;
    return `${code === undefined ? 'Ended, without an exit code.' : `Exit code ${code}.`} ${remark}`;
  } finally {
    for (const listener of listeners) listener.dispose();
  }
}

function secondsOf(args: JsonObject): number {
  return Math.min(maxSeconds, Math.max(1, wholeOf(args, 'timeout') ?? usualSeconds));
}
