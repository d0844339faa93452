import type { AuthMethod } from '../../../acp/authMethods';
import { VersionMismatch } from '../../../acp/agentConnection';
import { AcpError } from '../../../acp/errors';
import { causeOf, reasonOf } from '../../../thread/errorCause';
import { describeError } from '../../../thread/errorWords';
import type { AgentConfiguration } from '../agentSettings';
import { StartFailure, startFailure } from '../startFailure';
import { NoAnswer, ProcessEnded, UnreadableOutput } from './checkedProcess';
import type { CheckStepId, StepProblem } from './checkSteps';
import { likelyCause, likelyHelp } from './likelyCause';

/** What a process has written, as far as it tells why it failed. */
export interface ProcessWords {
  readonly stderr: string;
  /** The first line on stdout that is no message. */
  readonly strayLine?: string | undefined;
}

const runByHand = 'Run the agent in a terminal to see more, or correct its command in the setting parley.agents.';
const seeLog = 'Look for more in the log with “Parley: Show Log”, then restart the agent.';

/** Why the agent did not answer `initialize`, and at which step that shows. */
export function initializeProblem(error: unknown, configuration: AgentConfiguration, { stderr, strayLine }: ProcessWords): { readonly step: CheckStepId; readonly problem: StepProblem } {
  const stray = strayLine === undefined ? '' : ` It wrote “${strayLine.trim().slice(0, 120)}”.`;
  if (error instanceof NoAnswer) {
    const help = likelyHelp(`${stderr}\n${strayLine ?? ''}`) ?? 'Check the command and its arguments in the setting parley.agents. Most agents need an argument such as --acp.';
    return { step: 'speaks', problem: { text: `The program runs, but it did not answer within ${error.seconds} seconds.${stray}`, help, stderr, offers: ['editSettings'] } };
  }
  const evidence = error instanceof ProcessEnded ? { exit: error.exit } : error instanceof UnreadableOutput ? { readError: error.message, stderr } : { error, stderr };
  const { title, detail } = error instanceof StartFailure ? error : startFailure(configuration, evidence);
  const said = `${detail}\n${stderr}\n${strayLine ?? ''}`;
  if (error instanceof ProcessEnded) {
    const shown = [detail, stderr.trim() === '' ? stray.trim() : ''].filter(Boolean).join(' ');
    return { step: 'starts', problem: { ...words(shown, said, /setting parley\.agents/.test(detail) ? undefined : runByHand), stderr, offers: ['editSettings'] } };
  }
  // What it says of versions has its help in it.
  if (error instanceof VersionMismatch) return { step: 'speaks', problem: { text: detail, stderr } };
  return { step: 'speaks', problem: { ...words(detail || title, said, runByHand), stderr, offers: ['editSettings'] } };
}

/** The agent asks for a sign-in before it opens a session. */
export function signInProblem(error: AcpError, methods: readonly AuthMethod[], stderr: string): StepProblem {
  const reason = reasonOf(error);
  const text = `The agent asks you to sign in.${reason && !/^authentication required[.!]?$/i.test(reason) ? ` ${reason.slice(0, 1_000)}` : ''}`;
  if (methods.length === 0) return { text, help: 'It offers no way to sign in from here. Sign in with the agent’s own program in a terminal, then check again.', stderr };
  return { text, help: `Sign in with: ${methods.map(({ name }) => name.slice(0, 80)).slice(0, 10).join(', ')}.`, offers: ['signIn'], stderr };
}

/** Why no session was opened. */
export function sessionProblem(error: unknown, process: ProcessWords, now: number): StepProblem {
  return callProblem(error, process, now, 'The agent did not open a session');
}

/** Why the test prompt was not answered. */
export function answerProblem(error: unknown, process: ProcessWords, now: number): StepProblem {
  return callProblem(error, process, now, 'The agent did not answer');
}

function callProblem(error: unknown, { stderr }: ProcessWords, now: number, what: string): StepProblem {
  if (error instanceof NoAnswer) return { ...words(`${what} within ${error.seconds} seconds.`, stderr, 'Check your connection and the agent’s account, then check again.'), stderr };
  if (error instanceof ProcessEnded) {
    const how = error.exit.signal ? `by the signal ${error.exit.signal}` : `with exit code ${error.exit.code ?? 'unknown'}`;
    return { ...words(`${what}: its process ended ${how}.`, stderr, seeLog), stderr };
  }
  if (!(error instanceof AcpError)) return { ...words(`${what}: ${error instanceof Error ? error.message : String(error)}`, stderr, seeLog), stderr };
  const { title, detail, actions } = describeError(error, now);
  const cause = causeOf(error);
  const said = `${title}\n${detail ?? ''}`;
  // Where the code tells the cause, the words have the help in them.
  const isKnown = cause !== 'other' && cause !== 'internal' && cause !== 'refused';
  const offers: StepProblem['offers'] = actions?.includes('signIn') || likelyCause(said) === 'signIn' ? ['signIn'] : [];
  const text = [title, detail].filter(Boolean).join('. ');
  const alsoHelps = cause === 'rateLimit' ? { help: 'Wait a moment, then check again.' } : cause === 'unsupported' ? { help: seeLog } : {};
  return { ...(isKnown ? { text, ...alsoHelps } : words(text, `${said}\n${stderr}`, seeLog)), offers, stderr };
}

function words(text: string, said: string, otherwise?: string): StepProblem {
  const help = likelyHelp(said) ?? otherwise;
  return { text, ...(help === undefined ? {} : { help }) };
}
