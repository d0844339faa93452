import { describe, expect, test } from 'vitest';
import { startLink, text } from './harness';

describe('extensions', () => {
  test.each(['_x/y', '_zed.dev/workspace/buffers', 'craft/drainMidTurnQueue', 'mcp/message', 'Session/Update'])(
    '181, 187 the unknown request %s is answered with -32601',
    async (method) => {
      const link = startLink();
      const sessionId = await link.open();
      await link.connection.prompt(sessionId, text(`@@UNKNOWNREQUEST ${method}`, '@@SAY |on'));
      const [answer] = link.sent().filter((message) => 'error' in message);
      expect(answer?.['error'].code).toBe(-32601);
      expect(link.text()).toMatch(/\|on$/);
    },
  );

  test.each(['_x/y', '_auth/status_update', '$/progress', 'Session/update'])(
    '182, 187 the unknown notification %s is ignored without an error',
    async (method) => {
      const link = startLink();
      const sessionId = await link.open();
      await link.connection.prompt(sessionId, text(`@@UNKNOWNNOTIFICATION ${method}`, '@@SAY on'));
      expect(link.text()).toBe('on');
      expect(link.logged.filter((line) => line.startsWith('error') || line.startsWith('warn'))).toEqual([]);
    },
  );

  test('183 we add no fields of our own to the types of the protocol', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.setMode(sessionId, 'code');
    await link.connection.prompt(sessionId, text('@@SAY a'));
    // Unknown fields would also fail the schema check that every test of this ring ends with.
    expect(Object.keys(link.sent('session/new')[0]?.['params'])).toEqual(['cwd', 'mcpServers']);
    expect(link.sent('session/set_mode')[0]?.['params']).toEqual({ sessionId, modeId: 'code' });
  });

  test('184 we call no vendor methods by ourselves', async () => {
    const link = startLink({
      agent: {
        initializePatch: {
          _meta: { steering: { supported: true } },
          agentCapabilities: { _meta: { claudeCode: { promptQueueing: true } } },
        },
      },
    });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@SAY a'));
    expect(link.sent().filter((message) => message['method']?.startsWith('_'))).toEqual([]);
  });

  test('185 no request carries trace context', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@SAY a'));
    expect(JSON.stringify(link.sent())).not.toContain('traceparent');
  });

  test('186 abilities beyond the schema are advertised in clientCapabilities._meta', async () => {
    const link = startLink();
    await link.open();
    expect(link.sent('initialize')[0]?.['params'].clientCapabilities._meta).toEqual({
      terminal_output: true,
      'terminal-auth': true,
    });
  });

  test('117 output that an agent streams in _meta reaches the session as updates', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@VIRTUALTERMINAL one\\r\\n|two'));
    const metas = link.updates.flatMap(({ update }) =>
      update.type === 'toolCall' ? [Object.keys(update.fields.meta ?? {})] : [],
    );
    expect(metas.flat()).toEqual(['terminal_info', 'terminal_output', 'terminal_output', 'terminal_exit']);
  });
});

describe('modes on the wire', () => {
  test('159 set_mode names session and mode', async () => {
    const link = startLink();
    const sessionId = await link.open();
    await link.connection.setMode(sessionId, 'code');
    expect(link.sent('session/set_mode')).toEqual([
      { jsonrpc: '2.0', id: 3, method: 'session/set_mode', params: { sessionId, modeId: 'code' } },
    ]);
  });

  test('160 a mode may be set while a turn runs', async () => {
    const link = startLink();
    const sessionId = await link.open();
    const turn = link.connection.prompt(sessionId, text('@@SILENT'));
    await link.connection.setMode(sessionId, 'code');
    await link.connection.cancel(sessionId);
    expect((await turn).stopReason).toBe('cancelled');
  });
});
