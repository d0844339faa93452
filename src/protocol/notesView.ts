/** What the agent is told of the review with the next message. */
export interface NotesView {
  /** In the order in which they came; bounded. */
  readonly items: readonly NoteView[];
  /** "2 comments and 1 undone change": all of them. "" where there are none. */
  readonly title: string;
  /**
   * Decisions that go along too, unless the user leaves them out: "Undone changes will be sent with your next message".
   */
  readonly offer?: string;
}

export interface NoteView {
  readonly id: string;
  readonly kind: 'comment' | 'undone' | 'edited';
  /** "src/tokenizer.ts:41-43" */
  readonly place: string;
  /** The comment or the reason; may be "". */
  readonly text: string;
}

/** What the user does with them. `leaveOut` is about the offer. */
export const noteActs = ['send', 'clear', 'leaveOut'] as const;
export type NoteAct = (typeof noteActs)[number];

/** What became of what one call of the agent has changed in a file: for the cards that show it. */
export interface FileStateView {
  readonly path: string;
  /** The entry with which the turn began, where that is known. */
  readonly turn?: string | undefined;
  /** The entry of the call. Undefined where no call told that it changed the file: all cards of the turn show it. */
  readonly call?: string | undefined;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}
