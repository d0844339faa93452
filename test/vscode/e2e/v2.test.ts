import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

/* The draft of version 2 as a user meets it. */

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('191 to 200: a prompt is answered in version 2 with a question, an edit and a terminal that can be ended', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog(), {}, { protocol: 2, program: 'fakeAgentV2.mjs' });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('@@PERMISSION May I write?\n@@SAY It is written.');
  const question = chat.permission('May I write?');
  await question.waitFor();
  const asked = await question.innerText();
  for (const words of ['It has to be.', 'src/a.ts', 'TWO']) expect(asked).toContain(words);
  await chat.answer(/May I write/, 'Allow once');
  // The prompt has the words too; the agent's come after its report.
  await chat.sees(/\]It is written\./);
  await chat.idle();
  expect(await chat.toolCall('Edit a file').textContent()).toContain('Allow once');
  expect(await chat.log.locator('.user-message').count()).toBe(1);

  await chat.send(`@@TERMINAL t1 ${base64('5 €\r\n\u001b[1mbold\u001b[0m')}\n@@SILENT`);
  const terminal = chat.toolCall('Run ls');
  await until('the output', async () => (await terminal.innerText()).includes('5 €'));
  await terminal.getByRole('button', { name: 'Stop: ls' }).click();
  await until('the terminal to end', async () => (await terminal.innerText()).includes('SIGTERM'));
  await chat.button('Stop').click();
  await chat.sees('Stopped');
  await chat.idle();
  expect(agent.received('terminal/cancel')).toHaveLength(1);
  expect(agent.received('session/cancel')).toHaveLength(1);

  await window.workbench.reload();
  const again = new Chat(await window.openChat());
  await again.sees(/\]It is written\./);
  await again.send('@@SAY Gone on.');
  await again.sees(/^Gone on\.$/);
  await again.idle();
  expect(agent.received('session/resume')).toHaveLength(1);
  agent.check();
});

test('199: an agent that does not speak version 2 is started anew with version 1, and that is said once', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog(), {}, { protocol: 2 });
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send('@@SAY As ever.');
  await chat.sees(/^As ever\.$/);
  await chat.idle();
  await chat.sees('Fake speaks version 1 of the Agent Client Protocol');
  await window.workbench.runCommand('Parley: New Session');
  await chat.log.getByText(/^As ever\.$/).waitFor({ state: 'hidden' });
  await chat.send('@@SAY And again.');
  await chat.sees(/^And again\.$/);
  await chat.idle();
  expect(await chat.text()).not.toContain('speaks version 1');
  expect(agent.received('initialize').map((message) => message['params'].protocolVersion)).toEqual([2, 1]);
  agent.check();
});
