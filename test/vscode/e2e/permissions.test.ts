import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import type { WireMessage } from '../../fakes/wireLog';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { screenshots, test } from './harness';

/* Permissions, answered by mouse and by keyboard from an editor. */

/** The options that were chosen, oldest first. */
const chosen = (agent: FakeAgent) =>
  agent.received().flatMap((message: WireMessage) => {
    const { outcome } = (message['result'] ?? {}) as { outcome?: { outcome: string; optionId?: string } };
    return outcome === undefined ? [] : [outcome.optionId ?? outcome.outcome];
  });

const run = (title: string, command: string) =>
  `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: title, title, kind: 'execute', rawInput: { command } } })}`;

test('by mouse: a command is rejected with a note', async ({ openWindow }) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send(run('Install', 'cd app && npm install'));
  const card = chat.permission('Install');
  await expect
    .poll(() => card.getByRole('list', { name: 'Command in 2 parts' }).getByRole('listitem').allInnerTexts())
    .toEqual(['cd app', '&& npm install']);
  await card.getByRole('button', { name: 'Reject with a note…' }).click();
  await card.getByRole('textbox').fill('%%SAY with pnpm then');
  await card.getByRole('button', { name: 'Reject and send' }).click();
  await chat.sees('with pnpm then');
  await chat.idle();
  expect(chosen(agent)).toEqual(['reject']);
  expect(agent.received('session/prompt')).toHaveLength(2);
  await expect.poll(() => chat.text()).toContain('You: Reject');
  agent.check();
});

test('by keyboard from an editor: the default keys go to a question, answer it and lead back', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const { keyboard } = workbench.page;
  const inEditor = () => workbench.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
  const chord = async (key: string) => {
    await keyboard.press('Control+k');
    await keyboard.press(key);
  };
  const chat = new Chat(await window.openChat());
  await workbench.openFile('tokenizer.ts');
  await chat.send(
    [run('One', 'npm test'), run('Two', 'npm run lint'), run('Three', 'make && make install')].join('\n'),
  );
  await chat.permission('One').waitFor();
  await workbench.openFile('tokenizer.ts');
  await expect.poll(inEditor).toBe(true);
  await chat.ready(chat.permission('One'));
  await chord('a');
  await until('the first to be allowed', () => chosen(agent).length > 0);
  expect(chosen(agent)).toEqual(['allow']);
  await chat.permission('Two').waitFor();
  expect(await inEditor()).toBe(true);
  await chat.ready(chat.permission('Two'));
  await chord('x');
  await until('the second to be rejected', () => chosen(agent).length > 1);
  expect(chosen(agent)).toEqual(['allow', 'reject']);
  const card = chat.permission('Three');
  await card.waitFor();
  await chord('q');
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  // Escape decides nothing and leads back.
  await keyboard.press('Escape');
  await expect.poll(inEditor).toBe(true);
  expect(chosen(agent)).toHaveLength(2);
  await chord('q');
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  await chat.ready(card);
  await keyboard.press('Enter');
  await until('the third to be allowed', () => chosen(agent).length > 2);
  await chat.idle();
  await expect.poll(inEditor).toBe(true);
  expect(chosen(agent)).toEqual(['allow', 'reject', 'allow']);
  agent.check();
});

test('a request that says another thing than its call says so, and one that changes while it waits is another one', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  mkdirSync(screenshots, { recursive: true });
  const when = join(mkdtempSync(join(tmpdir(), 'parley-swap-')), 'when');
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  const asks = (title: string, command: string) => ({ title, kind: 'execute', rawInput: { command } });
  await chat.send(
    `%%PERMISSIONSWAP ${JSON.stringify({ call: asks('npm test', 'npm test'), request: asks('npm test', 'rm -rf ~/.ssh'), updates: [asks('npm test', 'npm publish')], when })}`,
  );
  const card = chat.permission('npm test');
  const warnings = () => card.getByRole('list', { name: 'Risks' }).innerText();
  const allow = card.getByRole('button', { name: 'Allow once', exact: true });
  await expect.poll(() => card.getByLabel('Command').innerText()).toBe('rm -rf ~/.ssh');
  await expect.poll(warnings).toMatch(/The tool call said: npm test[\s\S]*Deletes files[\s\S]*Outside the workspace/);
  await chat.read(allow);
  await window.workbench.screenshot(join(screenshots, 'permission-contradiction.png'));
  // A click in the very moment in which the swap is drawn, with a button that was ready before it.
  await card.evaluate((element) => {
    const observer = new MutationObserver(() => {
      if (!element.textContent?.includes('changed this pending request')) return;
      observer.disconnect();
      [...element.querySelectorAll<HTMLButtonElement>('.options button')]
        .find((button) => button.textContent?.includes('Allow once'))
        ?.click();
      element.setAttribute('data-clicked', 'true');
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true });
  });
  writeFileSync(when, '\n');
  await expect.poll(() => card.getAttribute('data-clicked')).toBe('true');
  await expect.poll(() => card.getByLabel('Command').innerText()).toBe('npm publish');
  await expect.poll(warnings).toMatch(/changed this pending request\. Before: rm -rf ~\/\.ssh[\s\S]*Uses the network/);
  await chat.read(allow);
  await window.workbench.screenshot(join(screenshots, 'permission-changed.png'));
  expect(chosen(agent)).toEqual([]);
  await chat.answer(/npm test/, 'Allow once');
  await chat.idle();
  expect(chosen(agent)).toEqual(['allow']);
  await expect.poll(() => chat.text()).toContain('You: Allow once');
  await window.workbench.openList('Parley: Show Permission History', /npm/);
  await expect.poll(() => window.workbench.page.locator('.quick-input-list').innerText()).toMatch(/npm publish/);
  agent.check();
});
