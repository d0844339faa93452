import type { ContextSource } from '../../src/protocol/attachments';
import type { CompletionItem } from './completion';

/** Letters after which a context is what is meant rather than a file whose name begins alike. */
const surely = 3;

const sources: readonly { readonly source: ContextSource; readonly icon: string; readonly detail: string }[] = [
  { source: 'selection', icon: 'list-selection', detail: 'What is selected in the editor' },
  { source: 'problems', icon: 'issues', detail: 'Problems of the open file, or of all' },
  { source: 'terminal', icon: 'terminal', detail: 'The last command and its output' },
  { source: 'changes', icon: 'git-compare', detail: 'What changed since the last commit' },
];

/** The contexts among what `@…` completes: those that begin with what was typed. `first` is true where they come before files. */
export function contextItems(query: string): { readonly first: boolean; readonly items: readonly (CompletionItem & { readonly source: ContextSource })[] } {
  const found = sources.filter(({ source }) => source.startsWith(query.toLowerCase()));
  return { first: query.length >= surely, items: found.map(({ source, icon, detail }) => ({ key: `@${source}`, icon, label: `@${source}`, detail, source })) };
}
