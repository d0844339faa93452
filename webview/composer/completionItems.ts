import * as l10n from '@vscode/l10n';
import type { ContextSource } from '../../src/protocol/attachments';
import type { FoundFile } from '../../src/protocol/messages';
import type { CommandView, PanelView } from '../../src/protocol/viewModel';
import type { CompletionItem, CompletionNote } from './completion';

/** From this number of letters on, a matching context comes before files with similar names. */
const surely = 3;

const sources: readonly { readonly source: ContextSource; readonly icon: string; readonly detail: () => string }[] = [
  { source: 'selection', icon: 'list-selection', detail: () => l10n.t('Selected text in the editor') },
  { source: 'problems', icon: 'issues', detail: () => l10n.t('Problems in the open file or in all files') },
  { source: 'terminal', icon: 'terminal', detail: () => l10n.t('Last terminal command and its output') },
  { source: 'changes', icon: 'git-compare', detail: () => l10n.t('Changes since the last commit') },
];

/**
 * The contexts that `@…` completes: those that begin with the typed text. `first` is true if they come before files.
 */
export function contextItems(query: string): {
  readonly first: boolean;
  readonly items: readonly (CompletionItem & { readonly source: ContextSource })[];
} {
  const found = sources.filter(({ source }) => source.startsWith(query.toLowerCase()));
  return {
    first: query.length >= surely,
    items: found.map(({ source, icon, detail }) => ({
      key: `@${source}`,
      icon,
      label: `@${source}`,
      detail: detail(),
      source,
    })),
  };
}

/** A file in the completions of `@…`. */
export function fileItem(file: FoundFile): CompletionItem {
  return { key: file.path, icon: file.isFolder ? 'folder' : 'file', label: file.name, detail: file.folder };
}

/** A command of the agent in the completions of `/…`. */
export function commandItem(command: CommandView): CompletionItem {
  return { key: command.name, icon: 'symbol-event', label: `/${command.name}`, detail: command.description };
}

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
