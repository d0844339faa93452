import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import type { CancellationToken } from '../../src/base/cancellation';
import { forceStopAfterMs } from '../../src/thread/turns';
import { startConversation } from './conversation';
import { isAlive, startLink, text } from './harness';
import { waitUntil } from './waitUntil';

async function running(...directives: string[]) {
  const conversation = await startConversation();
  const turn = conversation.begin(...directives, '@@SAY started', '@@SILENT');
  await waitUntil('the turn runs', () => conversation.lines().at(-1) === 'agent: started');
  return { ...conversation, conversation, turn };
}

describe('Stop', () => {
  test('170 sends exactly one session/cancel, a notification', async () => {
    const { conversation, turn } = await running('@@IGNORECANCEL');
    conversation.session.cancel();
    conversation.session.cancel();
    conversation.session.cancel();
    await waitUntil('the cancel arrives', () => conversation.link.sent('session/cancel').length > 0);
    await conversation.link.process.terminate();
    await turn;
    expect(conversation.link.sent('session/cancel')).toEqual([
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'fake-1' } },
    ]);
  });

  test('171 unfinished tool calls are cancelled at once, finished ones stay', async () => {
    const { conversation, turn } = await running(
      '@@TOOL {"toolCallId":"a","title":"A","status":"in_progress"}',
      '@@TOOL {"toolCallId":"b","title":"B","status":"completed"}',
      '@@TOOL {"toolCallId":"c","title":"C"}',
    );
    conversation.session.cancel();
    expect(conversation.lines().filter((line) => line.startsWith('tool'))).toEqual([
      'tool: A (cancelled)',
      'tool: B (completed)',
      'tool: C (cancelled)',
    ]);
    await turn;
  });

  test('172 updates after Stop are taken, and a real status overrides ours', async () => {
    const { conversation, turn } = await running(
      '@@TOOL {"toolCallId":"a","title":"A","status":"in_progress"}',
      '@@CANCELUPDATE {"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed"}',
      '@@CANCELSAY last words',
    );
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().slice(1)).toEqual([
      'tool: A (completed)',
      'agent: started',
      'agent: last words',
      'notice: Stopped',
    ]);
  });

  test('173 the turn ends with the answer to the prompt, not before', async () => {
    const { conversation, turn } = await running('@@IGNORECANCEL');
    conversation.session.cancel();
    await waitUntil('the cancel arrives', () => conversation.link.sent('session/cancel').length === 1);
    expect(conversation.session.isRunning).toBe(true);
    await conversation.link.process.terminate();
    await turn;
  });

  test('174 an error in answer to Stop is the stop', async () => {
    const { conversation, turn } = await running('@@CANCELERROR the request was aborted');
    conversation.session.cancel();
    await turn;
    expect(conversation.lines().filter((line) => line.startsWith('notice'))).toEqual(['notice: Stopped']);
  });

  test('174 an agent that answers end_turn to Stop has ended all the same', async () => {
    const conversation = await startConversation();
    const turn = conversation.begin('@@IGNORECANCEL', '@@SAY started', '@@SILENT 150', '@@SAY and done');
    await waitUntil('the turn runs', () => conversation.lines().at(-1) === 'agent: started');
    conversation.session.cancel();
    await turn;
    expect(conversation.session.isRunning).toBe(false);
    expect(conversation.lines()).toContain('agent: startedand done');
  });

  test('175 an agent that does not react may be stopped by force', async () => {
    const { conversation, turn } = await running('@@IGNORECANCEL');
    conversation.session.cancel();
    expect(conversation.session.canForceStop).toBe(false);
    conversation.clock.advance(forceStopAfterMs);
    expect(conversation.session.canForceStop).toBe(true);
    await conversation.link.process.terminate();
    await turn;
    expect(conversation.session.canForceStop).toBe(false);
  });

  test('176 without a turn nothing is sent', async () => {
    const conversation = await startConversation();
    conversation.session.cancel();
    await conversation.play('@@SAY done');
    conversation.session.cancel();
    await conversation.link.connection.setMode(conversation.sessionId, 'ask');
    expect(conversation.link.sent('session/cancel')).toEqual([]);
  });

  test('a prompt after Stop begins a turn of its own', async () => {
    const { conversation, turn } = await running();
    conversation.session.cancel();
    await turn;
    await conversation.play('@@SAY fresh');
    expect(conversation.lines().at(-1)).toBe('agent: fresh');
  });
});

