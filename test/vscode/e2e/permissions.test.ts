import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import type { WireMessage } from '../../fakes/wireLog';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { screenshots, test } from './harness';
import { pressOn } from './underReview';

/* Permissions, answered by mouse and by keyboard from an editor. */

/** The options that were chosen, oldest first. */
const chosen = (agent: FakeAgent) =>
  agent.received().flatMap((message: WireMessage) => {
    const { outcome } = (message['result'] ?? {}) as { outcome?: { outcome: string; optionId?: string } };
    return outcome === undefined ? [] : [outcome.optionId ?? outcome.outcome];
  });

const run = (title: string, command: string) =>
  `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: title, title, kind: 'execute', rawInput: { command } } })}`;

test('by mouse: a command is rejected with a note, and one of another session from the line over the box', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  await chat.send(run('Install', 'cd app && npm install'));
  const card = chat.permission('Install');
  await expect
    .poll(() => card.getByRole('list', { name: 'Command in 2 parts' }).getByRole('listitem').allInnerTexts())
    .toEqual(['cd app', '&& npm install']);
  await card.getByRole('button', { name: 'Reject with a note…' }).click();
  await card.getByRole('textbox').fill('%%SAY with pnpm then');
  await card.getByRole('button', { name: 'Reject and send' }).click();
  await chat.sees('with pnpm then');
  await chat.idle();
  expect(chosen(agent)).toEqual(['reject']);
  expect(agent.received('session/prompt')).toHaveLength(2);
  await expect.poll(() => chat.text()).toContain('You: Reject');

  await chat.send(run('Test', 'npm test'));
  await chat.permission('Test').waitFor();
  await window.workbench.runCommand('Parley: New Session');
  const line = chat.frame.getByRole('group', { name: 'Waiting for you' });
  await expect.poll(() => line.innerText()).toContain('Fake asks in another session: npm test');
  await line.getByRole('button', { name: 'Show that session: npm test' }).click();
  await expect.poll(() => chat.permission('Test').evaluate((card) => card === document.activeElement)).toBe(true);
  await chat.answer(/Test/, 'Allow once');
  await chat.idle();
  expect(chosen(agent)).toEqual(['reject', 'allow']);

  // An edit can be read as the whole file before it is allowed, and nothing is written for it.
  const file = join(window.folder, 'src', 'tokenizer.ts');
  const before = readFileSync(file, 'utf8');
  await chat.send(
    `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: 'edit', title: 'Edit src/tokenizer.ts', kind: 'edit', content: [{ type: 'diff', path: file, oldText: 'no token. */', newText: 'no token of ours. */' }] } })}`,
  );
  await chat.permission('Edit src/tokenizer.ts').getByRole('button', { name: 'Open diff of src/tokenizer.ts' }).click();
  const { page } = window.workbench;
  await page.getByRole('tab', { name: /^tokenizer\.ts \(proposed change\)/ }).waitFor();
  await expect
    .poll(() =>
      page.locator('.monaco-diff-editor .modified-in-monaco-diff-editor .view-lines:not(.line-delete)').innerText(),
    )
    .toMatch(/export.type.TokenKind[^]*no.token.of.ours/);
  await chat.answer(/Edit src/, 'Reject');
  await chat.idle();
  expect([readFileSync(file, 'utf8'), chosen(agent).slice(2)]).toEqual([before, ['reject']]);

  // What is allowed for always the agent remembers: Parley asks the next time that it is asked.
  await chat.send(`${run('Build', 'npm run build')}\n${run('Build again', 'npm run build')}`);
  await expect.poll(() => chat.permission('Build').innerText()).toContain('Fake remembers “Always”.');
  await chat.answer(/: Build$/, 'Always allow');
  await chat.answer(/Build again/, 'Reject');
  await chat.idle();
  expect(chosen(agent).slice(3)).toEqual(['always', 'reject']);
  expect(window.server.settings()).not.toHaveProperty(['parley.permissions.rules']);
  agent.check();
});

