import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from '../../vscode/e2e/chat';
import { FakeAgent } from '../../vscode/e2e/fakeAgent';
import { test } from '../../vscode/e2e/harness';
import { recordFigure } from '../figures';
import { hostOf, residentMegabytes } from '../processes';

declare global {
  interface Window {
    /** The longest time without a frame, and the last frame, in ms. */
    worst: { ms: number; last: number };
  }
}

/* What an agent can make as long as it likes, at its longest: the panel stays usable, and all of it can be reached. */

const newLog = () => join(mkdtempSync(join(tmpdir(), 'parley-growth-')), 'wire.ndjson');

/** Begins to watch how long the panel draws nothing. */
const watchFrames = (frame: Frame) =>
  frame.evaluate(() => {
    const state = (window.worst = { ms: 0, last: performance.now() });
    const tick = () => {
      const now = performance.now();
      state.ms = Math.max(state.ms, now - state.last);
      state.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
/** The longest time without a frame since then, ms. */
const worstFrame = (frame: Frame) => frame.evaluate(() => Math.round(window.worst.ms));
const nodes = (frame: Frame) => frame.evaluate(() => document.querySelectorAll('*').length);

test('a request with 5,000 options: any of them can be chosen, by mouse and by keyboard', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await watchFrames(chat.frame);
  const sent = Date.now();
  await chat.send('%%PERMISSIONMANY 5000');
  const card = chat.permission('Many options');
  const rest = card.getByRole('button', { name: /^4,9\d\d more options…$/ });
  await rest.waitFor();
  const shownMs = Date.now() - sent;
  await rest.click();
  await window.workbench.quickInput.fill('Option 4999');
  await window.workbench.quickInputRows('Option 4999').first().click();
  await chat.idle();
  const answers = () =>
    agent
      .received()
      .flatMap(
        (message) => (message['result'] as { outcome?: { optionId?: string } } | undefined)?.outcome?.optionId ?? [],
      );
  expect(answers()).toEqual(['o4999']);
  await chat.send('%%PERMISSIONMANY 5000');
  // Options take no key for a moment after they appear.
  await until('the list of all options', async () => {
    await rest.focus();
    await window.workbench.page.keyboard.press('Enter');
    return window.workbench.quickInput.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  });
  await window.workbench.quickInput.fill('Option 4998');
  await window.workbench.quickInputRows('Option 4998').first().waitFor();
  await window.workbench.page.keyboard.press('Enter');
  await chat.idle();
  expect(answers()).toEqual(['o4999', 'o4998']);
  const worst = await worstFrame(chat.frame);
  recordFigure('endless-options', `5,000 options: shown after ${shownMs} ms, worst frame ${worst} ms`);
  expect(worst).toBeLessThan(3_000);
});

test('a session of 1,500 turns that the agent loads: it opens, its beginning can be reached, and the panel shows it again', async ({
  openWindow,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-long-'));
  const listed = { sessions: [{ sessionId: 'long', cwd: folder, title: 'The long one' }] };
  const agent = new FakeAgent(newLog(), {
    initializePatch: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } },
    listPages: [listed, listed, listed],
    replayTurns: 1_500,
  });
  const window = await openWindow({ own: true, settings: agent.settings, folder });
  const chat = new Chat(await window.openChat());
  await chat.send('%%SAY ready');
  await chat.idle();
  const host = hostOf(window.server.pid);
  const before = residentMegabytes(host);
  await window.workbench.runCommand('Parley: Show Sessions');
  const row = chat.frame.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'The long one' });
  await row.waitFor();
  await watchFrames(chat.frame);
  const opened = Date.now();
  await row.click();
  await chat.log.getByText('Prompt 1499').first().waitFor({ timeout: 60_000 });
  const openMs = Date.now() - opened;
  const worst = await worstFrame(chat.frame);
  const count = await nodes(chat.frame);
  await chat.log.focus();
  await window.workbench.page.keyboard.press('Control+Home');
  await expect.poll(() => chat.log.getByText('Prompt 0', { exact: true }).isVisible(), { timeout: 30_000 }).toBe(true);
  const grown = residentMegabytes(host) - before;
  await window.workbench.reload();
  const again = Date.now();
  const frame = await window.openChat();
  await new Chat(frame).log
    .getByText(/Prompt 1499|Prompt 0/)
    .first()
    .waitFor({ timeout: 60_000 });
  const againMs = Date.now() - again;
  recordFigure(
    'many-turns',
    `1,500 turns: open after ${openMs} ms, worst frame ${worst} ms, ${count} nodes, host +${grown} MB, shown again after ${againMs} ms with the window`,
  );
  expect(openMs).toBeLessThan(20_000);
});

test('a flood of plans of 10,000 entries: the box takes keys, and the host answers', async ({ openWindow }) => {
  const agent = new FakeAgent(newLog());
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.box.fill('@parser');
  await chat.frame
    .getByRole('option', { name: /parser/ })
    .first()
    .waitFor();
  await watchFrames(chat.frame);
  await chat.send('%%PLANS 100');
  await chat.frame
    .getByText(/Plan .* \/ 10000/)
    .first()
    .waitFor();
  let longest = 0;
  for (const word of ['@pars', '@token', '@eval', '@parser', '@tokenizer']) {
    await chat.box.fill('');
    const asked = Date.now();
    await chat.box.fill(word);
    await chat.frame.getByRole('option').first().waitFor();
    longest = Math.max(longest, Date.now() - asked);
  }
  const worst = await worstFrame(chat.frame);
  recordFigure(
    'huge-lists',
    `100 plans of 10,000 entries, one each 50 ms: an answer of the host took ${longest} ms at most, worst frame ${worst} ms`,
  );
  expect(longest).toBeLessThan(3_000);
  await chat.box.fill('');
  await chat.button('Stop').click();
  await chat.idle();
});
