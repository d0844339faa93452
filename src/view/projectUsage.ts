import type { UsageView } from '../protocol/usageView';
import type { Thread } from '../thread/thread';

/** What the gauge shows. `undefined` where the agent has told nothing. */
export function usageView(usage: Thread['usage']): UsageView | undefined {
  if (!usage?.context && !usage?.turn) return undefined;
  const { context, turn } = usage;
  return {
    ...(context ? { context: { used: context.used, size: context.size } } : {}),
    ...(context?.cost ? { cost: context.cost } : {}),
    ...(turn
      ? {
          turn: {
            total: turn.totalTokens,
            input: turn.inputTokens,
            output: turn.outputTokens,
            ...(turn.thoughtTokens ? { thought: turn.thoughtTokens } : {}),
            ...(turn.cachedReadTokens ? { cached: turn.cachedReadTokens } : {}),
          },
        }
      : {}),
  };
}
