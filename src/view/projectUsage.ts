import type { UsageView } from '../protocol/usageView';
import { planWindowViews } from './planWindows';
import type { Thread } from '../thread/thread';

/** What the gauge shows. `undefined` where the agent has told nothing. */
export function usageView({ usage, account }: Pick<Thread, 'account' | 'usage'>): UsageView | undefined {
  const { context, turn } = usage ?? {};
  const windows = planWindowViews(account);
  // Who pays is no number to show by itself.
  if (!context && !turn && windows.length === 0) return undefined;
  return {
    ...(windows.length > 0 ? { windows } : {}),
    ...(account?.label === undefined ? {} : { account: account.label }),
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
