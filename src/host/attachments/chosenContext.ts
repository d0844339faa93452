import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { userEnvironment } from '../../node/environment';
import { isWithin } from '../../node/isWithin';
import type { ContextSource } from '../../protocol/attachments';
import type { Worktree } from '../worktrees/worktree';
import type { NewAttachment } from './attachment';
import { changesContext } from './changesContext';
import { branchContext, commitContext } from './commitContext';
import { pickFiles } from './contextMenu';
import { type Conversations, conversationContext } from './conversationContext';
import { searchContext } from './searchContext';
import { pickSymbol, symbolContext } from './symbolContext';

/** Earlier sessions, and which files are left out. */
export interface WorkspaceContext {
  readonly conversations: () => Promise<Conversations>;
  /** True for a file that is added only if the user names it. @param path absolute */
  readonly isProtected: (path: string) => boolean;
}

/** Where a session works. */
export interface ContextPlace {
  /** A folder in its reach. */
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly worktree: Worktree | undefined;
}

/** The sources that ask the user for more, or collect something. */
export type ChosenSource = Exclude<ContextSource, 'menu' | 'current' | 'selection' | 'problems' | 'terminal'>;

/** A string is the reason why there is nothing. Empty if the user cancels. */
type Found =
  | string
  | { readonly kind: 'uris'; readonly uris: readonly vscode.Uri[] }
  | { readonly kind: 'made'; readonly attachments: readonly NewAttachment[] };

/**
 * Context that the user asks for by its kind.
 * @param front the document in the editor, if there is one
 */
export async function chosenContext(
  source: ChosenSource,
  front: vscode.Uri | undefined,
  place: ContextPlace,
  { conversations, isProtected }: WorkspaceContext,
): Promise<Found> {
  const near = () => repositoryOrder(front, place);
  switch (source) {
    case 'file':
    case 'folder': {
      const files = (await pickFiles(source))?.files ?? [];
      return files.length === 0 ? nothing : { kind: 'uris', uris: files.map((file) => vscode.Uri.file(file)) };
    }
    case 'open': {
      const uris = openUris(isProtected);
      return uris.length === 0 ? l10n.t('No file is open in an editor.') : { kind: 'uris', uris };
    }
    case 'symbol': {
      const symbol = await pickSymbol();
      if (!symbol) return nothing;
      const made = await symbolContext(symbol, place.worktree);
      return typeof made === 'string' ? made : { kind: 'made', attachments: made };
    }
    case 'search':
      return foundOf(await searchContext(isProtected, place.worktree && place.roots));
    case 'session':
      return foundOf(await conversationContext(await conversations()));
    case 'changes':
      return foundOf(await changesContext(near(), await userEnvironment()));
    case 'commit':
      return foundOf(await commitContext(near(), await userEnvironment()));
    case 'branch':
      return foundOf(await branchContext(near(), await userEnvironment()));
  }
}

/**
 * Places whose repository is meant, the first that is in one. The file in front comes first. But users look at the
 * files of their folder while a session works in a worktree, so there only a file in the session's reach does.
 */
function repositoryOrder(front: vscode.Uri | undefined, { cwd, roots, worktree }: ContextPlace): readonly vscode.Uri[] {
  const own = vscode.Uri.file(cwd);
  if (!front) return [own];
  const isBehind = worktree && !roots.some((root) => isWithin(front.fsPath, root));
  return isBehind ? [own, front] : [front, own];
}

const nothing: Found = { kind: 'made', attachments: [] };

function foundOf(found: NewAttachment | string | undefined): Found {
  if (found === undefined || typeof found === 'string') return found ?? nothing;
  return { kind: 'made', attachments: [found] };
}

/** The files of all text tabs, in the order of the tabs, without protected ones. */
function openUris(isProtected: (path: string) => boolean): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []))
    .filter(({ scheme, fsPath }) => scheme === 'untitled' || (scheme === 'file' && !isProtected(fsPath)));
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
