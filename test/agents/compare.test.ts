import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../launch/poll.mjs';
import { Chat } from '../vscode/e2e/chat';
import { screenshots, Window } from '../vscode/e2e/harness';
import { agents, install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

/* One prompt for three real agents, each in a worktree. What overlaps is merged by the other two. */

const names = ['claude', 'codex', 'opencode'].filter((name) => name in agents);
const home = mkdtempSync(join(tmpdir(), 'parley-agents-'));
let model: Awaited<ReturnType<typeof startModel>>;
let window: Window;
const titles: string[] = [];

beforeAll(async () => {
  model = await startModel();
  const configured: Record<string, unknown> = {};
  for (const name of names) {
    const { title, command, args, env } = launchOf(name, await install(name), join(home, name), model.url);
    configured[title] = { command, args, env };
    titles.push(title);
  }
  window = await Window.open({ settings: { 'parley.agents': configured, 'parley.defaultAgent': titles[0] } });
});
afterAll(async () => {
  await window?.close();
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

/** Processes with a folder in their environment, as agents have their home; on Linux. */
function processesAt(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

test('they are compared, what one changed is taken over, the others merge theirs, and all is undone', async () => {
  const { workbench } = window;
  const { page } = workbench;
  const folder = realpathSync(window.folder);
  const disk = () => readFileSync(join(folder, 'demo.txt'), 'utf8');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  writeFileSync(join(folder, 'demo.txt'), 'line one\n');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const chat = new Chat(await window.openChat());
  await chat.button('Works in: This folder').click();
  await workbench.quickInputRows('Several Agents').first().click();
  for (const title of titles.slice(1)) await workbench.quickInputRows(title).first().click();
  await page.getByRole('button', { name: 'OK' }).click();
  await chat.button(`Works in: ${titles.length} agents`).waitFor();
  await chat.send('Mark it\n%%RUN git branch --show-current >> demo.txt');

  const trees = titles.map((title) => {
    const branch = `${title.toLowerCase().replaceAll(' ', '-')}-mark-it`;
    return { branch, path: join(`${folder}.worktrees`, branch) };
  });
  const has = ({ branch, path }: (typeof trees)[number]) =>
    existsSync(join(path, 'demo.txt')) && readFileSync(join(path, 'demo.txt'), 'utf8') === `line one\n${branch}\n`;
  // What another session asks is shown in it.
  const show = chat.frame.locator('button', { hasText: /^Show$/ });
  const yes = chat.permission(/^Permission: /).locator('.buttons .primary');
  const allowing = (what: string | (() => string), isDone: () => boolean) =>
    until(
      what,
      async () => {
        for (const button of [yes, show])
          if ((await button.count()) > 0)
            await button
              .first()
              .click({ timeout: 1_000 })
              .catch(() => undefined);
        return isDone();
      },
      { timeout: 120_000 },
    );
  await allowing(
    () => `all to be done; ${trees.filter(has).length} are`,
    () => trees.every(has),
  );
  expect(disk()).toBe('line one\n');

  const open = async () => {
    await chat.button(/^Worktree: /).click();
    await workbench.quickInputRows('Compare Agents').first().click();
    await workbench.quickInputRows('demo.txt').first().waitFor();
  };
  if (process.platform === 'linux') expect(processesAt(home).length).toBeGreaterThanOrEqual(titles.length);
  await until('the agents to be done', async () => {
    await open();
    if ((await workbench.quickInputRows('done').count()) === titles.length) return true;
    await workbench.closeQuickInput();
    return false;
  });
  await workbench.screenshot(join(screenshots, 'agents-compared.png'));
  const takeOverFrom = async (title: string) => {
    await workbench.quickInputRows('demo.txt').first().click();
    await workbench.quickInputRows(`Take Over from ${title}`).first().click();
    await page.getByRole('button', { name: 'OK' }).click();
  };
  await takeOverFrom(titles.at(-1)!);
  let line = trees.at(-1)!.branch;
  await until('its change in the folder', () => disk() === `line one\n${line}\n`);

  for (const [i, title] of titles.slice(0, -1).entries()) {
    if (i > 0) await open();
    await takeOverFrom(title);
    await workbench.quickInputRows(`Ask ${title} to Merge`).first().click();
    await until('the prompt', async () => (await chat.box.inputValue()).startsWith('Merge the attached lines'));
    await chat.frame.getByText(`Lines to merge from ${trees[i]!.branch}`).first().waitFor();
    const asked = model.bodies.length;
    const merged = `${line} and ${trees[i]!.branch}`;
    await chat.send(`${await chat.box.inputValue()}\n%%EDIT ${join(folder, 'demo.txt')} | ${line} | ${merged}`);
    await allowing(`the lines merged by ${title}`, () => disk() === `line one\n${merged}\n`);
    await chat.idle();
    // The agent got both versions.
    const body = model.bodies.slice(asked).find((each) => each.includes('In the worktree'));
    for (const each of ['In this folder', line, trees[i]!.branch]) expect(body).toContain(each);
    line = merged;
    await workbench.screenshot(join(screenshots, `agents-merged-${i}.png`));
    await workbench.runCommand('Parley: Reopen Closed Session');
    await chat.button(/^Worktree: /).waitFor();
  }

  await open();
  await workbench.quickInputRows('Clean Up').first().click();
  await workbench.dialog('Remove the worktrees').getByRole('button', { name: 'Clean Up' }).click();
  await until('the worktrees to be gone', () => trees.every(({ path }) => !existsSync(path)));
  await workbench.runCommand('Parley: Undo All Changes');
  await page.getByRole('dialog').getByRole('button', { name: /^Undo/ }).click();
  await until('the file as it was', () => disk() === 'line one\n');

  await window.close();
  await until(
    () => `no process of an agent; there are ${processesAt(home).join(', ')}`,
    () => processesAt(home).length === 0,
  );
});