test('by keyboard from an editor: the default keys go to a question, answer it and lead back', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  const window = await openWindow({ settings: agent.settings });
  const { workbench } = window;
  const { keyboard } = workbench.page;
  const inEditor = () => workbench.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
  const chord = async (key: string) => {
    await keyboard.press('Control+k');
    await keyboard.press(key);
  };
  const chat = new Chat(await window.openChat());
  await workbench.openFile('tokenizer.ts');
  await chat.send(
    [run('One', 'npm test'), run('Two', 'npm run lint'), run('Three', 'make && make install')].join('\n'),
  );
  await chat.permission('One').waitFor();
  await workbench.openFile('tokenizer.ts');
  await expect.poll(inEditor).toBe(true);
  await chat.ready(chat.permission('One'));
  await chord('a');
  await until('the first to be allowed', () => chosen(agent).length > 0);
  expect(chosen(agent)).toEqual(['allow']);
  await chat.permission('Two').waitFor();
  expect(await inEditor()).toBe(true);
  await chat.ready(chat.permission('Two'));
  await chord('x');
  await until('the second to be rejected', () => chosen(agent).length > 1);
  expect(chosen(agent)).toEqual(['allow', 'reject']);
  const card = chat.permission('Three');
  await card.waitFor();
  await chord('q');
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  // Escape decides nothing and leads back.
  await keyboard.press('Escape');
  await expect.poll(inEditor).toBe(true);
  expect(chosen(agent)).toHaveLength(2);
  await chord('q');
  await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  await chat.ready(card);
  await keyboard.press('Enter');
  await until('the third to be allowed', () => chosen(agent).length > 2);
  await chat.idle();
  await expect.poll(inEditor).toBe(true);
  expect(chosen(agent)).toEqual(['allow', 'reject', 'allow']);

  await chat.send(
    [
      run('Four', 'make'),
      run('Five', 'make test'),
      run('Six', 'make clean'),
      run('Seven', 'make dist'),
      run('Eight', 'make deploy'),
    ].join('\n'),
  );
  const decide = async (name: string, answer: string, press: () => Promise<void>) => {
    const before = chosen(agent).length;
    await chat.ready(chat.permission(name));
    await press();
    await until(`an answer to ${name}`, () => chosen(agent).length > before);
    expect(chosen(agent).slice(before), name).toEqual([answer]);
  };
  const goTo = async (name: string) => {
    await chat.permission(name).waitFor();
    await chord('q');
    await expect.poll(() => chat.permission(name).evaluate((element) => element === document.activeElement)).toBe(true);
  };
  await decide('Four', 'always', () => chord('Shift+A'));
  await decide('Five', 'always', () => workbench.runCommand('Parley: Always Allow'));
  await decide('Six', 'allow', () => workbench.runCommand('Parley: Allow'));
  await goTo('Seven');
  await decide('Seven', 'reject', () => keyboard.press('3'));
  // A note, with no hand on the mouse.
  await goTo('Eight');
  const last = chat.permission('Eight');
  const note = last.getByRole('button', { name: 'Reject with a note…' });
  await chat.ready(last);
  await pressOn(window, 'Tab', note);
  await expect.poll(() => last.getByRole('textbox').evaluate((box) => box === document.activeElement)).toBe(true);
  await keyboard.type('%%SAY only to staging');
  await keyboard.press('Enter');
  await until('the note to be sent', () => chosen(agent).length > 7);
  await chat.sees('only to staging');
  await chat.idle();
  expect(chosen(agent).at(-1)).toBe('reject');
  agent.check();
});

