import type { ThreadAction } from './actions';
import type { Thread } from './thread';

/**
 * Takes the agent's plan, or one of several plans; `plan` has the entries of all in their order of arrival (item 104).
 */
export function replacePlan(
  thread: Thread,
  { planId, entries }: Extract<ThreadAction, { type: 'plan/replaced' }>,
): Thread {
  if (planId === undefined) {
    const isSame = thread.agentPlans && thread.plan.length === 0 && entries.length === 0;
    return isSame ? thread : { ...thread, plan: entries, plans: [], agentPlans: true };
  }
  const isKnown = thread.plans.some((plan) => plan.planId === planId);
  if (!isKnown && entries.length === 0) return thread;
  const plans = isKnown
    ? thread.plans.map((plan) => (plan.planId === planId ? { planId, entries } : plan))
    : [...thread.plans, { planId, entries }];
  const shown = plans.filter((plan) => plan.entries.length > 0);
  return { ...thread, plans: shown, plan: shown.flatMap((plan) => plan.entries), agentPlans: true };
}

/** Removes the plan with its turn. An agent that continues with it sends it again: each plan comes whole. */
export function withoutPlan(thread: Thread): Thread {
  return thread.plan.length === 0 ? thread : { ...thread, plan: [], plans: [] };
}

/** Whether all steps of a plan are done. */
export function isFinished(plan: Thread['plan']): boolean {
  return plan.every(({ status }) => status === 'completed' || status === 'cancelled');
}
