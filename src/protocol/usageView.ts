/** What the session has used, as the agent counts it; a number that it did not tell is absent. */
export interface UsageView {
  /** Tokens in the context window. `size` is 0 where the agent does not know it. */
  readonly context?: { readonly used: number; readonly size: number };
  /** Of the whole session. `currency` is an ISO 4217 code or another unit, such as "credits". */
  readonly cost?: { readonly amount: number; readonly currency: string };
  /** Of the user's plan, the fullest first. */
  readonly windows?: readonly PlanWindowView[];
  /** Who pays, in words of the agent. */
  readonly account?: string;
  /** Tokens that the last answer told of. */
  readonly turn?: TurnUsageView;
}

/** A window of the user's plan. `label` says which; `share`: 0 to 1; `resetsAt`: epoch ms. */
export interface PlanWindowView {
  readonly label: string;
  readonly share?: number;
  readonly resetsAt?: number;
  readonly isReached?: true;
}

export interface TurnUsageView {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cached?: number;
}
