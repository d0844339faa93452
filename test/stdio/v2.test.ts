import { describe, expect, test } from 'vitest';
import { refusedVersion } from '../../src/acp/connect';
import { ByteText } from '../../src/node/byteText';
import type { AgentTerminalEvent } from '../../src/thread/agentTerminals';
import { type Conversation, startConversation } from './conversation';
import { fakeAgentFile, startLink, text } from './harness';
import { waitUntil } from './waitUntil';

/* The draft of version 2 over a real pipe. After every test all that we sent is held to its schema. */

const start = (agent: NonNullable<Parameters<typeof startConversation>[0]>['agent'] = {}) => startConversation({ protocol: 2, agent });
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

describe('initialize', () => {
  test('191 has info and capability objects and nothing of v1', async () => {
    const conversation = await start();
    const [{ params }] = conversation.link.sent('initialize') as [{ params: Record<string, unknown> }];
    expect(params).toEqual({ protocolVersion: 2, info: { name: 'parley', title: 'Parley', version: '0.0.0' }, capabilities: { ...(params['capabilities'] as object), elicitation: { form: {}, url: {} } } });
    expect(JSON.stringify(params)).not.toMatch(/true|false|clientCapabilities|clientInfo/);
  });

  test('191 what is switched off is left out', async () => {
    const conversation = await startConversation({ protocol: 2, features: { 'elicitation.form': false, 'elicitation.url': false, 'auth.terminal': false } });
    expect(conversation.link.sent('initialize')[0]!['params'].capabilities).toEqual({});
  });

  test('191 what the agent can do is understood', async () => {
    const link = startLink({ protocol: 2, agent: { initializePatch: { authMethods: [{ type: 'agent', methodId: 'login', name: 'Sign in' }] } } });
    const features = await link.connection.initialize();
    expect(features).toMatchObject({
      info: { name: 'fake-agent-v2', title: 'Fake Agent of v2' },
      prompt: { image: true, audio: false, embeddedContext: true },
      loadSession: true,
      resume: true,
      close: true,
      list: true,
      delete: true,
      authMethods: [{ id: 'login', name: 'Sign in' }],
    });
  });
});

