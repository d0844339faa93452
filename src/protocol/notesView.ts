/** Feedback to the agent with the next message. */
export interface NotesView {
  /** In the order in which they were added; bounded. */
  readonly items: readonly NoteView[];
  /** "2 comments and 1 undone change": all of them. "" if there are none. */
  readonly title: string;
  /**
   * Decisions that will be sent unless the user leaves them out: "Undone changes will be sent with your next message".
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

/** Actions on the feedback. `leaveOut` is about the offer. */
export const noteActs = ['send', 'clear', 'leaveOut'] as const;
export type NoteAct = (typeof noteActs)[number];

/** The state of one call's changes to a file, for the cards that show it. */
export interface FileStateView {
  readonly path: string;
  /** The turn's first entry, if known. */
  readonly turn?: string | undefined;
  /** The entry of the call. Undefined if no call reported the change: all cards of the turn show it. */
  readonly call?: string | undefined;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}