test('a request that says another thing than its call says so, and one that changes while it waits is another one', async ({
  openWindow,
}) => {
  const agent = FakeAgent.shared();
  mkdirSync(screenshots, { recursive: true });
  const when = join(mkdtempSync(join(tmpdir(), 'parley-swap-')), 'when');
  const window = await openWindow({ settings: agent.settings });
  const chat = new Chat(await window.openChat());
  const asks = (title: string, command: string) => ({ title, kind: 'execute', rawInput: { command } });
  await chat.send(
    `%%PERMISSIONSWAP ${JSON.stringify({ call: asks('npm test', 'npm test'), request: asks('npm test', 'rm -rf ~/.ssh'), updates: [asks('npm test', 'npm publish')], when })}`,
  );
  const card = chat.permission('npm test');
  const warnings = () => card.getByRole('list', { name: 'Risks' }).innerText();
  const allow = card.getByRole('button', { name: 'Allow once', exact: true });
  await expect.poll(() => card.getByLabel('Command').innerText()).toBe('rm -rf ~/.ssh');
  await expect.poll(warnings).toMatch(/The tool call said: npm test[\s\S]*Deletes files[\s\S]*Outside the workspace/);
  await chat.read(allow);
  await window.workbench.screenshot(join(screenshots, 'permission-contradiction.png'));
  // A click in the very moment in which the swap is drawn, with a button that was ready before it.
  await card.evaluate((element) => {
    const observer = new MutationObserver(() => {
      if (!element.textContent?.includes('changed this pending request')) return;
      observer.disconnect();
      [...element.querySelectorAll<HTMLButtonElement>('.options button')]
        .find((button) => button.textContent?.includes('Allow once'))
        ?.click();
      element.setAttribute('data-clicked', 'true');
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true });
  });
  writeFileSync(when, '\n');
  await expect.poll(() => card.getAttribute('data-clicked')).toBe('true');
  await expect.poll(() => card.getByLabel('Command').innerText()).toBe('npm publish');
  await expect.poll(warnings).toMatch(/changed this pending request\. Before: rm -rf ~\/\.ssh[\s\S]*Uses the network/);
  await chat.read(allow);
  await window.workbench.screenshot(join(screenshots, 'permission-changed.png'));
  expect(chosen(agent)).toEqual([]);
  await chat.answer(/npm test/, 'Allow once');
  await chat.idle();
  expect(chosen(agent)).toEqual(['allow']);
  await expect.poll(() => chat.text()).toContain('You: Allow once');
  await window.workbench.openList('Parley: Show Permission History', /npm/);
  await expect.poll(() => window.workbench.page.locator('.quick-input-list').innerText()).toMatch(/npm publish/);
  agent.check();
});

/** At the width that VS Code gives, in windows as at 100 % and 200 % zoom; test/webview has the sizes between. */
test('every request of the demo is answered at VS Code’s default width, by mouse and by keyboard alone', async ({
  openWindow,
}) => {
  const window = await openWindow();
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  for (const [width, height, way] of [
    [1400, 900, 'mouse'],
    [700, 450, 'keys'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await chat.send('/run');
    const card = chat.permission(/^Permission: .*sample tests/);
    await card.waitFor();
    const allow = card.getByRole('button', { name: 'Allow once', exact: true });
    const name = `${width}x${height}-${way}`;
    // It is in view from the beginning, and the command leaves room for it.
    const box = (await allow.boundingBox())!;
    const view = (await chat.log.boundingBox())!;
    expect(box.y + box.height, name).toBeLessThanOrEqual(view.y + view.height + 1);
    expect((await card.getByLabel('Command').boundingBox())!.height, name).toBeLessThanOrEqual(
      Math.max(view.height * 0.4, 64) + 1,
    );
    if (way === 'keys') {
      // From the editor: the command leads to the card, then on, then answers.
      const allowKey = async () => {
        await page.keyboard.press('Control+KeyK');
        await page.keyboard.press('KeyA');
      };
      await window.workbench.openFile('tokenizer.ts');
      // On a slow machine VS Code learns late that the key has a request to answer.
      const told = chat.frame.getByRole('status').getByText('Read the whole request first');
      await until(
        'the words',
        async () => {
          await allowKey();
          return (await told.count()) > 0;
        },
        { interval: 1_000 },
      );
      await until('the answer', async () => {
        await allowKey();
        return (await card.count()) === 0;
      });
    } else {
      await until('the answer', async () => {
        const place = await allow.boundingBox({ timeout: 500 }).catch(() => null);
        if (place) await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
        return (await card.count()) === 0;
      });
    }
    await chat.idle();
  }
});
