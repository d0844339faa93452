import type { PlanEntry } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

const steps: readonly Pick<PlanEntry, 'content' | 'priority'>[] = [
  { content: 'Read the tokenizer and its tests', priority: 'high' },
  { content: 'Find what the recursion is for', priority: 'medium' },
  { content: 'Replace it with a loop', priority: 'high' },
  { content: 'Run the tests', priority: 'medium' },
  { content: 'Say what changed', priority: 'low' },
];

/** A plan whose entries progress while the agent talks. Nothing is touched. */
export async function plan(turn: Turn): Promise<void> {
  await turn.say('Here is a plan. I will only pretend to work on it, so watch the progress rather than the files.\n\n');
  for (let current = 0; current <= steps.length; current++) {
    showPlan(turn, steps, current);
    const step = steps[current];
    if (!step) break;
    await turn.say(`${current + 1}. ${step.content}`);
    await turn.pause(700);
    await turn.say(' … done.\n');
  }
  await turn.say('\nEvery update replaced the whole plan, so an agent can also add or drop steps on the way.\n');
}

/** Sends the whole plan with everything before `current` completed. */
export function showPlan(
  turn: Turn,
  entries: readonly Pick<PlanEntry, 'content' | 'priority'>[],
  current: number,
): void {
  turn.session.update({
    sessionUpdate: 'plan',
    entries: entries.map((entry, index) => ({
      ...entry,
      status: index < current ? 'completed' : index === current ? 'in_progress' : 'pending',
    })),
  });
}
