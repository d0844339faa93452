import * as l10n from '@vscode/l10n';
import type { NoticeAction } from './thread';

export interface NoticeWords {
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions?: readonly NoticeAction[];
  /** The earliest time for Retry, in epoch milliseconds. */
  readonly retryAt?: number;
}

/** The agent did as the prompt asked, as far as it got; false after Stop, a failure or a refusal. */
export function endsWell(stopReason: string): boolean {
  return !['cancelled', 'failed', 'refusal'].includes(stopReason);
}

/** The words for the end of a turn; undefined for the ordinary end (item 80). */
export function describeStopReason(stopReason: string): NoticeWords | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'cancelled':
      return { severity: 'info', title: l10n.t('Stopped') };
    case 'max_tokens':
      return {
        severity: 'warning',
        title: l10n.t('The answer was cut off: the agent reached its token limit'),
        detail: l10n.t('Send “continue” to resume.'),
      };
    case 'max_turn_requests':
      return {
        severity: 'warning',
        title: l10n.t('The agent reached its limit of model requests for one turn'),
        detail: l10n.t('Send “continue” to resume.'),
      };
    case 'refusal':
      return {
        severity: 'warning',
        title: l10n.t('The agent refused to continue'),
        detail: l10n.t('Your last message and everything after it are no longer part of its context.'),
      };
    default:
      return { severity: 'info', title: l10n.t('The turn ended: {0}', stopReason.replaceAll('_', ' ')) };
  }
}
