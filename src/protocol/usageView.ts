/** The session's usage, as the agent counts it. Numbers that it did not send are absent. */
export interface UsageView {
  /** Tokens in the context window. `size` is 0 if the agent does not know it. */
  readonly context?: { readonly used: number; readonly size: number };
  /** For the whole session. `currency` is an ISO 4217 code or another unit, such as "credits". */
  readonly cost?: { readonly amount: number; readonly currency: string };
  /** The windows of the user's plan, the fullest first. */
  readonly windows?: readonly PlanWindowView[];
  /** The payer, in the agent's words. */
  readonly account?: string;
  /** Tokens of the last answer. */
  readonly turn?: TurnUsageView;
}

/** A window of the user's plan. `label` describes it; `share`: 0 to 1; `resetsAt`: epoch ms. */
export interface PlanWindowView {
  readonly label: string;
  readonly share?: number;
  readonly resetsAt?: number;
  readonly isReached?: true;
}

/** Tokens and cost, as agents report them. What none reported is absent. */
export interface SpentView {
  readonly tokens?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

export interface TurnUsageView {
  readonly total: number;
  readonly input: number;
  readonly output: number;
  readonly thought?: number;
  readonly cached?: number;
}
