export type PermissionOptionKindView = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export interface PermissionOptionView {
  readonly optionId: string;
  /** The agent's own words, shown verbatim as text. */
  readonly name: string;
  readonly kind: PermissionOptionKindView;
}

export type RiskKind = 'privilege' | 'deletes' | 'forcePush' | 'outside' | 'guarded' | 'secret' | 'network';

export interface PermissionView {
  readonly requestId: string;
  readonly title: string;
  /** Why the agent asks, in its words. */
  readonly description?: string;
  /** The command that would run, where the question names it itself. */
  readonly command?: { readonly text: string; readonly cwd?: string };
  /** The commands that would run, one each and in order, where there are several and they could be told apart. */
  readonly steps?: readonly string[];
  /** Label of the folder in which the command runs, where it is told and not the session's own. */
  readonly cwd?: string;
  /** What to know before agreeing, the gravest first: short sentences in words. */
  readonly risks?: readonly { readonly kind: RiskKind; readonly text: string }[];
  /** The page that is asked for. */
  readonly url?: string;
  readonly options: readonly PermissionOptionView[];
}
