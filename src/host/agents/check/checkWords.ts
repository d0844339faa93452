import * as l10n from '@vscode/l10n';
import { messageOf } from '../../../base/errorText';
import type { AuthMethod } from '../../../acp/authMethods';
import { VersionMismatch } from '../../../acp/agentConnection';
import { AcpError } from '../../../acp/errors';
import { causeOf, reasonOf } from '../../../thread/errorCause';
import { describeError } from '../../../thread/errorWords';
import type { AgentConfiguration } from '../agentSettings';
import { exitWords, NoAnswer, StartFailure } from '../startFailure';
import { hasOwnHelp, startFailure } from '../startWords';
import { ProcessEnded, UnreadableOutput } from '../separateProcess';
import type { CheckStepId, StepProblem } from './checkSteps';
import { likelyCause, likelyHelp } from './likelyCause';

/** The output of a process, as evidence for a failure. */
export interface ProcessWords {
  readonly stderr: string;
  /** The first line on stdout that is not a message. */
  readonly strayLine?: string | undefined;
}

const runByHand = () =>
  l10n.t('Run the agent in a terminal to see more, or correct its command in the parley.agents setting.');
const seeLog = () => l10n.t('Run “Parley: Show Log” for details, then restart the agent.');

/** Why the agent did not answer `initialize`, and the step that failed. */
export function initializeProblem(
  error: unknown,
  configuration: AgentConfiguration,
  { stderr, strayLine }: ProcessWords,
): { readonly step: CheckStepId; readonly problem: StepProblem } {
  const stray = strayLine === undefined ? '' : l10n.t('It wrote “{0}”.', strayLine.trim().slice(0, 120));
  const written = `${stderr}\n${strayLine ?? ''}`;
  if (error instanceof NoAnswer) {
    const help =
      likelyHelp(written) ??
      l10n.t(
        'Check the command and its arguments in the parley.agents setting. Most agents need an argument such as --acp.',
      );
    return {
      step: 'speaks',
      problem: {
        text: [l10n.t('The program runs, but it did not respond within {0} seconds.', error.seconds), stray]
          .filter(Boolean)
          .join(' '),
        help,
        stderr,
        offers: ['editSettings'],
      },
    };
  }
  const evidence =
    error instanceof ProcessEnded
      ? { exit: error.exit }
      : error instanceof UnreadableOutput
        ? { readError: error.message, stderr }
        : { error, stderr };
  const { title, detail } = error instanceof StartFailure ? error : startFailure(configuration, evidence);
  if (error instanceof ProcessEnded) {
    const shown = [detail, stderr.trim() === '' ? stray : ''].filter(Boolean).join(' ');
    return {
      step: 'starts',
      problem: {
        ...words(shown, written, hasOwnHelp(error.exit) ? undefined : runByHand),
        stderr,
        offers: ['editSettings'],
      },
    };
  }
  // The message about versions includes advice.
  if (error instanceof VersionMismatch) return { step: 'speaks', problem: { text: detail, stderr } };
  return {
    step: 'speaks',
    problem: { ...words(detail || title, `${saidBy(error)}\n${written}`, runByHand), stderr, offers: ['editSettings'] },
  };
}

/** The agent requires a sign-in before it opens a session. */
export function signInProblem(error: AcpError, methods: readonly AuthMethod[], stderr: string): StepProblem {
  const reason = reasonOf(error);
  const text = [
    l10n.t('The agent asks you to sign in.'),
    reason && !/^authentication required[.!]?$/i.test(reason) ? reason.slice(0, 1_000) : '',
  ]
    .filter(Boolean)
    .join(' ');
  if (methods.length === 0)
    return {
      text,
      help: l10n.t(
        'It offers no sign-in method. Sign in with the agent’s own program in a terminal, then check again.',
      ),
      stderr,
    };
  return {
    text,
    help: l10n.t(
      'Sign in with: {0}.',
      methods
        .map(({ name }) => name.slice(0, 80))
        .slice(0, 10)
        .join(', '),
    ),
    offers: ['signIn'],
    stderr,
  };
}

/** Why no session was opened. */
export function sessionProblem(error: unknown, process: ProcessWords, now: number): StepProblem {
  return callProblem(error, process, now, {
    what: l10n.t('The agent did not open a session.'),
    late: (seconds) => l10n.t('The agent did not open a session within {0} seconds.', seconds),
  });
}

/** Why the test prompt was not answered. */
export function answerProblem(error: unknown, process: ProcessWords, now: number): StepProblem {
  return callProblem(error, process, now, {
    what: l10n.t('The agent did not respond.'),
    late: (seconds) => l10n.t('The agent did not respond within {0} seconds.', seconds),
  });
}

function callProblem(
  error: unknown,
  { stderr }: ProcessWords,
  now: number,
  { what, late }: { readonly what: string; readonly late: (seconds: number) => string },
): StepProblem {
  if (error instanceof NoAnswer)
    return {
      ...words(late(error.seconds), stderr, () =>
        l10n.t('Check your connection and the agent’s account, then check again.'),
      ),
      stderr,
    };
  if (error instanceof ProcessEnded) return { ...words(`${what} ${exitWords(error.exit)}`, stderr, seeLog), stderr };
  if (!(error instanceof AcpError)) return { ...words(`${what} ${messageOf(error)}`, stderr, seeLog), stderr };
  const { title, detail, actions } = describeError(error, now);
  const cause = causeOf(error);
  const said = saidBy(error);
  // If the code gives the cause, the words include advice.
  const isKnown = cause !== 'other' && cause !== 'internal' && cause !== 'refused';
  const offers: StepProblem['offers'] = actions?.includes('signIn') || likelyCause(said) === 'signIn' ? ['signIn'] : [];
  const text = [title, detail].filter(Boolean).join('. ');
  const alsoHelps =
    cause === 'rateLimit'
      ? { help: l10n.t('Wait a moment, then check again.') }
      : cause === 'unsupported'
        ? { help: seeLog() }
        : {};
  return { ...(isKnown ? { text, ...alsoHelps } : words(text, `${said}\n${stderr}`, seeLog)), offers, stderr };
}

/** An error's own words, independent of the language: its cause and the agent's message. */
function saidBy(error: unknown): string {
  if (error instanceof AcpError) return [causeOf(error), error.message, reasonOf(error)].join('\n');
  return messageOf(error);
}

function words(text: string, said: string, otherwise?: () => string): StepProblem {
  const help = likelyHelp(said) ?? otherwise?.();
  return { text, ...(help === undefined ? {} : { help }) };
}
