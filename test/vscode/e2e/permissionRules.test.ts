import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { removeFolder, temporaryFolder } from '../../launch/project.mjs';
import { axe, runAxe } from '../../webview/axe';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test, type Window } from './harness';

/* Rules of the user's: what they answer is seen, can be taken back, and is written down. By mouse, and by keyboard. */

let count = 0;
const asks = (command: string) =>
  `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${++count}`, title: command, kind: 'execute', status: 'pending', rawInput: { command } } })}`;

const options = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];
/** The same while the agent goes on with something else. */
const asked = (command: string) =>
  `%%ASYNCREQUEST session/request_permission ${JSON.stringify({ toolCall: { toolCallId: `call-${++count}`, title: command, kind: 'execute', status: 'pending', rawInput: { command } }, options })}`;
const outcomesOf = (agent: FakeAgent) =>
  agent.received().flatMap((message) => (message['result']?.outcome ? [message['result'].outcome.optionId] : []));

test('122 a rule answers in sight, is switched off from the call, and another is made from the question that waits', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
  const window = await openWindow({
    settings: { ...agent.settings, 'parley.permissions.rules': [{ answer: 'allowOnce', command: 'npm test *' }] },
    fresh: true,
  });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  const outcomes = () => outcomesOf(agent);

  await activate(window, 'Allow npm test *');
  await chat.send(asks('npm test'));
  await chat.idle();
  await chat.sees('Allowed by your rule “npm test *”');
  expect(outcomes()).toEqual(['allow']);

  await chat.button('Disable rule').click();
  await workbench.dialog('Disable the rule “npm test *”?').getByRole('button', { name: 'Disable' }).click();
  await until('the rule to be off', () =>
    JSON.stringify(window.server.settings()['parley.permissions.rules'] ?? []).includes('"enabled":false'),
  );
  await chat.send(asks('npm test -- -u'));
  await chat.permission('npm test -- -u').waitFor();
  expect(outcomes()).toEqual(['allow']);

  await chat.permission('npm test -- -u').getByRole('button', { name: 'Add rule…' }).click();
  await workbench.pick('Reject npm test -- -u');
  await until('the rule in the settings', () =>
    JSON.stringify(window.server.settings()['parley.permissions.rules'] ?? []).includes('npm test -- -u'),
  );
  await chat.answer(/^Permission: npm test/, 'Allow once');
  await chat.idle();
  await chat.send(asks('npm test -- -u'));
  await chat.idle();
  await chat.sees('Rejected by your rule “npm test -- -u”');
  expect(outcomes()).toEqual(['allow', 'allow', 'reject']);

  await workbench.openList('Parley: Show Permission History', 'npm test');
  await until('three answers', async () => (await workbench.quickInputRows('npm test').count()) === 3);
  await expect.poll(() => workbench.quickInputRows().first().innerText()).toContain('by your rule “npm test -- -u”');
  await workbench.page.getByRole('button', { name: 'Export…' }).click();
  const exported = await saveAs(window, 'by-mouse.json', () =>
    workbench.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click(),
  );
  expect(exported.map(({ what, by, rules }) => [what, by, rules])).toEqual([
    ['npm test', 'rule', ['npm test *']],
    ['npm test -- -u', 'person', undefined],
    ['npm test -- -u', 'rule', ['npm test -- -u']],
  ]);

  await workbench.openList('Parley: Show Permission Rules', 'Reject npm test -- -u');
  const rows = workbench.quickInputRows();
  await expect.poll(() => workbench.quickInputRows('Allow npm test *').innerText()).toContain('off');
  const button = async (row: string, name: string) => {
    await workbench.quickInputRows(row).hover();
    await workbench.quickInputRows(row).getByRole('button', { name }).click();
  };
  await button('Allow npm test *', 'Enable');
  await expect.poll(() => rows.allInnerTexts().then((texts) => texts.some((text) => text.includes('off')))).toBe(false);
  await button('Reject npm test -- -u', 'Delete');
  await expect.poll(() => workbench.quickInputRows('Reject').count()).toBe(0);
  await expect
    .poll(() => window.server.settings()['parley.permissions.rules'])
    .toEqual([{ answer: 'allowOnce', command: 'npm test *' }]);
  await button('Allow npm test *', 'Edit in Settings');
  // The file in which the rules of this machine stand, also where the window is elsewhere.
  await workbench.page.locator('.editor-instance .view-line', { hasText: '"npm test *"' }).waitFor();
  agent.check();
});

test('what a request says besides its command is on the card and no rule allows it; a wildcard that covers nothing is marked', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
  const rules = [
    { answer: 'allowOnce', command: ['*', 'ls *'] },
    { answer: 'allowOnce', command: 'mytool *' },
  ];
  const window = await openWindow({ settings: { ...agent.settings, 'parley.permissions.rules': rules }, fresh: true });
  const { workbench } = window;
  const chat = new Chat(await window.openChat());
  const asksWith = (title: string, rawInput: object) =>
    `%%PERMISSIONWITH ${JSON.stringify({ toolCall: { toolCallId: `call-${++count}`, title, kind: 'execute', status: 'pending', rawInput } })}`;
  await chat.send(
    asksWith('List', { command: ['./x/bash', '-lc', 'ls a'], shell: './y/sh', dangerouslyDisableSandbox: true }),
  );
  const card = chat.permission('List');
  await expect
    .poll(() => card.getByRole('list', { name: 'Risks' }).getByRole('listitem').allInnerTexts())
    .toEqual([
      'Also in the input: shell: "./y/sh"',
      'Also in the input: dangerouslyDisableSandbox: true',
      'Runs ./x/bash instead of bash',
    ]);
  expect(await card.innerText()).toContain('./x/bash -lc');
  expect(outcomesOf(agent)).toEqual([]);

  await workbench.openList('Parley: Show Permission Rules', 'Allow mytool *');
  await expect.poll(() => workbench.quickInputRows('Allow mytool *').innerText()).toContain('Never allows mytool *');
  await expect.poll(() => workbench.quickInputRows('Allow *, ls *').innerText()).not.toContain('Never allows');
  await workbench.page.keyboard.press('Escape');
  await chat.answer(/^Permission: List/, 'Allow once');
  await chat.idle();
  agent.check();
});

test('by keyboard: reject beats ask beats allow, a rule is edited, and the history goes into a file; the panel is accessible in every theme', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
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
  await chat.send(
    [
      asks('git rebase main'),
      asks('git push --force'),
      asked('make && sudo make install'),
      `%%TERMINAL printf 'Continue? [y/N] '; read yes`,
    ].join('\n'),
  );
  await chat.permission('make && sudo make install').waitFor();
  expect(outcomesOf(agent)).toEqual(['allow', 'reject', 'allow', 'allow', 'allow']);

  await workbench.runCommand('Parley: Export Permission History…');
  const exported = await saveAs(window, 'by-keyboard.json', () => keyboard.press('Enter'));
  expect(exported.map(({ by }) => by)).toEqual(['rule', 'rule', 'person', 'rule', 'rule']);

  await workbench.openList('Parley: Add Permission Rule from Request…', 'Reject sudo *');
  await workbench.quickInput.fill('Reject sudo');
  await keyboard.press('Enter');
  await expect
    .poll(() => window.server.settings()['parley.permissions.rules'])
    .toContainEqual({ answer: 'rejectOnce', command: 'sudo *' });

  // All at once: a question, rules' answers, a terminal that waits for input, the queue.
  await chat.box.fill('And then?');
  await chat.box.press('Enter');
  await chat.button('Edit: And then?').waitFor();
  await chat.frame.getByRole('status').filter({ hasText: 'The command may be waiting for input' }).waitFor();
  await chat.frame.evaluate(axe);
  for (const theme of ['Dark 2026', 'Light 2026', 'Default High Contrast', 'Default High Contrast Light'] as const) {
    await workbench.setTheme(theme);
    await expect.poll(() => chat.frame.evaluate(runAxe, false), { message: theme }).toEqual([]);
  }
  agent.check();
});

test('a rule that something else writes into the settings waits until the user has read and activated it', async ({
  openWindow,
}) => {
  const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
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
    const agent = new FakeAgent(join(mkdtempSync(join(tmpdir(), 'parley-wire-')), 'wire.ndjson'));
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
