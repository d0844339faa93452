import { describe, expect, it } from 'vitest';
import type { ChangeView } from '../../src/protocol/changeView';
import type { PanelView, PlanEntryView } from '../../src/protocol/viewModel';
import { PanelPage, useHarness } from './panelPage';
import { scenes } from './scenes.mjs';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const plan: PlanEntryView[] = [
  { content: 'Read', priority: 'medium', status: 'completed' },
  { content: 'Change', priority: 'high', status: 'in_progress' },
  { content: 'Test', priority: 'low', status: 'pending' },
];
const changes: ChangeView[] = [
  { path: '/w/src/a.ts', label: 'src/a.ts', kind: 'modified', added: 14, removed: 9, hunks: 1, conflicts: 0 },
  { path: '/w/b.ts', label: 'b.ts', kind: 'created', added: 26, removed: 0, hunks: 1, conflicts: 0 },
  { path: '/w/c.ts', label: 'c.ts', kind: 'deleted', added: 0, removed: 3, hunks: 1, conflicts: 0 },
];

describe('plan', () => {
  it('is one line with its progress, and opens to a list with each status in words', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { plan }));
    const line = panel.page.getByRole('button', { name: /Change\s*Plan 2 \/ 3/ });
    await line.click();
    const items = panel.page.getByRole('list', { name: 'Plan' }).getByRole('listitem');
    await expect
      .poll(async () => (await items.allTextContents()).map((t) => t.replace(/\s+/g, ' ').trim()))
      .toEqual(['ReadCompleted', 'ChangeIn progressHigh', 'TestPending']);
    await panel.patch({ op: 'panel/set', fields: { plan: [] } });
    await expect.poll(() => panel.page.getByRole('list', { name: 'Plan' }).count()).toBe(0);
    await expect.poll(() => line.count()).toBe(0);
  });

  it('is one line with what the agent does, while it works', async () => {
    const panel = await PanelPage.open();
    const turn = {
      running: true,
      startedAt: Date.now() - 42_000,
      stopping: false,
      canForceStop: false,
      activity: 'npm test',
    };
    await panel.show(threadView([], { plan, changes, turn }));
    const strips = panel.page.locator('.dock-strips > *');
    await expect.poll(() => strips.count()).toBe(2);
    const line = panel.page.getByRole('group', { name: 'Running turn' });
    await expect.poll(() => line.innerText()).toMatch(/Change\s*Plan 2 \/ 3\s*\d+ s/);
    await line.getByRole('button', { name: 'Follow the agent' }).click();
    expect(await panel.nextPosted('follow/toggle')).toEqual({ type: 'follow/toggle' });
    // All steps are done, and the agent goes on.
    await panel.patch({ op: 'panel/set', fields: { plan: plan.map((entry) => ({ ...entry, status: 'completed' })) } });
    await expect.poll(() => line.innerText()).toMatch(/npm test\s*Plan 3 \/ 3/);
    await panel.patch({
      op: 'panel/set',
      fields: {
        turn: { ...turn, waits: true },
        pendingQuestions: [{ requestId: 'r', entryId: 'e', kind: 'permission', title: 'Run it', askedAt: 0 }],
      },
    });
    await expect.poll(() => line.innerText()).toMatch(/Plan completed\s*Plan 3 \/ 3/);
    // The line that asks says that the agent waits; without a plan it is the only one.
    await panel.patch({ op: 'panel/set', fields: { plan: [] } });
    await panel.page.getByRole('group', { name: 'Waiting for you' }).waitFor();
    await expect.poll(() => strips.count()).toBe(2);
  });
});

