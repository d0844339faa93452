import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { copySampleWorkspace } from '../../launch/project.mjs';
import { Chat } from './chat';
import type { FakeAgent } from './fakeAgent';
import { screenshots, test } from './harness';
import { scriptedAgent, writes } from './underReview';

/* Sessions that work in a worktree of their own. */

/** A copy of the sample workspace with a commit. */
function repository() {
  const folder = realpathSync(copySampleWorkspace().folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { folder, git };
}

const agentsOf = (agent: FakeAgent) => agent.settings['parley.agents'] as Record<string, unknown>;

test('a session works in a worktree of its own: its changes are reviewed there, and the folder stays as it is', async ({
  openWindow,
}) => {
  const { folder, git } = repository();
  const before = readFileSync(join(folder, 'src/parser.ts'), 'utf8');
  const agent = scriptedAgent();
  const setup = 'echo "$PARLEY_PORT" > "$(git rev-parse --git-dir)/port"';
  const window = await openWindow({ settings: { ...agent.settings, 'parley.worktree.setup': setup }, folder });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());

  await chat.button('Works in: This folder').click();
  await workbench.quickInputRows('New Worktree').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-choice.png'));
  await workbench.quickInputRows('New Worktree').first().click();
  await chat.button('Works in: New worktree').waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-chosen.png'));

  const worktree = join(`${folder}.worktrees`, 'tidy-the-parser');
  const there = join(worktree, 'src/parser.ts');
  const readme = join(worktree, 'README.md');
  const edit = `@@SHELL printf 'more\\n' >> '${readme}'`;
  await chat.send(`Tidy the parser\n${writes({ [there]: `// tidy\n${before}` })}\n${edit}\n@@SAY Tidied.`);
  await chat.sees('New worktree: tidy-the-parser');
  await chat.sees('Tidied.');
  await chat.idle();
  expect(Number(readFileSync(join(folder, '.git/worktrees/tidy-the-parser/port'), 'utf8'))).toBeGreaterThan(1_000);
  await workbench.screenshot(join(screenshots, 'worktree-session.png'));
  const opened = agent.received('session/new').at(-1)!['params'] as { cwd: string; additionalDirectories?: string[] };
  expect(opened.cwd).toBe(worktree);
  expect(opened.additionalDirectories ?? []).toEqual([]);
  expect(readFileSync(there, 'utf8')).toBe(`// tidy\n${before}`);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('branch', '--format=%(refname:short)').split('\n').filter(Boolean)).toEqual(['main', 'tidy-the-parser']);
  await chat.frame.getByText('2 files', { exact: true }).waitFor();
  // There is nothing to choose any more.
  expect(await chat.button(/^Works in:/).count()).toBe(0);

  // Another agent goes on where the changes are.
  await workbench.runCommand('Parley: Continue With…');
  await workbench.pick('Parley Demo');
  await workbench.pick('Whole Conversation');
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Continue “Tidy the parser”/);
  await chat.button('Worktree: tidy-the-parser').waitFor();
  await chat.frame
    .getByRole('button', { name: /Parley Demo/ })
    .first()
    .waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-continued.png'));
  await chat.box.fill('');
  await workbench.runCommand('Parley: Reopen Closed Session');
  await chat.sees('Tidied.');

  // Taken over, it arrives in the folder as changes of the session; what the user wrote there meanwhile stays.
  writeFileSync(join(folder, 'src/parser.ts'), `${before}// mine\n`);
  const own = readFileSync(join(folder, 'README.md'), 'utf8');
  await chat.button('Worktree: tidy-the-parser').click();
  await workbench.quickInputRows('Take Over Changes').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-menu.png'));
  await workbench.quickInputRows('Take Over Changes').first().click();
  await workbench.quickInputRows('src/parser.ts').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-take-over.png'));
  await workbench.quickInputRows('README.md').locator('.monaco-checkbox').click();
  await window.workbench.page.getByRole('button', { name: 'OK' }).click();
  await chat.sees('Took over 1 file from tidy-the-parser into sample-workspace');
  expect(readFileSync(join(folder, 'src/parser.ts'), 'utf8')).toBe(`// tidy\n${before}// mine\n`);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(own);
  await chat.frame.getByText('3 files', { exact: true }).waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-taken-over.png'));

  // What a command has written to disk is found there, too, and both are undone there.
  await chat.button('Undo').click();
  await workbench.dialog('Undo this session’s changes').getByRole('button', { name: 'Undo All' }).click();
  await until('the files of the worktree as they were', () => readFileSync(there, 'utf8') === before);
  await until(
    'the other one as it was',
    () => readFileSync(readme, 'utf8') === readFileSync(join(folder, 'README.md'), 'utf8'),
  );
  await until(
    'the file of the folder without what was taken over',
    () => readFileSync(join(folder, 'src/parser.ts'), 'utf8') === `${before}// mine\n`,
  );

  // Nothing in it would be lost now.
  await chat.button('Worktree: tidy-the-parser').click();
  await workbench.quickInputRows('Remove Worktree').first().click();
  await until('the worktree to be gone', () => !existsSync(worktree));
  await until('its branch to be gone', () => git('branch', '--format=%(refname:short)').trim() === 'main');
  await chat.sees('Moved back from the worktree tidy-the-parser');

  // A session that has begun moves with what is pending, and back.
  await workbench.runCommand('Parley: New Session');
  await chat.button('Works in: New worktree').click();
  await workbench.quickInputRows('This Folder').first().click();
  await chat.button('Works in: This folder').waitFor();
  const mine = readFileSync(join(folder, 'src/parser.ts'), 'utf8');
  await chat.send(`Begin here\n${writes({ [join(folder, 'src/parser.ts')]: `// moved\n${mine}` })}\n@@SAY Begun.`);
  await chat.sees('Begun.');
  await chat.idle();
  await workbench.runCommand('Parley: Show Worktrees');
  await workbench.quickInputRows('Move This Session').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-list.png'));
  await workbench.quickInputRows('Move This Session').first().click();
  await chat.sees('Moved to the worktree begin-here');
  expect(readFileSync(join(folder, 'src/parser.ts'), 'utf8')).toBe(mine);
  // The worktree has the committed text, without the line that is only in the folder.
  const moved = join(`${folder}.worktrees`, 'begin-here', 'src/parser.ts');
  expect(readFileSync(moved, 'utf8')).toBe(`// moved\n${before}`);
  await chat.send('@@SAY Here I am.');
  await chat.sees('Here I am.');
  await chat.idle();
  // The agent hears of no undone change.
  expect(JSON.stringify(agent.received('session/prompt').at(-1))).not.toContain('undid');
  await workbench.screenshot(join(screenshots, 'worktree-moved.png'));
  await chat.button('Worktree: begin-here').click();
  await workbench.quickInputRows('Move Session to sample-workspace').first().click();
  await chat.sees('Moved back from the worktree begin-here');
  await expect.poll(() => chat.button('Worktree: begin-here').count()).toBe(0);

  // What waits there keeps the worktree.
  await workbench.runCommand('Parley: Show Worktrees');
  // With its size, after which the list is not drawn again.
  await workbench.pick(/begin-here.*\d\s[KMG]?B/);
  await workbench.quickInputRows('Remove Worktree').first().click();
  await workbench.page.getByText('The worktree begin-here stays: 1 file has changes').first().waitFor();
  expect(existsSync(moved)).toBe(true);
  agent.check();
});

