import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertClientWire } from '../fakes/clientSchema';
import { messagesOf, readWireLog } from '../fakes/wireLog';
import { until } from '../launch/poll.mjs';
import { copySampleWorkspace, root } from '../launch/project.mjs';
import { Chat } from '../vscode/e2e/chat';
import { FakeAgent } from '../vscode/e2e/fakeAgent';
import { screenshots, Window } from '../vscode/e2e/harness';
import { chosenAgents } from './chosen.mjs';
import { install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

/* What a real agent does beside its own conversations: commit messages, reviews, and going on where another one ends. */

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const minutes = 60_000;

describe.each(chosenAgents())('%s beside its own conversations', (name) => {
  const home = mkdtempSync(join(tmpdir(), 'parley-agent-'));
  const wireLog = join(home, 'wire.ndjson');
  const copy = copySampleWorkspace();
  const { folder } = copy;
  const fake = new FakeAgent(join(home, 'fake.ndjson'));
  const file = join(folder, 'src/tokenizer.ts');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  let title = '';
  let window: Window;

  const prompts = () => messagesOf(readWireLog(wireLog), '>').filter(({ method }) => method === 'session/prompt');
  const picture = (what: string) => window.workbench.screenshot(join(screenshots, `agent-${name}-${what}.png`));

  beforeAll(async () => {
    const launched = launchOf(name, await install(name), home, model.url);
    title = launched.title;
    git('init', '-q');
    git('add', '.');
    // The model answers what the prompt says last.
    git('commit', '-qm', '%%SAY feat(tokenizer): begin');
    appendFileSync(join(folder, 'src/parser.ts'), 'export const more = 1;\n');
    const recorded = [join(root, 'test/fakes/recorder.mjs'), wireLog, launched.command, ...launched.args];
    window = await Window.open({
      folder,
      settings: {
        'parley.agents': {
          ...(fake.settings['parley.agents'] as object),
          [title]: { command: process.execPath, args: recorded, env: launched.env },
        },
        'parley.defaultAgent': title,
      },
    });
  });
  afterAll(async () => {
    await window?.close();
    copy.remove();
    rmSync(home, { recursive: true, force: true });
  });

  test('commit message: it is written into the box, and nothing else is', async () => {
    const { workbench } = window;
    const { page } = workbench;
    const before = git('status', '--porcelain');
    await workbench.runCommand('Source Control: Focus on Changes View');
    const header = page
      .locator('.pane')
      .filter({ has: page.locator('.scm-view') })
      .locator('.pane-header')
      .first();
    const button = header.getByRole('button', { name: 'Generate Commit Message' });
    await until('the button', async () => {
      await header.hover();
      return button.isVisible();
    });
    await button.click();
    const box = page.locator('.scm-editor .view-lines');
    await expect.poll(() => box.innerText(), { timeout: 2 * minutes }).toMatch(/feat\(tokenizer\):.begin/);
    await picture('commit-message');
    expect(git('status', '--porcelain')).toBe(before);
    expect(JSON.stringify(prompts()[0]!['params'])).toContain('+export const more = 1;');
  });

  test('review: its remarks on the changes of another agent are comments on the lines', async () => {
    const { workbench } = window;
    const { page } = workbench;
    await workbench.runCommand('Parley: New Session', 'Fake');
    const chat = new Chat(await window.openChat());
    const remark = JSON.stringify([{ path: 'src/tokenizer.ts', line: 1, text: 'Says nothing.' }]);
    const text = `// %%SAY ${remark}\n${readFileSync(file, 'utf8')}`;
    await chat.send(`%%WRITE ${file} ${Buffer.from(text).toString('base64')}\n%%SAY Written.`);
    await chat.sees('Written.');
    await chat.idle();
    await workbench.runCommand('Parley: Ask an Agent to Review…');
    await workbench.pick(title);
    await page
      .getByText(`${title} has 1 remark on the changes.`)
      .first()
      .waitFor({ timeout: 2 * minutes });
    await workbench.answerNotification(`${title} has 1 remark on the changes.`, 'Show Remarks');
    await page.locator('.review-widget').filter({ hasText: 'Says nothing.' }).waitFor();
    await picture('remark');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('going on: it gets the whole conversation of another agent and answers', async () => {
    const { workbench } = window;
    const chat = new Chat(await window.openChat());
    await workbench.runCommand('Parley: Continue With…');
    await workbench.pick(title);
    await workbench.pick('Whole Conversation');
    await expect
      .poll(() => chat.box.inputValue(), { timeout: minutes })
      .toMatch(/^Continue “.*”, the attached session of Fake\./);
    const before = prompts().length;
    await chat.box.press('Enter');
    await expect.poll(() => prompts().length, { timeout: minutes }).toBe(before + 1);
    expect(JSON.stringify(prompts().at(-1)!['params'])).toContain('# Handed over from Fake');
    await chat.idle(2 * minutes);
    await picture('continued');
    // Agents put the conversation at different places of their prompt.
    await chat.sees(/^(Written\.|\[\{"path".*|There was no directive.*)/, minutes);
  });

  test('every line that we sent is in the schema', () => assertClientWire(wireLog));
});