describe('changed files', () => {
  it('are one line with their sum and what can be done with all of them', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { changes }));
    const group = panel.page.getByRole('group', { name: 'Changes' });
    await expect.poll(() => group.getByRole('button', { name: /3 files/ }).innerText()).toMatch(/3 files\s*\+40\s*−12/);
    for (const name of ['Review', 'Undo', 'Keep']) await group.getByRole('button', { name, exact: true }).click();
    expect(
      [await panel.posted('change/open'), await panel.posted('change/undo'), await panel.posted('change/keep')].flat(),
    ).toEqual([{ type: 'change/open' }, { type: 'change/undo' }, { type: 'change/keep' }]);
  });

  it('open to a row per file with its own actions', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { changes }));
    await expect
      .poll(() => panel.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem').allTextContents())
      .toEqual(['src/a.ts', 'b.ts', 'c.ts']);
    await panel.page.getByRole('button', { name: /3 files/ }).click();
    const row = panel.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem').first();
    await expect
      .poll(async () => (await row.innerText()).replace(/\s+/g, ' '))
      .toBe('a.ts src Open diff +14 −9 14 added, 9 removed');
    const icons = await panel.page
      .locator('.change-row .head-button > .codicon:first-child')
      .evaluateAll((all) => all.map((icon) => icon.className.match(/codicon-file\S*/)?.[0]));
    expect(icons).toEqual(['codicon-file-code', 'codicon-file-code', 'codicon-file-code']);
    // Colour is not all that tells a new file from a deleted one.
    expect(await panel.page.locator('.change-row .kind').allInnerTexts()).toEqual(['A', 'D']);
    await panel.page.getByRole('button', { name: /^b\.ts.*Created Open diff$/ }).waitFor();
    await row.getByRole('button', { name: /^a\.ts.*Open diff$/ }).click();
    await row.getByRole('button', { name: 'Undo src/a.ts' }).click();
    await row.getByRole('button', { name: 'Keep src/a.ts' }).click();
    const path = '/w/src/a.ts';
    expect(
      [await panel.posted('change/open'), await panel.posted('change/undo'), await panel.posted('change/keep')].flat(),
    ).toEqual([
      { type: 'change/open', path },
      { type: 'change/undo', path },
      { type: 'change/keep', path },
    ]);
  });
});

describe('changes that the user edited before undoing them', () => {
  it('wait for a choice below their file', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { changes: [{ ...changes[0]!, hunks: 3, conflicts: 2 }, changes[1]!] }));
    await panel.page.getByRole('button', { name: /2 files/ }).click();
    await expect.poll(() => panel.page.getByText('3 changes').count()).toBe(1);
    const group = panel.page.getByRole('group', { name: 'Edited by you too: src/a.ts' });
    await expect.poll(() => group.innerText()).toMatch(/You edited 2 of these changes/);
    for (const name of ['Keep mine', 'Keep agent’s version', 'Show both'])
      await group.getByRole('button', { name: `${name}: src/a.ts` }).click();
    const path = '/w/src/a.ts';
    expect(await panel.posted('change/resolve')).toEqual(
      ['mine', 'agents', 'both'].map((choice) => ({ type: 'change/resolve', path, choice })),
    );
    expect(await panel.page.getByRole('group', { name: /^Edited by you too/ }).count()).toBe(1);
  });
});

