import * as l10n from '@vscode/l10n';
import { messageOf } from '../base/errorText';
import { AcpError } from '../acp/errors';
import { asObject } from '../base/decode';
import { causeOf, type ErrorCause, reasonOf, retryTime } from './errorCause';
import type { NoticeAction } from './thread';
import type { NoticeWords } from './words';
import { clip } from '../base/oneLine';

interface CauseWords {
  /** The event. */
  readonly title: string;
  /** Advice for the user. */
  readonly help?: string;
  readonly actions: readonly NoticeAction[];
  readonly severity?: NoticeWords['severity'];
}

function wordsOf(cause: Exclude<ErrorCause, 'other'>): CauseWords {
  switch (cause) {
    case 'signIn':
      return { title: l10n.t('The agent wants you to sign in'), actions: ['signIn', 'retry', 'restart'] };
    case 'credentials':
      return {
        title: l10n.t('The model provider did not accept the agent’s credentials'),
        help: l10n.t('Sign in to the agent again or correct its API key, restart it, and retry.'),
        actions: ['signIn', 'restart', 'retry', 'editSettings'],
      };
    case 'forbidden':
      return {
        title: l10n.t('The model provider refused access'),
        help: l10n.t('Check what your account and organization are allowed to use.'),
        actions: ['retry', 'showLog'],
      };
    case 'payment':
      return {
        title: l10n.t('The model provider asks for payment'),
        help: l10n.t('Check your plan and credit, then retry.'),
        actions: ['retry', 'continueWith'],
      };
    case 'rateLimit':
      return { title: l10n.t('The rate limit is reached'), actions: ['retry', 'continueWith'] };
    case 'overloaded':
      return {
        title: l10n.t('The model provider cannot be reached or is overloaded'),
        help: l10n.t('Try again in a moment.'),
        actions: ['retry', 'showLog'],
      };
    case 'provider':
      return {
        title: l10n.t('The model provider reported an error'),
        help: l10n.t('Try again in a moment.'),
        actions: ['retry', 'showLog'],
      };
    case 'timeout':
      return {
        title: l10n.t('The model provider did not respond in time'),
        help: l10n.t('Try again in a moment.'),
        actions: ['retry', 'showLog'],
      };
    case 'badRequest':
      return {
        title: l10n.t('The model provider refused the request'),
        help: l10n.t('Change your message, or start a new session.'),
        actions: ['retry', 'newSession', 'showLog'],
      };
    case 'tooLarge':
      return {
        title: l10n.t('The request is too large for the model'),
        help: l10n.t('Attach less, or start a new session.'),
        actions: ['newSession', 'retry'],
      };
    case 'noModel':
      return {
        title: l10n.t('The model was not found'),
        help: l10n.t('Select another model, then retry.'),
        actions: ['retry', 'showLog'],
      };
    case 'outputLimit':
      return {
        title: l10n.t('The answer was cut off: the agent reached its token limit'),
        help: l10n.t('Send “continue” to resume.'),
        actions: [],
        severity: 'warning',
      };
    case 'sessionGone':
      return {
        title: l10n.t('The agent can’t find this session'),
        help: l10n.t('Start a new session.'),
        actions: ['newSession', 'retry'],
      };
    case 'unsupported':
      return { title: l10n.t('The agent does not support this'), actions: ['showLog'] };
    case 'refused':
      return { title: l10n.t('The agent refused the request'), actions: ['retry', 'showLog'] };
    case 'misunderstood':
      return {
        title: l10n.t('The agent could not read what Parley sent'),
        help: l10n.t('This is a bug in Parley or in the agent. If it happens again, restart the agent.'),
        actions: ['retry', 'restart', 'showLog'],
      };
    case 'version':
      return {
        title: l10n.t('The agent speaks a different version of the protocol'),
        help: l10n.t('Try another version of the agent or of Parley.'),
        actions: ['restart', 'editSettings'],
      };
    case 'calledOff':
      return { title: l10n.t('The agent cancelled the request'), actions: ['retry'], severity: 'info' };
    case 'internal':
      return { title: l10n.t('The agent reported an error'), actions: ['retry', 'showLog'] };
  }
}

/**
 * The words for an agent's error, or for an agent that could not be reached: what happened, the reason in the agent's
 * own words, and advice. Knows every code of the schema, HTTP statuses as codes, and `data.errorKind`.
 * @param now epoch milliseconds
 */
export function describeError(error: unknown, now: number): NoticeWords {
  if (!(error instanceof AcpError)) {
    return {
      severity: 'error',
      title: l10n.t('The message could not be sent'),
      detail: messageOf(error),
      actions: ['retry', 'showLog'],
    };
  }
  // The code and data are those of Parley's own answer.
  if (error.repeats !== undefined)
    return notice(
      { title: l10n.t('The agent stopped because Parley could not do what it asked'), actions: ['retry', 'showLog'] },
      [error.repeats],
      undefined,
    );
  const cause = causeOf(error);
  const reason = reasonOf(error);
  const retryAt = retryTime(error, now);
  const again = retryAt === undefined ? undefined : retryWords(retryAt - now);
  if (cause === 'other') {
    const { title, rest } = headline(reason ?? l10n.t('The agent reported the error {0}', error.code));
    return notice({ title, actions: ['retry', 'showLog'] }, [rest, again], retryAt);
  }
  const words = wordsOf(cause);
  return notice(words, [cause === 'version' ? versions(error) : reason, again ?? words.help], retryAt);
}

function notice(
  { title, actions, severity = 'error' }: CauseWords,
  lines: readonly (string | undefined)[],
  retryAt: number | undefined,
): NoticeWords {
  const texts = lines.filter((line): line is string => line !== undefined);
  // Join single sentences to one paragraph; keep an agent's multiple lines.
  const detail = texts.some((text) => text.includes('\n'))
    ? texts.join('\n')
    : texts.map((text, i) => (i < texts.length - 1 ? sentence(text) : text)).join(' ');
  return {
    severity,
    title,
    ...(detail === '' ? {} : { detail }),
    actions,
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

/** Limits a title to one short line; the rest becomes the detail. */
function headline(reason: string): { readonly title: string; readonly rest: string | undefined } {
  const [line = '', ...others] = reason.split('\n');
  if (line.length > 160) return { title: clip(line, 159), rest: reason };
  return { title: line, rest: others.length > 0 ? others.join('\n') : undefined };
}

function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}

/** `data.supported` of -32022. */
function versions(error: AcpError): string | undefined {
  const { supported } = asObject(error.data);
  return Array.isArray(supported) ? l10n.t('It supports {0}', supported.map(String).join(', ')) : reasonOf(error);
}

function retryWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90)
    return seconds === 1 ? l10n.t('Try again in 1 second.') : l10n.t('Try again in {0} seconds.', seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90
    ? l10n.t('Try again in {0} minutes.', minutes)
    : l10n.t('Try again in {0} hours.', Math.ceil(minutes / 60));
}
