import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import { Deferred } from '../../src/base/deferred';
import { describeError } from '../../src/thread/errorWords';
import { startLink, text } from './harness';
import { waitUntil } from './waitUntil';

describe('answers to the agent', () => {
  test('13 notifications, known or not, are never answered', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text(
        '@@CHUNKS 20',
        '@@UNKNOWNNOTIFICATION _x/y',
        '@@UNKNOWNNOTIFICATION $/progress',
        '@@UNKNOWNNOTIFICATION session/nonsense',
        '@@UNKNOWNUPDATE',
      ),
    );
    expect(link.sent()).toHaveLength(3);
  });

  test('14 every request gets one response with the identical id, whatever its type', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@IDS'));
    const ids = link
      .sent()
      .filter((message) => message['error'] !== undefined)
      .map((message) => message['id']);
    expect(ids).toEqual([0, 1, '1', 2 ** 50, 'a word', '']);
    expect(link.text()).toBe('[IDS 6]');
  });

  test('an update that is sent as a request counts and is answered', async () => {
    const link = startLink();
    const sessionId = await link.open();
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } };
    await link.connection.prompt(sessionId, text(`@@REQUEST session/update ${JSON.stringify({ update })}`));
    expect(link.text()).toMatch(/^hello/);
    expect(link.sent().at(-1)).toMatchObject({ result: {} });
  });

  test('14 a request is answered once even when the handler fails', async () => {
    const link = startLink({
      handlers: { readTextFile: () => Promise.reject(new Error('secret /home/me\n    at stack')) },
    });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@READ /a'));
    expect(link.text()).toBe('[READ error -32603 fs/read_text_file failed inside the client]');
    expect(JSON.stringify(link.sent())).not.toContain('secret');
  });

  test('201 an error of ours reaches the agent with its code, message and data', async () => {
    const link = startLink({
      handlers: { readTextFile: () => Promise.reject(AcpError.notFound('No such file: /a', { uri: 'file:///a' })) },
    });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@READ /a'));
    expect(link.sent().find((message) => 'error' in message)?.['error']).toEqual({
      code: -32002,
      message: 'No such file: /a',
      data: { uri: 'file:///a' },
    });
  });

  test('14 malformed parameters are answered with -32602 that names the field', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text(
        '@@REQUEST fs/read_text_file {"path":7}',
        '@@REQUEST fs/read_text_file {"path":"/a","line":-1}',
        '@@REQUEST fs/read_text_file {"path":"/a","limit":1.5}',
        '@@REQUEST fs/write_text_file {"path":"/a"}',
        '@@REQUEST terminal/create {"command":["ls"]}',
        '@@REQUEST terminal/create {"command":"ls","args":"-l"}',
        '@@REQUEST terminal/create {"command":"ls","env":[{"name":"A"}]}',
        '@@REQUEST terminal/output {}',
        '@@REQUEST session/request_permission {}',
      ),
    );
    const errors = link.sent().flatMap((message) => (message['error'] ? [message['error']] : []));
    expect(errors.map(({ code }) => code)).toEqual(Array(9).fill(-32602));
    expect(errors.map(({ message }) => message).join(' ')).toMatch(
      /path.*line.*limit.*content.*command.*args.*env.*terminalId.*toolCall/,
    );
  });

  test('156 null for an optional parameter means absent', async () => {
    const seen: object[] = [];
    const link = startLink({
      handlers: {
        readTextFile: async (params) => (seen.push(params), { content: '' }),
        createTerminal: async (params) => (seen.push(params), { terminalId: 't' }),
      },
    });
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text(
        '@@REQUEST fs/read_text_file {"path":"/a","line":null,"limit":null}',
        '@@REQUEST terminal/create {"command":"ls","args":null,"env":null,"cwd":null,"outputByteLimit":null}',
      ),
    );
    expect(seen).toEqual([
      { sessionId, path: '/a', line: null, limit: null },
      { sessionId, command: 'ls', args: [], env: [], cwd: null, outputByteLimit: null },
    ]);
  });

  test('20 both sides may use the same id at the same time', async () => {
    // Our prompt has the id 3; the agent asks with every id around it while the prompt is pending.
    const link = startLink({ handlers: { readTextFile: async ({ path }) => ({ content: path }) } });
    const sessionId = await link.open();
    const { stopReason } = await link.connection.prompt(
      sessionId,
      text(...Array.from({ length: 6 }, (_, n) => `@@READ /file${n}`), '@@STOP max_tokens'),
    );
    expect(link.sent('session/prompt')[0]?.['id']).toBe(3);
    expect(stopReason).toBe('max_tokens');
    expect(link.text()).toBe(Array.from({ length: 6 }, (_, n) => `[READ {"content":"/file${n}"}]`).join(''));
  });

  test('21 other requests and updates go on while a permission waits', async () => {
    const answer = new Deferred<RequestPermissionResponse>();
    const link = startLink({
      handlers: { requestPermission: () => answer.promise, readTextFile: async () => ({ content: 'read meanwhile' }) },
    });
    const sessionId = await link.open();
    const turn = link.connection.prompt(
      sessionId,
      text(
        '@@ASYNCREQUEST session/request_permission {"toolCall":{"toolCallId":"t"},"options":[{"optionId":"o","name":"O","kind":"allow_once"}]}',
        '@@READ /a',
        '@@SAY said',
        '@@SILENT',
      ),
    );
    await waitUntil('the read and the text arrive', () => link.text() === '[READ {"content":"read meanwhile"}]said');
    answer.resolve({ outcome: { outcome: 'selected', optionId: 'o' } });
    await waitUntil('the permission is answered', () =>
      link.text().includes('[ASYNCREQUEST {"outcome":{"outcome":"selected","optionId":"o"}}]'),
    );
    await link.connection.cancel(sessionId);
    await turn;
  });

  test('141 fifty reads at once are each answered to the right id', async () => {
    const link = startLink({ handlers: { readTextFile: async ({ path }) => ({ content: path }) } });
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text(
        ...Array.from({ length: 50 }, (_, n) => `@@ASYNCREQUEST fs/read_text_file {"path":"/${n}"}`),
        '@@SILENT 100',
      ),
    );
    await waitUntil('all answers arrive', () => (link.text().match(/ASYNCREQUEST/g) ?? []).length === 50);
  });
});