describe('panel without a conversation', () => {
  it('offers three prompts that fill the box', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.page.getByRole('button', { name: 'Find a bug in the open file' }).click();
    await expect.poll(() => panel.box.inputValue()).toBe('Find a bug in the open file');
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    // What is typed stays.
    await panel.box.fill('in src');
    await panel.page.getByRole('button', { name: 'Find a bug in the open file' }).click();
    await expect.poll(() => panel.box.inputValue()).toBe('Find a bug in the open file\nin src');
  });

  it('asks to choose an agent, to configure one, to open a folder, to trust the workspace', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { agent: '', connection: { state: 'idle' } }));
    await panel.page.getByRole('button', { name: 'Select an Agent…' }).click();
    await expect.poll(() => panel.posted('agent/select')).toHaveLength(1);
    await panel.show(threadView([], { agent: '', connection: { state: 'noAgents' } }));
    await panel.page.getByRole('button', { name: 'Edit Settings' }).click();
    await expect.poll(() => panel.posted('notice/act')).toEqual([{ type: 'notice/act', action: 'editSettings' }]);
    await panel.show(threadView([], { connection: { state: 'noFolder' } }));
    for (const name of ['Open Folder', 'Open Recent…', 'Use Scratch Folder'])
      await panel.page.getByRole('button', { name }).click();
    await expect
      .poll(async () => (await panel.posted('notice/act')).slice(1))
      .toEqual(['openFolder', 'openRecent', 'useScratchFolder'].map((action) => ({ type: 'notice/act', action })));
    await panel.show(threadView([], { connection: { state: 'restricted' } }));
    await panel.page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await expect.poll(() => panel.posted('trust/manage')).toHaveLength(1);
    await expect.poll(() => panel.box.isDisabled()).toBe(true);
    await panel.send({ type: 'focus/set', target: 'composer' });
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.textContent))
      .toBe('Manage Workspace Trust');
    expect(await panel.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  });

  it('suggests prompts in an empty session, never the agent’s own commands', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { commands: [{ name: 'allow-all', description: 'Enable all permissions' }] }));
    await expect
      .poll(() => panel.page.locator('.idea').allInnerTexts())
      .toEqual(['Explain this workspace', 'Find a bug in the open file', 'Write a test for the open file']);
    expect(await panel.page.locator('.idea').first().getAttribute('title'), 'where the words have no room').toBe(
      'Explain this workspace',
    );
    await panel.page.getByRole('button', { name: 'Explain this workspace' }).click();
    await expect.poll(() => panel.box.inputValue()).toBe('Explain this workspace');
  });

  it('shows what is being started, for how long, and can cancel it', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([], {
        connection: { state: 'starting', detail: 'Installing Demo Agent: 3 of 12 packages', since: Date.now() - 7000 },
      }),
    );
    const group = panel.page.getByRole('group', { name: 'Starting Demo Agent' });
    await expect.poll(() => group.innerText()).toMatch(/^Installing Demo Agent: 3 of 12 packages\s*\d+ s\s*Cancel$/);
    await group.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => panel.posted('start/cancel')).toHaveLength(1);
  });

  it('offers help while a start may be stuck, and waits for the user where Parley itself asks', async () => {
    const panel = await PanelPage.open({ width: 285 });
    await panel.show(scenes.slowStart.view);
    const group = panel.page.getByRole('group', { name: 'Claude Code takes long to start' });
    await expect.poll(() => group.getByLabel('Agent output').innerText()).toContain('enter the code ABCD-EFGH');
    for (const name of ['Show Log', 'Restart Agent']) await group.getByRole('button', { name }).click();
    expect((await panel.posted('notice/act')).map((m) => m.action)).toEqual(['showLog', 'restart']);
    await panel.patch({ op: 'panel/set', fields: { ownQuestion: 'Parley: MCP Server git' } });
    await expect
      .poll(() => panel.page.getByRole('group', { name: 'Starting Claude Code' }).innerText())
      .toMatch(/^Waiting for you: Parley: MCP Server git\s*Cancel$/);
    expect(await group.count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { connection: { state: 'ready' } } });
    await group.waitFor({ state: 'detached' });
  });

  it('says that a question of Parley’s own waits, where it is, and that the queue waits for the answer', async () => {
    const panel = await PanelPage.open({ height: 500 });
    const { view } = scenes.conversationQuestion;
    await panel.show(view);
    await panel.page
      .getByRole('status')
      .getByText('Parley asks: Include the earlier conversation?')
      .waitFor({ state: 'attached' });
    const line = panel.page.getByRole('note', { name: 'Running turn' });
    await expect.poll(() => line.innerText()).toBe('Waiting for you');
    await panel.page.getByText('Queued until you answer: then update the README').waitFor();
    expect(await panel.page.getByRole('group', { name: 'Waiting for you' }).count()).toBe(0);
    for (let i = 0; i < 30; i++) await panel.patch({ op: 'entry/add', entry: agentMessage(`m${i}`, `Message ${i}`) });
    await panel.page.getByRole('button', { name: 'Show the request: Include the earlier conversation?' }).click();
    await expect
      .poll(() =>
        panel.page
          .getByRole('note', { name: 'Include the earlier conversation?' })
          .evaluate((e) => e === document.activeElement),
      )
      .toBe(true);
    await panel.page.getByRole('button', { name: 'Don’t include' }).click();
    expect((await panel.posted('notice/act')).map((m) => m.action)).toEqual(['omitConversation']);
  });

  it('says what failed, why, and what helps; below the transcript where there is one', async () => {
    const panel = await PanelPage.open();
    const connection = {
      state: 'failed',
      title: 'Demo Agent ended',
      detail: 'Exit code 1.',
      stderr: 'Error: <b>quota</b>\n  at x',
      actions: ['restart', 'showLog', 'newSession'],
    } as const;
    await panel.show(threadView([agentMessage('a', 'Earlier words')], { connection }));
    const group = panel.page.getByRole('group', { name: 'Demo Agent ended' });
    await expect.poll(() => group.innerText()).toMatch(/Exit code 1\.[\s\S]*<b>quota<\/b>/);
    for (const name of ['Restart Agent', 'Show Log', 'New Session']) await group.getByRole('button', { name }).click();
    expect((await panel.posted('notice/act')).map((m) => m.action)).toEqual(['restart', 'showLog', 'newSession']);
    await expect.poll(() => panel.thread.innerText()).toContain('Earlier words');
  });
});

