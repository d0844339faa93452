import { tokens } from '../pace';
import type { Turn } from '../turn';

/** Counts for a minute, so that there is time to stop it. Keeps most of its slowness at any speed: it is the point. */
export async function slow(turn: Turn): Promise<void> {
  const pace = turn.pace.atLeast(0.5);
  await turn.say('This will take about a minute. **Stop** ends it at once. The text so far stays.\n\n');
  const toolCallId = turn.startTool({ title: 'Waiting for something slow', kind: 'other', status: 'in_progress' });
  for (let second = 1; second <= 60; second++) {
    for (const text of tokens(`${second}. Still counting, ${60 - second} to go.\n`)) {
      await pace.pause(100, turn.signal);
      turn.show({ type: 'text', text });
    }
  }
  turn.updateTool({ toolCallId, status: 'completed' });
  await turn.say('\nYou let me finish.\n');
}
