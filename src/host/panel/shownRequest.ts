/** The request that the keys answer, as the panel shows it. */
export interface ShownRequest {
  readonly requestId: string;
  /** True if all of it is or was in view; otherwise it is a line that leads to its card. */
  readonly read: boolean;
  /** The time from which it is shown in this way, in ms of the clock. */
  readonly since: number;
}

/**
 * The shown request after the panel has painted. If a line becomes a card, it is the same request. But its time begins
 * anew if the line did not show all of it, so that a key that was meant to lead to the card answers nothing.
 */
export function shownNext(
  before: ShownRequest | undefined,
  requestId: string | undefined,
  read: boolean,
  now: number,
): ShownRequest | undefined {
  if (requestId === undefined) return undefined;
  const isSame = before?.requestId === requestId && (before.read || !read);
  return { requestId, read, since: isSame ? before.since : now };
}
