import * as l10n from '@vscode/l10n';
import type { PanelView } from '../../src/protocol/viewModel';
import type { CompletionNote } from './completion';

/** The text of the list after `/` while the agent has sent no commands. Only a running agent knows them. */
export function noCommands({ agent, connection, imported }: PanelView): CompletionNote | undefined {
  if (agent === '' || imported) return undefined;
  switch (connection.state) {
    case 'idle':
      return { words: l10n.t('{0} lists its commands once it has started.', agent), isLoading: false };
    case 'starting':
      return { words: l10n.t('Loading commands…'), isLoading: true };
    case 'ready':
      return { words: l10n.t('{0} has sent no commands yet.', agent), isLoading: false };
    default:
      return undefined;
  }
}
