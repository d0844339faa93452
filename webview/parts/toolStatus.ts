import * as l10n from '@vscode/l10n';
import type { ToolStatusView } from '../../src/protocol/toolCallView';

/** Whether the call is still going on. */
export function isActive(status: ToolStatusView): boolean {
  return status === 'pending' || status === 'running' || status === 'paused' || status === 'waiting';
}

/** A status in words, for screen readers. */
export function statusWords(status: ToolStatusView): string {
  switch (status) {
    case 'pending':
      return l10n.t('Pending');
    case 'running':
      return l10n.t('Running');
    case 'paused':
      return l10n.t('Paused');
    case 'waiting':
      return l10n.t('Waiting for permission');
    case 'completed':
      return l10n.t('Completed');
    case 'failed':
      return l10n.t('Failed');
    case 'cancelled':
      return l10n.t('Cancelled');
    case 'unfinished':
      return l10n.t('Unfinished');
    case 'rejected':
      return l10n.t('Rejected');
  }
}
