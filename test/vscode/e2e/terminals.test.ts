import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test } from './harness';

/* The user's side of a command that an agent runs. */

test('a command that waits for input is pointed out; typed into, closed, kept running, opened again, and ended with Ctrl+C', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  // Drawn as text, so that it can be read here.
  const window = await openWindow({ settings: { ...agent.settings, 'terminal.integrated.gpuAcceleration': 'off' } });
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  const rows = page.locator('.terminal-wrapper.active .xterm-rows');
  const input = page.locator('.terminal-wrapper.active .xterm-helper-textarea');

  await chat.send(
    `%%TERMINAL printf 'Your name: '; read name; echo "hello $name"; stty size; trap 'echo bye; exit 5' INT; while :; do sleep 0.1; done`,
  );
  const hint = chat.frame.getByRole('status').filter({ hasText: 'The command may be waiting for input' });
  await hint.getByRole('button', { name: 'Open Terminal' }).click();
  await expect.poll(() => rows.innerText()).toContain('Your name:');
  await input.focus();
  await page.keyboard.type('Anna');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.innerText()).toContain('hello Anna');
  await chat.sees('hello Anna');
  await expect.poll(() => hint.count()).toBe(0);
  // It has the size of the terminal that shows it, not that of the card.
  await expect.poll(() => rows.innerText()).toMatch(/\n\d+\s\d+\s/);
  expect(await rows.innerText()).not.toMatch(/\n30\s100\s/);

  await window.workbench.runCommand('Terminal: Kill the Active Terminal Instance');
  await window.workbench.answerNotification(/is still running/, 'Keep Running');
  await expect.poll(() => page.locator('.terminal-wrapper.active').count()).toBe(0);
  await chat.button('Open in terminal').click();
  await expect.poll(() => rows.innerText()).toContain('hello Anna');
  await input.focus();
  await page.keyboard.press('Control+C');
  await chat.idle();
  await expect.poll(() => chat.text()).toContain('exit 5');
  await page.keyboard.press('Enter');
  // The terminal goes with that key, and VS Code moves the focus a moment later.
  await expect.poll(() => page.locator('.part.panel').isVisible()).toBe(false);
  await window.openChat();

  // By keyboard: a password that nobody sees, another size, and Stop where it is closed.
  const sizes = async () =>
    [...(await rows.innerText()).matchAll(/^size (\d+)\s(\d+)/gm)].map(([, height]) => Number(height));
  await chat.send(
    `%%TERMINAL stty -echo; printf 'Password: '; read word; stty echo; echo; echo "\${#word} letters"; trap 'echo size $(stty size)' WINCH; seq 300; kill -WINCH $$; while :; do sleep 0.1; done`,
  );
  await hint.getByRole('button', { name: 'Open Terminal' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => rows.innerText()).toContain('Password:');
  await window.workbench.runCommand('Terminal: Focus Terminal');
  await until('the focus in the terminal', () =>
    page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')),
  );
  await page.keyboard.type('sesame-77');
  await page.keyboard.press('Enter');
  await expect.poll(sizes).toHaveLength(1);
  const [small] = await sizes();
  await window.workbench.runCommand('View: Toggle Maximized Panel');
  await expect.poll(async () => (await sizes()).at(-1)).toBeGreaterThan(small!);
  await window.workbench.runCommand('View: Toggle Maximized Panel');
  await expect.poll(async () => (await sizes()).at(-1)).toBe(small);
  const top = (await page.locator('.part.panel').boundingBox())!;
  await page.mouse.move(top.x + 200, top.y - 1);
  await page.mouse.down();
  await page.mouse.move(top.x + 200, top.y - 120, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await sizes()).at(-1)).toBeGreaterThan(small!);
  await window.workbench.runCommand('Terminal: Scroll to Top');
  await expect.poll(() => rows.innerText()).toContain('Password:');
  await expect.poll(() => rows.innerText()).toContain('9 letters');
  expect(await rows.innerText()).not.toContain('sesame');
  await window.workbench.runCommand('Terminal: Kill the Active Terminal Instance');
  await window.workbench.answerNotification(/is still running/, 'Stop');
  await chat.idle();
  expect(JSON.stringify(agent.received())).not.toContain('sesame');
  agent.check();
});
