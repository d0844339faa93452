import type { ThreadAction } from './actions';
import type { Thread } from './thread';

/** Takes new numbers. A cost that is not said again stays: agents leave it out while a turn runs (item 112). */
export function updateUsage(thread: Thread, { context, turn }: Extract<ThreadAction, { type: 'usage/updated' }>): Thread {
  const before = thread.usage?.context;
  const cost = context?.cost === null ? undefined : (context?.cost ?? before?.cost);
  const isSame = context?.used === before?.used && context?.size === before?.size && cost?.amount === before?.cost?.amount && cost?.currency === before?.cost?.currency;
  if (turn === undefined && isSame) return thread;
  return { ...thread, usage: { ...thread.usage, ...(context ? { context: { used: context.used, size: context.size, ...(cost ? { cost } : {}) } } : {}), ...(turn ? { turn } : {}) } };
}
