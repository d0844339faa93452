import { describe, expect, it } from 'vitest';
import type { EntryView } from '../../src/protocol/entryView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const prompt = (id: string, text: string, sentAt: number): EntryView => ({
  kind: 'userMessage',
  id,
  content: [{ type: 'text', text }],
  dropped: false,
  sentAt,
});
const entries = [
  prompt('e0', 'Make `tokenize` iterative and keep the public API, whatever else happens to it.', 100),
  agentMessage('e1', 'Done.'),
  prompt('e2', 'And the tests?', 200),
  agentMessage('e3', 'They pass.'),
];
const restore = { name: 'Restore to the checkpoint before this message' };

describe('what can be done with a prompt', () => {
  it('is edited or gone back to, when it is pointed at or focused', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries));
    const button = panel.page.getByRole('button', restore);
    await expect.poll(() => button.count()).toBe(2);
    const opacity = () =>
      panel.page
        .locator('.prompt-actions')
        .first()
        .evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('0');
    await panel.page.locator('.user-message').first().hover();
    expect(await opacity()).toBe('1');
    await button.first().click();
    expect(await panel.posted('checkpoint/restore')).toEqual([{ type: 'checkpoint/restore', entryId: 'e0' }]);
    await panel.page.mouse.move(0, 0);
    await panel.thread.focus();
    await panel.page.keyboard.press('Tab');
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Edit this message');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('prompt/edit')).toEqual([{ type: 'prompt/edit', entryId: 'e0' }]);
  });

  it('says at the prompt that its files were restored, with Redo, until that is taken back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries, { checkpoints: { from: 0, to: 200, restored: 100 } }));
    const note = panel.page.locator('.user-message').first().locator('.restored-note');
    await expect
      .poll(() => note.innerText())
      .toMatch(/Files restored to the checkpoint before this message\s*·\s*Redo/);
    await expect.poll(() => panel.page.getByRole('button', restore).count()).toBe(1);
    await note.getByRole('button', { name: /^Redo/ }).click();
    expect(await panel.posted('checkpoint/redo')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: { checkpoints: { from: 0, to: 200 } } });
    await expect.poll(() => note.count()).toBe(0);
    await expect.poll(() => panel.page.getByRole('button', restore).count()).toBe(2);
  });

  it('is edited in the message box, and what was typed before comes back: with Cancel, with Escape, and when it is sent', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries));
    const line = panel.page.getByText('Editing an earlier message');
    const edit = (text: string) => panel.send({ type: 'draft/edit', entryId: 'e2', text, mentions: [] });
    await panel.box.fill('a draft');
    await edit('And the tests?');
    await expect.poll(() => panel.box.inputValue()).toBe('And the tests?');
    await panel.page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect.poll(() => panel.box.inputValue()).toBe('a draft');
    expect(await line.count()).toBe(0);
    await edit('And the tests?');
    await line.waitFor();
    await panel.box.press('Escape');
    await expect.poll(() => panel.box.inputValue()).toBe('a draft');
    expect(await panel.posted('prompt/cancelEdit')).toHaveLength(2);
    await edit('And the tests?');
    // Another one is edited instead: the draft is still the one from before.
    await panel.send({ type: 'draft/edit', entryId: 'e0', text: 'Make it quick', mentions: [] });
    await expect.poll(() => panel.box.inputValue()).toBe('Make it quick');
    await panel.box.press('Enter');
    expect(await panel.posted('prompt/submit')).toEqual([
      { type: 'prompt/submit', text: 'Make it quick', mentions: [], attachments: [], edits: 'e0' },
    ]);
    await expect.poll(() => panel.box.inputValue()).toBe('a draft');
    await panel.box.press('Enter');
    expect((await panel.posted('prompt/submit')).at(-1)).toEqual({
      type: 'prompt/submit',
      text: 'a draft',
      mentions: [],
      attachments: [],
    });
  });

  it('goes on being edited after the panel was made anew, and not in another session', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries), {
      draft: 'And the tests now?',
      mentions: [],
      expanded: {},
      editing: { entryId: 'e2', draft: 'a draft', mentions: [] },
    });
    await panel.page.getByText('Editing an earlier message').waitFor();
    expect(await panel.box.inputValue()).toBe('And the tests now?');
    await panel.show({ ...threadView([]), threadId: 'another' });
    await expect.poll(() => panel.page.getByText('Editing an earlier message').count()).toBe(0);
  });

  it('a rewind is one line in the conversation with Redo', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        ...entries.slice(0, 2),
        {
          kind: 'notice',
          id: 'e4',
          severity: 'info',
          title: 'Restored to the checkpoint before “And the tests?”',
          detail: '2 files were restored.',
          actions: ['redo'],
        },
      ]),
    );
    const line = panel.page.locator('.rewound-line');
    await expect
      .poll(() => line.innerText())
      .toMatch(/Restored to the checkpoint before “And the tests\?”\s*·\s*2 files were restored\.\s*·\s*Redo/);
    await line.getByRole('button', { name: /^Redo/ }).click();
    expect(await panel.posted('notice/act')).toEqual([{ type: 'notice/act', action: 'redo' }]);
  });
});

