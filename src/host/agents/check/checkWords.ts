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

/** Why the agent did not answer `initialize`, and at which step that shows. */
export function initializeProblem(error: unknown, configuration: AgentConfiguration, { stderr, strayLine }: ProcessWords): { readonly step: CheckStepId; readonly problem: StepProblem } {
  if (error instanceof NoAnswer) {
    const stray = strayLine === undefined ? '' : ` It wrote “${strayLine.trim().slice(0, 120)}”.`;
    const help = likelyHelp(`${stderr}\n${strayLine ?? ''}`) ?? 'Check the command and its arguments in the setting parley.agents. Most agents need an argument such as --acp.';
    return { step: 'speaks', problem: { text: `The program runs, but it did not answer within ${error.seconds} seconds.${stray}`, help, stderr, offers: ['editSettings'] } };
  }
  const evidence = error instanceof ProcessEnded ? { exit: error.exit } : error instanceof UnreadableOutput ? { readError: error.message, stderr } : { error, stderr };
  const { title, detail } = error instanceof StartFailure ? error : startFailure(configuration, evidence);
  const problem: StepProblem = { ...words(detail || title, `${detail}\n${stderr}\n${strayLine ?? ''}`), stderr };
  if (error instanceof ProcessEnded) return { step: 'starts', problem: { ...problem, offers: ['editSettings'] } };
  // What it says of versions has its help in it.
  if (error instanceof VersionMismatch) return { step: 'speaks', problem: { text: detail, stderr } };
  return { step: 'speaks', problem: { ...problem, offers: ['editSettings'] } };
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
    return { ...words(`${what}: its process ended ${how}.`, stderr), stderr };
  }
  if (!(error instanceof AcpError)) return { ...words(`${what}: ${error instanceof Error ? error.message : String(error)}`, stderr), stderr };
  const { title, detail, actions } = describeError(error, now);
  const cause = causeOf(error);
  const said = `${title}\n${detail ?? ''}`;
  // Where the code tells the cause, the words have the help in them.
  const isKnown = cause !== 'other' && cause !== 'internal' && cause !== 'refused';
  const offers: StepProblem['offers'] = actions?.includes('signIn') || likelyCause(said) === 'signIn' ? ['signIn'] : [];
  const text = [title, detail].filter(Boolean).join('. ');
  return { ...(isKnown ? { text } : words(text, `${said}\n${stderr}`)), offers, stderr };
}

function words(text: string, said: string, otherwise?: string): StepProblem {
  const help = likelyHelp(said) ?? otherwise;
  return { text, ...(help === undefined ? {} : { help }) };
}
