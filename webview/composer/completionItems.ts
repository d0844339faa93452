import * as l10n from '@vscode/l10n';
import type { ContextSource } from '../../src/protocol/attachments';
import type { FoundFile } from '../../src/protocol/messages';
import type { CommandView, PanelView } from '../../src/protocol/viewModel';
import type { CompletionItem, CompletionNote } from './completion';

/** From this number of letters on, a matching context comes before files with similar names. */
const surely = 3;

interface ContextRow {
  readonly source: ContextSource;
  readonly icon: string;
  readonly group: 'code' | 'git' | 'more';
  readonly detail: () => string;
}

const sources: readonly ContextRow[] = [
  { source: 'selection', icon: 'list-selection', group: 'code', detail: () => l10n.t('Selected text in the editor') },
  { source: 'symbol', icon: 'symbol-method', group: 'code', detail: () => l10n.t('Source text of a symbol') },
  { source: 'open', icon: 'files', group: 'code', detail: () => l10n.t('Files of all open editors') },
  { source: 'file', icon: 'file', group: 'code', detail: () => l10n.t('Files from any folder') },
  { source: 'folder', icon: 'folder', group: 'code', detail: () => l10n.t('Folders, as links') },
  {
    source: 'problems',
    icon: 'issues',
    group: 'code',
    detail: () => l10n.t('Problems in the open file or in all files'),
  },
  { source: 'search', icon: 'search', group: 'code', detail: () => l10n.t('Lines with a text') },
  { source: 'changes', icon: 'git-compare', group: 'git', detail: () => l10n.t('Changes since the last commit') },
  { source: 'commit', icon: 'git-commit', group: 'git', detail: () => l10n.t('One of the last commits') },
  { source: 'branch', icon: 'git-branch', group: 'git', detail: () => l10n.t('Commits of this branch') },
  { source: 'terminal', icon: 'terminal', group: 'more', detail: () => l10n.t('Last terminal command and its output') },
  {
    source: 'session',
    icon: 'comment-discussion',
    group: 'more',
    detail: () => l10n.t('An earlier session, short or whole'),
  },
];

const groupNames: Readonly<Record<ContextRow['group'], () => string>> = {
  code: () => l10n.t('Code'),
  git: () => l10n.t('Git'),
  more: () => l10n.t('Terminal and sessions'),
};

/**
 * The contexts that `@…` completes, in groups: those that begin with the typed text, else those that have its letters.
 * `first` is true if they come before files.
 */
export function contextItems(query: string): {
  readonly first: boolean;
  readonly items: readonly (CompletionItem & { readonly source: ContextSource })[];
} {
  const typed = query.toLowerCase();
  const begun = sources.filter(({ source }) => source.startsWith(typed));
  const found = begun.length > 0 ? begun : sources.filter(({ source }) => hasLetters(source, typed));
  return {
    first: query.length >= surely && begun.length > 0,
    items: found.map(({ source, icon, group, detail }) => ({
      key: `@${source}`,
      icon,
      label: `@${source}`,
      detail: detail(),
      group: groupNames[group](),
      source,
    })),
  };
}

/** True if a name begins with the first letter and has the others in their order. */
function hasLetters(name: string, letters: string): boolean {
  if (letters.length < 2 || name[0] !== letters[0]) return false;
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** A file in the completions of `@…`. */
export function fileItem(file: FoundFile): CompletionItem {
  return {
    key: file.path,
    icon: file.isFolder ? 'folder' : 'file',
    label: file.name,
    detail: file.folder,
    group: l10n.t('Files'),
  };
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
