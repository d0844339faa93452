import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConnectionEnded } from '../../src/acp/errors';
import { addSession, startConversation } from './conversation';
import { fakeAgentFile } from './harness';
import { waitUntil } from './waitUntil';

describe('a turn', () => {
  test('74 a prompt is an array of content blocks', async () => {
    const conversation = await startConversation();
    await conversation.session.prompt([
      { type: 'text', text: 'look at' },
      { type: 'resource', resource: { uri: 'file:///a.ts', text: 'const a = 1;', mimeType: 'text/plain' } },
      { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts' },
    ]);
    expect(conversation.link.sent('session/prompt')[0]?.['params']).toEqual({
      sessionId: 'fake-1',
      prompt: [
        { type: 'text', text: 'look at' },
        { type: 'resource', resource: { uri: 'file:///a.ts', text: 'const a = 1;', mimeType: 'text/plain' } },
        { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts' },
      ],
    });
  });

  test('an empty prompt is never sent, because it wedges agents', async () => {
    const conversation = await startConversation();
    expect(await conversation.session.prompt([])).toBe(false);
    expect(conversation.link.sent('session/prompt')).toEqual([]);
  });

  test('79 a silent agent is waited for without a limit, and can be stopped', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@SILENT');
    await waitUntil('the prompt arrives', () => conversation.link.sent('session/prompt').length === 1);
    conversation.clock.advance(10 * 60_000);
    expect(conversation.session.isRunning).toBe(true);
    expect(conversation.link.sent()).toHaveLength(3);
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().at(-1)).toBe('notice: Stopped');
  });

  test('80 each stop reason ends the turn in words of its own', async () => {
    const conversation = await startConversation();
    const ends: (string | undefined)[] = [];
    for (const reason of ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'out_of_cheese']) {
      await conversation.play(`@@STOP ${reason}`);
      expect(conversation.session.isRunning).toBe(false);
      ends.push(conversation.lines().at(-1));
    }
    expect(ends[0]).toBe('user: @@STOP end_turn');
    expect(new Set(ends).size).toBe(6);
    expect(ends[5]).toBe('notice: The turn ended: out of cheese');
  });

  test('81 a refused prompt is marked as not part of the context', async () => {
    const conversation = await startConversation();
    await conversation.play('@@SAY fine');
    await conversation.play('@@SAY no', '@@STOP refusal');
    expect(conversation.lines().filter((line) => line.endsWith('(dropped)'))).toEqual([
      'user: @@SAY no\n@@STOP refusal (dropped)',
    ]);
  });

  test('82 an error ends the turn and tells message and details', async () => {
    const conversation = await startConversation();
    await conversation.play('@@SAY half', '@@ERROR -32603 Internal error | {"details":"the model is gone"}');
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.lines().slice(1)).toEqual([
      'agent: half',
      'notice: The agent reported an error | the model is gone',
    ]);
    await conversation.play('@@SAY again');
    expect(conversation.lines().at(-1)).toBe('agent: again');
  });

  test('205 an error with retryAfter tells when to try again', async () => {
    const conversation = await startConversation();
    await conversation.play('@@ERROR -32029 Rate limited | {"reason":"Too many tokens","retryAfter":30}');
    expect(conversation.lines().at(-1)).toBe('notice: Rate limited | Too many tokens. Try again in 30 seconds.');
  });

  test('83 only updates are content, a result with text is not', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@RAW {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","content":[{"type":"text","text":"smuggled"}]}}',
    );
    expect(conversation.lines()).toHaveLength(1);
  });

  test('84 a second prompt is not sent while a turn runs', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@SILENT');
    await waitUntil('the prompt arrives', () => conversation.link.sent('session/prompt').length === 1);
    expect(await conversation.session.prompt([{ type: 'text', text: 'two' }])).toBe(false);
    conversation.session.cancel();
    await turn;
    expect(conversation.link.sent('session/prompt')).toHaveLength(1);
  });

  test('85 updates between turns are shown', async () => {
    const conversation = await startConversation();
    await conversation.play('@@SAY in time', '@@LATE , too late');
    await waitUntil('the late text arrives', () => conversation.lines().at(-1) === 'agent: in time, too late');
    expect(conversation.session.isRunning).toBe(false);
  });

  test('63 updates before the answer of session/new belong to that session', async () => {
    const conversation = await startConversation({
      agent: {
        early: [
          { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'init', description: 'Begin' }] },
          { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } },
        ],
      },
    });
    expect(conversation.lines()).toEqual(['agent: Hello']);
    expect(conversation.session.thread.commands.map(({ name }) => name)).toEqual(['init']);
  });

  test('64 updates for sessions that nobody opened are ignored', async () => {
    const conversation = await startConversation();
    await conversation.play('@@STRANGESESSION', '@@SAY mine');
    expect(conversation.lines().slice(1)).toEqual(['agent: mine']);
  });

  test('71 two sessions on one connection never mix', async () => {
    const first = await startConversation();
    const second = await addSession(first.link, first.router, first.clock);
    const turns = [
      first.begin('@@CHUNKS 50', '@@PERMISSION first', '@@SILENT'),
      second.begin('@@CHUNKS 60', '@@SLOW 5 1', '@@SAY done'),
    ];
    await first.questions();
    await turns[1];
    expect(first.session.thread.waiting).toHaveLength(1);
    expect(second.session.thread.waiting).toHaveLength(0);
    expect(first.lines().join()).not.toContain('word60');
    expect(second.lines().at(-1)).toMatch(/word60 .*done$/);
    first.session.cancel();
    await turns[0];
    expect(first.link.sent('session/cancel').map((message) => message['params'])).toEqual([{ sessionId: 'fake-1' }]);
  });

  test('86 a slash command is text beside the other blocks', async () => {
    const conversation = await startConversation();
    await conversation.session.prompt([
      { type: 'text', text: '/review src' },
      { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts' },
    ]);
    expect(conversation.link.sent('session/prompt')[0]?.['params'].prompt[0]).toEqual({
      type: 'text',
      text: '/review src',
    });
  });

  test('87 every update before the answer is applied before the turn ends', async () => {
    const conversation = await startConversation();
    let shownAtEnd = '';
    conversation.session.onDidEndTurn(() => (shownAtEnd = conversation.lines().at(-1) ?? ''));
    await conversation.play('@@CHUNKS 5000');
    expect(shownAtEnd).toMatch(/word5000 $/);
  });

  test('88 a thousand chunks are exactly their concatenation', async () => {
    const conversation = await startConversation();
    await conversation.play('@@CHUNKS 1000');
    expect(conversation.lines()[1]).toBe(`agent: ${Array.from({ length: 1000 }, (_, n) => `word${n + 1} `).join('')}`);
  });

  test('203 chunks are seen while the turn runs', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@SAY early', '@@SILENT');
    await waitUntil('the text is there', () => conversation.lines().at(-1) === 'agent: early');
    expect(conversation.session.isRunning).toBe(true);
    conversation.session.cancel();
    await turn;
  });

  test('202 the whole way: plan, read, question, write, command, answer', async () => {
    const did: string[] = [];
    const conversation = await startConversation({
      command: {
        command: process.execPath,
        args: [fakeAgentFile, '--scenario', resolve(import.meta.dirname, '../fixtures/agent/happy-path.json')],
      },
      files: {
        readTextFile: async ({ path, line, limit }) => (did.push(`read ${path} ${line} ${limit}`), { content: 'two' }),
        writeTextFile: async ({ path, content }) => void did.push(`write ${path} ${JSON.stringify(content)}`),
      },
      terminals: {
        createTerminal: async ({ command }) => (did.push(`run ${command}`), { terminalId: 't' }),
        waitForTerminalExit: async () => ({ exitCode: 0, signal: null }),
        terminalOutput: async () => ({ output: 'ok', truncated: false, exitStatus: { exitCode: 0, signal: null } }),
        releaseTerminal: async () => void did.push('release'),
      },
    });
    const turn = conversation.begin('Do it all');
    const [requestId] = await conversation.questions();
    conversation.session.selectPermission(requestId!, 'allow');
    await turn;
    expect(did).toEqual(['read /project/a.txt 2 1', 'write /project/a.txt "new\\n"', 'run npm test', 'release']);
    expect(conversation.session.thread.plan.every(({ status }) => status === 'completed')).toBe(true);
    expect(conversation.session.thread.title).toBe('A happy path');
    expect(conversation.session.thread.commands).toHaveLength(1);
    expect(conversation.lines().filter((line) => line.startsWith('tool'))).toEqual([
      'tool: Write a.txt (completed)',
      'tool: npm test (completed)',
    ]);
    expect(conversation.lines().at(-1)).toBe('agent: All done.');
  });

  test('204 a failed tool does not fail the turn', async () => {
    const conversation = await startConversation();
    await conversation.play('@@TOOL {"title":"Try","status":"failed","rawOutput":"no"}', '@@SAY on');
    expect(conversation.lines().slice(1)).toEqual(['tool: Try (failed)', 'agent: on']);
  });
});

