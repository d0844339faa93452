import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClientHandlers } from '../../../src/acp/handlers';
import { MemoryLink } from '../../fakes/memoryLink';

const update = (text: string) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId: 's',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: text },
  },
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it.each([1, 2] as const)(
  'a message has the time at which it was read, however late it is handled (version %i)',
  async (version) => {
    vi.setSystemTime(1_000);
    const times: number[] = [];
    const link = new MemoryLink(
      {
        sessionUpdate: (_id, _update, receivedAt) => {
          times.push(receivedAt);
          // What follows is handled much later than it was read.
          vi.setSystemTime(Date.now() + 60_000);
        },
      } as Partial<ClientHandlers> as ClientHandlers,
      version,
    );
    link.receive(update('one'), update('two'), update('three'));
    await link.settle();
    expect(times).toEqual([1_000, 1_000, 1_000]);
    link.connection.dispose();
  },
);

it('so has the answer that ends a turn', async () => {
  vi.setSystemTime(1_000);
  const link = new MemoryLink({
    sessionUpdate: () => vi.setSystemTime(90_000),
  } as Partial<ClientHandlers> as ClientHandlers);
  const prompt = link.connection.prompt('s', [{ type: 'text', text: 'hi' }]);
  link.receive(update('one'), { jsonrpc: '2.0', id: 1, result: { stopReason: 'end_turn' } });
  expect(await prompt).toMatchObject({ stopReason: 'end_turn', receivedAt: 1_000 });
  link.connection.dispose();
});

it('everything is handled that has come when a caller has caught up', async () => {
  const said: string[] = [];
  const link = new MemoryLink({
    sessionUpdate: (_id, value) => said.push(value.type),
  } as Partial<ClientHandlers> as ClientHandlers);
  for (let i = 0; i < 50; i++) link.receive(update(`m${i}`));
  await link.connection.caughtUp();
  expect(said).toHaveLength(50);
  const open = link.connection.caughtUp();
  link.connection.dispose();
  await open;
});
