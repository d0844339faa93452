import type { AccountInfo } from '../acp/decodePlanWindow';
import type { ThreadAction } from './actions';
import type { Thread } from './thread';

/** Takes new numbers. An absent cost keeps its last value: agents leave it out while a turn runs (item 112). */
export function updateUsage(
  thread: Thread,
  { context, turn }: Extract<ThreadAction, { type: 'usage/updated' }>,
): Thread {
  const before = thread.usage?.context;
  const cost = context?.cost === null ? undefined : (context?.cost ?? before?.cost);
  const isSame =
    context?.used === before?.used &&
    context?.size === before?.size &&
    cost?.amount === before?.cost?.amount &&
    cost?.currency === before?.cost?.currency;
  if (turn === undefined && isSame) return thread;
  return {
    ...thread,
    usage: {
      ...thread.usage,
      ...(context ? { context: { used: context.used, size: context.size, ...(cost ? { cost } : {}) } } : {}),
      ...(turn ? { turn } : {}),
    },
  };
}

/** Takes an agent's report about its account: one window, or all of them, and who pays. */
export function updateAccount(thread: Thread, { label, windows = [] }: AccountInfo): Thread {
  const before = thread.account;
  const known = new Map(before?.windows?.map((window) => [window.id, window]));
  // A partial update keeps the other fields of a window, until the window starts again.
  for (const window of windows)
    known.set(window.id, {
      ...(known.get(window.id)?.resetsAt === window.resetsAt && !window.isReached ? known.get(window.id) : {}),
      ...window,
    });
  const account = {
    ...(label === undefined ? (before?.label === undefined ? {} : { label: before.label }) : { label }),
    ...(known.size === 0 ? {} : { windows: [...known.values()] }),
  };
  return JSON.stringify(account) === JSON.stringify(before) ? thread : { ...thread, account };
}
