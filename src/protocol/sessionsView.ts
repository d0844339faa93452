import type { SpentView } from './usageView';

/** Actions on sessions of the list, in the order of their menu. */
export const sessionActs = [
  'openInEditor',
  'openInNewWindow',
  'rename',
  'pin',
  'unpin',
  'archive',
  'unarchive',
  'continue',
  'fork',
  'delete',
] as const;
export type SessionAct = (typeof sessionActs)[number];

/** Actions on several sessions at once. */
export const bulkSessionActs = ['archive', 'unarchive', 'delete'] as const satisfies readonly SessionAct[];

/** One line of the list of sessions. `key` is opaque. */
export interface SessionItemView {
  readonly key: string;
  readonly title: string;
  readonly agent: string;
  readonly updatedAt?: number;
  /** Name of the session's folder. */
  readonly folder: string;
  /**
   * `background`: something is at work without a turn. `stored`: Parley has only its record. `atAgent`: only the agent
   * has it.
   */
  readonly state: 'waiting' | 'running' | 'background' | 'failed' | 'unread' | 'open' | 'stored' | 'atAgent';
  readonly isCurrent: boolean;
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
  readonly usage?: SpentView;
  /** The actions that are possible now. */
  readonly acts: readonly SessionAct[];
}

/** A line of a transcript that contains all words of the search. */
export interface SessionHitView {
  /** Opaque. */
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly updatedAt: number;
  /** Cut around the first match. */
  readonly line: string;
}

/** A matching line of a transcript, to find it again in the entry that shows it. */
export interface FoundLine {
  /** The search text. */
  readonly text: string;
  /** The line as it was stored. */
  readonly line: string;
}

/** The results of a search in transcripts. */
export interface SessionSearchView {
  readonly text: string;
  /** Newest session first. */
  readonly hits: readonly SessionHitView[];
  readonly isRunning: boolean;
  /** A limit ended the search, so there may be more. */
  readonly isCut: boolean;
}

/** Deleted sessions that can still be restored. */
export interface DeletedSessionsView {
  readonly count: number;
  /** The session's title, if it is only one. */
  readonly title?: string;
}

/** True if a row contains all search words. @param words in lower case */
export function matchesWords({ title, agent, folder }: SessionItemView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title} ${agent} ${folder}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The search words of a typed text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

export interface SessionsView {
  /** The newest matches of the search; archived ones after the others. */
  readonly items: readonly SessionItemView[];
  /** The number of archived sessions, including those that `items` leaves out. */
  readonly archived: number;
  /** An agent is being asked for its sessions. */
  readonly loading: boolean;
  /** Parley or an agent has more sessions. */
  readonly hasMore: boolean;
  readonly problem?: string;
  readonly search?: SessionSearchView;
  readonly deleted?: DeletedSessionsView;
  /** What all sessions used today, one value for each currency. */
  readonly today?: readonly SpentView[];
}
