/** The request that the keys answer, as the panel shows it. */
export interface ShownRequest {
  readonly requestId: string;
  /** All of it is, or has been, before the user's eyes; else it is a line that leads to its card. */
  readonly read: boolean;
  /** When it came to be shown so, in ms of the clock. */
  readonly since: number;
}

/**
 * What is shown after the panel has painted something. A line over the box that becomes a card is the same request, but
 * its time begins anew where the line did not tell it in full: a key that was meant to lead to the card answers
 * nothing.
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
