import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { picture, scriptedAgent, writes } from './underReview';

/* `parley.review.autoKeep` in all its modes; a Keep is taken back once with the mouse and once with the keyboard. */

test('changes are kept with the next prompt, and with a commit', async ({ openWindow }) => {
  const agent = scriptedAgent();
  const window = await openWindow({
    settings: { ...agent.settings, 'parley.review.autoKeep': 'onNextPrompt' },
    fresh: true,
  });
  const { workbench, folder } = window;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const chat = new Chat(await window.openChat());
  const waiting = (count: number) =>
    count === 0
      ? until('nothing to review', async () => (await window.workbench.statusBarItem(/to review/).count()) === 0)
      : window.workbench.statusBarItem(new RegExp(`^${count} changes? to review`)).waitFor();
  const prompt = async (files: Record<string, string>) => {
    await chat.send(
      writes(Object.fromEntries(Object.entries(files).map(([name, text]) => [join(folder, name), text]))),
    );
    await chat.idle();
  };
  const told = window.workbench.notification('Kept the changes in 1 file.');

  // With the next prompt: what is guarded still waits. Taken back with the mouse.
  await prompt({ 'a.txt': 'a\n', '.env': 'KEY=1\n' });
  await waiting(2);
  await chat.send('go on');
  // It goes by itself after ten seconds, but not while the mouse rests on it.
  await told.hover();
  await chat.idle();
  await waiting(1);
  await picture(window, 'autoKeep kept');
  await window.workbench.answerNotification('Kept the changes in 1 file.', 'Undo');
  await waiting(2);
  // The same with the keyboard.
  await chat.send('and on');
  await waiting(1);
  await chat.idle();
  await window.workbench.runCommand('Parley: Undo Last Keep');
  await waiting(2);

  // With a commit, of what it holds: not of what is guarded.
  await workbench.changeSettings({ 'parley.review.autoKeep': 'onCommit' });
  await prompt({ 'b.txt': 'b\n' });
  await waiting(3);
  // Git counts in seconds, and what is committed within one of the turn's end may be the agent's.
  const ended = Date.now();
  await until('a later second', async () => Math.floor(Date.now() / 1_000) * 1_000 > ended + 1_000);
  git('add', 'a.txt', 'b.txt', '.env');
  git('commit', '-q', '-m', 'second');
  await waiting(1);
  // The story after this one begins with nothing to review, and no command for all keeps a protected file.
  await chat.frame
    .getByRole('group', { name: 'Changes', exact: true })
    .getByRole('button', { name: /1 file/ })
    .click();
  await chat.button('Keep .env').click();
  await waiting(0);
  agent.check();
});
