import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { assertClientWire } from '../fakes/clientSchema';
import { until } from '../launch/poll.mjs';
import { root } from '../launch/project.mjs';
import { temporaryFolder } from '../stdio/harness';
import { screenshots, test, type Window } from '../vscode/e2e/harness';
import { chosenAgents } from './chosen.mjs';
import { install, launchOf } from './installed.mjs';
import { startModel } from './model/server.mjs';

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** The panel as a person works with it. */
class Chat {
  constructor(
    private readonly window: Window,
    private readonly frame: Frame,
    private readonly name: string,
  ) {}

  get log() {
    return this.frame.getByRole('log', { name: 'Conversation' });
  }

  get permission() {
    return this.frame.getByRole('group', { name: /^Permission: / });
  }

  async send(prompt: string): Promise<void> {
    await this.frame.getByRole('textbox', { name: 'Message' }).fill(prompt);
    await this.frame.getByRole('button', { name: 'Send', exact: true }).click();
  }

  /** Waits until no turn runs. */
  async idle(): Promise<void> {
    await this.frame.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden', timeout: 120_000 });
  }

  async stop(): Promise<void> {
    await this.frame.getByRole('button', { name: 'Stop', exact: true }).click();
  }

  async says(text: string | RegExp): Promise<void> {
    await this.log.getByText(text).last().waitFor({ timeout: 60_000 });
  }

  /** Chooses the first option, which both agents mean as "yes, this once". */
  async allow(): Promise<void> {
    const button = this.permission.getByRole('button').last().locator('xpath=..').getByRole('button').first();
    await button.waitFor({ timeout: 60_000 });
    // Options take no click for a moment after they appear.
    await until('the answer to be taken', async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined);
      return (await this.permission.count()) === 0;
    });
  }

  picture(what: string): Promise<void> {
    return this.window.workbench.screenshot(join(screenshots, `agent-${this.name}-${what}.png`));
  }
}

describe.each(chosenAgents())('%s in a real VS Code', (name) => {
  let node: string;
  beforeAll(async () => {
    node = await install(name);
  });

  test('answers, edits after asking, runs a command whose output is seen, and stops', async ({ openWindow }) => {
    const home = temporaryFolder();
    const wireLog = join(home, 'wire.ndjson');
    const { title, command, args, env, askingMode } = launchOf(name, node, home, model.url);
    const window = await openWindow({
      settings: {
        'parley.agents': { [title]: { command: process.execPath, args: [join(root, 'test/fakes/recorder.mjs'), wireLog, command, ...args], env } },
        'parley.defaultAgent': title,
      },
    });
    const chat = new Chat(window, await window.openChat(), name);

    await chat.send('%%SAY Hello from the other side');
    await chat.says('Hello from the other side');
    await chat.idle();
    await chat.picture('answer');

    if (askingMode) {
      await window.workbench.runCommand('Parley: Select Mode');
      await window.workbench.pick(/Read-only/);
    }
    const file = join(window.folder, 'demo.txt');
    writeFileSync(file, 'line one\nline two\nline three\n');
    await chat.send(`%%EDIT ${file} | line two | line TWO`);
    await chat.permission.waitFor({ timeout: 60_000 });
    await chat.picture('edit-permission');
    expect(readFileSync(file, 'utf8')).toContain('line two');
    await chat.allow();
    await chat.idle();
    expect(readFileSync(file, 'utf8')).toBe('line one\nline TWO\nline three\n');
    await chat.says('line TWO');
    await chat.picture('edited');

    await chat.send('%%RUN touch made.txt && sleep 1 && echo visible-output');
    await chat.permission.waitFor({ timeout: 60_000 });
    await chat.picture('command-permission');
    await chat.allow();
    await chat.idle();
    const output = chat.log.getByRole('group', { name: 'Terminal output' }).last();
    await until('the output of the command', async () => (await output.textContent())?.includes('visible-output'), { timeout: 10_000 });
    await chat.picture('command');

    await chat.send('%%SLOW');
    await chat.says(/slow3 /);
    await chat.stop();
    await chat.idle();
    await chat.says('Stopped');
    await chat.picture('stopped');
    assertClientWire(wireLog);
  });
});