describe('what can be done with an answer', () => {
  const ended = (id: string, text: string): EntryView => ({ ...agentMessage(id, text), endsTurn: true }) as EntryView;

  it('is offered once, at the end of a turn, on hover and by key; under the last answer always', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        prompt('e0', 'Go', 1),
        agentMessage('e1', 'First I look.'),
        ended('e2', 'Done.'),
        prompt('e3', 'More', 2),
        agentMessage('e4', 'Working'),
      ]),
    );
    const bar = panel.page.getByRole('toolbar', { name: 'Answer' });
    await expect.poll(() => bar.count()).toBe(1);
    const opacity = (n: number) => bar.nth(n).evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity(0)).toBe('0');
    await panel.page.getByText('Done.').hover();
    expect(await opacity(0)).toBe('1');
    await panel.page.mouse.move(0, 0);
    await bar.getByRole('button', { name: 'Copy answer' }).focus();
    expect(await opacity(0)).toBe('1');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('answer/copy')).toEqual([{ type: 'answer/copy', entryId: 'e2' }]);
    await expect.poll(() => panel.page.getByRole('status').allTextContents()).toContain('Copied');
    expect(await bar.getByRole('status').count(), 'not within a button, which a screen reader may not look into').toBe(
      0,
    );
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('answer/retry')).toEqual([{ type: 'answer/retry', entryId: 'e2' }]);
    await panel.patch({ op: 'entry/close', id: 'e4', endsTurn: true });
    await expect.poll(() => bar.count()).toBe(2);
    expect(await opacity(1)).toBe('1');
  });

  it('offers Insert where the answer has one block of code', async () => {
    const panel = await PanelPage.open();
    const insert = panel.page.getByRole('button', { name: 'Insert the code at the cursor' });
    await panel.show(
      threadView([
        prompt('e0', 'Go', 1),
        ended('e1', 'Here:\n\n```ts\nconst a = 1;\n  const b = 2;\n```\nThat is all.'),
      ]),
    );
    await insert.click();
    expect(await panel.posted('code/insert')).toEqual([
      { type: 'code/insert', text: 'const a = 1;\n  const b = 2;\n' },
    ]);
    await panel.show(threadView([prompt('e0', 'Go', 1), ended('e1', '```\na\n```\n```\nb\n```')]));
    await expect.poll(() => insert.count()).toBe(0);
  });

  it('has nothing dead in its menu: Copy with a selection, and no Cut or Paste', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([prompt('e0', 'Go', 1), ended('e1', 'Some words.')]));
    const answer = panel.page.locator('.agent-message');
    const menu = async () => {
      await answer.getByText('Some words.').click({ button: 'right' });
      return JSON.parse((await answer.getAttribute('data-vscode-context'))!) as unknown;
    };
    expect(await menu()).toEqual({ webviewSection: 'answer', entryId: 'e1', preventDefaultContextMenuItems: true });
    await answer.locator('p').evaluate((element) => getSelection()!.selectAllChildren(element));
    expect(await menu()).toMatchObject({ parleySelection: 'Some words.' });
  });

  const looks = process.env['CHECKPOINT_PICTURES'];
  it.runIf(looks)('is drawn to be looked at', async () => {
    const rewound: EntryView = {
      kind: 'notice',
      id: 'e4',
      severity: 'info',
      title: 'Restored to the checkpoint before “And the tests?”',
      detail: '2 files were restored.',
      actions: ['redo'],
    };
    const view = threadView(
      [
        ...entries.slice(0, 1),
        ended('e1', 'Done.'),
        prompt('e2', 'And the tests?', 200),
        ended('e3', 'They pass.\n\n```ts\nconst a = 1;\n```'),
        rewound,
        prompt('e5', 'What is left?', 300),
        ended('e6', 'Nothing.'),
      ],
      {
        checkpoints: { from: 0, to: 300, restored: 200 },
        queue: [
          { id: 'q1', text: 'also update the README' },
          { id: 'q2', text: 'then commit' },
        ],
        queuePaused: true,
      },
    );
    for (const theme of ['dark-modern', 'light-modern', 'hc-dark'] as const) {
      for (const width of [250, 300, 640]) {
        const panel = await PanelPage.open({ theme, width, height: 720 });
        await panel.show(view);
        await panel.page.locator('.user-message').first().hover();
        await panel.frames();
        await panel.screenshot(`${looks}/${theme}-${width}.png`);
        await panel.send({ type: 'draft/edit', entryId: 'e2', text: 'And the tests?', mentions: [] });
        await panel.page.getByRole('button', { name: 'Copy answer' }).nth(1).focus();
        await panel.frames();
        await panel.screenshot(`${looks}/${theme}-${width}-focus.png`);
      }
    }
  });
});
