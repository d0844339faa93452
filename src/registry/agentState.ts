import { isNewer } from './versions';

/** The state that an agent's row in the gallery shows. */
export type AgentState = 'installing' | 'failed' | 'signIn' | 'unavailable' | 'notInstalled' | 'update' | 'ready';

/** The known facts about an agent, from settings, the store, the index and its sessions. */
export interface AgentFacts {
  /** Parley does not install it: it is the user's own command, or the demo. */
  readonly isCommand: boolean;
  /** The version that starts next. */
  readonly installed?: string;
  /** The version that can be installed. */
  readonly offered?: string;
  /** The user pinned this version. */
  readonly isPinned: boolean;
  readonly isInstalling: boolean;
  readonly hasFailed: boolean;
  readonly wantsSignIn: boolean;
}

/** The state of an agent. A state that needs the user comes first; an update is offered only for a working agent. */
export function stateOf({
  isCommand,
  installed,
  offered,
  isPinned,
  isInstalling,
  hasFailed,
  wantsSignIn,
}: AgentFacts): AgentState {
  if (isInstalling) return 'installing';
  if (hasFailed) return 'failed';
  if (!isCommand && installed === undefined) return offered === undefined ? 'unavailable' : 'notInstalled';
  if (wantsSignIn) return 'signIn';
  return hasUpdate({ installed, offered, isPinned }) ? 'update' : 'ready';
}

/** True if a newer version can be installed. A pinned agent gets none. */
export function hasUpdate({
  installed,
  offered,
  isPinned,
}: {
  readonly installed?: string | undefined;
  readonly offered?: string | undefined;
  readonly isPinned: boolean;
}): boolean {
  return !isPinned && installed !== undefined && offered !== undefined && isNewer(offered, installed);
}
