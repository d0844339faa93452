import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test, type Window } from './harness';
import { demo, demoEdits, demoTexts, toTop } from './underReview';

/* Going back to before a prompt, once with the mouse and once with the keyboard; and an extension host that is killed. */

test('with the mouse, then with the keyboard: a prompt’s files are restored, and Redo brings them back to review', async ({ openWindow }) => {
  const window = await openWindow(demo);
  const { chat, before, between } = await demoEdits(window);
  const after = demoTexts(window);
  const { page } = window.workbench;
  const prompt = chat.log.locator('.user-message').first();
  await prompt.hover();
  await prompt.getByRole('button', { name: 'Restore files to before this prompt' }).click();
  await expect.poll(() => window.workbench.quickInputRows().count()).toBe(3);
  await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  await until('the files as they were', () => JSON.stringify(demoTexts(window)) === JSON.stringify(before));
  await prompt.getByText('Restored to before this prompt').waitFor();
  await expect.poll(() => window.workbench.statusBarItem(/to review/).count()).toBe(0);
  await prompt.getByRole('button', { name: /^Redo/ }).click();
  await until('what stood there', () => JSON.stringify(demoTexts(window)) === JSON.stringify(after));
  await window.workbench.statusBarItem(/4 changes to review|of 4 to review/).waitFor();
  await expect.poll(() => prompt.getByText('Restored to before this prompt').count()).toBe(0);

  // With the keyboard: one's own edits are named, and come back with Redo.
  await window.workbench.openFile('parser.ts');
  await toTop(window);
  await page.keyboard.type('// mine\n');
  await page.keyboard.press('Control+S');
  await until('the edit on disk', () => demoTexts(window)['parser.ts']!.startsWith('// mine\n'));
  const mine = demoTexts(window);
  await window.workbench.runCommand('Parley: Restore Checkpoint…');
  await window.workbench.quickInputRows('/edit several').first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => window.workbench.quickInputRows('You have changed it since').count()).toBe(1);
  await expect.poll(() => window.workbench.quickInputRows().count()).toBe(3);
  await page.keyboard.press('Enter');
  await until('the files as they were', () => JSON.stringify(demoTexts(window)) === JSON.stringify(between));
  await window.workbench.runCommand('Parley: Redo Restore');
  await until('what stood there', () => JSON.stringify(demoTexts(window)) === JSON.stringify(mine));
  await window.workbench.runCommand('Parley: Show Changes Since the Session Began');
  await page.getByRole('tab', { name: /^Changes since the session began \(2 prompts\)/ }).waitFor();
});

test.runIf(process.platform === 'linux')('what the agent wrote in the moment in which the extension host was killed waits for review after a reload', async ({ openWindow }) => {
  const window = await openWindow({ ...demo, own: true });
  const before = demoTexts(window);
  const chat = new Chat(await window.openChat());
  await chat.send('/edit');
  await chat.answer(/^Permission: Edit src/, 'Always allow edits');
  await until('the write', () => demoTexts(window)['tokenizer.ts'] !== before['tokenizer.ts'], { interval: 5 });
  for (const pid of extensionHostsOf(window)) process.kill(pid, 'SIGKILL');
  await window.workbench.reload();
  await window.workbench.statusBarItem(/changes? to review|to review/).waitFor();
  await window.workbench.runCommand('Parley: Restore Checkpoint…');
  await window.workbench.quickInputRows('/edit').first().waitFor();
  await window.workbench.page.keyboard.press('Enter');
  await expect.poll(() => window.workbench.quickInputRows('tokenizer.ts').count()).toBe(1);
  await window.workbench.page.keyboard.press('Enter');
  await until('the file as it was', () => demoTexts(window)['tokenizer.ts'] === before['tokenizer.ts']);
});

/** Extension hosts below the server of a window. */
function extensionHostsOf(window: Window): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter((row) => row !== null);
  const parents = new Map(rows.map(([, pid, ppid]) => [Number(pid), Number(ppid)]));
  const isBelow = (pid: number): boolean => pid === window.server.pid || (parents.has(pid) && isBelow(parents.get(pid)!));
  return rows.filter(([, pid, , args]) => args!.includes('extensionHost') && isBelow(Number(pid))).map(([, pid]) => Number(pid));
}
