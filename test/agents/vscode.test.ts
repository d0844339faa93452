import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertClientWire } from '../fakes/clientSchema';
import { messagesOf, readWireLog } from '../fakes/wireLog';
import { until } from '../launch/poll.mjs';
import { root } from '../launch/project.mjs';
import { languageServer } from '../launch/server.mjs';
import { Chat } from '../vscode/e2e/chat';
import { screenshots, Window } from '../vscode/e2e/harness';
import { lens, toTop } from '../vscode/e2e/underReview';
import { chosenAgents } from './chosen.mjs';
import { agents, install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

/* What a user does with an agent, one after the other in one window. */

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const minutes = 60_000;
const usesArea = "import { area } from './shapes';\n\nconsole.log(area(2), area(3));\n";

/** The panel, and what real agents are slower at than ours. */
class AgentChat extends Chat {
  override idle(): Promise<void> {
    return super.idle(2 * minutes);
  }

  override sees(text: string | RegExp): Promise<void> {
    return super.sees(text, minutes);
  }

  get question() {
    return this.permission(/^Permission: /);
  }

  /** Chooses the option of whatever is asked that Parley shows as the primary one: yes, this once. */
  async allow(): Promise<void> {
    const button = this.question.locator('.buttons .primary').first();
    await button.waitFor({ timeout: minutes });
    // Options take no click for a moment after they appear.
    await until('the answer to be taken', async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined);
      return (await this.question.count()) === 0;
    });
  }

  /** Waits for the end of the turn and says yes to whatever is asked meanwhile. */
  async allowAll(): Promise<void> {
    await until(
      'the turn to end',
      async () => {
        if ((await this.question.count()) > 0) await this.allow();
        return (await this.button('Send').count()) > 0 && (await this.button('Stop').count()) === 0;
      },
      { timeout: 2 * minutes },
    );
  }
}

