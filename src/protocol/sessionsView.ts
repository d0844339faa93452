/** What can be done with sessions of the list, in the order of their menu. */
export const sessionActs = [
  'openInEditor',
  'openInNewWindow',
  'rename',
  'pin',
  'unpin',
  'archive',
  'unarchive',
  'fork',
  'delete',
] as const;
export type SessionAct = (typeof sessionActs)[number];

/** Acts for several sessions at once. */
export const bulkSessionActs = ['archive', 'unarchive', 'delete'] as const satisfies readonly SessionAct[];

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
  readonly isPinned?: boolean;
  readonly isArchived?: boolean;
  /** What can be done with it now. */
  readonly acts: readonly SessionAct[];
}

/** A line of a transcript that has all words of the search. */
export interface SessionHitView {
  /** Opaque. */
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly updatedAt: number;
  /** Cut around the first word that was found. */
  readonly line: string;
}

/** A line of a transcript that was found, to be found again in the entry that shows it. */
export interface FoundLine {
  /** What was searched for. */
  readonly text: string;
  /** The line as it was stored. */
  readonly line: string;
}

/** What the transcripts have for the text in the search box. */
export interface SessionSearchView {
  readonly text: string;
  /** Newest session first. */
  readonly hits: readonly SessionHitView[];
  readonly isRunning: boolean;
  /** A limit ended the search, so there may be more. */
  readonly isCut: boolean;
}

/** Sessions that were deleted and can still be had back. */
export interface DeletedSessionsView {
  readonly count: number;
  /** Of the session, if it is only one. */
  readonly title?: string;
}

/** Whether a row has all words that were typed. @param words in small letters */
export function matchesWords({ title, agent, folder }: SessionItemView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title} ${agent} ${folder}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The words of what was typed, in small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

export interface SessionsView {
  /** The newest of those that match the search; archived ones after the others. */
  readonly items: readonly SessionItemView[];
  /** How many archived ones there are, also beyond `items`. */
  readonly archived: number;
  /** An agent is being asked for its sessions. */
  readonly loading: boolean;
  /** There are more, here or at an agent. */
  readonly hasMore: boolean;
  readonly problem?: string;
  readonly search?: SessionSearchView;
  readonly deleted?: DeletedSessionsView;
}
