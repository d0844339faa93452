import { describe, expect, it } from 'vitest';
import type { DiffView } from '../../src/protocol/diffView';
import { PanelPage, useHarness } from './panelPage';
import { asked, agentMessage, diff, terminal, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const running = { status: 'running', durationMs: undefined } as const;
const options = [{ optionId: 'a', name: 'Allow', kind: 'allow_once' }] as const;

/* What only the draft of version 2 tells. */
describe('draft v2', () => {
  it('196: a call and a command are cancelled by a button of their own, while they can be', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          toolCall('line', { title: 'Search the web', ...running, canCancel: true }),
          toolCall('card', { title: 'Edit', ...running, canCancel: true, content: [diff()] }),
          toolCall('cmd', { title: 'Run it', ...running, content: [{ type: 'terminal', terminalId: 't' }] }),
          toolCall('done', { title: 'Done' }),
        ],
        {},
        [
          terminal('t', {
            command: 'make',
            running: true,
            exitCode: undefined,
            durationMs: undefined,
            canOpen: false,
            canCancel: true,
          }),
        ],
      ),
    );
    await panel.page.getByRole('button', { name: 'Cancel: Search the web', exact: true }).click();
    await panel.page.getByRole('button', { name: 'Cancel: Edit', exact: true }).press('Enter');
    await panel.page.getByRole('button', { name: 'Stop: make', exact: true }).click();
    expect(await panel.posted('toolCall/cancel')).toEqual([
      { type: 'toolCall/cancel', entryId: 'line' },
      { type: 'toolCall/cancel', entryId: 'card' },
    ]);
    expect(await panel.posted('terminal/cancel')).toEqual([{ type: 'terminal/cancel', terminalId: 't' }]);
    expect(await panel.page.getByRole('button', { name: /^(Cancel|Stop): / }).count()).toBe(3);
  });

  it('200: a question says why in its own words, and shows the command that it names itself', async () => {
    const panel = await PanelPage.open();
    const permission = asked(
      'r',
      'May it run?',
      options,
      { command: 'curl https://example.com', cwd: '/w' },
      { description: 'It needs <b>the network</b>.\nOnce.' },
    );
    await panel.show(
      threadView([
        toolCall('c', { title: 'Fetch', ...running, status: 'waiting', command: 'other', permissions: [permission] }),
      ]),
    );
    const group = panel.page.getByRole('group', { name: 'Permission: May it run?' });
    const words = await group.innerText();
    for (const part of ['It needs <b>the network</b>.', 'curl https://example.com', '/w'])
      expect(words).toContain(part);
    expect(words).not.toContain('other');
  });

  it('200: a change without lines says what is known, and opens the file', async () => {
    const panel = await PanelPage.open();
    const change = (fields: Partial<DiffView>): DiffView => ({
      ...diff(),
      hunks: [],
      added: 0,
      removed: 0,
      opens: 'file',
      ...fields,
    });
    await panel.show(
      threadView([
        toolCall('a', {
          title: 'Edit',
          content: [change({ path: '/w/a.ts', label: 'a.ts', remark: 'Changed (the agent did not send the lines)' })],
        }),
        toolCall('b', {
          title: 'Remove',
          content: [change({ path: '/w/b.ts', label: 'b.ts', remark: 'Deleted', opens: 'nothing' })],
        }),
      ]),
    );
    const first = panel.page.getByRole('group', { name: 'Edit', exact: true });
    await expect.poll(() => first.innerText()).toContain('Changed (the agent did not send the lines)');
    expect(await first.innerText()).not.toContain('+0');
    await first.getByRole('button', { name: 'Open file' }).click();
    expect(await panel.posted('diff/open')).toEqual([{ type: 'diff/open', entryId: 'a', index: 0 }]);
    const second = panel.page.getByRole('group', { name: 'Remove', exact: true });
    expect(await second.innerText()).toContain('Deleted');
    expect(await second.getByRole('button', { name: /^Open/ }).count()).toBe(0);
  });

  it('193: a message grows also where others stand below it', async () => {
    const panel = await PanelPage.open();
    const view = threadView([
      userMessage('u', 'Question'),
      agentMessage('a', 'First **words**'),
      toolCall('c', { title: 'Read' }),
      agentMessage('b', 'Below'),
    ]);
    await panel.show(view);
    await expect.poll(() => panel.thread.innerText()).toContain('First words');
    await panel.patch(
      { op: 'entry/appendText', id: 'a', part: 0, text: ' and *more*' },
      { op: 'entry/appendText', id: 'u', part: 0, text: ' goes on' },
    );
    await expect.poll(() => panel.thread.innerText()).toContain('First words and more');
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: '.\n\nAnother paragraph' });
    await expect.poll(() => panel.page.locator('.agent-message').first().locator('p').count()).toBe(2);
    await expect.poll(() => panel.page.locator('.user-message').innerText()).toBe('Question goes on');
    expect(await panel.page.locator('.agent-message strong').count()).toBe(1);
  });

  it('193: a paused call and a cancelled step say so in words', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([toolCall('p', { title: 'Wait for the build', status: 'paused', durationMs: undefined })], {
        plan: [
          { content: 'Not needed', priority: 'low', status: 'cancelled' },
          { content: 'Next', priority: 'low', status: 'pending' },
        ],
      }),
      { expanded: { 'dock:plan': true } },
    );
    await expect
      .poll(() => panel.page.getByRole('group', { name: 'Wait for the build' }).innerText())
      .toContain('Paused');
    await expect.poll(() => panel.page.getByRole('list', { name: 'Plan' }).innerText()).toContain('Cancelled');
    expect(await panel.complaints()).toEqual([]);
  });
});
