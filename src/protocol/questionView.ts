import type { EntryId } from './entryId';
import type { PermissionOptionView } from './permissionView';

/** A question that waits for the user: of the agent, or of Parley itself (`own`). */
export interface PendingQuestionView {
  readonly requestId: string;
  readonly entryId: EntryId;
  readonly kind: 'permission' | 'elicitation' | 'own';
  readonly title: string;
  readonly askedAt: number;
  /** What the subagent is called that asks; absent where the agent itself does. */
  readonly subagent?: string;
  /** What can be answered without the card. */
  readonly brief?: BriefView;
}

/** A permission in one line. */
export interface BriefView {
  /** The command on one line, or the title. */
  readonly text: string;
  readonly isCode: boolean;
  /**
   * All that there is to know stands in `text`: a short command without risks. Anything else is allowed only after a
   * look at its card.
   */
  readonly isWhole: boolean;
  /** The smaller yes and the smaller no, where the agent offers them. */
  readonly allow?: PermissionOptionView;
  readonly reject?: PermissionOptionView;
  /** As on the card, the yes is the answer to suggest: it is a plain one, and there is nothing to look out for. */
  readonly suggestsYes?: true;
}

/** A question that waits in a session out of sight. */
export interface WaitingElsewhereView {
  /** The session's. */
  readonly key: string;
  readonly agent: string;
  readonly title: string;
  /** Absent where the session waits for a sign-in. */
  readonly question?: PendingQuestionView;
}
