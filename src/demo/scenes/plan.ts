import type { PermissionOption, PlanEntry } from '@agentclientprotocol/sdk';
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

const options: readonly PermissionOption[] = [
  { optionId: 'auto', name: 'Yes, and accept edits', kind: 'allow_always' },
  { optionId: 'ask', name: 'Yes, and ask before each edit', kind: 'allow_once' },
  { optionId: 'stay', name: 'No, keep planning', kind: 'reject_once' },
];

/** Asks to leave the planning mode. @returns whether the user agreed; the mode is changed then. */
export async function leavePlanMode(turn: Turn, reason: string): Promise<boolean> {
  const toolCall = {
    title: 'Leave Plan only?',
    kind: 'switch_mode' as const,
    content: [
      {
        type: 'content' as const,
        content: {
          type: 'text' as const,
          text: `${reason}\n\n1. Leave the planning mode\n2. Do the work\n3. Say what changed`,
        },
      },
    ],
  };
  const toolCallId = turn.startTool({ ...toolCall, status: 'pending' });
  const choice = await turn.ask({ toolCallId, ...toolCall }, options);
  const agreed = choice?.optionId === 'auto' || choice?.optionId === 'ask';
  turn.updateTool({ toolCallId, status: agreed ? 'completed' : 'failed' });
  if (agreed) turn.session.setMode(choice.optionId === 'auto' ? 'auto' : 'ask');
  return agreed;
}
