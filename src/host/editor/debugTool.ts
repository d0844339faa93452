import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errorText';
import type { CancellationToken } from '../../base/cancellation';
import { asObject, integerOf, stringOf } from '../../base/decode';
import { Deferred } from '../../base/deferred';
import type { JsonObject } from '../../base/json';
import type { IDisposable } from '../../base/lifecycle';
import { waitAtMost } from '../../base/scheduler';
import { visibleLine } from '../../base/visibleText';
import { bounded, counted, listAnswer, shortLine } from '../../editor/answers';
import { lineOf, pageOf, requiredText, ToolError, wholeOf, wordOf } from '../../editor/toolInput';
import { debugActions } from '../../editor/toolTable';
import { debugSourcePath } from '../platform/debugSource';
import { type DebugRun, DebugRuns, resume, stayStopped } from './debugRuns';
import { fileOf, sessionFile, type ToolSession } from './toolSession';

/** How long an answer waits for the program to stop by default, and at most. Seconds. */
const usualSeconds = 20;
const maxSeconds = 120;
/** A debugger answers at once, or it hangs. */
const requestMs = 30_000;
const maxFrames = 50;
const maxVariables = 200;
/** Characters of a configuration. The user could not judge a longer one. */
const maxWords = 8_000;
/** Characters of an expression. The user is asked about it. */
const maxExpression = 2_000;
const maxBreakpoints = 100;

/** The debugger did not do it. */
class RefusedError extends ToolError {}

const debugRuns = new DebugRuns();
/** Breakpoints that agents set, by session. */
const breakpoints = new Map<string, readonly vscode.SourceBreakpoint[]>();

/** `debug`: runs a configuration of the user's, and looks at the program where it stops. */
export async function debugTool(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const action = wordOf(args, 'action', ...debugActions);
  switch (action) {
    case 'configurations':
      return listAnswer('Debug configurations', configurationsOf(session).map(nameLine), pageOf(args));
    case 'start':
      return start(requiredText(args, 'configuration', 500), waitOf(args), session, token);
    case 'set_breakpoint':
      return setBreakpoint(args, session);
    case 'remove_breakpoint':
      return removeBreakpoint(args, session);
    case 'state':
      return stateOf(runOf(session), session);
    case 'stack':
      return stack(stoppedRun(session), session);
    case 'variables':
      return variables(args, stoppedRun(session), session);
    case 'evaluate':
      return evaluate(args, session, token);
    case 'stop':
      await vscode.debug.stopDebugging(runOf(session).session);
      return 'Stopped.';
    default:
      return move(action, waitOf(args), session, token);
  }
}

/** Stops the programs that a session debugs, and removes its breakpoints: nobody else knows whose they are. */
export async function endDebugging(sessionId: string): Promise<void> {
  const own = breakpointsOf(sessionId);
  breakpoints.delete(sessionId);
  if (own.length > 0) vscode.debug.removeBreakpoints(own);
  await debugRuns.end(sessionId);
}

interface Configuration {
  readonly name: string;
  readonly type: string;
  /** All of it, as it is written: an agent may have written it. */
  readonly words: string;
  readonly folder: vscode.WorkspaceFolder;
}

function configurationsOf({ scope }: ToolSession): readonly Configuration[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => scope.roots.some((root) => root === uri.fsPath))
    .flatMap((folder) => {
      const all = vscode.workspace.getConfiguration('launch', folder.uri).get<unknown>('configurations');
      return (Array.isArray(all) ? all : []).map((item) => {
        const { name, ...rest } = asObject(item);
        return {
          name: stringOf(name) ?? '',
          type: stringOf(rest['type']) ?? '?',
          words: JSON.stringify(rest),
          folder,
        };
      });
    })
    .filter(({ name }) => name !== '');
}

function nameLine({ name, type }: Configuration): string {
  return `  ${visibleLine(name, 500)} (${visibleLine(type, 50)})`;
}

async function start(name: string, ms: number, session: ToolSession, token: CancellationToken): Promise<string> {
  const found = configurationsOf(session).find((item) => item.name === name);
  if (!found) throw new ToolError('There is no such configuration. List them with the action configurations.');
  if (debugRuns.of(session.scope.sessionId).length > 0)
    throw new ToolError('A program that you started is still being debugged. Stop it first.');
  const title = l10n.t('Debug “{0}”: {1}', visibleLine(name, 500), visibleLine(found.words));
  if (found.words.length > maxWords) throw new ToolError('The configuration is too long to be shown to the user.');
  await mayRun(title, session, token);
  if (JSON.stringify(configurationsOf(session).find((item) => item.name === name)) !== JSON.stringify(found))
    throw new ToolError('The configuration was changed while the user was asked. Call start again.');
  const { sessionId } = session.scope;
  await debugRuns.start(sessionId, found, session.clock, token);
  if (debugRuns.of(sessionId).length === 0) return 'The program has ended.';
  return waited(runOf(session), ms, session, token);
}

