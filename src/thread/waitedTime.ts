import { type Thread, type Waited, waitsForUser } from './thread';

/** Counts the time in which a turn waits for the user, with one request or several at once. */
export function countWait(before: Thread, after: Thread, at: number): Thread {
  const { turn } = after;
  if (!turn || before === after) return after;
  const waits = waitsForUser(after);
  if (!waits && !turn.waited) return after;
  const waited = waitedUntil(turn.waited, waits, at);
  return waited === turn.waited ? after : { ...after, turn: { ...turn, waited } };
}

/** @param waits whether something is now pending @returns the same object if that did not change */
export function waitedUntil(waited: Waited = none, waits: boolean, at: number): Waited {
  const { ms, since } = waited;
  if (waits === (since !== undefined)) return waited;
  return waits ? { ms, since: at } : { ms: ms + Math.max(0, at - since!) };
}

const none: Waited = { ms: 0 };
