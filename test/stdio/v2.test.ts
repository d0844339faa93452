import { describe, expect, test } from 'vitest';
import { refusedVersion } from '../../src/acp/connect';
import { startConversation, startDraft } from './conversation';
import { fakeAgentFile, startLink, text } from './harness';
import { waitUntil } from './waitUntil';

/* The draft of version 2 over a real pipe. After every test all that we sent is held to its schema. */

describe('initialize', () => {
  test('191 has info and capability objects and nothing of v1', async () => {
    const conversation = await startDraft();
    const [{ params }] = conversation.link.sent('initialize') as [{ params: Record<string, unknown> }];
    expect(params).toEqual({
      protocolVersion: 2,
      info: { name: 'parley', title: 'Parley', version: '0.0.0' },
      capabilities: { ...(params['capabilities'] as object), elicitation: { form: {}, url: {} } },
    });
    expect(JSON.stringify(params)).not.toMatch(/true|false|clientCapabilities|clientInfo/);
  });

  test('191 what is switched off is left out', async () => {
    const conversation = await startConversation({
      protocol: 2,
      features: { 'elicitation.form': false, 'elicitation.url': false, 'auth.terminal': false },
    });
    expect(conversation.link.sent('initialize')[0]!['params'].capabilities).toEqual({});
  });

  test('191 what the agent can do is understood', async () => {
    const link = startLink({
      protocol: 2,
      agent: { initializePatch: { authMethods: [{ type: 'agent', methodId: 'login', name: 'Sign in' }] } },
    });
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

describe('methods', () => {
  test.each([
    'fs/read_text_file',
    'fs/write_text_file',
    'terminal/create',
    'terminal/output',
    'terminal/wait_for_exit',
    'terminal/kill',
    'terminal/release',
  ])('198 %s is not served', async (method) => {
    const conversation = await startDraft();
    await conversation.play(`@@REQUEST ${method} {"path":"/w/a","terminalId":"t","command":"ls","content":""}`);
    expect(conversation.lines().at(-1)).toMatch(/^agent: \[REQUEST error -32601/);
  });

  test('198 what v1 alone has is not sent', async () => {
    const conversation = await startDraft();
    const { connection } = conversation.link;
    await expect(connection.setMode('v2-1', 'ask')).rejects.toMatchObject({ code: -32601 });
    await expect(connection.setModel('v2-1', 'm')).rejects.toMatchObject({ code: -32601 });
    await connection.loadSession({ sessionId: 'v2-1', cwd: conversation.link.folder, mcpServers: [] });
    await connection.listSessions(conversation.link.folder);
    await connection.closeSession('v2-1');
    await connection.deleteSession('v2-1');
    expect(new Set(conversation.link.sent().map(({ method }) => method))).toEqual(
      new Set(['initialize', 'session/new', 'session/resume', 'session/list', 'session/close', 'session/delete']),
    );
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
    expect(link.sent().map(({ method }) => method)).toEqual([
      'initialize',
      'session/new',
      'auth/login',
      'session/new',
      'auth/logout',
      'session/new',
    ]);
  });

  test('198 MCP servers name their transport, and one that the agent has not is not passed', async () => {
    const link = startLink({ protocol: 2 });
    await link.connection.initialize();
    await link.connection.newSession({
      cwd: link.folder,
      mcpServers: [
        { name: 'files', command: '/bin/mcp', args: [], env: [] },
        { type: 'http', name: 'web', url: 'https://example.org', headers: [] },
        { type: 'sse', name: 'old', url: 'https://example.org', headers: [] },
      ],
    });
    expect(link.sent('session/new')[0]!['params'].mcpServers).toEqual([
      { type: 'stdio', name: 'files', command: '/bin/mcp', args: [], env: [] },
    ]);
    expect(link.logged.filter((line) => line.includes('was not passed'))).toHaveLength(2);
  });

  test.each<[string, object, RegExp]>([
    ['answers with 1', {}, /answered with version 1$/],
    [
      'refuses the version',
      { draftError: { code: -32022, message: 'Unsupported protocol version', data: { requested: 2, supported: [1] } } },
      /error -32022: Unsupported protocol version$/,
    ],
    [
      'misses a field of v1',
      { draftError: { code: -32602, message: 'clientCapabilities is missing' } },
      /error -32602/,
    ],
  ])('199 an agent that %s is spoken to in version 1 by a fresh process', async (_, agent, words) => {
    const draft = startLink({ protocol: 2, command: { command: process.execPath, args: [fakeAgentFile] }, agent });
    const said = await draft.connection.initialize().then(() => undefined, refusedVersion);
    expect(said).toMatch(words);
    await draft.dispose();
    expect(draft.sent().map(({ method }) => method)).toEqual(['initialize']);
    const conversation = await startConversation({ agent });
    await conversation.play('@@SAY as ever');
    expect(conversation.lines().at(-1)).toBe('agent: as ever');
    expect(conversation.link.sent('initialize')[0]!['params']).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { terminal: true },
    });
  });

  test('199 an agent that dies is not taken for one of version 1', async () => {
    const link = startLink({
      protocol: 2,
      command: { command: process.execPath, args: [fakeAgentFile] },
      agent: { dieAtInitialize: { code: 7 } },
    });
    expect(await link.connection.initialize().catch(refusedVersion)).toBeUndefined();
  });
});

describe('resume', () => {
  const replay = [
    { sessionUpdate: 'user_message', messageId: 'u1', content: [{ type: 'text', text: 'earlier' }] },
    { sessionUpdate: 'agent_message', messageId: 'a1', content: [{ type: 'text', text: 'answer' }] },
  ];

  test('197 a replay comes before the answer and takes the place of load', async () => {
    const conversation = await startDraft({ replay });
    const opened = await conversation.link.connection.loadSession({
      sessionId: 'v2-1',
      cwd: conversation.link.folder,
      mcpServers: [],
    });
    expect(opened.sessionId).toBe('v2-1');
    expect(conversation.link.sent('session/resume')[0]!['params']).toMatchObject({ replayFrom: { type: 'start' } });
    expect(conversation.lines()).toEqual(['user: earlier', 'agent: answer']);
    expect(conversation.session.isRunning).toBe(false);
  });

  test('197 without a replay nothing is asked for, and the state comes from the snapshot', async () => {
    const conversation = await startDraft({ replay, resumeState: { sessionUpdate: 'state_update', state: 'running' } });
    await conversation.link.connection.resumeSession({ sessionId: 'v2-1', cwd: conversation.link.folder });
    expect(conversation.link.sent('session/resume')[0]!['params']).toEqual({
      sessionId: 'v2-1',
      cwd: conversation.link.folder,
    });
    expect(conversation.lines()).toEqual(['notice: Continued by itself']);
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.detach();
  });
});

describe('permissions', () => {
  test('200 a question about a call keeps the words of both apart', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin('@@PERMISSION May I write?');
    const [requestId] = await conversation.questions();
    const [call] = conversation.toolCalls();
    expect(call).toMatchObject({
      title: 'Edit a file',
      permissions: [{ subject: { title: 'May I write?', description: 'It has to be.' } }],
    });
    expect(call?.content).toMatchObject([
      { type: 'fileChange', operation: 'modify', path: '/w/src/a.ts', patch: expect.stringContaining('+TWO') },
    ]);
    conversation.session.selectPermission(requestId!, 'allow');
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'allow' }]);
    expect(conversation.lines()).toContain('tool: Edit a file (completed)');
  });

  test.each<[string, object | undefined]>([
    ['without a subject', undefined],
    ['with an unknown subject', { type: '_future', thing: 1 }],
  ])('200 a question %s is asked by its words', async (_, subject) => {
    const conversation = await startDraft();
    const turn = conversation.begin(`@@QUESTION ${subject ? JSON.stringify(subject) : ''}`);
    const [requestId] = await conversation.questions();
    expect(conversation.toolCalls()).toMatchObject([
      {
        title: 'A question',
        content: [{ type: 'content', content: { type: 'text', text: 'Why it is asked' } }],
        permissions: [{ subject: { title: 'A question' } }],
      },
    ]);
    conversation.session.selectPermission(requestId!, 'reject');
    await turn;
    expect(conversation.outcomes()).toEqual([{ outcome: 'selected', optionId: 'reject' }]);
    expect(conversation.toolCalls()[0]).toMatchObject({
      status: 'failed',
      permissions: [],
      decision: { optionId: 'reject' },
    });
  });

  test('200 a question about a command shows it whole', async () => {
    const conversation = await startDraft();
    const turn = conversation.begin(
      '@@QUESTION {"type":"command","command":"rm -rf build\\nls","cwd":"/w"}',
      '@@QUESTION {"type":"command","command":"make","cwd":"/w","toolCallId":"known"}',
    );
    const [first] = await conversation.questions();
    expect(conversation.toolCalls()[0]).toMatchObject({
      toolKind: 'execute',
      rawInput: { command: 'rm -rf build\nls', cwd: '/w' },
    });
    conversation.session.selectPermission(first!, 'allow');
    await waitUntil(
      'the second question waits',
      () =>
        conversation.session.thread.waiting[0] !== undefined &&
        conversation.session.thread.waiting[0].requestId !== first,
    );
    expect(conversation.toolCalls()[1]).toMatchObject({
      toolCallId: 'known',
      title: 'A question',
      permissions: [{ subject: { command: { text: 'make' }, cwd: '/w', description: 'Why it is asked' } }],
    });
    conversation.session.selectPermission(conversation.session.thread.waiting[0]!.requestId, 'allow');
    await turn;
  });

  test.each(['{"type":"tool_call"}', '{"type":"tool_call","toolCall":{}}', '{"type":"command"}'])(
    '200 a subject that lacks what it is about is -32602: %s',
    async (subject) => {
      const conversation = await startDraft();
      await conversation.play(`@@QUESTION ${subject}`);
      expect(conversation.lines().at(-1)).toMatch(/error -32602/);
    },
  );
});

test('the answer to a prompt that never comes does not keep a session from ending', async () => {
  const link = startLink({ protocol: 2, agent: { answerNever: ['session/prompt'] } });
  const sessionId = await link.open();
  const sent = link.connection.prompt(sessionId, text('hello')).catch((error: unknown) => error);
  await waitUntil('the prompt arrives', () => link.sent('session/prompt').length === 1);
  await link.dispose();
  expect(await sent).toMatchObject({ name: 'ConnectionEnded' });
});