describe('turns', () => {
  test.each(['echo answer running', 'running echo answer', 'answer running echo', 'answer running', 'running answer echo'])('192 the turn ends with an idle state, taken in as %s', async (order) => {
    const conversation = await start();
    await conversation.play(`@@ORDER ${order}`, '@@SAY one', '@@SILENT 20', '@@SAY two');
    expect(conversation.lines().slice(1)).toEqual(['agent: onetwo']);
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 the answer to the prompt comes after its work has ended', async () => {
    const conversation = await start();
    await conversation.play('@@ORDER echo running', '@@SAY quick');
    expect(conversation.lines().at(-1)).toBe('agent: quick');
    await conversation.play('@@SAY again');
    expect(conversation.lines().at(-1)).toBe('agent: again');
  });

  test.each([
    ['max_tokens', 'notice: The answer was cut off'],
    ['refusal', 'notice: The agent refused to go on'],
    ['_own_reason', 'notice: The turn ended: '],
  ])('192 the reason of the idle state is told: %s', async (reason, line) => {
    const conversation = await start();
    await conversation.play('@@SAY words', `@@STOP ${reason}`);
    expect(conversation.lines().at(-1)).toContain(line);
  });

  test('192 an idle state without a reason ends the turn quietly', async () => {
    const conversation = await start();
    await conversation.play('@@SAY words', '@@IDLE {"stopReason":null}');
    expect(conversation.lines().at(-1)).toBe('agent: words');
  });

  test('192 work that fails tells why', async () => {
    const conversation = await start();
    await conversation.play('@@SAY words', '@@IDLE {"stopReason":"error","error":{"code":-32000,"message":"Sign in first"}}');
    expect(conversation.lines().at(-1)).toMatch(/^notice: .*sign/i);
    await conversation.play('@@IDLE {"stopReason":"error","error":null}');
    expect(conversation.lines().at(-1)).toMatch(/did not say which/);
  });

  test('192 a prompt that failed and is sent again stands there once', async () => {
    const conversation = await start();
    let failed = 0;
    const prompt = text('@@SAY words', '@@IDLE {"stopReason":"error","error":{"code":-32000,"message":"Sign in first"}}');
    await conversation.session.prompt(prompt, async () => prompt, async () => (++failed === 1 ? prompt : undefined));
    expect(failed).toBe(2);
    expect(conversation.link.sent('session/prompt')).toHaveLength(2);
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 a prompt that is refused before it was taken in fails', async () => {
    const conversation = await start();
    await conversation.play('@@ORDER', '@@ERROR -32602 No such thing');
    expect(conversation.lines().at(-1)).toContain('No such thing');
    expect(conversation.session.isRunning).toBe(false);
  });

  test('192 a prompt that is refused while the agent works is told, and the work goes on', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@ERROR -32603 Not now', '@@ORDER running answer', '@@SILENT');
    await waitUntil('the refusal is told', () => conversation.lines().join().includes('Not now'));
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('194 an unknown state is busy', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@STATE _dreaming', '@@SILENT 30', '@@STATE requires_action', '@@SILENT 30', '@@SAY awake');
    await waitUntil('the state has come', () => conversation.link.updates.some(({ update }) => update.type === 'state' && update.state === 'other'));
    expect(conversation.session.isRunning).toBe(true);
    await turn;
    expect(conversation.lines().at(-1)).toBe('agent: awake');
  });

  test('194 an idle state that comes again ends nothing', async () => {
    const conversation = await start();
    const ends: string[] = [];
    conversation.session.onDidEndTurn(({ stopReason }) => ends.push(stopReason));
    const again = '@@LATER {"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}';
    await conversation.play('@@SAY one', again, again);
    const turn = conversation.begin('@@ORDER answer', '@@STATE idle {"stopReason":"end_turn"}', '@@SILENT 30', '@@STATE running', '@@SAY two');
    await turn;
    expect(ends).toEqual(['end_turn', 'end_turn']);
    expect(conversation.lines().at(-1)).toBe('agent: two');
  });

  test('194 work that nobody asked for is shown as a turn, can be stopped, and sends no prompt', async () => {
    const conversation = await start();
    await conversation.play('@@OWNWORK found it', '@@SAY done');
    await waitUntil('the agent works by itself', () => conversation.session.isRunning);
    await waitUntil('it says what it found', () => conversation.lines().at(-1) === 'agent: found it');
    expect(conversation.lines().filter((line) => line.startsWith('user:'))).toHaveLength(1);
    conversation.session.cancel();
    await waitUntil('cancel arrives', () => conversation.link.sent('session/cancel').length === 1);
    expect(conversation.link.sent('session/prompt')).toHaveLength(1);
    conversation.session.detach();
    await waitUntil('the turn has ended', () => !conversation.session.isRunning);
  });

  test('192 Stop waits for the idle state, and leaves calls and questions of the background alone', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@TERMINAL t1', '@@QUESTION', '@@SILENT');
    const [question] = await conversation.questions();
    conversation.session.cancel();
    await turn;
    // The agent withdrew its question; nobody else did.
    expect(conversation.session.selectPermission(question!, 'allow')).toBe(false);
    expect(conversation.outcomes()).toEqual([{ outcome: 'cancelled' }]);
    expect(conversation.lines()).toContain('tool: Run ls (in_progress)');
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
    expect(conversation.link.sent('session/cancel')).toHaveLength(1);

    await conversation.play('@@BACKGROUNDQUESTION', '@@SAY go on');
    const [background] = await conversation.questions();
    expect(conversation.session.isRunning).toBe(false);
    conversation.session.selectPermission(background!, 'allow');
    await waitUntil('the answer arrives', () => conversation.link.notes('background').length === 1);
    conversation.session.detach();
    expect(conversation.lines()).toContain('tool: Run ls (cancelled)');
  });

  test('194 an agent that never said that it works is believed once Stop was pressed', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@ORDER echo answer', '@@SILENT');
    await waitUntil('the prompt is taken in', () => conversation.session.thread.entries.at(0)?.kind === 'userMessage' && conversation.link.updates.length > 0);
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('192 an agent that dies ends its turn', async () => {
    const conversation = await start();
    await conversation.play('@@SAY words', '@@DIE 3');
    expect(conversation.session.isRunning).toBe(false);
  });
});

