import * as l10n from '@vscode/l10n';
import type { ToolCallFields } from './decodeUpdate';

/**
 * The title of a tool call to which the agent gave none, such as a bare failed update (item 98). It depends on the
 * language: never compare it.
 */
export function defaultTitle(kind: NonNullable<ToolCallFields['kind']>): string {
  switch (kind) {
    case 'read':
      return l10n.t('Read');
    case 'edit':
      return l10n.t('Edit');
    case 'delete':
      return l10n.t('Delete');
    case 'move':
      return l10n.t('Move');
    case 'search':
      return l10n.t('Search');
    case 'execute':
      return l10n.t('Run a command');
    case 'think':
      return l10n.t('Think');
    case 'fetch':
      return l10n.t('Fetch');
    case 'switch_mode':
      return l10n.t('Switch mode');
    case 'other':
      return l10n.t('Tool call');
  }
}
