import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { Turn } from '../turn';

const questions = [
  'Fetch the weather',
  'Search the web for “iterative tokenizer”',
  'Delete the folder “does-not-exist”',
] as const;

const options: readonly PermissionOption[] = [
  { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** Three questions at the same time, answered in any order. Nothing is done whatever the answer is. */
export async function permissions(turn: Turn): Promise<void> {
  await turn.say('I send three permission requests at once. Answer them in any order; nothing happens either way.\n\n');
  const kinds = ['fetch', 'search', 'delete'] as const;
  const answers = questions.map(async (title, index) => {
    const kind = kinds[index] ?? 'other';
    const toolCallId = turn.startTool({ title, kind, status: 'pending' });
    const choice = await turn.ask({ toolCallId, title, kind }, options);
    const allowed = choice?.kind === 'allow_once';
    turn.updateTool({ toolCallId, status: allowed ? 'completed' : 'failed' });
    return `- ${title}: ${choice?.name ?? 'no answer'}`;
  });
  await turn.say(`${(await Promise.all(answers)).join('\n')}\n\nEach answer reached its own request.\n`);
}
