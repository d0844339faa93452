import { isNewer } from './versions';

/** What an agent's row in the gallery says. */
export type AgentState = 'installing' | 'failed' | 'signIn' | 'unavailable' | 'notInstalled' | 'update' | 'ready';

/** What is known of an agent, from settings, the store, the index and its sessions. */
export interface AgentFacts {
  /** Parley installs nothing for it: a command of the user's, or the demo. */
  readonly isCommand: boolean;
  /** The version that starts next. */
  readonly installed?: string;
  /** The version that can be installed. */
  readonly offered?: string;
  /** The user wants no other version. */
  readonly isPinned: boolean;
  readonly isInstalling: boolean;
  readonly hasFailed: boolean;
  readonly wantsSignIn: boolean;
}

/** The state of an agent. What needs the user comes first; an update is offered only for what works. */
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

/** Whether a newer version can be installed. A pinned agent gets none. */
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
