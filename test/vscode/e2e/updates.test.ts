import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

/* What an agent tells beside its words, and what it is told of us. */

test('112 to 114, 205: the agent compacts, its notice can be dismissed, its limit counts down', async ({
  openWindow,
}) => {
  const window = await openWindow({ settings: FakeAgent.shared().settings });
  let chat = new Chat(await window.openChat());
  const compactionId = 'c';
  const content = { type: 'text', text: 'Nothing is left to do.' };
  await chat.send(
    [
      { sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' },
      { sessionUpdate: 'compaction_summary_chunk', compactionId, content },
      { sessionUpdate: 'compaction_update', compactionId, status: 'completed' },
      { sessionUpdate: 'usage_update', used: 26, size: 200_000 },
      { sessionUpdate: 'notice', severity: 'info', title: 'The context is nearly empty again' },
    ]
      .map((update) => `@@UPDATE ${JSON.stringify(update)}`)
      .join('\n'),
  );
  await chat.idle();
  const line = chat.frame.getByRole('group', { name: 'Conversation compacted' });
  await line.getByRole('button', { expanded: false }).click();
  await expect.poll(() => line.innerText()).toContain('Nothing is left to do.');
  await expect
    .poll(() => chat.frame.getByRole('img', { name: /^1% of the context used\. \d+ of 200,000 tokens$/ }).count())
    .toBe(1);
  const notice = chat.frame.getByRole('group', { name: 'Notice from Fake' });
  await notice.getByRole('button', { name: /^Dismiss: The context is nearly empty again$/ }).click();
  await until('the notice to go', async () => (await notice.count()) === 0);
  await chat.send('@@ERROR -32001 Too many at once|{"retryAfter":3}');
  await chat.frame.getByRole('button', { name: /^Retry in \d+ s$/ }).waitFor();
  await chat.button('Retry').waitFor();
  const before = await chat.text();
  await window.workbench.reload();
  chat = new Chat(await window.openChat());
  await until('the thread as it was', async () => (await chat.text()) === before);
  // Both are of the agent's session, which nobody has begun again.
  await expect.poll(() => chat.frame.getByRole('img', { name: /of the context used/ }).count()).toBe(0);
  await expect.poll(() => chat.frame.getByRole('group', { name: 'Notice from Fake' }).count()).toBe(0);
});

test('26: what is switched off for an agent is not offered to it, and answered with -32601', async ({ openWindow }) => {
  const agent = new FakeAgent(newWireLog());
  const { Fake } = agent.settings['parley.agents'] as { Fake: object };
  const capabilities = { terminal: false, 'session.notices': false, '_meta.terminal_output': false };
  const window = await openWindow({
    settings: { ...agent.settings, 'parley.agents': { Fake: { ...Fake, capabilities } } },
  });
  const chat = new Chat(await window.openChat());
  await chat.send('@@REQUEST terminal/create {"command":"ls"}');
  await chat.sees(/-32601/);
  await chat.idle();
  const { clientCapabilities } = agent.received('initialize')[0]!['params'];
  expect(clientCapabilities).toMatchObject({
    fs: { readTextFile: true, writeTextFile: true },
    terminal: false,
    session: { compaction: {} },
  });
  expect(clientCapabilities.session.notices).toBeUndefined();
  expect(clientCapabilities._meta?.terminal_output).toBeUndefined();
  agent.check();
});
