import * as fc from 'fast-check';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Message, NotificationMessage, ResponseMessage } from 'vscode-jsonrpc';
import { decodeUpdate } from '../../../src/acp/decodeUpdate';
import { JoinedChunks } from '../../../src/acp/joinedChunks';
import { NdjsonMessageReader } from '../../../src/node/ndjson';
import { actionsOf } from '../../../src/thread/fromAcp';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { tries } from '../../fakes/tries';

const update = (fields: object, sessionId = 's'): NotificationMessage => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update: fields },
});
const chunk = (text: string, more: object = {}, tag = 'agent_message_chunk') =>
  update({ sessionUpdate: tag, content: { type: 'text', text }, ...more });
const call = update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' });
const answer: ResponseMessage = { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } };

/** What comes out of one read of some messages: chunks as their text, others as they are. */
function readAtOnce(...messages: Message[]): unknown[] {
  const out: unknown[] = [];
  const joined = new JoinedChunks((message) => out.push(textOf(message) ?? message));
  for (const message of messages) joined.add(message, 1);
  joined.flush();
  return out;
}

const textOf = (message: Message) =>
  (message as { params?: { update?: { content?: { text?: string } } } }).params?.update?.content?.text;

it('joins what came at once and goes on, and keeps the order', () => {
  expect(readAtOnce(chunk('I '), chunk('will '), chunk('look.'), call, chunk('a'), chunk('b'), answer)).toEqual([
    'I will look.',
    call,
    'ab',
    answer,
  ]);
});

it.each<[string, Message, Message]>([
  ['other roles', chunk('a'), chunk('b', {}, 'agent_thought_chunk')],
  ['the user', chunk('a', {}, 'user_message_chunk'), chunk('b', {}, 'user_message_chunk')],
  ['other messages', chunk('a', { messageId: '1' }), chunk('b', { messageId: '2' })],
  ['a message without a name', chunk('a', { messageId: '1' }), chunk('b')],
  [
    'other sessions',
    chunk('a'),
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'b' } }, 'other'),
  ],
  ['what says more', chunk('a', { _meta: { parent: 1 } }), chunk('b', { _meta: { parent: 1 } })],
  [
    'content that says more',
    chunk('a'),
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'b', annotations: {} } }),
  ],
  ['an envelope that says more', chunk('a'), { ...chunk('b'), _meta: {} } as Message],
  ['a request', chunk('a'), { ...chunk('b'), id: 1 } as Message],
  ['blank text at the beginning', chunk(' '), chunk('b')],
  ['a change of mode in words', chunk('[MODE_UPDATE] plan'), chunk('Done')],
  ['what comes before a change of mode', chunk('ok'), chunk('[MODE_UPDATE] plan')],
])('leaves %s alone', (_, first, second) => {
  const out: Message[] = [];
  const joined = new JoinedChunks((message) => out.push(message));
  joined.add(first, 1);
  joined.add(second, 1);
  joined.flush();
  expect(out).toEqual([first, second]);
});

it('ends a text that is long enough, so that no message of a flood is large', () => {
  const texts = readAtOnce(
    ...Array.from({ length: 1_000 }, () => chunk('thirty-two characters of prose. ')),
  ) as string[];
  expect(texts.join('')).toHaveLength(32_000);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(4_200);
});

it('the thread is what it would be chunk by chunk, and every byte is counted', () => {
  const text = fc.constantFrom('', ' ', '\n', 'word ', 'x');
  const message = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          text,
          fc.constantFrom({}, {}, { messageId: 'm1' }, { messageId: 'm2' }, { _meta: {} }),
          fc.constantFrom('agent_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk'),
        )
        .map((fields) => chunk(...fields)),
    },
    { weight: 1, arbitrary: fc.constant(call) },
    {
      weight: 1,
      arbitrary: fc.constant(
        update({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'image', data: 'AA==', mimeType: 'image/png' },
        }),
      ),
    },
  );
  const entriesOf = (messages: readonly Message[]) => {
    const updates = messages.flatMap(
      (item) => decodeUpdate((item as NotificationMessage & { params: { update: unknown } }).params.update).value ?? [],
    );
    return JSON.stringify([...updates.flatMap((item) => actionsOf(item, 0)).reduce(reduce, emptyThread).entries]);
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.boolean()), { maxLength: 30 }), (steps) => {
      const out: Message[] = [];
      let bytes = 0;
      const joined = new JoinedChunks((item, length) => {
        out.push(item);
        bytes += length;
      });
      for (const [item, endsRead] of steps) {
        joined.add(item, 7);
        if (endsRead) joined.flush();
      }
      joined.flush();
      expect(entriesOf(out)).toBe(entriesOf(steps.map(([item]) => item)));
      expect(bytes).toBe(7 * steps.length);
    }),
    { numRuns: tries(2_400) },
  );
});

it('a read of the pipe passes all on that came with it, and what came before a line that is too long', async () => {
  const input = new PassThrough();
  const events: unknown[] = [];
  const reader = new NdjsonMessageReader(input, { skipped: (reason) => events.push(reason) }, 400);
  reader.onError((error) => events.push(error.message));
  reader.onClose(() => events.push('closed'));
  reader.listen((message) => events.push(textOf(message)));
  const write = async (text: string) => {
    input.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const line = (text: string) => `${JSON.stringify(chunk(text))}\n`;
  await write(line('a') + line('b') + line('c').slice(0, 20));
  expect(events).toEqual(['ab']);
  await write(`${line('c').slice(20)}no JSON\n${line('d')}`);
  expect(events).toEqual(['ab', 'not JSON', 'cd']);
  await write(line('e') + line('f') + 'x'.repeat(500));
  expect(events.slice(3, 4)).toEqual(['ef']);
  expect(events.at(-1)).toBe('closed');
});