describe('strange updates', () => {
  test('115 updates of unknown kinds, and rubbish in known ones, are passed over', async () => {
    const conversation = await startConversation();
    await conversation.play('@@UNKNOWNUPDATE', '@@SAY on');
    // A block of a kind that nobody knows has a generic place in the message (item 94).
    expect(conversation.lines().at(-1)).toBe('agent: <unknown>on');
    expect(conversation.session.thread.commands.map(({ name }) => name)).toEqual(['ok']);
  });

  test('116 unknown _meta and fields are ignored', async () => {
    const conversation = await startConversation();
    await conversation.play(
      '@@UPDATE {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x","_meta":{"a":1},"extra":2},"_meta":{"b":[]},"more":true}',
    );
    expect(conversation.lines().at(-1)).toBe('agent: x');
  });

  test('119 five thousand updates in a burst keep their order', async () => {
    const conversation = await startConversation();
    await conversation.play('@@FLOOD 5000');
    const shown = conversation.lines().slice(1).join('');
    expect(
      [...shown.matchAll(/flood \*\*(\d+)\*\*|## Part (\d+)/g)].map((match) => Number(match[1] ?? match[2])),
    ).toEqual(Array.from({ length: 5000 }, (_, n) => n + 1));
  });
});

describe('an agent that dies', () => {
  test.each([
    ['@@DIE 7', { code: 7 }],
    ['@@DIEMIDLINE', { code: 3 }],
    ['@@KILL SIGKILL', { signal: 'SIGKILL' }],
  ])('178 %s in a turn ends the turn, and the thread stays', async (directive, exit) => {
    const conversation = await startConversation();
    await conversation.play('@@SAY before', '@@TOOL {"title":"Work","status":"in_progress"}', directive);
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.session.cutOffTurn).toMatch(/-t1$/);
    expect(conversation.lines().slice(1)).toEqual(['agent: before', 'tool: Work (unfinished)']);
    expect(await conversation.link.exited).toMatchObject(exit);
  });

  test('87, 178 what an agent said before it died is not lost', async () => {
    const conversation = await startConversation();
    await conversation.play('@@CHUNKS 3000', '@@DIE 1');
    expect(conversation.lines()[1]).toMatch(/^agent: word1 .* word3000 $/);
  });

  test('178 all pending calls are rejected, and later ones too', async () => {
    const { link, sessionId } = await startConversation();
    const calls = [
      link.connection.prompt(sessionId, [{ type: 'text', text: '@@SILENT' }]),
      link.connection
        .setMode(sessionId, 'code')
        .then(() => link.connection.prompt(sessionId, [{ type: 'text', text: '@@DIE 1' }])),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map((result) => (result.status === 'rejected' ? result.reason : result.status))).toEqual([
      expect.any(ConnectionEnded),
      expect.any(ConnectionEnded),
    ]);
    await expect(link.connection.setMode(sessionId, 'ask')).rejects.toBeInstanceOf(ConnectionEnded);
  });

  test('179 writing to an agent that has stopped reading never throws outside the call', async () => {
    const { link, sessionId } = await startConversation();
    const turn = link.connection.prompt(sessionId, [{ type: 'text', text: '@@CLOSESTDIN\n@@SILENT' }]);
    await waitUntil('the prompt arrives', () => link.sent('session/prompt').length === 1);
    const long = 'x'.repeat(200_000);
    const results = await Promise.allSettled([
      turn,
      ...Array.from({ length: 20 }, () => link.connection.setMode(sessionId, long).then(() => 'answered')),
      link.process.terminate(),
    ]);
    expect(results.slice(0, -1).every((result) => result.status === 'rejected')).toBe(true);
  });

  test('an agent that closes its stdout has left', async () => {
    const conversation = await startConversation();
    await conversation.play('@@CLOSESTDOUT');
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.link.closed).toBe(true);
  });
});
