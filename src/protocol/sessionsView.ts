/** One line of the list of sessions. `key` is opaque. */
export interface SessionItemView {
  readonly key: string;
  readonly title: string;
  readonly agent: string;
  readonly updatedAt?: number;
  /** Name of the folder that it works in. */
  readonly folder: string;
  /** `stored`: only its record is here. `atAgent`: the agent lists it, nothing of it is here. */
  readonly state: 'waiting' | 'running' | 'failed' | 'unread' | 'open' | 'stored' | 'atAgent';
  readonly isCurrent: boolean;
  readonly canRename: boolean;
  readonly canDelete: boolean;
}

export interface SessionsView {
  /** Newest first. */
  readonly items: readonly SessionItemView[];
  /** An agent is being asked for its sessions. */
  readonly loading: boolean;
  readonly hasMore: boolean;
  readonly problem?: string;
}