describe('updates', () => {
  const update = (fields: object) => `@@UPDATE ${JSON.stringify(fields)}`;

  test('193 messages interleave, are replaced, cleared and grow again', async () => {
    const conversation = await start();
    const chunk = (messageId: string, words: string) => update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: words } });
    const whole = (messageId: string, words: string | null | undefined) => update({ sessionUpdate: 'agent_message', messageId, ...(words === undefined ? {} : { content: words === null ? null : [{ type: 'text', text: words }] }) });
    await conversation.play(chunk('a', 'A1 '), chunk('b', 'B1 '), chunk('a', 'A2'), whole('b', undefined), chunk('b', 'B2'), whole('c', 'gone'), whole('c', null), whole('a', 'other'), chunk('a', ' and more'));
    expect(conversation.lines().slice(1)).toEqual(['agent: other and more', 'agent: B1 B2', 'agent: ']);
  });

  test('193 a message from elsewhere is shown beside what the person sent', async () => {
    const conversation = await start();
    await conversation.play(update({ sessionUpdate: 'user_message', messageId: 'x', content: [{ type: 'text', text: 'from the phone' }] }), '@@SAY both');
    expect(conversation.lines().slice(1)).toEqual(['user: from the phone', 'agent: both']);
  });

  test('193 a tool call: absent keeps, null clears, lists replace, chunks append', async () => {
    const conversation = await start();
    const call = (fields: object) => update({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields });
    const item = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
    const texts = () => conversation.toolCalls()[0]!.content.map((content) => (content.type === 'content' && content.content.type === 'text' ? content.content.text : content.type));
    await conversation.play(call({ title: 'Read', kind: 'read', status: 'in_progress', content: [item('a'), item('b')], locations: [{ path: '/w/a' }], rawInput: { x: 1 } }), call({ status: 'completed' }));
    expect(conversation.toolCalls()).toMatchObject([{ title: 'Read', toolKind: 'read', status: 'completed', locations: [{ path: '/w/a' }], rawInput: { x: 1 } }]);
    await conversation.play(update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item('c') }));
    expect(texts()).toEqual(['a', 'b', 'c']);
    await conversation.play(call({ title: null, kind: null, status: null, content: null, locations: null, rawInput: null }));
    expect(conversation.toolCalls()).toMatchObject([{ title: 'Tool call', toolKind: 'other', status: 'pending', content: [], locations: [], rawInput: null }]);
    await conversation.play(call({ status: '_simmering', kind: '_cook' }));
    expect(conversation.toolCalls()).toMatchObject([{ toolKind: 'other', status: 'in_progress' }]);
    await conversation.play(call({ status: 'cancelled' }), update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'new', content: item('made by a chunk') }));
    expect(conversation.lines()).toContain('tool: Tool call (cancelled)');
    expect(conversation.toolCalls()).toHaveLength(2);
  });

  test('193, 195 terminals: bytes that end within a character, upserts in any order', async () => {
    const conversation = await start();
    const heard = terminals(conversation);
    const sign = [0xe2, 0x82, 0xac];
    await conversation.play(`@@TERMINAL t1 ${base64([...Buffer.from('5 '), sign[0]!])} ${base64(sign.slice(1))} ${base64('\u001b[3')} ${base64('1mred')}`, update({ sessionUpdate: 'terminal_update', terminalId: 't1', exitStatus: { exitCode: 0 }, capabilities: null }), update({ sessionUpdate: 'terminal_update', terminalId: 't1', command: null }));
    expect(heard.output()).toBe('5 €\u001b[31mred');
    expect(heard.events.flatMap((event) => (event.type === 'patched' ? [event.fields] : []))).toEqual([
      { terminalId: 't1', command: 'ls', canCancel: true },
      { terminalId: 't1', exit: { exitCode: 0, signal: null }, canCancel: false },
      { terminalId: 't1', command: null },
    ]);
  });

  test('193 plans are kept apart, options and commands of v2 are understood', async () => {
    const conversation = await start({
      configOptions: [{ configId: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: [{ groupId: 'g', name: 'Group', options: [{ value: 'ask', name: 'Ask' }, { value: 'code', name: 'Code' }] }] }, { configId: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
      sessionPatch: { availableCommands: [{ type: 'command', name: 'plan', description: 'Plans', input: { type: 'text', hint: 'what' } }, { type: '_button', name: 'press', description: '' }] },
    });
    expect(conversation.session.thread.commands).toEqual([{ name: 'plan', description: 'Plans', input: { hint: 'what' } }]);
    const plan = (planId: string, content: string, status = 'pending') => update({ sessionUpdate: 'plan_update', plan: { type: 'items', planId, entries: [{ content, priority: 'high', status }] } });
    await conversation.play(plan('a', 'one'), plan('b', 'two'), plan('a', 'one again', 'cancelled'));
    expect(conversation.session.thread.plan.map(({ content, status }) => [content, status])).toEqual([['one again', 'cancelled'], ['two', 'pending']]);
    await conversation.play(update({ sessionUpdate: 'plan_update', plan: { type: '_chart', planId: 'b', chart: 1 } }));
    expect(conversation.session.thread.plan.map(({ content }) => content)).toEqual(['one again']);
    await conversation.session.setOption('config:mode', 'code').catch(() => conversation.session.setOption(conversation.session.thread.options.shown[0]!.key, 'code'));
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
    const conversation = await start();
    const call = (fields: object) => conversation.play(`@@UPDATE ${JSON.stringify({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...fields })}`);
    const cancel = () => conversation.session.cancelToolCall(conversation.toolCalls()[0]!.id);
    for (const fields of [{ status: 'in_progress' }, { capabilities: { cancel: {} }, status: 'completed' }, { status: 'in_progress', capabilities: null }, { capabilities: 'yes' }, { capabilities: { cancel: null } }]) {
      await call(fields);
      await cancel();
    }
    expect(conversation.link.sent('tool_call/cancel')).toEqual([]);
    await call({ capabilities: { cancel: {} } });
    await cancel();
    await waitUntil('the agent has ended the call', () => conversation.toolCalls()[0]!.status === 'cancelled');
    await cancel();
    expect(conversation.link.sent('tool_call/cancel').map(({ params }) => params)).toEqual([{ sessionId: 'v2-1', toolCallId: 't' }]);
  });

  test('196 a terminal is cancelled only while it says that it can be', async () => {
    const conversation = await start();
    await conversation.session.cancelTerminal('t1');
    await conversation.play('@@TERMINAL t1');
    await conversation.session.cancelTerminal('t2');
    await conversation.session.cancelTerminal('t1');
    await waitUntil('the agent has ended the terminal', () => conversation.link.updates.some(({ update }) => update.type === 'terminal' && update.fields.exit));
    await conversation.session.cancelTerminal('t1');
    expect(conversation.link.sent('terminal/cancel').map(({ params }) => params)).toEqual([{ sessionId: 'v2-1', terminalId: 't1' }]);
  });
});

