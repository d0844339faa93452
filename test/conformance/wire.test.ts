import { expect, test } from 'vitest';
import { wireProblems } from '../fakes/clientSchema';
import { messagesOf, type WireEntry } from '../fakes/wireLog';
import { startConversation } from '../stdio/conversation';

/*
 * What may be said of every line that we write. The check itself runs after every test over stdio; here it is shown to
 * see something.
 */

/** A conversation in which we send and answer as much as there is. */
async function everything(): Promise<WireEntry[]> {
  const conversation = await startConversation({
    agent: {
      initializePatch: {
        authMethods: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B', type: 'terminal' },
        ],
      },
    },
    files: { readTextFile: async () => ({ content: 'a\r\nb\u2028c' }), writeTextFile: async () => {} },
    terminals: {
      createTerminal: async () => ({ terminalId: 't' }),
      waitForTerminalExit: async () => ({ exitCode: null, signal: 'SIGTERM' }),
      terminalOutput: async () => ({ output: '', truncated: false, exitStatus: null }),
      releaseTerminal: async () => {},
      killTerminal: async () => {},
    },
  });
  await conversation.play(
    '@@READ /a 1 2',
    '@@WRITE /a eA==',
    '@@TERMINAL ls',
    '@@REQUEST terminal/kill {"terminalId":"t"}',
    '@@REQUEST _x/y {}',
    '@@REQUEST fs/read_text_file {"path":7}',
    '@@IDS',
  );
  await conversation.session.setOption('modes', 'code');
  const turn = conversation.begin('@@PERMISSION first', '@@PERMISSION second');
  conversation.session.selectPermission((await conversation.questions())[0]!, 'allow');
  await conversation.questions();
  conversation.session.cancel();
  await turn;
  await conversation.link.connection.closeSession(conversation.sessionId);
  return conversation.link.wire();
}

test('4 every line that we write obeys the schema, in a conversation that has everything', async () => {
  const wire = await everything();
  expect(wireProblems(wire, 'client')).toEqual([]);
  const sent = messagesOf(wire, '>');
  expect(new Set(sent.flatMap((message) => message['method'] ?? []))).toEqual(
    new Set(['initialize', 'session/new', 'session/prompt', 'session/set_mode', 'session/cancel', 'session/close']),
  );
  expect(sent.filter((message) => message['method'] === undefined).length).toBeGreaterThan(10);

  // The same lines with one thing wrong in each are all refused, so the check above is none that always passes.
  const line = (method: string) => wire.findIndex((entry) => entry.dir === '>' && entry.line?.includes(`"${method}"`));
  const wrong = (at: number, change: (message: Record<string, any>) => unknown) => {
    const entry = wire[at]!;
    const message = JSON.parse(entry.line!) as Record<string, any>;
    return wireProblems(
      [...wire.slice(0, at), { ...entry, line: JSON.stringify(change(message) ?? message) }, ...wire.slice(at + 1)],
      'client',
    );
  };
  expect(wrong(line('initialize'), (message) => void (message['params'].protocolVersion = '1'))).not.toEqual([]);
  expect(wrong(line('session/new'), (message) => void delete message['params'].mcpServers)).not.toEqual([]);
  expect(wrong(line('session/new'), (message) => void (message['params'].colour = 'blue'))).not.toEqual([]);
  expect(wrong(line('session/prompt'), (message) => void (message['params'].prompt = 'text'))).not.toEqual([]);
  expect(wrong(line('session/cancel'), (message) => void (message['id'] = 99))).not.toEqual([]);
  expect(wrong(line('session/prompt'), (message) => [message])).not.toEqual([]);
});

test('11 no line that we write is a batch', async () => {
  const wire = await everything();
  const lines = wire.filter((entry) => entry.dir === '>').map((entry) => entry.line!);
  expect(lines.length).toBeGreaterThan(15);
  for (const each of lines) expect(each).toMatch(/^\{.*\}$/s);
});

test('37 initialize carries no credentials', async () => {
  const conversation = await startConversation();
  const [initialize] = conversation.link.sent('initialize');
  expect(Object.keys(initialize!['params']).sort()).toEqual(['clientCapabilities', 'clientInfo', 'protocolVersion']);
  expect(JSON.stringify(initialize)).not.toMatch(/key"\s*:\s*"|token"|secret|password|credential/i);
});

test('36, 40, 44, 48 the check sees a sign-in too early, with a method that is not there, and with one for a terminal, and an uncalled-for logout', async () => {
  const wire = await everything();
  const call = (method: string, params: object) => ({
    t: 0,
    dir: '>' as const,
    line: JSON.stringify({ jsonrpc: '2.0', id: 99, method, params }),
  });
  const problems = (at: number, method: string, params: object) =>
    wireProblems([...wire.slice(0, at), call(method, params), ...wire.slice(at)], 'client').join();
  expect(problems(wire.length, 'authenticate', { methodId: 'a' })).toBe('');
  expect(problems(wire.length, 'authenticate', { methodId: 'c' })).toContain('did not offer');
  expect(problems(wire.length, 'authenticate', { methodId: 'b' })).toContain('for a terminal');
  expect(
    problems(
      wire.findIndex((entry) => entry.dir === '<'),
      'authenticate',
      { methodId: 'a' },
    ),
  ).toContain('before initialize was answered');
  expect(problems(wire.length, 'logout', {})).toContain('capabilities');
});

test('38 nobody signs in by itself where sessions open without', async () => {
  const methods = messagesOf(await everything(), '>').map((message) => message['method']);
  expect(methods).not.toContain('authenticate');
  expect(methods).not.toContain('logout');
});
