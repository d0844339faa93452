import { AcpError, ErrorCodes } from '../acp/errors';
import { asObject, numberOf, stringOf } from '../acp/json';
import type { NoticeAction } from './thread';

export interface NoticeWords {
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions?: readonly NoticeAction[];
}

/** What to say when a turn ended; nothing for the ordinary end (item 80). */
export function describeStopReason(stopReason: string): NoticeWords | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'cancelled':
      return { severity: 'info', title: 'Stopped' };
    case 'max_tokens':
      return { severity: 'warning', title: 'The answer was cut off: the agent reached its limit of tokens', detail: 'Send “continue” to let it go on.' };
    case 'max_turn_requests':
      return { severity: 'warning', title: 'The agent reached its limit of model requests for one turn', detail: 'Send “continue” to let it go on.' };
    case 'refusal':
      return { severity: 'warning', title: 'The agent refused to go on', detail: 'Your last prompt and what followed are not part of its context any more.' };
    default:
      return { severity: 'info', title: `The turn ended: ${stopReason.replaceAll('_', ' ')}` };
  }
}

/** What to say when a prompt was answered with an error: what happened, why, and what helps. */
export function describeError(error: unknown): NoticeWords {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AcpError)) return { severity: 'error', title: 'The prompt could not be sent', detail: message, actions: ['retry', 'showLog'] };
  const detail = detailOf(error);
  const rest = detail === undefined ? {} : { detail };
  if (error.code === ErrorCodes.authRequired) {
    return { severity: 'error', title: 'The agent wants you to sign in', detail: [message, detail].filter(Boolean).join('\n'), actions: ['retry', 'restart'] };
  }
  if (error.code === ErrorCodes.resourceNotFound) return { severity: 'error', title: `The agent cannot find this session any more: ${message}`, ...rest, actions: ['newSession'] };
  const wait = retryAfter(error);
  if (wait !== undefined) return { severity: 'error', title: message, detail: [detail, `Try again in ${wait}.`].filter(Boolean).join('\n'), actions: ['retry'] };
  return { severity: 'error', title: message, ...rest, actions: ['retry', 'showLog'] };
}

/** The readable part of `error.data`: agents put the true reason in `details`, `message` or `reason`, or in a string. */
function detailOf(error: AcpError): string | undefined {
  if (typeof error.data === 'string') return error.data === error.message ? undefined : error.data;
  const data = asObject(error.data);
  const text = [data['details'], data['reason'], data['message'], data['errorMessage']].map(stringOf).find((value) => value !== undefined && value !== '' && value !== error.message);
  return text?.slice(0, 4_000);
}

/** `data.retryAfter` in seconds (item 205), as words. */
function retryAfter(error: AcpError): string | undefined {
  const seconds = numberOf(asObject(error.data)['retryAfter']);
  if (seconds === undefined || seconds <= 0) return undefined;
  return seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
