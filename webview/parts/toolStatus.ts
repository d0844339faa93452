import * as l10n from '@vscode/l10n';
import type { ToolStatusView } from '../../src/protocol/toolCallView';

/** True if the call still runs. */
export function isActive(status: ToolStatusView): boolean {
  return status === 'pending' || status === 'running' || status === 'paused' || status === 'waiting';
}

/** A status in words. */
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
    case 'stopped':
      return l10n.t('Stopped');
    case 'blocked':
      return l10n.t('Blocked');
    case 'unfinished':
      return l10n.t('Unfinished');
    case 'rejected':
      return l10n.t('Rejected');
  }
}

/** The icon of a call that did not succeed: each state has its own. Undefined for the others. */
export function statusIconName(status: ToolStatusView): string | undefined {
  switch (status) {
    case 'paused':
      return 'debug-pause';
    case 'failed':
      return 'error';
    case 'cancelled':
      return 'close';
    case 'rejected':
      return 'circle-slash';
    case 'stopped':
      return 'debug-stop';
    case 'blocked':
      return 'shield';
    case 'unfinished':
      return 'question';
    case 'pending':
    case 'running':
    case 'waiting':
    case 'completed':
      return undefined;
  }
}
