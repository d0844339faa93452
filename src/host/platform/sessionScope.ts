/** The facts about a session that `fs/*` and `terminal/*` need. */
export interface SessionScope {
  readonly sessionId: string;
  /** The configured agent's display name, for questions and labels. */
  readonly agent: string;
  /** Absolute folder of the session. */
  readonly cwd: string;
  /** Absolute folders that the agent may read and write without asking: `cwd` and additional directories. */
  readonly roots: readonly string[];
}

/** Finds the scope of a live session. `undefined` for an id that is unknown or closed. */
export type ScopeLookup = (sessionId: string) => SessionScope | undefined;
