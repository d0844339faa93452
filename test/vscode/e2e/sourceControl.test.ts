import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { copySampleWorkspace } from '../../launch/project.mjs';
import type { Workbench } from '../../launch/workbench.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { screenshots, test } from './harness';

/* Commit messages and reviews in Source Control. */

/** A repository with a commit and a change, and an agent whose turns are written down. */
function desk(...turns: readonly (readonly string[])[]) {
  const { folder } = copySampleWorkspace();
  const log = newWireLog();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'feat(parser): begin');
  appendFileSync(join(folder, 'src/parser.ts'), 'export const secretless = 1;\n');
  writeFileSync(join(folder, '.env'), 'TOKEN=hunter2\n');
  git('add', '-Nf', '.env');
  const agent = new FakeAgent(log);
  const scenario = join(mkdtempSync(join(tmpdir(), 'parley-scenario-')), 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ turns }));
  const agents = agent.settings['parley.agents'] as Record<string, { env: Record<string, string> }>;
  agents['Fake']!.env['FAKE_AGENT_SCENARIO'] = scenario;
  return { folder, git, agent, settings: { ...agent.settings, 'parley.agents': agents } };
}

/** VS Code shows the actions of a view's title while the pointer or the focus is in it. */
async function titleButton({ page }: Workbench, name: string | RegExp): Promise<Locator> {
  const header = page
    .locator('.pane')
    .filter({ has: page.locator('.scm-view') })
    .locator('.pane-header')
    .first();
  const button = header.getByRole('button', { name });
  await until(`${name} in the title of the repository`, async () => {
    await header.hover();
    return button.first().isVisible();
  });
  return button.first();
}

test('an agent writes the commit message into the box, and can do nothing else', async ({ openWindow }) => {
  const { folder, git, agent, settings } = desk([
    '@@WRITE src/parser.ts eA==',
    '@@TOOL {"status":"completed"}',
    '@@SAY ```\\nfeat(parser): export a constant\\n```',
  ]);
  const window = await openWindow({ settings, folder });
  const { workbench } = window;
  const { page } = workbench;
  await workbench.runCommand('Source Control: Focus on Changes View');
  await titleButton(workbench, 'Generate Commit Message').then((button) => button.click());
  const box = page.locator('.scm-editor .view-lines');
  await expect.poll(() => box.innerText()).toMatch(/feat\(parser\):.export.a.constant/);
  await workbench.screenshot(join(screenshots, 'scm-message.png'));
  const [prompted] = agent.received('session/prompt');
  const text = JSON.stringify(prompted!['params']);
  expect(text).toContain('feat(parser): begin');
  expect(text).toContain('+export const secretless = 1;');
  expect(text).toContain('.env');
  expect(text).not.toContain('hunter2');
  // Nothing was written or committed.
  expect(git('status', '--porcelain')).toBe(' A .env\n M src/parser.ts\n');
  expect(git('log', '--format=%s')).toBe('feat(parser): begin\n');
  // The session is not in the list.
  const chat = new Chat(await window.openChat());
  await workbench.runCommand('Parley: Show Sessions');
  await chat.frame.getByText('No sessions yet.').waitFor();
  agent.check();
});

test('Stop ends an agent that says nothing, and the box stays as it was', async ({ openWindow }) => {
  const { folder, agent, settings } = desk(['@@SILENT']);
  const window = await openWindow({ settings, folder });
  const { workbench } = window;
  const { page } = workbench;
  await workbench.runCommand('Source Control: Focus on Changes View');
  await page.locator('.scm-editor').click();
  await page.keyboard.type('mine');
  await (await titleButton(workbench, 'Generate Commit Message')).click();
  await expect.poll(() => agent.received('session/prompt').length).toBe(1);
  await page.getByText('Fake is writing a commit message').first().waitFor();
  await workbench.screenshot(join(screenshots, 'scm-running.png'));
  await (await titleButton(workbench, 'Stop Agent')).click();
  await titleButton(workbench, 'Generate Commit Message');
  await expect.poll(() => page.locator('.scm-editor .view-lines').innerText()).toBe('mine');
});

test('a review puts remarks on the lines, which can be asked to be fixed', async ({ openWindow }) => {
  const line = 5;
  const { folder, agent, settings } = desk([
    `@@SAY ${JSON.stringify([
      { path: 'src/parser.ts', line, text: 'This constant is [never](command:workbench.action.quit) used.' },
      { path: '/etc/passwd', line: 1, text: 'Not here.' },
    ])}`,
  ]);
  const window = await openWindow({ settings, folder });
  const { workbench } = window;
  const { page } = workbench;
  await workbench.runCommand('Source Control: Focus on Changes View');
  await titleButton(workbench, 'Generate Commit Message');
  // A menu closes when VS Code draws the title anew.
  const item = page.getByRole('menuitem', { name: 'Review Changes with Agent' });
  await until('the menu of the repository', async () => {
    await (await titleButton(workbench, /More Actions/)).click({ timeout: 2_000 }).catch(() => undefined);
    return item.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
  });
  await workbench.screenshot(join(screenshots, 'scm-more.png'));
  await workbench.chooseMenuItem('Review Changes with Agent');
  await page.getByText('Fake has 1 remark on the changes.').first().waitFor();
  await workbench.answerNotification('Fake has 1 remark on the changes.', 'Show Remarks');
  await page
    .getByRole('tab', { name: /parser\.ts/ })
    .first()
    .waitFor();
  const remark = page.locator('.review-widget').filter({ hasText: 'This constant is' });
  await remark.waitFor();
  // Text of an agent is no Markdown.
  expect(await remark.locator('a', { hasText: 'never' }).count()).toBe(0);
  await workbench.screenshot(join(screenshots, 'scm-remark.png'));
  await remark.getByRole('button', { name: 'Ask Agent to Fix' }).click();
  const chat = await workbench.chat();
  await expect
    .poll(() => chat.getByRole('textbox', { name: 'Message' }).inputValue())
    .toBe('Look into the attached remark of a review. If it is right, fix the code.');
  await remark.getByRole('button', { name: 'Dismiss' }).click();
  await remark.waitFor({ state: 'hidden' });
  expect(agent.received('session/prompt')).toHaveLength(1);
  // A file in the list has the menu, too.
  const message = chat.getByRole('textbox', { name: 'Message' });
  await message.fill('');
  await page
    .locator('.scm-view')
    .getByRole('treeitem', { name: /^parser\.ts/ })
    .first()
    .click({ button: 'right' });
  await workbench.openSubmenu('Ask Agent');
  await workbench.chooseMenuItem('Review');
  await expect.poll(() => message.inputValue()).toMatch(/^Review the attached files\./);
  await chat.getByRole('button', { name: 'Open parser.ts', exact: true }).waitFor();
});
