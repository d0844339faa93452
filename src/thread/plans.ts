import type { PlanEntry } from '@agentclientprotocol/sdk';
import { asObject, stringOf } from '../base/decode';
import { isObject } from '../base/json';
import type { ThreadAction } from './actions';
import type { Thread, ToolCall } from './thread';

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

/** True if all steps of a plan are done. */
export function isFinished(plan: Thread['plan']): boolean {
  return plan.every(({ status }) => status === 'completed' || status === 'cancelled');
}

/**
 * Uses a todo tool's list as the plan, for agents that never send one. Once an agent sends its own plan, its tools are
 * ignored. A call that waits for permission or failed has no effect.
 */
export function planFromTodos(thread: Thread, call: ToolCall): Thread {
  if (thread.agentPlans || (call.status !== 'in_progress' && call.status !== 'completed')) return thread;
  const plan = todosOf(call.rawInput);
  return plan === undefined || (plan.length === 0 && thread.plan.length === 0) ? thread : { ...thread, plan };
}

/** `{todos: [{content, status, priority?}]}`, in the spellings of several agents. `undefined` for any other input. */
function todosOf(rawInput: unknown): readonly PlanEntry[] | undefined {
  const todos = asObject(rawInput)['todos'];
  if (!Array.isArray(todos) || !todos.every(isObject)) return undefined;
  const entries = todos.flatMap((todo): PlanEntry[] => {
    const content = stringOf(todo['content']) ?? stringOf(todo['description']) ?? stringOf(todo['title']);
    const status = statuses.get(stringOf(todo['status']) ?? '');
    const priority = todo['priority'];
    if (content === undefined || status === undefined) return [];
    return [{ content, status, priority: priority === 'high' || priority === 'low' ? priority : 'medium' }];
  });
  // A list without a single todo is something else. A cancelled todo is no longer planned.
  return entries.length === 0 && todos.some((todo) => todo['status'] !== 'cancelled') ? undefined : entries;
}

const statuses: ReadonlyMap<string, PlanEntry['status']> = new Map([
  ['pending', 'pending'],
  ['in_progress', 'in_progress'],
  ['completed', 'completed'],
]);
