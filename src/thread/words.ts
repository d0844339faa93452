import type { NoticeAction } from './thread';

export interface NoticeWords {
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail?: string;
  readonly actions?: readonly NoticeAction[];
  /** When Retry makes sense, in epoch milliseconds. */
  readonly retryAt?: number;
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
