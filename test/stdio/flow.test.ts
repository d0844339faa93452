import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { AcpError } from '../../src/acp/errors';
import type { ClientHandlers } from '../../src/acp/handlers';
import { startLink, text } from './harness';
import { waitUntil } from './waitUntil';

/* What an agent can make us keep is bounded, and an honest agent that is slow gets all of its answers. */

const MB = 1024 * 1024;
const read = (path = '/a') => `fs/read_text_file ${JSON.stringify({ path })}`;

/** Answers reads with a new text of so many bytes each time. */
function readsOf(bytes: number): { made: () => number; handlers: Pick<ClientHandlers, 'readTextFile'> } {
  let made = 0;
  return {
    made: () => made,
    handlers: {
      readTextFile: (_params, _token, large) =>
        large(async () => {
          made++;
          return { content: Buffer.alloc(bytes, 97 + (made % 26)).toString('latin1') };
        }),
    },
  };
}

describe('what an agent can make us keep', () => {
  test('500 reads of 9 MB by an agent that does not read: little is kept, and the link ends with the reason', async () => {
    const { handlers, made } = readsOf(9 * MB);
    const link = startLink({ handlers, patienceMs: 1_200 });
    const sessionId = await link.open();
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const turn = link.connection.prompt(sessionId, text('@@DEAF', `@@ASKMANY 500 ${read()}`));
    await expect(turn).rejects.toThrow('connection to the agent has ended');
    clearInterval(watch);
    expect(link.linkFailures).toEqual(['The agent stopped reading its input']);
    expect(made()).toBeLessThan(20);
    expect((most - before) / MB).toBeLessThan(150);
  });

  test('an agent that reads slowly gets all of its answers', async () => {
    const { handlers, made } = readsOf(MB);
    // It needs longer for the whole than it may be silent.
    const link = startLink({ handlers, patienceMs: 4_000 });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text('@@SLOWEAR 12', `@@ASKMANY 30 ${read()}`));
    expect(link.text()).toBe('[ASKMANY 30 results, 0 errors ]');
    expect(made()).toBe(30);
    expect(link.linkFailures).toEqual([]);
  });

  test('14 5,000 requests at once are answered once each; what is too many gets an error', async () => {
    const { handlers } = readsOf(10);
    const link = startLink({ handlers });
    const sessionId = await link.open();
    await link.connection.prompt(sessionId, text(`@@ASKMANY 5000 ${read()}`));
    const ids = link.sent().flatMap((message) => ('method' in message ? [] : [message['id']]));
    expect(ids).toHaveLength(5_000);
    expect(new Set(ids).size).toBe(5_000);
    expect(link.text()).toMatch(
      /^\[ASKMANY [1-4]\d{3} results, \d+ errors Too many requests: 1000 requests of fs\/read_text_file are open\. Read the answers before you send more\.\]$/,
    );
  });

  test('requests that wait for the user take no room from others, nor do those of a method that nobody knows', async () => {
    const { handlers } = readsOf(10);
    const link = startLink({
      handlers: {
        ...handlers,
        requestPermission: (_params, token) =>
          new Promise((_, reject) => token.onCancellationRequested(() => reject(AcpError.cancelled()))),
      },
    });
    const sessionId = await link.open();
    const permission = JSON.stringify({
      toolCall: { toolCallId: 'c' },
      options: [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }],
    });
    await link.connection.prompt(
      sessionId,
      text(
        `@@ASKMANYASYNC 1200 session/request_permission ${permission}`,
        '@@ASKMANY 1200 _x/unknown',
        `@@ASKMANY 100 ${read()}`,
      ),
    );
    expect(link.text()).toMatch(/\[ASKMANY 0 results, 1200 errors.*\[ASKMANY 100 results, 0 errors \]$/);
    const refused = () =>
      link
        .sent()
        .filter((message) =>
          (message['error'] as { message?: string } | undefined)?.message?.includes(
            '1000 requests of session/request_permission',
          ),
        );
    await waitUntil('all refusals', () => refused().length === 200);
  });

  test('an agent that talks faster than we listen has to wait; nothing is lost', async () => {
    let handled = 0;
    let mostAhead = 0;
    const link = startLink({
      handlers: {
        sessionUpdate: () => {
          mostAhead = Math.max(mostAhead, (link.process.stdout as Socket).bytesRead - ++handled * 20_000);
          const until = performance.now() + 0.5;
          while (performance.now() < until);
        },
      },
    });
    const sessionId = await link.open();
    // Lines of 20 KB, each of which takes half a millisecond.
    await link.connection.prompt(sessionId, text(`@@TALK 1500 20000`));
    expect(handled).toBe(1_500);
    expect(mostAhead / MB).toBeLessThan(3);
  });
});

test('an agent that asks without end and reads no answer is ended', async () => {
  const link = startLink();
  const sessionId = await link.open();
  const turn = link.connection.prompt(sessionId, text('@@DEAF', '@@ASKMANY 25000 _x/unknown'));
  await expect(turn).rejects.toThrow('connection to the agent has ended');
  await waitUntil('the reason', () => link.linkFailures.length > 0);
  expect(link.linkFailures[0]).toBe('The agent sent requests without reading the answers');
});
