/** The commands of this room among those of the manifest. Their code is loaded with the first that is used. */
export const askIds =
  /^parley\.(?:ask|apiAccess|commitMessage|continueSession$|reviewPending$|(?:review|stop)Repository|\w+Remarks?$)/;

/** What each command does, by its id, with the arguments of its menu. */
export type AskActs = Readonly<Record<string, (...args: unknown[]) => unknown>>;
