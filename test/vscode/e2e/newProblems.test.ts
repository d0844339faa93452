import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Chat } from './chat';
import { test } from './harness';
import { picture, scriptedAgent, writes } from './underReview';

/* Errors that a turn leaves, as VS Code's own language server for JSON reports them. */

test('errors that were not there before are one line under the answer, which opens them and has them fixed', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: { ...agent.settings } });
  const { workbench, folder } = window;
  mkdirSync(join(folder, 'data'), { recursive: true });
  const [one, two] = ['one', 'two'].map((name) => join(folder, 'data', `${name}.json`)) as [string, string];
  // An error of before, which is not the agent's.
  writeFileSync(one, '{\n  "a": nothing\n}\n');
  writeFileSync(two, '{}\n');
  await workbench.openFile('one.json');
  await expect.poll(() => workbench.page.locator('.squiggly-error').count()).toBeGreaterThan(0);
  await workbench.openFile('two.json');
  const chat = new Chat(await window.openChat());
  const line = chat.frame.getByRole('group', { name: 'New problems' });

  await chat.send(writes({ [one]: '{\n\n\n  "a": nothing\n}\n' }));
  await chat.idle();
  await chat.send(writes({ [two]: '{\n  "b": wrong\n}\n' }));
  await chat.idle();
  await expect.poll(() => line.innerText()).toMatch(/1 new problem\s*Show\s*Ask to fix/);
  await picture(window, 'new problems');
  await line.getByRole('button', { name: 'Show new problems' }).click();
  await expect.poll(() => workbench.page.locator('.tab.active').getAttribute('aria-label')).toContain('two.json');
  await line.getByRole('button', { name: 'Ask the agent to fix the new problems' }).click();
  await expect.poll(() => chat.log.innerText()).toMatch(/Your last changes left 1 new problem\. Fix it:/);
  await expect.poll(() => chat.log.innerText()).toMatch(/data\/two\.json:2: /);
  await chat.idle();
  await expect.poll(() => line.count()).toBe(0);
});
