import type { PlanEntryView, PlanTallyView } from './viewModel';

/** Summarizes all entries of a plan. */
export function planTally(plan: readonly PlanEntryView[]): PlanTallyView {
  const done = plan.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  const current =
    plan.find(({ status }) => status === 'in_progress') ?? plan.find(({ status }) => status === 'pending');
  return { total: plan.length, done, ...(current ? { current: current.content } : {}) };
}
