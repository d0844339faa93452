import { describe, expect, test } from 'vitest';
import { ByteText } from '../../src/node/byteText';
import type { AgentTerminalEvent } from '../../src/thread/agentTerminals';
import { type Conversation, startDraft } from './conversation';
import { waitUntil } from './waitUntil';

/*
 * What an agent tells in the draft of version 2, over a real pipe. After every test all that we sent is held to its
 * schema.
 */

const base64 = (bytes: string | readonly number[]) => Buffer.from(bytes as string).toString('base64');

/** What the agent has told of its terminals, the bytes as text. */
function terminals(conversation: Conversation): { events: AgentTerminalEvent[]; output: () => string } {
  const events: AgentTerminalEvent[] = [];
  const bytes = new ByteText();
  let output = '';
  conversation.session.onDidReceiveTerminal((event) => {
    events.push(event);
    if (event.type === 'bytes') output += bytes.decode(event.data);
  });
  return { events, output: () => output };
}

describe('updates', () => {
  const update = (fields: object) => `@@UPDATE ${JSON.stringify(fields)}`;

  test('193 messages interleave, are replaced, cleared and grow again', async () => {
    const conversation = await startDraft();
    const chunk = (messageId: string, words: string) =>
      update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: words } });
    const whole = (messageId: string, words: string | null | undefined) =>
      update({
        sessionUpdate: 'agent_message',
        messageId,
        ...(words === undefined ? {} : { content: words === null ? null : [{ type: 'text', text: words }] }),
      });
    await conversation.play(
      chunk('a', 'A1 '),
      chunk('b', 'B1 '),
      chunk('a', 'A2'),
      whole('b', undefined),
      chunk('b', 'B2'),
      whole('c', 'gone'),
      whole('c', null),
      whole('a', 'other'),
      chunk('a', ' and more'),
    );
    expect(conversation.lines().slice(1)).toEqual(['agent: other and more', 'agent: B1 B2', 'agent: ']);
  });

  test('193 a message from elsewhere is shown beside what the user sent', async () => {
    const conversation = await startDraft();
    await conversation.play(
      update({ sessionUpdate: 'user_message', messageId: 'x', content: [{ type: 'text', text: 'from the phone' }] }),
      '@@SAY both',
    );
    expect(conversation.lines().slice(1)).toEqual(['agent: from the phone', 'agent: both']);
    expect(conversation.entries()[1]).toMatchObject({ asUser: true });
  });

  test('193 a tool call: absent keeps, null clears, lists replace, chunks append', async () => {
    const conversation = await startDraft();
    const call = (fields: object) => update({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields });
    const item = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
    const texts = () =>
      conversation
        .toolCalls()[0]!
        .content.map((content) =>
          content.type === 'content' && content.content.type === 'text' ? content.content.text : content.type,
        );
    await conversation.play(
      call({
        title: 'Read',
        kind: 'read',
        status: 'in_progress',
        content: [item('a'), item('b')],
        locations: [{ path: '/w/a' }],
        rawInput: { x: 1 },
      }),
      call({ status: 'completed' }),
    );
    expect(conversation.toolCalls()).toMatchObject([
      { title: 'Read', toolKind: 'read', status: 'completed', locations: [{ path: '/w/a' }], rawInput: { x: 1 } },
    ]);
    await conversation.play(update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('c') }));
    expect(texts()).toEqual(['a', 'b', 'c']);
    await conversation.play(
      call({ title: null, kind: null, status: null, content: null, locations: null, rawInput: null }),
    );
    expect(conversation.toolCalls()).toMatchObject([
      { title: 'Tool call', toolKind: 'other', status: 'pending', content: [], locations: [], rawInput: null },
    ]);
    await conversation.play(call({ status: '_simmering', kind: '_cook' }));
    expect(conversation.toolCalls()).toMatchObject([{ toolKind: 'other', status: 'in_progress' }]);
    await conversation.play(
      call({ status: 'cancelled' }),
      update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'new', content: item('made by a chunk') }),
    );
    expect(conversation.lines()).toContain('tool: Tool call (cancelled)');
    expect(conversation.toolCalls()).toHaveLength(2);
  });

  test('193, 195 terminals: bytes that end within a character, upserts in any order', async () => {
    const conversation = await startDraft();
    const heard = terminals(conversation);
    const sign = [0xe2, 0x82, 0xac];
    await conversation.play(
      `@@TERMINAL t1 ${base64([...Buffer.from('5 '), sign[0]!])} ${base64(sign.slice(1))} ${base64('\u001b[3')} ${base64('1mred')}`,
      update({ sessionUpdate: 'terminal_update', terminalId: 't1', exitStatus: { exitCode: 0 }, capabilities: null }),
      update({ sessionUpdate: 'terminal_update', terminalId: 't1', command: null }),
    );
    expect(heard.output()).toBe('5 €\u001b[31mred');
    expect(heard.events.flatMap((event) => (event.type === 'patched' ? [event.fields] : []))).toEqual([
      { terminalId: 't1', command: 'ls', canCancel: true },
      { terminalId: 't1', exit: { exitCode: 0, signal: null }, canCancel: false },
      { terminalId: 't1', command: null },
    ]);
  });

  test('193 plans are kept apart, options and commands of v2 are understood', async () => {
    const conversation = await startDraft({
      configOptions: [
        {
          configId: 'mode',
          name: 'Mode',
          category: 'mode',
          type: 'select',
          currentValue: 'ask',
          options: [
            {
              groupId: 'g',
              name: 'Group',
              options: [
                { value: 'ask', name: 'Ask' },
                { value: 'code', name: 'Code' },
              ],
            },
          ],
        },
        { configId: 'fast', name: 'Fast', type: 'boolean', currentValue: false },
      ],
      sessionPatch: {
        availableCommands: [
          { type: 'command', name: 'plan', description: 'Plans', input: { type: 'text', hint: 'what' } },
          { type: '_button', name: 'press', description: '' },
        ],
      },
    });
    expect(conversation.session.thread.commands).toEqual([
      { name: 'plan', description: 'Plans', input: { hint: 'what' } },
    ]);
    const plan = (planId: string, content: string, status = 'pending') =>
      update({
        sessionUpdate: 'plan_update',
        plan: { type: 'items', planId, entries: [{ content, priority: 'high', status }] },
      });
    await conversation.play(plan('a', 'one'), plan('b', 'two'), plan('a', 'one again', 'cancelled'));
    expect(conversation.session.thread.plan.map(({ content, status }) => [content, status])).toEqual([
      ['one again', 'cancelled'],
      ['two', 'pending'],
    ]);
    await conversation.play(update({ sessionUpdate: 'plan_update', plan: { type: '_chart', planId: 'b', chart: 1 } }));
    expect(conversation.session.thread.plan).toEqual([]);
    await conversation.session
      .setOption('config:mode', 'code')
      .catch(() => conversation.session.setOption(conversation.session.thread.options.shown[0]!.key, 'code'));
    await conversation.session.setOption(conversation.session.thread.options.shown[1]!.key, true);
    expect(conversation.link.sent('session/set_config_option').map(({ params }) => params)).toEqual([
      { sessionId: 'v2-1', configId: 'mode', type: 'id', value: 'code' },
      { sessionId: 'v2-1', configId: 'fast', type: 'boolean', value: true },
    ]);
    expect(conversation.session.thread.options.shown.map(({ current }) => current)).toEqual(['code', true]);
  });
});

