import type { Turn } from '../turn';

/** Thoughts first, then the answer. */
export async function think(turn: Turn): Promise<void> {
  await turn.think(
    'The question is how a client can show thinking without getting in the way.\n\n' +
      'Thoughts arrive as chunks of their own, before the answer and sometimes between two tool calls. ' +
      'Nobody wants to read all of it; everybody wants to know that something happens, and how long it took.\n\n' +
      '- So: one dim line while it runs.\n- The text on demand.\n- The duration when it is over.\n\nThat settles it.',
  );
  await turn.say(
    'I thought about it first. The line above says for how long; open it to read along.\n\n' +
      'An agent may think several times in a turn. Here is a second, shorter thought:\n\n',
  );
  await turn.think('Is there anything left to say? No. Then say so.');
  await turn.say('That was all.\n');
}
