/** The commands of this room. Their code is loaded with the first of them that is used. */
export const askIds = [
  'parley.askExplain',
  'parley.askFix',
  'parley.askReview',
  'parley.askTests',
  'parley.askTerminalExplain',
  'parley.askTerminalFix',
  'parley.askConsoleExplain',
  'parley.askConsoleFix',
  'parley.askHow',
  'parley.askInline',
  'parley.apiAccess',
  'parley.commitMessage',
  'parley.commitMessageWith',
  'parley.reviewRepository',
  'parley.stopRepository',
  'parley.fixRemark',
  'parley.explainRemark',
  'parley.dismissRemark',
  'parley.dismissRemarks',
] as const;

/** What each command does, with the arguments of its menu. */
export type AskActs = Readonly<Record<(typeof askIds)[number], (...args: unknown[]) => unknown>>;
