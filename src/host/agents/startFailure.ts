import { VersionMismatch } from '../../acp/agentConnection';
import { AcpError } from '../../acp/errors';
import type { AgentExit } from '../../node/agentProcess';
import type { NoticeAction } from '../../protocol/entryView';
import { describeError } from '../../thread/errorWords';
import { systemClock } from '../platform/clock';
import type { AgentConfiguration } from './agentSettings';

/** Why an agent did not start, in words for the panel: what happened, why, and what helps. */
export class StartFailure extends Error {
  constructor(
    readonly title: string,
    readonly detail: string,
    readonly actions: readonly NoticeAction[],
    readonly stderr?: string,
    readonly isCancellation = false,
  ) {
    super(`${title}: ${detail}`);
    this.name = 'StartFailure';
  }

  static cancelled(): StartFailure {
    return new StartFailure('Start cancelled', '', [], undefined, true);
  }
}

export interface StartEvidence {
  /** Its program was not found. */
  readonly missing?: boolean;
  readonly exit?: AgentExit;
  readonly error?: unknown;
  readonly readError?: string;
  readonly stderr?: string;
}

export const usual: readonly NoticeAction[] = ['restart', 'editSettings', 'showLog'];

export function startFailure(configuration: AgentConfiguration, { missing: notFound, exit, error, readError, stderr }: StartEvidence): StartFailure {
  const { name, command } = configuration;
  const tail = exit?.stderr || stderr || undefined;
  if (notFound) return new StartFailure(`${name} could not be started`, describeMissing(command), ['editSettings', 'restart', 'showLog']);
  if (exit?.spawnError) return new StartFailure(`${name} could not be started`, describeSpawnError(exit.spawnError, command), ['editSettings', 'restart', 'showLog'], tail);
  if (error instanceof VersionMismatch) {
    return new StartFailure(`${name} speaks another protocol version`, `${error.message}. Another version of the agent, or of Parley, may help.`, usual, tail);
  }
  if (readError) return new StartFailure(`The connection to ${name} failed`, readError, usual, tail);
  if (exit) {
    // A shell and cross-spawn report a missing program by these codes.
    const missing = exit.code === 127 || exit.code === 9009;
    const how = exit.signal ? `by the signal ${exit.signal}` : `with exit code ${exit.code ?? 'unknown'}`;
    return new StartFailure(`${name} ended before it was ready`, missing ? describeMissing(command) : `The process ended ${how}.`, usual, tail);
  }
  if (error instanceof AcpError) {
    const words = describeError(error, systemClock.now());
    return new StartFailure(`${name} refused the connection`, [words.title, words.detail].filter(Boolean).join('\n'), usual, tail);
  }
  return new StartFailure(`${name} could not be started`, error instanceof Error ? error.message : String(error), usual, tail);
}

function describeSpawnError(error: NodeJS.ErrnoException, command: string): string {
  switch (error.code) {
    case 'ENOENT':
      return `“${command}” could not be run: the working directory, or the program that runs it, does not exist. Check cwd in the setting parley.agents.`;
    case 'EACCES':
      return `“${command}” may not be executed. Check its permissions, or the command in the setting parley.agents.`;
    case 'ENOTDIR':
      return 'The working directory is not a folder. Check cwd in the setting parley.agents.';
    default:
      return error.message;
  }
}

function describeMissing(command: string): string {
  return `“${command}” was not found. ${/^(npx|npm|node)$/.test(command) ? 'Install Node.js, or give the full path' : 'Install it, or correct the command'} in the setting parley.agents.`;
}
