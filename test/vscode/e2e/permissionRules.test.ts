import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';

/* Rules of the person's: what they answer is seen, can be taken back, and is written down. */

let count = 0;
const asks = (command: string) => `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${++count}`, title: command, kind: 'execute', status: 'pending', rawInput: { command } } })}`;

test('122 a rule answers in sight, is switched off from the call, and another is made from the question that waits', async ({ openWindow }) => {
  const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
  const window = await openWindow({ settings: { ...agent.settings, 'parley.permissions.rules': [{ answer: 'allowOnce', command: 'npm test *' }] } });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  const outcomes = () => agent.received().flatMap((message) => (message['result']?.outcome ? [message['result'].outcome.optionId] : []));

  await chat.send(asks('npm test'));
  await chat.idle();
  await chat.sees('Allowed by your rule “npm test *”');
  expect(outcomes()).toEqual(['allow']);

  await chat.button('Disable rule').click();
  await workbench.notification('“npm test *” is off').waitFor();
  await chat.send(asks('npm test -- -u'));
  await chat.permission('npm test -- -u').waitFor();
  expect(outcomes()).toEqual(['allow']);

  await workbench.runCommand('Parley: Add Permission Rule from Question…');
  await workbench.pick('Reject npm test -- -u');
  await chat.answer(/^Permission: npm test/, 'Allow once');
  await chat.idle();
  await chat.send(asks('npm test -- -u'));
  await chat.idle();
  await chat.sees('Rejected by your rule “npm test -- -u”');
  expect(outcomes()).toEqual(['allow', 'allow', 'reject']);

  await workbench.runCommand('Parley: Show Permission History');
  await until('three answers', async () => (await workbench.quickInputRows('npm test').count()) === 3);
  await workbench.page.keyboard.press('Escape');
  await workbench.runCommand('Parley: Permission Rules');
  await workbench.quickInputRows('Reject npm test -- -u').waitFor();
  await workbench.quickInputRows('off').first().waitFor();
  agent.check();
});
