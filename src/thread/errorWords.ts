import { AcpError } from '../acp/errors';
import { asObject } from '../acp/json';
import { causeOf, type ErrorCause, reasonOf, retryTime } from './errorCause';
import type { NoticeAction } from './thread';
import type { NoticeWords } from './words';

interface CauseWords {
  /** What happened. */
  readonly title: string;
  /** What to do. */
  readonly help?: string;
  readonly actions: readonly NoticeAction[];
  readonly severity?: NoticeWords['severity'];
}

const words: Readonly<Record<Exclude<ErrorCause, 'other'>, CauseWords>> = {
  signIn: { title: 'The agent wants you to sign in', actions: ['signIn', 'retry', 'restart'] },
  credentials: { title: 'The model provider did not accept the agent’s credentials', help: 'Sign in to the agent again or correct its API key, restart it, and retry.', actions: ['signIn', 'restart', 'retry', 'editSettings'] },
  forbidden: { title: 'The model provider refused access', help: 'Check what your account and organisation may use.', actions: ['retry', 'showLog'] },
  payment: { title: 'The model provider asks for payment', help: 'Check the plan and the credit of your account, then retry.', actions: ['retry'] },
  rateLimit: { title: 'The rate limit is reached', actions: ['retry'] },
  overloaded: { title: 'The model provider cannot be reached or is overloaded', help: 'Try again in a moment.', actions: ['retry', 'showLog'] },
  provider: { title: 'The model provider reported an error', help: 'Try again in a moment.', actions: ['retry', 'showLog'] },
  timeout: { title: 'The model provider did not answer in time', help: 'Try again in a moment.', actions: ['retry', 'showLog'] },
  badRequest: { title: 'The model provider refused the request', help: 'Change your message, or begin a new session.', actions: ['retry', 'newSession', 'showLog'] },
  tooLarge: { title: 'The request is too large for the model', help: 'Attach less, or begin a new session.', actions: ['newSession', 'retry'] },
  noModel: { title: 'The model was not found', help: 'Choose another model, then retry.', actions: ['retry', 'showLog'] },
  outputLimit: { title: 'The answer was cut off: the agent reached its limit of tokens', help: 'Send “continue” to let it go on.', actions: [], severity: 'warning' },
  sessionGone: { title: 'The agent cannot find this session any more', help: 'Begin a new one.', actions: ['newSession', 'retry'] },
  unsupported: { title: 'The agent does not support this', actions: ['showLog'] },
  refused: { title: 'The agent refused the request', actions: ['retry', 'showLog'] },
  misunderstood: { title: 'The agent could not read what Parley sent', help: 'This is a fault of Parley or of the agent. If it happens again, restart the agent.', actions: ['retry', 'restart', 'showLog'] },
  version: { title: 'The agent speaks another version of the protocol', help: 'Another version of the agent, or of Parley, may help.', actions: ['restart', 'editSettings'] },
  calledOff: { title: 'The agent called the request off', actions: ['retry'], severity: 'info' },
  internal: { title: 'The agent reported an error', actions: ['retry', 'showLog'] },
};

/**
 * What to say when the agent answered with an error, or could not be asked: what happened, why in the agent's own words,
 * and what helps. Knows every code of the schema, HTTP statuses as codes, and `data.errorKind`.
 * @param now epoch milliseconds
 */
export function describeError(error: unknown, now: number): NoticeWords {
  if (!(error instanceof AcpError)) {
    return { severity: 'error', title: 'The prompt could not be sent', detail: error instanceof Error ? error.message : String(error), actions: ['retry', 'showLog'] };
  }
  const cause = causeOf(error);
  const reason = reasonOf(error);
  const retryAt = retryTime(error, now);
  const again = retryAt === undefined ? undefined : `Try again in ${duration(retryAt - now)}.`;
  if (cause === 'other') {
    const { title, rest } = headline(reason ?? `The agent reported the error ${error.code}`);
    return notice({ title, actions: ['retry', 'showLog'] }, [rest, again], retryAt);
  }
  return notice(words[cause], [cause === 'version' ? versions(error) : reason, again ?? words[cause].help], retryAt);
}

function notice({ title, actions, severity = 'error' }: CauseWords, lines: readonly (string | undefined)[], retryAt: number | undefined): NoticeWords {
  const texts = lines.filter((line): line is string => line !== undefined);
  // One paragraph where each is one sentence; several lines of an agent stay lines.
  const detail = texts.some((text) => text.includes('\n')) ? texts.join('\n') : texts.map((text, i) => (i < texts.length - 1 ? sentence(text) : text)).join(' ');
  return { severity, title, ...(detail === '' ? {} : { detail }), actions, ...(retryAt === undefined ? {} : { retryAt }) };
}

/** A title is one line of bounded length; what does not fit stands below. */
function headline(reason: string): { readonly title: string; readonly rest: string | undefined } {
  const [line = '', ...others] = reason.split('\n');
  if (line.length > 160) return { title: `${line.slice(0, 159)}…`, rest: reason };
  return { title: line, rest: others.length > 0 ? others.join('\n') : undefined };
}

function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}

/** `data.supported` of -32022. */
function versions(error: AcpError): string | undefined {
  const { supported } = asObject(error.data);
  return Array.isArray(supported) ? `It supports ${supported.map(String).join(', ')}` : reasonOf(error);
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
