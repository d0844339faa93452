import { describe, expect, it } from 'vitest';
import type { EntryView } from '../../src/protocol/entryView';
import type { PendingQuestionView } from '../../src/protocol/questionView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, asked, diff, form, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const running = { status: 'running', durationMs: undefined } as const;
const options = [{ optionId: '1', name: 'Allow once', kind: 'allow_once' }] as const;
const question: PendingQuestionView = {
  requestId: 'r',
  entryId: 'A2',
  kind: 'permission',
  title: 'make',
  subagent: 'Read the parser',
  askedAt: 0,
  brief: { text: 'make', isCode: true, isWhole: true, allow: options[0] },
};
const asks = toolCall('A2', {
  parentId: 'A',
  ...running,
  status: 'waiting',
  title: 'Build it',
  command: 'make',
  permissions: [asked('r', 'Build it', [...options], { command: 'make' })],
});

/** The entries that are drawn, in order, and lines that stand for several. */
const drawn = (panel: PanelPage) =>
  panel.page
    .locator('.entry, .tool-fold')
    .evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset['entry'] ?? 'fold'));
const head = (panel: PanelPage, name: string | RegExp) =>
  panel.page.locator('.subagent').getByRole('button', { name }).and(panel.page.locator('.line-button'));

describe('a subagent', () => {
  it('with a session of its own has its line, its tokens and its Stop from the beginning', async () => {
    const panel = await PanelPage.open({ width: 285 });
    const own = { toolKind: 'think', ...running, isSubagent: true, tokens: 48_200, canCancel: true } as const;
    await panel.show(threadView([toolCall('A', { title: 'Read the parser', ...own })]));
    expect(await head(panel, /^Read the parser/).innerText()).toMatch(/48K tokens/);
    await panel.page.getByRole('button', { name: 'Stop: Read the parser' }).click();
    expect(await panel.posted('toolCall/cancel')).toEqual([{ type: 'toolCall/cancel', entryId: 'A' }]);
    const { canCancel: _, ...ended } = own;
    await panel.patch({
      op: 'entry/replace',
      entry: toolCall('A', { title: 'Read the parser', ...ended, status: 'cancelled', durationMs: 2_000 }),
    });
    await expect.poll(() => head(panel, /^Read the parser/).innerText()).toContain('Cancelled');
    expect(await panel.page.getByRole('button', { name: /^Stop: Read/ }).count()).toBe(0);
  });

  it('opens in a tab, which has no message box and stays with it', async () => {
    const panel = await PanelPage.open({ width: 285 });
    const own = { toolKind: 'think', ...running, isSubagent: true } as const;
    const entries = [
      toolCall('A', { title: 'Read the parser', ...own }),
      toolCall('B', { title: 'Read its tests', ...own, parentId: 'A' }),
    ];
    await panel.show(threadView(entries));
    const opens = panel.page.getByRole('button', { name: /^Open in a tab/ });
    await head(panel, 'Read the parser').hover();
    await panel.page.getByRole('button', { name: 'Open in a tab: Read the parser' }).click();
    expect(await panel.posted('subagent/open')).toEqual([{ type: 'subagent/open', entryId: 'A' }]);

    await panel.show(threadView(entries, { title: 'Read the parser', subagent: 'A' }), { expanded: { A: true } });
    await expect.poll(() => drawn(panel)).toEqual(['A', 'B']);
    await head(panel, 'Read its tests').focus();
    expect(await panel.page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    expect(await opens.evaluateAll((all) => all.map((e) => e.getAttribute('aria-label')))).toEqual([
      'Open in a tab: Read its tests',
    ]);
  });

  it('has what it does behind the line of its call, in the order of the calls', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('A', { title: 'Read the parser', toolKind: 'think', ...running, input: '{ "prompt": "Read it" }' }),
        toolCall('B', { title: 'Read the printer', toolKind: 'think', ...running }),
        toolCall('A1', { parentId: 'A' }),
        toolCall('B1', { parentId: 'B', ...running, title: 'Read printer.ts' }),
        toolCall('A2', { parentId: 'A' }),
        toolCall('A3', { parentId: 'A', content: [diff()] }),
        toolCall('o1'),
        toolCall('o2'),
      ]),
    );
    await expect.poll(() => drawn(panel)).toEqual(['A', 'B', 'fold']);
    expect((await head(panel, 'Read the parser').innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Read the parser ?Running ?3 calls/,
    );
    expect(await head(panel, 'Read the printer').innerText()).toContain('Read printer.ts');
    await head(panel, 'Read the parser').focus();
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => drawn(panel)).toEqual(['A', 'fold', 'A3', 'B', 'fold']);
    await panel.patch({ op: 'entry/add', entry: toolCall('A4', { parentId: 'A', ...running }) });
    await expect.poll(() => drawn(panel)).toEqual(['A', 'fold', 'A3', 'A4', 'B', 'fold']);
    expect(await panel.page.getByRole('group', { name: 'Part of Read the parser' }).count()).toBe(3);
    expect(
      await head(panel, 'Read the parser').evaluate((e) => [
        e.getAttribute('aria-expanded'),
        e === document.activeElement,
      ]),
    ).toEqual(['true', true]);
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => drawn(panel)).toEqual(['A', 'B', 'fold']);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await panel.page.locator('[data-entry=A]').getByText('Input').click();
    await expect.poll(() => panel.page.locator('[data-entry=A]').innerText()).toContain('Read it');
    // It works as long as one of its calls does, also in the background of what it has answered.
    await panel.patch(
      { op: 'entry/replace', entry: toolCall('A4', { parentId: 'A' }) },
      {
        op: 'entry/replace',
        entry: toolCall('A', { title: 'Read the parser', toolKind: 'think', durationMs: 65_000 }),
      },
    );
    await expect.poll(() => head(panel, 'Read the parser').innerText()).toContain('1 min 5 s');
  });

  it('that asks shows only the request, with its name, in the card, in the line above the box and aloud', async () => {
    const panel = await PanelPage.open();
    const lines = Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Line ${i}`));
    await panel.show(
      threadView(
        [toolCall('A', { title: 'Read the parser', toolKind: 'think', ...running }), toolCall('A1', { parentId: 'A' })],
        { agent: 'Claude Code' },
      ),
    );
    await panel.patch({ op: 'entry/add', entry: asks }, { op: 'panel/set', fields: { pendingQuestions: [question] } });
    await expect.poll(() => drawn(panel)).toEqual(['A', 'A2']);
    expect(await panel.page.locator('.permission .asks').innerText()).toBe(
      'Claude Code (subagent “Read the parser”) asks',
    );
    expect(await head(panel, 'Read the parser').innerText()).toContain('Waiting for you');
    await expect
      .poll(() => panel.page.getByRole('status').allTextContents())
      .toContain('Claude Code (subagent “Read the parser”) asks for permission: make');
    await panel.patch(...lines.map((entry) => ({ op: 'entry/add' as const, entry })));
    await expect
      .poll(() => panel.page.locator('.waiting-strip .words').innerText())
      .toBe('Claude Code (subagent “Read the parser”) asks: make');
    await panel.page
      .locator('.waiting-strip')
      .getByRole('button', { name: /Show the request/ })
      .click();
    await expect.poll(() => panel.page.locator('.permission').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.patch(
      { op: 'entry/replace', entry: toolCall('A2', { parentId: 'A', title: 'Build it' }) },
      { op: 'panel/set', fields: { pendingQuestions: [] } },
    );
    await expect.poll(async () => (await drawn(panel)).slice(0, 2)).toEqual(['A', 'm0']);
  });

  it('is named by a form too, on its card and aloud', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([toolCall('A', { title: 'Read the parser', toolKind: 'think', ...running })], {
        agent: 'Claude Code',
      }),
    );
    const entry = form('f', []);
    await panel.patch(
      { op: 'entry/add', entry },
      {
        op: 'panel/set',
        fields: {
          pendingQuestions: [
            {
              requestId: entry.requestId,
              entryId: entry.id,
              kind: 'elicitation',
              title: 'A few details',
              askedAt: 1,
              subagent: 'Read the parser',
            },
          ],
        },
      },
    );
    await expect
      .poll(() => panel.page.locator('.elicitation .asks').innerText())
      .toBe('Claude Code (subagent “Read the parser”) asks');
    await expect
      .poll(() => panel.page.getByRole('status').allTextContents())
      .toContain('Claude Code (subagent “Read the parser”) asks: A few details');
  });

  it('may have subagents; what comes before its call, or in a circle, is shown', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('early', { content: [diff()] }),
        agentMessage('m', 'Between'),
        toolCall('x', { parentId: 'y', content: [diff()] }),
        toolCall('y', { parentId: 'x', content: [diff()] }),
        toolCall('z', { parentId: 'gone', content: [diff()] }),
      ]),
    );
    await expect.poll(() => drawn(panel)).toEqual(['early', 'm', 'y', 'z']);
    await panel.patch(
      { op: 'entry/add', entry: toolCall('P', { title: 'Parent' }) },
      { op: 'entry/replace', entry: toolCall('early', { parentId: 'P', content: [diff()] }) },
    );
    await expect.poll(() => drawn(panel)).toEqual(['m', 'y', 'z', 'P']);
    await panel.patch(
      { op: 'entry/add', entry: toolCall('Q', { parentId: 'P', title: 'Inner' }) },
      { op: 'entry/add', entry: toolCall('q', { parentId: 'Q' }) },
    );
    await head(panel, 'Parent').click();
    await head(panel, 'Inner').click();
    await expect.poll(() => drawn(panel)).toEqual(['m', 'y', 'z', 'P', 'early', 'Q', 'q']);
    expect(await panel.page.locator('[data-entry=q]').getAttribute('data-depth')).toBe('2');
  });

  it('leaves the focus and the selection where they are when a call comes between', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          toolCall('A', { title: 'Parent', ...running }),
          agentMessage('m', 'Some words'),
          toolCall('o', { title: 'Other', ...running }),
        ],
        {},
      ),
    );
    await panel.page.locator('[data-entry=o] .line-button').focus();
    await panel.page.locator('[data-entry=m] p').evaluate((p) => getSelection()!.selectAllChildren(p));
    await panel.patch({ op: 'entry/add', entry: toolCall('A1', { parentId: 'A' }) });
    await expect.poll(() => head(panel, 'Parent').count()).toBe(1);
    expect(
      await panel.page.evaluate(() => [
        document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset['entry'],
        String(getSelection()),
      ]),
    ).toEqual(['o', 'Some words']);
  });

  it('with thousands of calls costs nothing while it is folded, and little when it is open', async () => {
    const panel = await PanelPage.open();
    const calls = Array.from({ length: 5_000 }, (_, i): EntryView =>
      toolCall(`c${i}`, { parentId: 'A', title: `Call ${i}`, content: [diff()] }),
    );
    await panel.show(
      threadView([
        userMessage('u', 'Go'),
        toolCall('A', { title: 'Parent', ...running }),
        ...calls,
        agentMessage('end', 'The end'),
      ]),
    );
    const nodes = () => panel.page.evaluate(() => document.querySelectorAll('.thread *').length);
    const height = () => panel.thread.evaluate((e) => e.scrollHeight - e.clientHeight);
    await expect.poll(() => drawn(panel)).toEqual(['u', 'A', 'end']);
    expect(await nodes()).toBeLessThan(1_000);
    expect(await height()).toBe(0);
    await head(panel, 'Parent').click();
    await expect.poll(height).toBeGreaterThan(5_000 * 80);
    expect(await nodes()).toBeLessThan(8_000);
    // As far as the end, and back to its line.
    await panel.thread.evaluate((e) => e.scrollTo(0, e.scrollHeight));
    await expect.poll(() => panel.page.getByText('The end').isVisible()).toBe(true);
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find' }).fill('Parent');
    await expect.poll(() => head(panel, 'Parent').isVisible()).toBe(true);
    await head(panel, 'Parent').click();
    await expect.poll(height).toBe(0);
  });

  it('is opened by Find for what it did', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('A', { title: 'Outer' }),
        toolCall('B', { parentId: 'A', title: 'Inner' }),
        {
          kind: 'agentMessage',
          id: 'm',
          content: [{ type: 'text', text: 'A needle in the hay' }],
          streaming: false,
          parentId: 'B',
        },
        agentMessage('o', 'Other'),
      ]),
    );
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find' }).fill('needle');
    await expect.poll(() => panel.page.getByText('A needle in the hay').isVisible()).toBe(true);
  });
});
