import type { AgentFormView } from './agentForm';

/** Actions of a row in the gallery. The first one becomes its button; the others are in its menu. */
export const galleryActs = [
  'use',
  'install',
  'update',
  'retry',
  'signIn',
  'cancel',
  'goBack',
  'pin',
  'unpin',
  'remove',
  'edit',
  'duplicate',
  'menu',
] as const;
export type GalleryAct = (typeof galleryActs)[number];

export type GalleryState = 'installing' | 'failed' | 'signIn' | 'unavailable' | 'notInstalled' | 'update' | 'ready';

/** One agent. `key` is opaque and stays the same when the agent is installed. */
export interface GalleryAgentView {
  readonly key: string;
  readonly name: string;
  /** One line; "" if unknown. */
  readonly about: string;
  readonly kind: 'builtIn' | 'listed' | 'custom' | 'demo';
  readonly state: GalleryState;
  /** The agent of the shown session. */
  readonly isCurrent: boolean;
  /** The installed version. */
  readonly version?: string;
  /** The version that can be installed, if it differs. */
  readonly offered?: string;
  readonly isPinned: boolean;
  /** The runtime it needs; "download" needs none. */
  readonly needs?: 'node' | 'uv' | 'download';
  /** The needed runtime is not on this machine. */
  readonly isMissing: boolean;
  readonly progress?: string;
  /** The progress of the installation, 0 to 1. */
  readonly part?: number;
  /** The problem, in one or two sentences. */
  readonly problem?: string;
  readonly button?: GalleryAct;
  readonly hasMenu: boolean;
}

export interface GalleryView {
  readonly agents: readonly GalleryAgentView[];
  /** The index is being downloaded. */
  readonly loading: boolean;
  /** Why the index is missing or outdated. */
  readonly problem?: string;
  /** Nothing can be installed in Restricted Mode. */
  readonly isRestricted: boolean;
  /** Replaces the list while it is open. */
  readonly form?: AgentFormView;
}

/** The first agents of the gallery, for an empty panel of a user who has no agent yet. */
export interface StarterView {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** SVG, base64. */
  readonly icon?: string;
}
