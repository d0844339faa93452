import { expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import { silentLogger } from '../../src/base/log';
import { Session } from '../../src/thread/session';
import { FakeClock } from '../fakes/fakeClock';
import { startConversation } from '../stdio/conversation';

test('55 nothing is sent for a session that is not open', async () => {
  const session = new Session('ours', new FakeClock(), silentLogger);
  await session.prompt([{ type: 'text', text: 'hello' }]);
  session.cancel();
  await expect(session.setOption('modes', 'code')).rejects.toBeInstanceOf(AcpError);
  // What was typed stands there, and says that it was not sent.
  expect([...session.thread.entries].map((entry) => entry.kind)).toEqual(['userMessage', 'notice']);
});

test('55 a session whose agent has gone sends nothing any more', async () => {
  const conversation = await startConversation();
  await conversation.play('@@SAY one');
  conversation.session.detach();
  await conversation.play('@@SAY two');
  expect(conversation.link.sent('session/prompt')).toHaveLength(1);
  expect(conversation.lines().at(-1)).toBe('notice: Message not sent');
});

test('56, 57 what an agent does not offer is not asked of it', async () => {
  const conversation = await startConversation({ agent: { initializePatch: { agentCapabilities: {} } } });
  await conversation.play('@@SAY hello');
  const methods = new Set(conversation.link.sent().flatMap((message) => message['method'] ?? []));
  expect(methods).toEqual(new Set(['initialize', 'session/new', 'session/prompt']));
});

test('70 a session that is gone already counts as closed', async () => {
  const conversation = await startConversation({
    agent: { closeError: { code: -32002, message: 'Resource not found' } },
  });
  await conversation.link.connection.closeSession(conversation.sessionId);
});

test('70 any other error of closing is one', async () => {
  const conversation = await startConversation({ agent: { closeError: { code: -32603, message: 'disk full' } } });
  await expect(conversation.link.connection.closeSession(conversation.sessionId)).rejects.toThrow('disk full');
});