describe('notices', () => {
  it('say what happened and offer what helps', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        {
          kind: 'notice',
          id: 'n',
          severity: 'error',
          title: 'The turn failed',
          detail: 'line one\nline two',
          actions: ['retry', 'selectAgent'],
        },
        { kind: 'notice', id: 'm', severity: 'info', title: 'Stopped', actions: [] },
      ]),
    );
    await expect.poll(() => panel.thread.innerText()).toMatch(/The turn failed\s*line one\nline two/);
    await panel.page.getByRole('button', { name: 'Retry' }).click();
    await panel.page.getByRole('button', { name: 'Select Agent', exact: true }).click();
    expect((await panel.posted('notice/act')).map((m) => m.action)).toEqual(['retry', 'selectAgent']);
  });
});

describe('what an empty session offers', () => {
  const starters = ['Claude Code', 'Codex'].map((name) => ({ key: name, name, about: 'By its maker' }));
  it.each([
    [250, '.ideas', {}],
    [745, '.ideas', {}],
    [745, '.starters', { starters }],
    [1_400, '.starters', { starters }],
  ])('is as wide as the message box, %i px wide: %s', async (width, selector, fields) => {
    const panel = await PanelPage.open({ width });
    await panel.show(threadView([], fields));
    const edges = (of: string) =>
      panel.page
        .locator(of)
        .evaluate((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right].map(Math.round));
    await expect.poll(() => edges(selector)).toEqual(await edges('.composer-frame'));
    if (selector === '.starters')
      expect(await panel.page.getByRole('button', { name: 'Codex' }).innerText()).toContain('By its maker');
  });
});

describe('assistive technology', () => {
  it('hears the end of a turn once, and not each chunk', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([agentMessage('a', '', true)], { turn: { running: true, stopping: false, canForceStop: false } }),
    );
    await expect.poll(() => panel.thread.getAttribute('aria-live')).toBe('off');
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'words' });
    const status = panel.page.locator('.panel > [role=status]');
    await expect.poll(() => status.innerText()).toBe('');
    await panel.patch({ op: 'panel/set', fields: { turn: { running: false, stopping: false, canForceStop: false } } });
    await expect.poll(() => status.textContent()).toBe('Demo Agent has finished.');
  });

  const finished = { running: false, stopping: false, canForceStop: false };
  const notices = ['Older', 'Newer'].map((title) => ({ id: title, severity: 'info' as const, title }));
  const attachments = [{ id: 'at', kind: 'file' as const, label: 'notes.md', detail: 'notes.md', linkable: true }];
  const pendingQuestions = [
    { requestId: 'r', entryId: 'e', kind: 'permission' as const, title: 'npm test', askedAt: 0 },
  ];
  it.each<readonly [string, Partial<PanelView>, string]>([
    ['the turn of the other session has not ended', { turn: finished }, ''],
    ['nor have its notices come', { notices }, ''],
    ['nor its attachments', { attachments }, ''],
    ['nor has it failed', { connection: { state: 'failed', title: 'It stopped', detail: '', actions: [] } }, ''],
    ['what waits there waits for the user', { pendingQuestions }, 'Demo Agent asks for permission: npm test'],
  ])('hears of a session that is switched to only what waits in it: %s', async (_, fields, words) => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { turn: { ...finished, running: true, startedAt: 0 } }));
    await panel.show({ ...threadView([], fields), threadId: 'other' });
    await expect
      .poll(() =>
        panel.page
          .locator('[role=status].visually-hidden')
          .allTextContents()
          .then((all) => all.join('')),
      )
      .toBe(words);
  });

  it('hears a notice when it comes, and not when a newer one goes', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([]));
    const status = panel.page.locator('.panel > [role=status]');
    await panel.patch({ op: 'panel/set', fields: { notices } });
    await expect.poll(() => status.textContent()).toBe('Information: Demo Agent says: Newer');
    await panel.patch({ op: 'panel/set', fields: { notices: notices.slice(0, 1) } });
    await panel.page.getByRole('group', { name: 'Notice from Demo Agent' }).getByText('Older').waitFor();
    expect(await status.textContent()).toBe('Information: Demo Agent says: Newer');
  });
});
