import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { screenshots, test } from './harness';
import { scriptedAgent } from './underReview';

/* What an agent does after its answer, as a user sees it. */

test('work after the answer is apart from it, can be stopped, and its change is a turn of its own in the review', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: agent.settings });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: window.folder,
      stdio: 'ignore',
    });
  const at = (name: string) => join(window.folder, name);
  writeFileSync(at('first.txt'), 'one\n');
  writeFileSync(at('second.txt'), 'one\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const chat = new Chat(await window.openChat());
  await chat.send(
    `@@DISKEDIT ${at('first.txt')} | one | ONE\n@@SAY Done for now.\n@@AFTER 3000\n@@SHELL sleep 1; printf 'TWO\\n' > '${at('second.txt')}'\n@@SAY And one more thing.\n@@TOOL {"title":"Watch for more","status":"in_progress"}\n@@SILENT`,
  );
  await chat.sees('Continued by itself');
  await chat.sees('And one more thing.');
  const stop = chat.button('Stop');
  await stop.waitFor();
  await window.workbench.screenshot(join(screenshots, 'work-after-the-answer.png'));
  await stop.click();
  await chat.idle();
  await chat.sees('Stopped');
  expect(await chat.text()).toMatch(
    /Done for now\.[^]*Continued by itself[^]*And one more thing\.[^]*Watch for more[^]*Stopped/,
  );

  const turns = chat.frame.getByRole('group', { name: 'Changes in this turn' });
  await expect.poll(() => turns.count()).toBe(2);
  await window.workbench.screenshot(join(screenshots, 'work-after-the-answer-stopped.png'));
  await turns.nth(1).getByRole('button', { name: 'Undo changes in this turn' }).click();
  await until('the second file as it was', () => readFileSync(at('second.txt'), 'utf8') === 'one\n');
  expect(readFileSync(at('first.txt'), 'utf8')).toBe('ONE\n');
});

test('a command that outlives its turn says so, has its Stop, and what it writes is listed', async ({ openWindow }) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: agent.settings });
  const at = (name: string) => join(window.folder, name);
  const chat = new Chat(await window.openChat());
  // It writes once the turn and the last look at it are over.
  await chat.send(`%%BACKGROUND sleep 4; echo made > '${at('made.txt')}'; sleep 600\n@@SAY It runs.`);
  await chat.idle();
  // In a narrow panel its card says so by an icon.
  await chat.frame.getByText('Still running').first().waitFor({ state: 'attached' });
  await window.workbench.screenshot(join(screenshots, 'command-after-its-turn.png'));
  // No call runs at that time, so it is for the user to say whose change it is.
  await chat.button(/^1 other change/).waitFor();
  await chat.button('Stop: Start in the background').click();
  await expect.poll(() => chat.frame.getByText('Still running').count()).toBe(0);
  await window.workbench.screenshot(join(screenshots, 'command-stopped-after-its-turn.png'));
});
