import { tokens } from '../pace';
import type { Turn } from '../turn';

const summary =
  'You tried the commands of this demo. **Nothing is left to do.** This summary replaces everything above.';

/**
 * Puts a summary in the place of the conversation, and says what became of the context. Sends only what the client can
 * show.
 */
export async function compact(turn: Turn): Promise<void> {
  const { session } = turn;
  const { compaction, notices } = session.capabilities.session ?? {};
  if (!compaction) return turn.say('This client cannot show a compaction, so I skip it.\n');
  await turn.say('The conversation is long and fills the context. I replace it with a summary:\n');
  const compactionId = session.newCompactionId();
  session.update({ sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' });
  await turn.pause(900);
  for (const text of tokens(summary)) {
    await turn.pause(20);
    session.update({ sessionUpdate: 'compaction_summary_chunk', compactionId, content: { type: 'text', text } });
  }
  session.update({ sessionUpdate: 'compaction_update', compactionId, status: 'completed' });
  session.forget(summary.length);
  if (notices)
    session.update({
      sessionUpdate: 'notice',
      severity: 'info',
      title: 'The context is nearly empty again',
      description: 'The ring in the message box shows how full it is.',
    });
  await turn.say('Open the line above to read the summary.\n');
}