test('two agents work on one prompt, are compared, and the better change is taken over', async ({ openWindow }) => {
  const { folder, git } = repository();
  const before = readFileSync(join(folder, 'src/parser.ts'), 'utf8');
  const [first, second] = [scriptedAgent(), scriptedAgent('Other')];
  const agents = { ...agentsOf(first), ...agentsOf(second) };
  const window = await openWindow({ settings: { ...first.settings, 'parley.agents': agents }, folder });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());

  await chat.button('Works in: This folder').click();
  await workbench.quickInputRows('Several Agents').first().click();
  await workbench.quickInputRows('Other').first().waitFor();
  await workbench.quickInputRows('Other').first().click();
  await workbench.page.getByRole('button', { name: 'OK' }).click();
  await chat.button('Works in: 2 agents').waitFor();

  // Each finds its own worktree.
  const edit = `@@SHELL git branch --show-current >> src/parser.ts; echo made > "$(git branch --show-current).txt"`;
  await chat.send(`Tidy it\n${edit}\n@@SAY Tidied.`);
  await chat.sees('New worktree: fake-tidy-it');
  await chat.idle();
  const worktreeOf = (branch: string) => join(`${folder}.worktrees`, branch);
  await until('the other one to be done', () => existsSync(join(worktreeOf('other-tidy-it'), 'other-tidy-it.txt')));
  expect(git('status', '--porcelain')).toBe('');

  // The files come agent by agent, and VS Code draws the list anew for each.
  const parser = workbench.quickInputRows(/src\/parser\.ts.*Fake.*Other/).first();
  const compare = async () => {
    await chat.button('Worktree: fake-tidy-it').click();
    await workbench.quickInputRows('Compare Agents').first().click();
  };
  /** All lines of the open list, which shows for a moment without any. */
  const takeAll = async () => {
    await workbench.quickInputRows('src/parser.ts').first().waitFor();
    await workbench.page.getByRole('button', { name: 'OK' }).click();
  };
  // The rows follow the agents.
  await compare();
  await parser.waitFor();
  await until('both to be done', async () => (await workbench.quickInputRows('done').count()) === 2);
  await workbench.quickInputRows('Run Tests').first().click();
  // The list has an input, too.
  await workbench.page.getByPlaceholder('A command, such as npm test').fill('test -f fake-tidy-it.txt');
  await workbench.page.keyboard.press('Enter');
  await workbench.quickInputRows('tests passed in').first().waitFor();
  await workbench.quickInputRows('tests failed (exit code 1)').first().waitFor();
  await workbench.screenshot(join(screenshots, 'compare.png'));
  await parser.click();
  await workbench.quickInputRows('Open Side by Side').first().waitFor();
  await workbench.screenshot(join(screenshots, 'compare-file.png'));
  await workbench.quickInputRows('Open Side by Side').first().click();
  await workbench.page.getByText('src/parser.ts: Versions').first().waitFor();
  await until('both versions', async () => (await workbench.page.locator('.multiDiffEntry').count()) === 2);
  // The editor takes the focus when it has loaded, and with it closes what was opened meanwhile.
  await until('the focus in the versions', () =>
    workbench.page.evaluate(() => document.activeElement?.closest('.multiDiffEditor') != null),
  );
  await workbench.screenshot(join(screenshots, 'compare-versions.png'));

  await compare();
  await parser.click();
  await workbench.quickInputRows('Take Over from Other').first().click();
  await takeAll();
  await until(
    'the change of the other one',
    () => readFileSync(join(folder, 'src/parser.ts'), 'utf8') === `${before}other-tidy-it\n`,
  );

  // Both have added a line at the end: the first agent is asked to merge them, in the folder.
  await parser.click();
  await workbench.quickInputRows('Take Over from Fake').first().click();
  await takeAll();
  await workbench.quickInputRows('Ask Fake to Merge').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-overlap.png'));
  await workbench.quickInputRows('Ask Fake to Merge').first().click();
  await expect.poll(() => chat.box.inputValue()).toMatch(/^Merge the attached lines of src\/parser\.ts/);
  await chat.frame.getByText('Lines to merge from fake-tidy-it').first().waitFor();
  await workbench.screenshot(join(screenshots, 'worktree-merge.png'));
  const merged = `${before}other-tidy-it and fake-tidy-it\n`;
  await chat.send(`Merge them\n${writes({ [join(folder, 'src/parser.ts')]: merged })}\n@@SAY Merged.`);
  await chat.sees('Merged.');
  await chat.idle();
  expect(JSON.stringify(first.received('session/prompt').at(-1))).toContain('In this folder:');
  expect(readFileSync(join(folder, 'src/parser.ts'), 'utf8')).toBe(merged);
  await workbench.runCommand('Parley: Reopen Closed Session');
  await chat.sees('Tidied.');

  await compare();
  await workbench.quickInputRows('Clean Up').first().click();
  await workbench.dialog('Remove the worktrees of this comparison').getByRole('button', { name: 'Clean Up' }).click();
  await until('the worktrees to be gone', () =>
    ['fake-tidy-it', 'other-tidy-it'].every((branch) => !existsSync(worktreeOf(branch))),
  );
  expect(readFileSync(join(folder, 'src/parser.ts'), 'utf8')).toBe(merged);
  // Nothing of the worktree waits any more, and only what was taken over and merged does.
  await expect.poll(() => chat.button('Undo').count()).toBe(0);
  await workbench.statusBarItem(/^2 changes\b/).waitFor();
  for (const agent of [first, second]) agent.check();
});