describe('$/cancel_request from the agent', () => {
  test('177 reaches the handler, and the request is answered once', async () => {
    const tokens: CancellationToken[] = [];
    const waitForCancel = (token: CancellationToken) =>
      new Promise<never>((_, reject) => {
        tokens.push(token);
        token.onCancellationRequested(() => reject(AcpError.cancelled()));
      });
    const link = startLink({
      handlers: {
        waitForTerminalExit: (_, token) => waitForCancel(token),
        readTextFile: (_, token) => waitForCancel(token),
      },
    });
    const sessionId = await link.open();
    const turn = link.connection.prompt(
      sessionId,
      text(
        '@@ASYNCREQUEST terminal/wait_for_exit {"terminalId":"t"}',
        '@@ASYNCREQUEST fs/read_text_file {"path":"/a"}',
        '@@SILENT 50',
        '@@RAW {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}',
        '@@RAW {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}',
        '@@SILENT 100',
      ),
    );
    await turn;
    await waitUntil('both are answered', () => link.text().match(/error -32800/g)?.length === 2);
    expect(tokens.every((token) => token.isCancellationRequested)).toBe(true);
  });

  test('177 a spelling of another protocol is not obeyed', async () => {
    const link = startLink({ handlers: { readTextFile: async () => ({ content: 'read' }) } });
    const sessionId = await link.open();
    await link.connection.prompt(
      sessionId,
      text('@@RAW {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":0}}', '@@READ /a'),
    );
    expect(link.text()).toBe('[READ {"content":"read"}]');
    expect(link.sent('$/cancelRequest')).toEqual([]);
  });

  test('130 the end of the connection cancels what its agent asked for', async () => {
    let [asked, cancelled] = [false, false];
    const link = startLink({
      handlers: {
        waitForTerminalExit: (_, token) => (
          (asked = true),
          new Promise((resolve) => token.onCancellationRequested(() => ((cancelled = true), resolve({}))))
        ),
      },
    });
    const sessionId = await link.open();
    const turn = link.connection.prompt(
      sessionId,
      text('@@ASYNCREQUEST terminal/wait_for_exit {"terminalId":"t"}', '@@SILENT'),
    );
    await Promise.all([
      Promise.allSettled([turn]),
      waitUntil('it is asked', () => asked).then(() => process.kill(link.process.pid!, 'SIGKILL')),
    ]);
    await waitUntil('the token fires', () => cancelled);
  });
});

describe('the end of a process', () => {
  test('180 stdin is closed first, and a polite agent ends by itself', async () => {
    const link = startLink();
    await link.open();
    await link.process.stop();
    expect(link.notes('stdin-end')).toHaveLength(1);
    expect(link.process.exit).toMatchObject({ code: 0, signal: null });
  });

  test('180 an agent that ignores its closed stdin gets SIGTERM', async () => {
    const link = startLink({ agent: { ignoreStdinEnd: true } });
    await link.open();
    await link.process.stop();
    expect(link.notes('stdin-end')).toHaveLength(1);
    expect(link.process.exit).toMatchObject({ signal: 'SIGTERM' });
  });

  test('180 an agent that ignores SIGTERM as well is killed', async () => {
    const link = startLink({ agent: { ignoreStdinEnd: true, ignoreSigterm: true } });
    await link.open();
    await link.process.stop();
    expect(link.notes('SIGTERM')).not.toHaveLength(0);
    expect(link.process.exit).toMatchObject({ signal: 'SIGKILL' });
  });

  test.each(['free', 'held'] as const)(
    '73 what an agent started goes with it (grandchild with %s pipes)',
    async (grandchild) => {
      const link = startLink({ agent: { grandchild } });
      await link.open();
      const pid = link.notes('grandchild')[0]?.['pid'] as number;
      expect(isAlive(pid)).toBe(true);
      await link.process.stop();
      await waitUntil('the grandchild is gone', () => !isAlive(pid));
    },
  );

  test('73 a grandchild that holds the pipes does not keep a dead agent alive', async () => {
    const link = startLink({ agent: { grandchild: 'held' } });
    const sessionId = await link.open();
    const pid = link.notes('grandchild')[0]?.['pid'] as number;
    await expect(link.connection.prompt(sessionId, text('@@DIE 5'))).rejects.toThrow();
    expect(await link.exited).toMatchObject({ code: 5 });
    await waitUntil('the grandchild is gone', () => !isAlive(pid));
  });
});
