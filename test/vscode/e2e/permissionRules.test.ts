import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import { Chat } from './chat';
import { FakeAgent, newWireLog } from './fakeAgent';
import { test, type Window } from './harness';

/* Rules of the user's: what they answer is seen, can be taken back, and is written down. By mouse, and by keyboard. */

let count = 0;
const asks = (command: string) =>
  `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${++count}`, title: command, kind: 'execute', status: 'pending', rawInput: { command } } })}`;
const outcomesOf = (agent: FakeAgent) =>
  agent.received().flatMap((message) => (message['result']?.outcome ? [message['result'].outcome.optionId] : []));

test('122 a rule answers in sight, is switched off from the call, and another is made from the question that waits', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({
    settings: { ...agent.settings, 'parley.permissions.rules': [{ answer: 'allowOnce', command: 'npm run check *' }] },
  });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  const outcomes = () => outcomesOf(agent);

  await activate(window, 'Allow npm run check *');
  await chat.send(asks('npm run check'));
  await chat.idle();
  await chat.sees('Allowed by your rule “npm run check *”');
  expect(outcomes()).toEqual(['allow']);

  await chat.button('Disable rule').click();
  await workbench.dialog('Disable the rule “npm run check *”?').getByRole('button', { name: 'Disable' }).click();
  // The file has it a moment before the extension host knows of it.
  await workbench.openList('Parley: Show Permission Rules', 'Allow npm run check *');
  await expect.poll(() => workbench.quickInputRows('Allow npm run check *').innerText()).toContain('off');
  await workbench.page.keyboard.press('Escape');
  expect(window.server.settings()['parley.permissions.rules']).toEqual([
    { answer: 'allowOnce', command: 'npm run check *', enabled: false },
  ]);
  await chat.send(asks('npm run check -- -u'));
  await chat.permission('npm run check -- -u').waitFor();
  expect(outcomes()).toEqual(['allow']);

  await chat.permission('npm run check -- -u').getByRole('button', { name: 'Add rule…' }).click();
  await workbench.pick('Reject npm run check -- -u');
  await until('the rule in the settings', () =>
    JSON.stringify(window.server.settings()['parley.permissions.rules'] ?? []).includes('npm run check -- -u'),
  );
  await chat.answer(/^Permission: npm run check/, 'Allow once');
  await chat.idle();
  await chat.send(asks('npm run check -- -u'));
  await chat.idle();
  await chat.sees('Rejected by your rule “npm run check -- -u”');
  expect(outcomes()).toEqual(['allow', 'allow', 'reject']);

  await workbench.openList('Parley: Show Permission History', 'npm run check');
  await until('three answers', async () => (await workbench.quickInputRows('npm run check').count()) === 3);
  await expect
    .poll(() => workbench.quickInputRows().first().innerText())
    .toContain('by your rule “npm run check -- -u”');
  await workbench.page.getByRole('button', { name: 'Export…' }).click();
  const exported = await saveAs(window, 'by-mouse.json', () =>
    workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click(),
  );
  expect(exported.slice(-3).map(({ what, by, rules }) => [what, by, rules])).toEqual([
    ['npm run check', 'rule', ['npm run check *']],
    ['npm run check -- -u', 'person', undefined],
    ['npm run check -- -u', 'rule', ['npm run check -- -u']],
  ]);

  await workbench.openList('Parley: Show Permission Rules', 'Reject npm run check -- -u');
  const rows = workbench.quickInputRows();
  await expect.poll(() => workbench.quickInputRows('Allow npm run check *').innerText()).toContain('off');
  const button = async (row: string, name: string) => {
    await workbench.quickInputRows(row).hover();
    await workbench.quickInputRows(row).getByRole('button', { name }).click();
  };
  await button('Allow npm run check *', 'Enable');
  await expect.poll(() => rows.allInnerTexts().then((texts) => texts.some((text) => text.includes('off')))).toBe(false);
  await button('Reject npm run check -- -u', 'Delete');
  await expect.poll(() => workbench.quickInputRows('Reject').count()).toBe(0);
  await expect
    .poll(() => window.server.settings()['parley.permissions.rules'])
    .toEqual([{ answer: 'allowOnce', command: 'npm run check *' }]);
  await button('Allow npm run check *', 'Edit in Settings');
  // The file in which the rules of this machine stand, also where the window is elsewhere.
  await workbench.page.locator('.editor-instance .view-line', { hasText: '"npm run check *"' }).waitFor();
  agent.check();
});

test('by keyboard: reject beats ask beats allow, a rule is edited, and the history goes into a file', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const rules = [
    { answer: 'allowOnce', command: 'git *' },
    { answer: 'ask', command: 'git rebase *' },
    { answer: 'rejectOnce', command: 'git push *' },
  ];
  const window = await openWindow({ settings: { ...agent.settings, 'parley.permissions.rules': rules }, fresh: true });
  const { workbench } = window;
  const { keyboard } = workbench.page;
  const chat = new Chat(await window.openChat());
  await activate(window, 'Allow git *');
  await chat.send(
    [asks('git status && git log -3'), asks('git status && git push --force'), asks('git rebase main')].join('\n'),
  );
  await chat.permission('git rebase main').waitFor();
  await chat.sees('Allowed by your rule “git *”');
  await chat.sees('Rejected by your rule “git push *”');
  expect(outcomesOf(agent)).toEqual(['allow', 'reject']);

  // The rule that rejects is switched off with Enter, then edited in the settings.
  await workbench.openList('Parley: Show Permission Rules', 'git push');
  await workbench.quickInput.fill('push');
  await keyboard.press('Enter');
  await expect.poll(() => workbench.quickInputRows('Reject git push *').innerText()).toContain('off');
  await workbench.quickInput.fill('add');
  await keyboard.press('Enter');
  const file = workbench.page.locator('.editor-instance', { hasText: '"git push *"' });
  await file.waitFor();
  await expect.poll(() => file.evaluate((editor) => editor.contains(document.activeElement))).toBe(true);
  await keyboard.press('Control+F');
  await expect
    .poll(() => workbench.page.evaluate(() => document.activeElement?.closest('.find-widget') !== null))
    .toBe(true);
  await keyboard.type('git rebase');
  await workbench.page.locator('.find-widget .matchesCount', { hasText: '1 of 1' }).waitFor();
  await keyboard.press('Escape');
  await expect.poll(() => file.evaluate((editor) => editor.contains(document.activeElement))).toBe(true);
  await keyboard.type('git reset');
  await keyboard.press('Control+S');
  await expect
    .poll(() => window.server.settings()['parley.permissions.rules'])
    .toEqual([rules[0], { answer: 'ask', command: 'git reset *' }, { ...rules[2], enabled: false }]);
  // The file is a dialog over the window: the first Escape leaves what the editor has open, if there is anything.
  await until('the settings to be closed', async () => {
    await keyboard.press('Escape');
    return file.waitFor({ state: 'hidden', timeout: 1_000 }).then(
      () => true,
      () => false,
    );
  });

  await workbench.runCommand('Parley: Go to Pending Permission Request');
  const waiting = chat.permission('git rebase main');
  await expect.poll(() => waiting.evaluate((card) => card === document.activeElement)).toBe(true);
  await chat.ready(waiting);
  await keyboard.press('Enter');
  await until('an answer', () => outcomesOf(agent).length === 3);
  await chat.idle();
  await chat.send([asks('git rebase main'), asks('git push --force'), asks('make && sudo make install')].join('\n'));
  await chat.permission('make && sudo make install').waitFor();
  expect(outcomesOf(agent)).toEqual(['allow', 'reject', 'allow', 'allow', 'allow']);

  await workbench.runCommand('Parley: Export Permission History…');
  const exported = await saveAs(window, 'by-keyboard.json', () => keyboard.press('Enter'));
  expect(exported.slice(-5).map(({ by }) => by)).toEqual(['rule', 'rule', 'person', 'rule', 'rule']);

  await workbench.openList('Parley: Add Permission Rule from Request…', 'Reject sudo *');
  await workbench.quickInput.fill('Reject sudo');
  await keyboard.press('Enter');
  await expect
    .poll(() => window.server.settings()['parley.permissions.rules'])
    .toContainEqual({ answer: 'rejectOnce', command: 'sudo *' });
  await chat.button('Stop').click();
  await chat.idle();
  agent.check();
});

test('a rule that something else writes into the settings waits until the user has read and activated it', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(newWireLog());
  const window = await openWindow({ settings: agent.settings, fresh: true });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  await workbench.changeSettings({
    ...agent.settings,
    'parley.permissions.rules': [
      { name: 'Tests', answer: 'allowOnce', command: ['touch x', 'npm test'] },
      { answer: 'rejectOnce', command: 'git push *' },
    ],
  });
  await workbench
    .notification('1 new permission rule in your settings is not active.')
    .getByRole('button', { name: 'Review' })
    .click();
  await expect
    .poll(() => workbench.quickInputRows().first().innerText())
    .toMatch(/Allow Tests[^]*not active[^]*touch x, npm test/);
  await workbench.pick('Allow Tests');
  const question = workbench.dialog('Allow this without asking from now on?');
  await expect.poll(() => question.innerText()).toMatch(/touch x\s+npm test[^]*Parley did not write this rule/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await workbench.quickInputRows('Reject git push *').waitFor();
  await workbench.page.keyboard.press('Escape');
  await chat.send([asks('git push'), asks('touch x')].join('\n'));
  await chat.permission('touch x').waitFor();
  await chat.sees('Rejected by your rule “git push *”');
  expect(outcomesOf(agent)).toEqual(['reject']);
  await chat.answer(/^Permission: touch x/, 'Reject');
  await chat.idle();
  await activate(window, 'Allow Tests');
  await chat.send(asks('touch x'));
  await chat.idle();
  await chat.sees('Allowed by your rule “Tests”');
  expect(outcomesOf(agent)).toEqual(['reject', 'reject', 'allow']);
  agent.check();
});

test('an agent that has VS Code’s own settings in the open folder changes them only if the user allows it', async ({
  openWindow,
}) => {
  const home = temporaryFolder('home');
  let opened: Window | undefined;
  try {
    const agent = new FakeAgent(newWireLog());
    const window = (opened = await openWindow({
      settings: agent.settings,
      dataDir: join(home, '.vscode-server'),
      folder: home,
    }));
    const chat = new Chat(await window.openChat());
    const before = JSON.stringify(window.server.settings());
    const evil = Buffer.from(
      JSON.stringify({ ...agent.settings, 'parley.permissions.rules': [{ answer: 'allowOnce', kind: 'edit' }] }),
    ).toString('base64');
    await chat.send(
      [
        `%%WRITE ${join(home, 'notes.txt')} ${Buffer.from('mine').toString('base64')}`,
        `%%WRITE ${join(home, '.vscode-server/data/Machine/settings.json')} ${evil}`,
      ].join('\n'),
    );
    const card = chat.permission(/^Permission: Change settings or data of VS Code or Parley/);
    await card.waitFor();
    expect([readFileSync(join(home, 'notes.txt'), 'utf8'), JSON.stringify(window.server.settings())]).toEqual([
      'mine',
      before,
    ]);
    await chat.answer(/^Permission: Change settings or data/, 'Reject');
    await chat.idle();
    expect(JSON.stringify(window.server.settings())).toBe(before);
    agent.check();
  } finally {
    await opened?.close();
    removeFolder(home);
  }
});

/** A rule that is only in the settings counts when the user has agreed to it. */
async function activate({ workbench }: Window, label: string): Promise<void> {
  await workbench.openList('Parley: Show Permission Rules', label);
  await workbench.pick(label);
  await workbench.dialog('Allow this without asking from now on?').getByRole('button', { name: 'Activate' }).click();
  await expect.poll(() => workbench.quickInputRows(label).innerText()).not.toContain('not active');
  await workbench.page.keyboard.press('Escape');
}

/** Writes a file's name into the dialog that asks for it. @returns the records in it. */
async function saveAs(window: Window, name: string, accept: () => Promise<void>): Promise<Record<string, unknown>[]> {
  const { workbench, folder } = window;
  const file = join(folder, name);
  await expect.poll(() => workbench.quickInput.inputValue().catch(() => '')).toMatch(/permission-history\.json$/);
  await workbench.quickInput.fill(file);
  await accept();
  await until(`${name} to be written`, () => existsSync(file) && readFileSync(file, 'utf8').endsWith(']\n'));
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];
}