describe('cancelling one thing', () => {
  test('196 a call is cancelled only while it says that it can be', async () => {
    const conversation = await startDraft();
    const call = (fields: object) =>
      conversation.play(
        `@@UPDATE ${JSON.stringify({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields })}`,
      );
    const cancel = () => conversation.session.cancelToolCall(conversation.toolCalls()[0]!.id);
    for (const fields of [
      { status: 'in_progress' },
      { capabilities: { cancel: {} }, status: 'completed' },
      { status: 'in_progress', capabilities: null },
      { capabilities: 'yes' },
      { capabilities: { cancel: null } },
    ]) {
      await call(fields);
      await cancel();
    }
    expect(conversation.link.sent('tool_call/cancel')).toEqual([]);
    await call({ capabilities: { cancel: {} } });
    await cancel();
    await waitUntil('the agent has ended the call', () => conversation.toolCalls()[0]!.status === 'cancelled');
    await cancel();
    expect(conversation.link.sent('tool_call/cancel').map(({ params }) => params)).toEqual([
      { sessionId: 'v2-1', toolCallId: 't' },
    ]);
  });

  test('196 a terminal is cancelled only while it says that it can be', async () => {
    const conversation = await startDraft();
    await conversation.session.cancelTerminal('t1');
    await conversation.play('@@TERMINAL t1');
    await conversation.session.cancelTerminal('t2');
    await conversation.session.cancelTerminal('t1');
    await waitUntil('the agent has ended the terminal', () =>
      conversation.link.updates.some(({ update }) => update.type === 'terminal' && update.fields.exit),
    );
    await conversation.session.cancelTerminal('t1');
    expect(conversation.link.sent('terminal/cancel').map(({ params }) => params)).toEqual([
      { sessionId: 'v2-1', terminalId: 't1' },
    ]);
  });
});
