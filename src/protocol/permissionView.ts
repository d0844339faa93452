import type { LocationView, ToolContentView } from './toolCallView';

export type PermissionOptionKindView = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export interface PermissionOptionView {
  readonly optionId: string;
  /** The agent's own words, shown verbatim as text. */
  readonly name: string;
  readonly kind: PermissionOptionKindView;
}

/** `changed` and `contradiction` are about the request itself, the others about its effect. */
export type RiskKind =
  | 'changed'
  | 'contradiction'
  | 'privilege'
  | 'program'
  | 'deletes'
  | 'forcePush'
  | 'outside'
  | 'guarded'
  | 'secret'
  | 'network';

export interface RiskView {
  readonly kind: RiskKind;
  /** A short sentence in words. */
  readonly text: string;
}

/** A value in the raw input, by its path: `options.limit`. */
export interface InputFieldView {
  readonly name: string;
  readonly text: string;
}

/** The complete content of a permission request. */
export interface PermissionView {
  /** Identifies the request with its current content: if the agent changes it, the id changes. */
  readonly requestId: string;
  /** Its first id, if it has changed: the user's typed text is stored under this id. */
  readonly origin?: string;
  readonly title: string;
  /** The agent's reason for the request. */
  readonly description?: string;
  /** The whole command that would run. */
  readonly command?: string;
  /** The agent gave no command; this is the title. */
  readonly isFromTitle?: true;
  /** The commands that would run, in order, if there are several and Parley can separate them. */
  readonly steps?: readonly string[];
  /** Label of the folder in which the command runs, if known. */
  readonly cwd?: string;
  /** The risks, the gravest first: short sentences. */
  readonly risks?: readonly RiskView[];
  /** The plan that the agent wants to carry out, as Markdown. `content` and `input` do not repeat it. */
  readonly plan?: string;
  /** The web page that the agent requests. */
  readonly url?: string;
  /** The changes, texts and terminals of the request. */
  readonly content: readonly ToolContentView[];
  readonly locations: readonly LocationView[];
  /** The raw input, complete. */
  readonly input?: string;
  /**
   * The values of the input that the card does not show yet; absent if the card already shows their meaning, or the
   * input is too large.
   */
  readonly fields?: readonly InputFieldView[];
  /** The agent asks the user to choose an answer, not for a permission. */
  readonly isQuestion?: true;
  /** Parley itself asks. Rules do not answer it. */
  readonly isOwn?: true;
  /** The first options, and one that rejects. */
  readonly options: readonly PermissionOptionView[];
  /** The number of further options: a picker of the host has all. */
  readonly moreOptions?: number;
  /** Parley assesses it again, because it changed or that took too long; meanwhile it cannot be answered. */
  readonly isChecking?: true;
}