describe('methods', () => {
  test.each(['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/output', 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release'])('198 %s is not served', async (method) => {
    const conversation = await start();
    await conversation.play(`@@REQUEST ${method} {"path":"/w/a","terminalId":"t","command":"ls","content":""}`);
    expect(conversation.lines().at(-1)).toMatch(/^agent: \[REQUEST error -32601/);
  });

  test('198 what v1 alone has is not sent', async () => {
    const conversation = await start();
    const { connection } = conversation.link;
    await expect(connection.setMode('v2-1', 'ask')).rejects.toMatchObject({ code: -32601 });
    await expect(connection.setModel('v2-1', 'm')).rejects.toMatchObject({ code: -32601 });
    await connection.loadSession({ sessionId: 'v2-1', cwd: conversation.link.folder, mcpServers: [] });
    await connection.listSessions(conversation.link.folder);
    await connection.closeSession('v2-1');
    await connection.deleteSession('v2-1');
    expect(new Set(conversation.link.sent().map(({ method }) => method))).toEqual(new Set(['initialize', 'session/new', 'session/resume', 'session/list', 'session/close', 'session/delete']));
  });

  test('198 signing in and out have their names of v2', async () => {
    const link = startLink({ protocol: 2, agent: { authRequired: true } });
    expect((await link.connection.initialize()).authMethods).toMatchObject([{ id: 'fake-login' }]);
    const open = () => link.connection.newSession({ cwd: link.folder, mcpServers: [] });
    await expect(open()).rejects.toMatchObject({ code: -32000 });
    await link.connection.authenticate('fake-login');
    await open();
    await link.connection.logout();
    await expect(open()).rejects.toMatchObject({ code: -32000 });
    expect(link.sent().map(({ method }) => method)).toEqual(['initialize', 'session/new', 'auth/login', 'session/new', 'auth/logout', 'session/new']);
  });

  test('198 MCP servers name their transport, and one that the agent has not is not passed', async () => {
    const link = startLink({ protocol: 2 });
    await link.connection.initialize();
    await link.connection.newSession({ cwd: link.folder, mcpServers: [{ name: 'files', command: '/bin/mcp', args: [], env: [] }, { type: 'http', name: 'web', url: 'https://example.org', headers: [] }, { type: 'sse', name: 'old', url: 'https://example.org', headers: [] }] });
    expect(link.sent('session/new')[0]!['params'].mcpServers).toEqual([{ type: 'stdio', name: 'files', command: '/bin/mcp', args: [], env: [] }]);
    expect(link.logged.filter((line) => line.includes('was not passed'))).toHaveLength(2);
  });

  test.each<[string, object, RegExp]>([
    ['answers with 1', {}, /answered with version 1$/],
    ['refuses the version', { draftError: { code: -32022, message: 'Unsupported protocol version', data: { requested: 2, supported: [1] } } }, /error -32022: Unsupported protocol version$/],
    ['misses a field of v1', { draftError: { code: -32602, message: 'clientCapabilities is missing' } }, /error -32602/],
  ])('199 an agent that %s is spoken to in version 1 by a fresh process', async (_, agent, words) => {
    const draft = startLink({ protocol: 2, command: { command: process.execPath, args: [fakeAgentFile] }, agent });
    const said = await draft.connection.initialize().then(() => undefined, refusedVersion);
    expect(said).toMatch(words);
    await draft.dispose();
    expect(draft.sent().map(({ method }) => method)).toEqual(['initialize']);
    const conversation = await startConversation({ agent });
    await conversation.play('@@SAY as ever');
    expect(conversation.lines().at(-1)).toBe('agent: as ever');
    expect(conversation.link.sent('initialize')[0]!['params']).toMatchObject({ protocolVersion: 1, clientCapabilities: { terminal: true } });
  });

  test('199 an agent that dies is not taken for one of version 1', async () => {
    const link = startLink({ protocol: 2, command: { command: process.execPath, args: [fakeAgentFile] }, agent: { dieAtInitialize: { code: 7 } } });
    expect(await link.connection.initialize().catch(refusedVersion)).toBeUndefined();
  });
});

describe('resume', () => {
  const replay = [
    { sessionUpdate: 'user_message', messageId: 'u1', content: [{ type: 'text', text: 'earlier' }] },
    { sessionUpdate: 'agent_message', messageId: 'a1', content: [{ type: 'text', text: 'answer' }] },
  ];

  test('197 a replay comes before the answer and takes the place of load', async () => {
    const conversation = await start({ replay });
    const opened = await conversation.link.connection.loadSession({ sessionId: 'v2-1', cwd: conversation.link.folder, mcpServers: [] });
    expect(opened.sessionId).toBe('v2-1');
    expect(conversation.link.sent('session/resume')[0]!['params']).toMatchObject({ replayFrom: { type: 'start' } });
    expect(conversation.lines()).toEqual(['user: earlier', 'agent: answer']);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('197 without a replay nothing is asked for, and the state comes from the snapshot', async () => {
    const conversation = await start({ replay, resumeState: { sessionUpdate: 'state_update', state: 'running' } });
    await conversation.link.connection.resumeSession({ sessionId: 'v2-1', cwd: conversation.link.folder });
    expect(conversation.link.sent('session/resume')[0]!['params']).toEqual({ sessionId: 'v2-1', cwd: conversation.link.folder });
    expect(conversation.lines()).toEqual([]);
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.detach();
  });
});

describe('permissions', () => {
  test('200 a question about a call keeps the words of both apart', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@PERMISSION May I write?');
    const [requestId] = await conversation.questions();
    const [call] = conversation.toolCalls();
    expect(call).toMatchObject({ title: 'Edit a file', permissions: [{ title: 'May I write?', description: 'It has to be.' }] });
    expect(call?.content).toMatchObject([{ type: 'fileChange', operation: 'modify', path: '/w/src/a.ts', patch: expect.stringContaining('+TWO') }]);
    conversation.session.selectPermission(requestId!, 'allow');
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'allow' }]);
    expect(conversation.lines()).toContain('tool: Edit a file (completed)');
  });

  test.each<[string, object | undefined]>([
    ['without a subject', undefined],
    ['with an unknown subject', { type: '_future', thing: 1 }],
  ])('200 a question %s is asked by its words', async (_, subject) => {
    const conversation = await start();
    const turn = conversation.begin(`@@QUESTION ${subject ? JSON.stringify(subject) : ''}`);
    const [requestId] = await conversation.questions();
    expect(conversation.toolCalls()).toMatchObject([{ title: 'A question', content: [{ type: 'content', content: { type: 'text', text: 'Why it is asked' } }], permissions: [{ title: 'A question' }] }]);
    conversation.session.selectPermission(requestId!, 'reject');
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
    expect(conversation.toolCalls()[0]).toMatchObject({ status: 'failed', permissions: [], decision: { optionId: 'reject' } });
  });

  test('200 a question about a command shows it whole', async () => {
    const conversation = await start();
    const turn = conversation.begin('@@QUESTION {"type":"command","command":"rm -rf build\\nls","cwd":"/w"}', '@@QUESTION {"type":"command","command":"make","cwd":"/w","toolCallId":"known"}');
    const [first] = await conversation.questions();
    expect(conversation.toolCalls()[0]).toMatchObject({ toolKind: 'execute', rawInput: { command: 'rm -rf build\nls', cwd: '/w' } });
    conversation.session.selectPermission(first!, 'allow');
    await waitUntil('the second question waits', () => conversation.session.thread.waiting[0] !== undefined && conversation.session.thread.waiting[0].requestId !== first);
    expect(conversation.toolCalls()[1]).toMatchObject({ toolCallId: 'known', title: 'A question', permissions: [{ command: { text: 'make', cwd: '/w' }, description: 'Why it is asked' }] });
    conversation.session.selectPermission(conversation.session.thread.waiting[0]!.requestId, 'allow');
    await turn;
  });

  test.each(['{"type":"tool_call"}', '{"type":"tool_call","toolCall":{}}', '{"type":"command"}'])('200 a subject that lacks what it is about is -32602: %s', async (subject) => {
    const conversation = await start();
    await conversation.play(`@@QUESTION ${subject}`);
    expect(conversation.lines().at(-1)).toMatch(/error -32602/);
  });
});

test('the answer to a prompt that never comes does not keep a session from ending', async () => {
  const link = startLink({ protocol: 2, agent: { answerNever: ['session/prompt'] } });
  const sessionId = await link.open();
  const sent = link.connection.prompt(sessionId, text('hello')).catch((error: unknown) => error);
  await waitUntil('the prompt arrives', () => link.sent('session/prompt').length === 1);
  await link.dispose();
  expect(await sent).toMatchObject({ name: 'ConnectionEnded' });
});
