import type { LocationView, ToolContentView } from './toolCallView';

export type PermissionOptionKindView = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export interface PermissionOptionView {
  readonly optionId: string;
  /** The agent's own words, shown verbatim as text. */
  readonly name: string;
  readonly kind: PermissionOptionKindView;
}

/** `changed` and `contradiction` are about the request itself, the others about what it asks for. */
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

/** A value in the raw input, by the way to it: `options.limit`. */
export interface InputFieldView {
  readonly name: string;
  readonly text: string;
}

/** What a permission request asks for, all of it. */
export interface PermissionView {
  /** Names the request and what it asks for now: one that the agent changes gets another. */
  readonly requestId: string;
  /** The name that it had first, where it has another one now: what was typed for it stays. */
  readonly origin?: string;
  readonly title: string;
  /** Why the agent asks, in its words. */
  readonly description?: string;
  /** The whole command that would run. */
  readonly command?: string;
  /** The agent gave no command; this is the title. */
  readonly isFromTitle?: true;
  /** The commands that would run, one each and in order, where there are several and they could be told apart. */
  readonly steps?: readonly string[];
  /** Label of the folder in which the command runs, where it is told. */
  readonly cwd?: string;
  /** What to know before agreeing, the gravest first: short sentences in words. */
  readonly risks?: readonly RiskView[];
  /** The plan that the agent wants to carry out, as Markdown. It is not in `content` and `input` again. */
  readonly plan?: string;
  /** The page that is asked for. */
  readonly url?: string;
  /** The changes, texts and terminals that it is about. */
  readonly content: readonly ToolContentView[];
  readonly locations: readonly LocationView[];
  /** The raw input, whole. */
  readonly input?: string;
  /**
   * Its values one by one, but for those that the card says already; absent where the card says what it comes to, or
   * the input is too large.
   */
  readonly fields?: readonly InputFieldView[];
  /** It asks for an answer of several, not for a permission. */
  readonly isQuestion?: true;
  /** The first of them, and one that rejects. */
  readonly options: readonly PermissionOptionView[];
  /** How many more there are: a picker of the host has all. */
  readonly moreOptions?: number;
  /** It is assessed again, because it changed or that took too long; until then it takes no answer. */
  readonly isChecking?: true;
}
