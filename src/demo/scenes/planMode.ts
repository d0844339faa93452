import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

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