/** The program that this session started; the one of its parts that has stopped, if one has. */
function runOf({ scope }: ToolSession): DebugRun {
  const own = debugRuns.of(scope.sessionId);
  const run = own.find(({ stopped }) => stopped) ?? own.at(-1);
  if (!run)
    throw new ToolError('You are debugging no program. Use the action start. The user’s own runs are not seen.');
  return run;
}

function stoppedRun(session: ToolSession): DebugRun & { readonly stopped: NonNullable<DebugRun['stopped']> } {
  const run = runOf(session);
  if (!run.stopped) throw new ToolError('The program runs. Set a breakpoint and use continue, or wait with state.');
  return run as DebugRun & { readonly stopped: NonNullable<DebugRun['stopped']> };
}

async function mayRun(title: string, session: ToolSession, token: CancellationToken): Promise<void> {
  if (!(await session.ask({ title, kind: 'execute' }, token)))
    throw new ToolError('The user did not allow it. Do not ask again; go on without it.');
}

async function waited(run: DebugRun, ms: number, session: ToolSession, token: CancellationToken): Promise<string> {
  const listeners: IDisposable[] = [];
  const withdrawn = new Deferred<void>();
  try {
    listeners.push(token.onCancellationRequested(() => withdrawn.resolve()));
    if (!(await waitAtMost(session.clock, ms, Promise.race([run.next.promise, withdrawn.promise]))))
      return `The program still runs after ${ms / 1_000} s. Ask for state, or stop it.`;
  } finally {
    for (const listener of listeners) listener.dispose();
  }
  return run.isOver ? 'The program has ended.' : stateOf(run, session);
}

async function stateOf(run: DebugRun, session: ToolSession): Promise<string> {
  if (!run.stopped) return 'The program runs.';
  return `Stopped: ${shortLine(run.stopped.reason)}\n${await stack(run as never, session, 1)}`;
}

async function request(
  { session }: DebugRun,
  command: string,
  body: JsonObject,
  { clock }: ToolSession,
): Promise<JsonObject> {
  let answer: unknown;
  const work = Promise.resolve(session.customRequest(command, body)).then(
    (found: unknown) => void (answer = found),
    (error: unknown) => {
      throw new RefusedError(`The debugger refused: ${shortLine(messageOf(error))}`);
    },
  );
  if (!(await waitAtMost(clock, requestMs, work)))
    throw new ToolError('The debugger did not answer. Stop the program.');
  return asObject(answer);
}

async function framesOf(
  run: ReturnType<typeof stoppedRun>,
  session: ToolSession,
  levels: number,
): Promise<readonly JsonObject[]> {
  const { threadId } = run.stopped;
  const { stackFrames } = await request(run, 'stackTrace', { threadId, startFrame: 0, levels }, session);
  return (Array.isArray(stackFrames) ? stackFrames : []).slice(0, levels).map((frame) => asObject(frame));
}

async function stack(run: ReturnType<typeof stoppedRun>, session: ToolSession, levels = maxFrames): Promise<string> {
  const lines = (await framesOf(run, session, levels)).map(async ({ name, line, source }, at) => {
    const path = debugSourcePath(asObject(source)['path']);
    const file = path === undefined ? undefined : await fileOf(vscode.Uri.file(path), session.scope);
    const where = file ? `${file.label}:${integerOf(line) ?? '?'}` : 'outside the session’s folders';
    return `  #${at} ${shortLine(stringOf(name) ?? '?')} (${where})`;
  });
  return bounded((await Promise.all(lines)).join('\n'));
}

async function frameId(args: JsonObject, run: ReturnType<typeof stoppedRun>, session: ToolSession): Promise<number> {
  const at = wholeOf(args, 'frame') ?? 0;
  const frame = at < 0 ? undefined : (await framesOf(run, session, maxFrames))[at];
  const id = integerOf(frame?.['id']);
  if (id === undefined) throw new ToolError('There is no such frame. See the action stack.');
  return id;
}