describe('answers of the agent', () => {
  test('15 our request ids are numbers from 1, each used once', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await Promise.all([
      link.connection.prompt(sessionId, text('@@SAY a')),
      link.connection.setMode(sessionId, 'code'),
      link.connection.setMode(sessionId, 'ask'),
    ]);
    expect(link.sent().map((message) => message['id'])).toEqual([1, 2, 3, 4, 5]);
  });

  test('16 answers with an unknown id, and a second answer, are ignored', async () => {
    const link = startLink();
    const sessionId = await link.open();
    expect(
      (
        await link.connection.prompt(
          sessionId,
          text(
            '@@RAW {"jsonrpc":"2.0","id":99,"result":{}}',
            '@@RAW {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"huh"}}',
            '@@TWICE',
          ),
        )
      ).stopReason,
    ).toBe('end_turn');
    expect((await link.connection.prompt(sessionId, text('@@STOP max_tokens'))).stopReason).toBe('max_tokens');
  });

  test('an answer whose id came back as a string is taken', async () => {
    const link = startLink();
    const sessionId = await link.open();
    expect((await link.connection.prompt(sessionId, text('@@STRINGID'))).stopReason).toBe('max_tokens');
  });

  test.each(['@@NULLRESULT', '@@NORESULT'])('17 a prompt answered with %s is settled', async (directive) => {
    const link = startLink();
    const sessionId = await link.open();
    expect((await link.connection.prompt(sessionId, text(directive))).stopReason).toBe('end_turn');
  });

  test('17 an answer with both a result and an error is an error', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await expect(link.connection.prompt(sessionId, text('@@BOTHRESULTS'))).rejects.toMatchObject({
      code: -32603,
      message: 'both',
    });
  });

  test.each(['null', 'missing'] as const)('18 a void method may be answered with result %s', async (voidResult) => {
    const link = startLink({
      agent: { voidResult, initializePatch: { agentCapabilities: { sessionCapabilities: { close: {}, resume: {} } } } },
    });
    const sessionId = await link.open();
    await link.connection.setMode(sessionId, 'code');
    await link.connection.resumeSession({ sessionId, cwd: link.folder, mcpServers: [] });
    await link.connection.closeSession(sessionId);
  });

  test.each([-31000, -32050, 401, 1, -32000])(
    '19 the error code %i is handed on with its message and data',
    async (code) => {
      const link = startLink();
      const sessionId = await link.open();
      await expect(
        link.connection.prompt(sessionId, text(`@@ERROR ${code} Strange things | {"details":"why"}`)),
      ).rejects.toMatchObject({ code, message: 'Strange things', data: { details: 'why' } });
    },
  );

  test('a failed request leaves one line that says who, where, which and why, and no secret', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection
      .prompt(
        sessionId,
        text('@@ERROR -32603 Bad key sk-ant-api03-0123456789abcdefghij | {"errorKind":"authentication_failed"}'),
      )
      .catch(() => undefined);
    const { id } = link.sent('session/prompt')[0]!;
    expect(link.logged.filter((line) => line.includes('session/prompt failed'))).toEqual([
      `warn: fake: session/prompt failed: session ${sessionId}, request ${id}, code -32603 (authentication_failed): Bad key …`,
    ]);
  });

  test('19 an error object of the wrong shape is still an error', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await expect(
      link.connection.prompt(sessionId, text('@@RAW {"jsonrpc":"2.0","id":3,"error":"just words"}', '@@SILENT 50')),
    ).rejects.toMatchObject({ code: -32603, message: 'just words' });
  });

  test('knows an error in which the agent only passes on what it was answered', async () => {
    const own = 'Could not write /a. Nothing was written. The disk is full.';
    const link = startLink({
      handlers: {
        writeTextFile: async () => Promise.reject(new AcpError(-32603, own, { path: '/a', reason: 'not_kept' })),
      },
    });
    const sessionId = await link.open();
    const passedOn: readonly (readonly [string, string | undefined])[] = [
      [`@@ERROR -32602 ${own}|{"path":"/a","reason":"not_kept"}`, own],
      [`@@ERROR -32603 Internal error|{"details":"tool failed: ${own}"}`, own],
      ['@@ERROR -32603 Out of tokens', undefined],
    ];
    for (const [error, repeats] of passedOn) {
      const failure = await link.connection
        .prompt(sessionId, text('@@WRITE /a eA==', error))
        .catch((cause: unknown) => cause);
      expect(failure).toMatchObject({ repeats });
      if (repeats === undefined) continue;
      const words = describeError(failure, 0);
      expect(words).toMatchObject({
        title: 'The agent stopped because Parley could not do what it asked',
        detail: own,
      });
      expect(JSON.stringify(words)).not.toContain('not_kept');
    }
  });
});
