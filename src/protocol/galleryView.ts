import type { AgentFormView } from './agentForm';

/** What a row of the gallery can do. The first that a row has is its button; the others are in its menu. */
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
  /** One line; "" where nothing is known. */
  readonly about: string;
  readonly kind: 'builtIn' | 'listed' | 'custom' | 'demo';
  readonly state: GalleryState;
  /** The shown session is with it. */
  readonly isCurrent: boolean;
  /** The installed version. */
  readonly version?: string;
  /** The version that can be installed, where that is another. */
  readonly offered?: string;
  readonly isPinned: boolean;
  /** What runs it; "download" needs nothing. */
  readonly needs?: 'node' | 'uv' | 'download';
  /** What it needs is not on this machine. */
  readonly isMissing: boolean;
  readonly progress?: string;
  /** How much of it is done, 0 to 1. */
  readonly part?: number;
  /** What went wrong, in one or two sentences. */
  readonly problem?: string;
  readonly button?: GalleryAct;
  readonly hasMenu: boolean;
}

export interface GalleryView {
  readonly agents: readonly GalleryAgentView[];
  /** The index is being downloaded. */
  readonly loading: boolean;
  /** Why the index is not there, or not new. */
  readonly problem?: string;
  /** Nothing can be installed in Restricted Mode. */
  readonly isRestricted: boolean;
  /** In place of the list, while it is open. */
  readonly form?: AgentFormView;
}

/** The beginning of the gallery, for an empty panel of a user who has no agent yet. */
export interface StarterView {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** SVG, base64. */
  readonly icon?: string;
}
