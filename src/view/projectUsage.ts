import * as l10n from '@vscode/l10n';
import type { AccountInfo, PlanWindow } from '../acp/decodePlanWindow';
import type { PlanWindowView, UsageView } from '../protocol/usageView';
import type { Thread } from '../thread/thread';

/** The gauge's values; undefined if the agent has sent none. */
export function usageView({ usage, account }: Pick<Thread, 'account' | 'usage'>): UsageView | undefined {
  const { context, turn } = usage ?? {};
  const windows = planWindowViews(account);
  // The payer alone is not worth a gauge.
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

/** The share of a window from which there is a warning. */
const NEARLY_USED = 0.8;

/** The windows of an account, the fullest first. */
export function planWindowViews(account: AccountInfo | undefined): PlanWindowView[] {
  const views = (account?.windows ?? []).map(({ share, resetsAt, isReached, ...window }): PlanWindowView => ({
    label: windowLabel(window),
    ...(share === undefined ? {} : { share }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(isReached ? { isReached } : {}),
  }));
  return views.sort((a, b) => fullness(b) - fullness(a));
}

/** The window that is nearly used, in words for the status bar; undefined for none. @param now epoch ms */
export function nearlyUsedWords(account: AccountInfo | undefined, now: number): string | undefined {
  const [fullest] = planWindowViews(account).filter(({ resetsAt }) => resetsAt === undefined || resetsAt > now);
  if (!fullest || fullness(fullest) < NEARLY_USED) return undefined;
  return fullest.isReached
    ? l10n.t('{0} reached', fullest.label)
    : l10n.t('{0} {1}%', fullest.label, Math.min(99, Math.floor(fullest.share! * 100)));
}

function fullness({ share = 0, isReached }: PlanWindowView): number {
  return isReached ? Math.max(1, share) : share;
}

/** "5-hour limit", "Weekly limit (Opus)". */
function windowLabel({ minutes, name, id }: Pick<PlanWindow, 'id' | 'minutes' | 'name'>): string {
  if (minutes === undefined) return l10n.t('{0} limit', name ?? id);
  const label =
    minutes === 10_080
      ? l10n.t('Weekly limit')
      : minutes % 1_440 === 0
        ? l10n.t('{0}-day limit', minutes / 1_440)
        : minutes % 60 === 0
          ? l10n.t('{0}-hour limit', minutes / 60)
          : l10n.t('{0}-minute limit', minutes);
  return name === undefined ? label : `${label} (${name})`;
}