async function variables(args: JsonObject, run: ReturnType<typeof stoppedRun>, session: ToolSession): Promise<string> {
  const scopes = (await request(run, 'scopes', { frameId: await frameId(args, run, session) }, session))['scopes'];
  const lines: string[] = [];
  for (const item of (Array.isArray(scopes) ? scopes : []).slice(0, 10)) {
    const { name, variablesReference, expensive } = asObject(item);
    if (expensive === true) continue;
    const found = await request(run, 'variables', { variablesReference, start: 0, count: maxVariables }, session);
    const all: readonly unknown[] = Array.isArray(found['variables']) ? found['variables'] : [];
    lines.push(`${shortLine(stringOf(name) ?? '?')}:`);
    for (const variable of all.slice(0, maxVariables)) {
      const { name: key, value } = asObject(variable);
      lines.push(`  ${shortLine(stringOf(key) ?? '?')} = ${shortLine(stringOf(value) ?? '?')}`);
    }
    if (all.length > maxVariables) lines.push(`  … ${all.length - maxVariables} more: use evaluate`);
  }
  return lines.length === 0 ? 'No variables.' : bounded(lines.join('\n'));
}

async function evaluate(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const expression = requiredText(args, 'expression', maxExpression);
  const before = stoppedRun(session);
  await mayRun(l10n.t('Evaluate in the debugged program: {0}', visibleLine(expression)), session, token);
  const run = stoppedRun(session);
  if (run.session.id !== before.session.id)
    throw new ToolError('Another program has stopped meanwhile. Ask for state.');
  const id = await frameId(args, run, session);
  const { result } = await request(run, 'evaluate', { expression, frameId: id, context: 'repl' }, session);
  return bounded(stringOf(result) ?? 'No result.');
}

const moves = { continue: 'continue', step_over: 'next', step_into: 'stepIn', step_out: 'stepOut' } as const;

async function move(
  action: keyof typeof moves,
  ms: number,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const run = stoppedRun(session);
  const before = run.stopped;
  resume(run);
  await request(run, moves[action], { threadId: before.threadId }, session).catch((error: unknown) => {
    if (error instanceof RefusedError) stayStopped(run, before);
    throw error;
  });
  return waited(run, ms, session, token);
}

async function setBreakpoint(args: JsonObject, session: ToolSession): Promise<string> {
  const { file, line } = await breakpointPlace(args, session);
  // A log message or a condition is code that would run without a question, so neither is offered.
  const own = breakpointsOf(session.scope.sessionId);
  if (own.some((item) => isAt(item, file.path, line))) return `You have a breakpoint at ${file.label}:${line}.`;
  if (own.length >= maxBreakpoints) throw new ToolError('There are too many breakpoints. Remove some first.');
  const location = new vscode.Location(vscode.Uri.file(file.path), new vscode.Position(line - 1, 0));
  const added = new vscode.SourceBreakpoint(location);
  breakpoints.set(session.scope.sessionId, [...own, added]);
  vscode.debug.addBreakpoints([added]);
  return `Breakpoint at ${file.label}:${line}. ${counted(own.length + 1, 'breakpoint')} of yours.`;
}

async function removeBreakpoint(args: JsonObject, session: ToolSession): Promise<string> {
  const { file, line } = await breakpointPlace(args, session);
  const own = breakpointsOf(session.scope.sessionId);
  const gone = own.filter((item) => isAt(item, file.path, line));
  if (gone.length === 0) throw new ToolError(`You set no breakpoint at ${file.label}:${line}. The user’s own stay.`);
  vscode.debug.removeBreakpoints(gone);
  breakpoints.set(
    session.scope.sessionId,
    own.filter((item) => !gone.includes(item)),
  );
  return `Removed the breakpoint at ${file.label}:${line}.`;
}

/** Those that a session set and the user has not removed. */
function breakpointsOf(sessionId: string): readonly vscode.SourceBreakpoint[] {
  const there = new Set(vscode.debug.breakpoints.map(({ id }) => id));
  return (breakpoints.get(sessionId) ?? []).filter(({ id }) => there.has(id));
}

function isAt({ location: { uri, range } }: vscode.SourceBreakpoint, path: string, line: number): boolean {
  return uri.fsPath === path && range.start.line === line - 1;
}

async function breakpointPlace(args: JsonObject, { scope }: ToolSession) {
  const file = await sessionFile(requiredText(args, 'path'), scope);
  const line = lineOf(args, 'line');
  if (line === undefined) throw new ToolError('line is missing.');
  return { file, line };
}

function waitOf(args: JsonObject): number {
  return Math.min(maxSeconds, Math.max(1, wholeOf(args, 'timeout') ?? usualSeconds)) * 1_000;
}
