import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';
import { picture } from './underReview';

/* A subagent in a tab of its own, beside the conversation of its session. */

const line = (directive: string, fields: object) => `%%${directive} ${JSON.stringify(fields)}`;
const within = (parentToolUseId: string) => ({ _meta: { claudeCode: { parentToolUseId } } });

test('a subagent opens in a tab, where it is followed, asks and is answered', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { page } = window.workbench;
  const goOn = join(window.folder, 'go-on');
  const chat = new Chat(await window.openChat());
  await chat.send(
    [
      line('TOOL', { toolCallId: 'A', title: 'Read the parser', kind: 'think', status: 'in_progress' }),
      line('TOOL', { toolCallId: 'A1', title: 'Read parser.ts', kind: 'read', status: 'completed', ...within('A') }),
      '%%SAY Words of the agent itself.',
      `%%AWAIT ${goOn}`,
      line('TOOL', { toolCallId: 'A2', title: 'Read printer.ts', kind: 'read', status: 'in_progress', ...within('A') }),
      line('PERMISSIONWITH', { toolCall: { toolCallId: 'A2', title: 'Run the printer', kind: 'execute' } }),
      line('TOOL', {
        toolCallId: 'A',
        title: 'Read the parser, and done',
        sessionUpdate: 'tool_call_update',
        status: 'completed',
      }),
    ].join('\n'),
  );
  await chat.sees(/Words of the agent itself/);
  // With the keyboard alone: the line of the call, then its button.
  await chat.button(/^Read the parser/).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const tab = page.locator('.tab', { hasText: 'Read the parser' });
  await tab.waitFor();
  const frame = await until('the subagent in its tab', async () => {
    for (const one of page.frames())
      if (
        one !== chat.frame &&
        !one.isDetached() &&
        (await one
          .locator('h1.session-title', { hasText: 'Read the parser' })
          .count()
          .catch(() => 0)) > 0
      )
        return one;
    return undefined;
  });
  const own = new Chat(frame);
  await own.sees(/Read parser\.ts/);
  expect(await own.text()).not.toContain('Words of the agent itself');
  expect(await frame.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
  writeFileSync(goOn, '');
  const card = own.permission(/^Permission: Run the printer/);
  await card.waitFor();
  await picture(window, 'subagent in a tab');
  await own.read(card.getByRole('button', { name: 'Allow once', exact: true }));
  await card.getByRole('button', { name: 'Allow once', exact: true }).click();
  await chat.idle();
  await page.locator('.tab', { hasText: 'Read the parser, and done' }).waitFor();
  await own.sees(/Read the parser, and done/);
  expect(await card.count()).toBe(0);
});
