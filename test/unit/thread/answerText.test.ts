import { describe, expect, it } from 'vitest';
import type { ThreadAction } from '../../../src/thread/actions';
import { maxPartLength } from '../../../src/thread/thread';
import { answerText } from '../../../src/thread/threadTurns';
import { replay } from '../../../src/thread/replay';

const ask = (turnId: string): ThreadAction => ({
  type: 'turn/started',
  at: 1,
  turnId,
  prompt: [{ type: 'text', text: 'do' }],
});
const say = (text: string, fields: object = {}): ThreadAction => ({
  type: 'message/chunkAppended',
  at: 2,
  role: 'agent',
  content: { type: 'text', text },
  ...fields,
});
const call = (toolCallId: string): ThreadAction => ({
  type: 'toolCall/patched',
  at: 3,
  fields: { toolCallId, title: 'Read', kind: 'read', status: 'completed' },
});
const end = (turnId: string): ThreadAction => ({ type: 'turn/ended', at: 4, turnId, stopReason: 'end_turn' });

describe('an answer to copy', () => {
  const thread = replay([
    ask('t1'),
    say('**First**'),
    say(' words'),
    call('c'),
    say('from the inside', { parentToolCallId: 'c' }),
    { ...say('thinking'), role: 'thought' } as ThreadAction,
    say('```ts\nlast();\n```\n'),
    end('t1'),
    ask('t2'),
    say('Second'),
    end('t2'),
    ask('t3'),
  ]);

  it('is all that the agent itself said between two prompts, in its Markdown', () => {
    for (const id of ['e1', 'e2', 'e3', 'e5'])
      expect(answerText(thread, id)).toBe('**First** words\n\n```ts\nlast();\n```');
  });

  it('is the last one where none was chosen, also while the next one has no word yet', () => {
    expect(answerText(thread)).toBe('Second');
  });

  it('is nothing where nothing was said, and for what is no entry', () => {
    expect([
      answerText(replay([ask('t')])),
      answerText(replay([])),
      answerText(thread, 'e99'),
      answerText(thread, 'x'),
      answerText(thread, ''),
    ]).toEqual(['', '', '', '', '']);
  });

  it('is one text where a long message was cut', () => {
    const long = 'word '.repeat(maxPartLength);
    expect(answerText(replay([ask('t'), say(long.slice(0, 20_000)), say(long.slice(20_000)), end('t')]))).toBe(
      long.trim(),
    );
  });
});