describe.each(chosenAgents())('%s in a real VS Code', (name) => {
  const agent = agents[name]!;
  const home = mkdtempSync(join(tmpdir(), 'parley-agent-'));
  const wireLog = join(home, 'wire.ndjson');
  let window: Window;
  let chat: AgentChat;
  let startedAt = 0;

  const sent = (method: string) =>
    messagesOf(readWireLog(wireLog), '>').filter((message) => message['method'] === method);
  const picture = (what: string) => window.workbench.screenshot(join(screenshots, `agent-${name}-${what}.png`));

  beforeAll(async () => {
    const node = await install(name);
    const { title, command, args, env } = launchOf(name, node, home, model.url);
    window = await Window.open({
      builtIn: languageServer,
      settings: {
        'parley.agents': {
          [title]: {
            command: process.execPath,
            args: [join(root, 'test/fakes/recorder.mjs'), wireLog, command, ...args],
            env,
          },
        },
        'parley.defaultAgent': title,
      },
    });
    chat = new AgentChat(await window.openChat());
  });
  afterAll(async () => {
    await window?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test('text: a prompt is answered', async () => {
    await chat.send('%%SAY Hello from the other side');
    await chat.sees('Hello from the other side');
    startedAt = Date.now();
    await chat.idle();
    await picture('answer');
  });

  test.runIf(agent.askingMode)('mode: another one is chosen from the palette', async () => {
    const { name: words } = agent.askingMode!;
    await window.workbench.openList('Parley: Select Mode', words);
    await window.workbench.pick(words);
    await chat.button(new RegExp(`^Mode: ${words.source.slice(1)}`)).waitFor();
  });

  test('edit: it is shown, asked about, and done', async () => {
    const file = join(window.folder, 'demo.txt');
    writeFileSync(file, 'line one\nline two\nline three\n');
    await chat.send(`%%EDIT ${file} | line two | line TWO`);
    if (!agent.editsUnasked) {
      await chat.question.waitFor({ timeout: minutes });
      await picture('edit-permission');
      expect(readFileSync(file, 'utf8')).toContain('line two');
      await chat.allow();
    }
    await chat.allowAll();
    await until('the edit on disk', () => readFileSync(file, 'utf8') === 'line one\nline TWO\nline three\n');
    await chat.sees('line TWO');
    await picture('edited');
  });

  test('changed files: the edit is listed, whoever wrote it, and Undo brings back what was before', async () => {
    const list = chat.frame.getByRole('list', { name: 'Changed files' });
    await list.getByText('demo.txt').first().waitFor({ state: 'attached', timeout: 20_000 });
    const head = chat.frame
      .getByRole('group', { name: 'Changes', exact: true })
      .getByRole('button', { expanded: false });
    if ((await head.count()) > 0) await head.first().click();
    await picture('changed');
    await chat.button('Undo demo.txt').click();
    await until(
      'the file as it was',
      () => readFileSync(join(window.folder, 'demo.txt'), 'utf8') === 'line one\nline two\nline three\n',
    );
  });

  test('review: the undone edit comes back, is marked in the file itself, and is undone from there with the keys', async () => {
    const disk = () => readFileSync(join(window.folder, 'demo.txt'), 'utf8');
    await window.workbench.openFile('demo.txt');
    await window.workbench.runCommand('Parley: Restore Undone Changes');
    await until('the edit on disk', () => disk() === 'line one\nline TWO\nline three\n');
    await lens(window, /Keep/).waitFor();
    await picture('review');
    await toTop(window);
    await window.workbench.page.keyboard.press('F7');
    await window.workbench.statusBarItem(/^Change 1 of 1 to review/).waitFor();
    await window.workbench.page.keyboard.press('Alt+Backspace');
    await until('the file as it was', () => disk() === 'line one\nline two\nline three\n');
    await expect.poll(() => window.workbench.statusBarItem(/to review/).count()).toBe(0);
  });

  test.skipIf(agent.ignoresSession)(
    'editor tools: it asks for problems and references, and renames; each hunk is reviewed and undone',
    async () => {
      const names = ['src/shapes.ts', 'src/uses.ts'];
      const texts = ['export function area(side: number) {\n  return side * side;\n}\n', usesArea];
      const onDisk = () => names.map((file) => readFileSync(join(window.folder, file), 'utf8'));
      names.forEach((file, at) => writeFileSync(join(window.folder, file), texts[at]!));
      await chat.send('%%EDITOR src/shapes.ts | area | surface');
      await chat.allowAll();
      const folded = chat.button(/^(Used|Read) \d/);
      if ((await folded.count()) > 0) await folded.last().click();
      await picture('editor-tools');
      // One agent does not tell what it asks for.
      await chat.sees(/Find references( of area)?/);
      await chat.sees(/Rename (area to surface|a symbol)/);
      await until('the rename on disk', () => onDisk().every((text) => /surface/.test(text) && !/area/.test(text)));
      const list = chat.frame.getByRole('list', { name: 'Changed files' });
      await list.getByText('uses.ts').first().waitFor({ state: 'attached', timeout: 20_000 });
      await window.workbench.openFile('uses.ts');
      await lens(window, /Keep/).first().waitFor();
      await picture('editor-rename');
      await window.workbench.runCommand('Parley: Undo All Changes');
      const yes = window.workbench.page.getByRole('dialog').getByRole('button', { name: /^Undo/ });
      if (
        await yes.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        )
      )
        await yes.click();
      await until('the files as they were', () => onDisk().join() === texts.join());
    },
  );

  test('command: it is shown, asked about, run, and its output is seen where the agent tells it', async () => {
    await chat.send('%%RUN touch made.txt && sleep 1 && echo visible-output');
    await chat.question.waitFor({ timeout: minutes });
    expect(await chat.question.innerText()).toContain('touch made.txt');
    await picture('command-permission');
    await chat.allow();
    await chat.allowAll();
    // What an agent tells as text is shown as what a terminal prints.
    const output = chat.frame.getByRole('group', { name: 'Terminal output' }).last();
    if (agent.output !== 'nothing')
      await until('the output of the command', async () => /visible-output(?!")/.test(await output.innerText()));
    await picture('command');
  });

  test('plan: it is one list that ends complete', async () => {
    await chat.send('%%PLAN');
    const strip = chat.frame.getByRole('button', { name: /Plan \d+ \/ \d+/ });
    const seen = agent.tellsPlans ? strip.waitFor() : undefined;
    await chat.allowAll();
    await seen;
    // What is done leaves with the turn.
    await expect.poll(() => strip.count()).toBe(0);
    await picture('plan');
  });

  test.runIf(agent.hasSubagents)('subagent: it is one card with what it said, and the turn goes on', async () => {
    await chat.send('%%TASK From the child');
    await chat.allowAll();
    await chat.sees('Done. The last tool said:');
    await picture('subagent');
    await chat.log
      .getByRole('button', { name: /Ask the child/ })
      .first()
      .click();
    await chat.sees('From the child');
    await chat.button(/^Open in a tab: Ask the child/).click();
    await window.workbench.page.locator('.tab', { hasText: 'Ask the child' }).waitFor();
    await picture('subagent-open');
    await window.workbench.runCommand('View: Close All Editors');
  });

  test('cancel: a long answer is stopped', async () => {
    await chat.send('%%SLOW');
    await chat.sees(/slow3 /);
    await chat.button('Stop').click();
    await chat.idle();
    await chat.sees('Stopped');
    await picture('stopped');
  });

  test('model: another one is chosen in the panel, where there is more than one', async () => {
    await window.workbench.setSecondarySideBarWidth(420);
    const button = chat.button(/^Model: /);
    const before = await button.getAttribute('aria-label');
    await button.click();
    const others = chat.frame.getByRole('option', { selected: false });
    await chat.frame.getByRole('listbox').waitFor();
    if ((await others.count()) === 0) {
      await window.workbench.page.keyboard.press('Escape');
      return;
    }
    await others.first().click();
    await until('the other model', async () => (await button.getAttribute('aria-label')) !== before);
  });

  test('load or resume: after a reload the thread is here and goes on', async () => {
    await window.workbench.reload();
    chat = new AgentChat(await window.openChat());
    // The first answer may be far above what is drawn.
    await chat.log.focus();
    await window.workbench.page.keyboard.press('Control+Home');
    await chat.sees('Hello from the other side');
    expect(await chat.log.locator('.user-message').filter({ hasText: 'Hello from the other side' }).count()).toBe(1);
    await window.workbench.page.keyboard.press('Control+End');
    // It is loaded only in a later minute than its first; before, the user is asked what to do.
    const minute = Math.floor(startedAt / minutes);
    if (agent.loadsOnlyAfterMinute)
      await until('the next minute', () => Math.floor(Date.now() / minutes) > minute, { timeout: 2 * minutes });
    await chat.send('%%SAY We go on');
    await chat.sees('We go on');
    await chat.idle();
    expect(await chat.log.locator('.user-message').filter({ hasText: 'We go on' }).count()).toBe(1);
    expect(sent('session/resume').length + sent('session/load').length).toBeGreaterThan(0);
    expect(sent('session/new')).toHaveLength(1);
    await picture('resumed');
  });

  test.skipIf(agent.ignoresSession)('worktree: it works in one of its own, and its change is taken over', async () => {
    const folder = realpathSync(window.folder);
    const disk = (where: string) => readFileSync(join(where, 'demo.txt'), 'utf8');
    writeFileSync(join(folder, 'demo.txt'), 'line one\nline two\nline three\n');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    const { workbench } = window;
    await workbench.runCommand('Parley: New Session');
    await chat.button('Works in: This folder').click();
    await workbench.quickInputRows('New Worktree').first().click();
    await chat.button('Works in: New worktree').waitFor();
    const there = join(`${folder}.worktrees`, 'change-the-demo');
    await chat.send(`Change the demo\n%%EDIT ${join(there, 'demo.txt')} | line two | line TWO`);
    await chat.allowAll();
    await until('the edit in the worktree', () => disk(there) === 'line one\nline TWO\nline three\n');
    expect(disk(folder)).toBe('line one\nline two\nline three\n');
    await picture('worktree');
    await chat.button('Worktree: change-the-demo').click();
    await workbench.quickInputRows('Take Over Changes').first().click();
    await workbench.quickInputRows('demo.txt').first().waitFor();
    await workbench.page.getByRole('button', { name: 'OK' }).click();
    await until('the edit in the folder', () => disk(folder) === 'line one\nline TWO\nline three\n');
    await picture('taken-over');
  });

  test('every line that we sent is in the schema', () => assertClientWire(wireLog));
});
