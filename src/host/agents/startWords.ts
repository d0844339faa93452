import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';
import { VersionMismatch } from '../../acp/agentConnection';
import { AcpError } from '../../acp/errors';
import type { AgentExit } from '../../node/agentProcess';
import type { NoticeAction } from '../../protocol/entryView';
import { describeError } from '../../thread/errorWords';
import { systemClock } from '../platform/clock';
import type { AgentConfiguration } from './agentSettings';
import { exitWords, NoAnswer, StartFailure, usual } from './startFailure';

export interface StartEvidence {
  /** Its program was not found. */
  readonly missing?: boolean;
  readonly exit?: AgentExit;
  readonly error?: unknown;
  readonly readError?: string;
  readonly stderr?: string;
}

/** Another start would find no program either. */
const afterMissing: readonly NoticeAction[] = ['editSettings', 'restart', 'showLog'];

/** Words for an agent that did not start, from the evidence of its process. Loaded with the first failure. */
export function startFailure(
  configuration: AgentConfiguration,
  { missing: notFound, exit, error, readError, stderr }: StartEvidence,
): StartFailure {
  const { name, command } = configuration;
  const tail = exit?.stderr || stderr || undefined;
  if (notFound)
    return new StartFailure(l10n.t('{0} could not be started', name), describeMissing(command), afterMissing);
  if (exit?.spawnError)
    return new StartFailure(
      l10n.t('{0} could not be started', name),
      describeSpawnError(exit.spawnError, command),
      afterMissing,
      tail,
    );
  if (error instanceof VersionMismatch) {
    return new StartFailure(
      l10n.t('{0} speaks a different protocol version', name),
      mismatchWords(error.answered),
      usual,
      tail,
    );
  }
  if (error instanceof NoAnswer)
    return new StartFailure(
      l10n.t('{0} did not answer', name),
      l10n.t(
        'It was started, but did not answer in {0} minutes. Run “Parley: Check Agent…” to see why.',
        Math.round(error.seconds / 60),
      ),
      usual,
      tail,
    );
  if (readError) return new StartFailure(l10n.t('The connection to {0} failed', name), readError, usual, tail);
  if (exit) {
    return new StartFailure(
      l10n.t('{0} ended before it was ready', name),
      isMissing(exit) ? describeMissing(command) : exitWords(exit),
      isMissing(exit) ? afterMissing : usual,
      tail,
    );
  }
  if (error instanceof AcpError) {
    const words = describeError(error, systemClock.now());
    return new StartFailure(
      l10n.t('{0} refused the connection', name),
      [words.title, words.detail].filter(Boolean).join('\n'),
      usual,
      tail,
    );
  }
  return new StartFailure(l10n.t('{0} could not be started', name), messageOf(error), usual, tail);
}

/** True if the words for this end already include advice. */
export function hasOwnHelp(exit: AgentExit): boolean {
  return exit.spawnError ? /^(ENOENT|EACCES|ENOTDIR)$/.test(exit.spawnError.code ?? '') : isMissing(exit);
}

/** A shell and cross-spawn report a missing program by these codes. */
function isMissing({ code }: AgentExit): boolean {
  return code === 127 || code === 9009;
}

/** After a refusal of the draft, an agent is asked for version 1, so this is its answer to that. */
function mismatchWords(answered: unknown): string {
  return l10n.t(
    'The agent speaks version {0} of the Agent Client Protocol, Parley speaks version 1. Try another version of ' +
      'the agent or of Parley.',
    JSON.stringify(answered) ?? l10n.t('unknown'),
  );
}

function describeSpawnError(error: NodeJS.ErrnoException, command: string): string {
  switch (error.code) {
    case 'ENOENT':
      return l10n.t(
        'Parley can’t run “{0}”. The working directory, or the program that runs it, does not exist. Check cwd in ' +
          'the parley.agents setting.',
        command,
      );
    case 'EACCES':
      return l10n.t(
        'You have no permission to run “{0}”. Check its permissions, or the command in the parley.agents setting.',
        command,
      );
    case 'ENOTDIR':
      return l10n.t('The working directory is not a folder. Check cwd in the parley.agents setting.');
    default:
      return error.message;
  }
}

function describeMissing(command: string): string {
  if (/^(npx|npm|node)$/.test(command))
    return l10n.t(
      '“{0}” was not found. Install Node.js, or enter the full path in the parley.agents setting.',
      command,
    );
  return l10n.t('“{0}” was not found. Install it, or correct the command in the parley.agents setting.', command);
}
