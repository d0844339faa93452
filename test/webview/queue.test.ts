import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { threadView } from './views.mjs';

useHarness();

const running = { running: true, startedAt: Date.now(), stopping: false, canForceStop: false };

describe('the queue', () => {
  it('lists queued prompts, to send, edit and remove', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([], {
        turn: running,
        queue: [
          { id: 'q1', text: 'also update the README\nand the rest' },
          { id: 'q2', text: 'then commit' },
        ],
      }),
    );
    const list = panel.page.getByRole('list', { name: 'Queued messages' });
    await expect
      .poll(() => list.getByRole('listitem').allInnerTexts())
      .toEqual(['Queued: also update the README', 'then commit']);
    await list.getByRole('button', { name: 'Edit: also update the README' }).click();
    await list.getByRole('button', { name: 'Remove: then commit' }).click();
    await list.getByRole('button', { name: 'Send now (stops the agent first): then commit' }).click();
    await expect.poll(() => panel.posted('queue/edit')).toEqual([{ type: 'queue/edit', id: 'q1' }]);
    await expect.poll(() => panel.posted('queue/remove')).toEqual([{ type: 'queue/remove', id: 'q2' }]);
    await expect.poll(() => panel.posted('queue/send')).toEqual([{ type: 'queue/send', id: 'q2' }]);
  });

  it('leaves the focus on the same message when one before it has gone', async () => {
    const panel = await PanelPage.open();
    const queue = ['one', 'two', 'three'].map((text) => ({ id: text, text }));
    await panel.show(threadView([], { turn: running, queue }));
    await panel.page.getByRole('button', { name: 'Remove: two' }).focus();
    await panel.patch({ op: 'panel/set', fields: { queue: queue.slice(1) } });
    await expect
      .poll(() => panel.page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem').count())
      .toBe(2);
    expect(await panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove: two');
  });

  it('says that the queue is paused, with Resume and Clear, and the focus goes to the messages with them', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { queue: ['one', 'two'].map((text) => ({ id: text, text })), queuePaused: true }));
    const paused = panel.page.getByRole('group', { name: 'Queue' });
    await expect.poll(() => paused.innerText()).toMatch(/^Paused\s+Resume\s+Clear$/);
    await paused.getByRole('button', { name: 'Clear' }).click();
    expect(await panel.nextPosted('queue/clear')).toEqual({ type: 'queue/clear' });
    await paused.getByRole('button', { name: 'Resume' }).focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.nextPosted('queue/resume')).toEqual({ type: 'queue/resume' });
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['queuePaused'] });
    await expect.poll(() => paused.count()).toBe(0);
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Move: one, 1 of 2');
  });

  it('sends a queued prompt into the running turn where the agent takes it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { turn: { ...running, canSteer: true }, queue: [{ id: 'q1', text: 'use tabs' }] }));
    await panel.page.getByRole('button', { name: 'Send now (adds to the running turn): use tabs' }).click();
    expect(await panel.nextPosted('queue/send')).toEqual({ type: 'queue/send', id: 'q1' });
    expect(await panel.page.getByRole('button', { name: /^Move/ }).count()).toBe(0);
  });

  it('moves queued prompts by key, and the focus goes along', async () => {
    const panel = await PanelPage.open();
    const queue = ['one', 'two', 'three'].map((text) => ({ id: text, text }));
    await panel.show(threadView([], { turn: running, queue }));
    await panel.page.getByRole('button', { name: 'Move: three, 3 of 3' }).focus();
    await panel.page.keyboard.press('Alt+ArrowDown');
    await panel.page.keyboard.press('Alt+ArrowUp');
    expect(await panel.nextPosted('queue/move')).toEqual({ type: 'queue/move', id: 'three', to: 1 });
    await panel.patch({ op: 'panel/set', fields: { queue: [queue[0]!, queue[2]!, queue[1]!] } });
    await expect
      .poll(() =>
        panel.page.getByRole('button', { name: 'Move: three, 2 of 3' }).evaluate((e) => e === document.activeElement),
      )
      .toBe(true);
    // The keys work from any button of the line.
    await panel.page.getByRole('button', { name: 'Remove: one' }).focus();
    await panel.page.keyboard.press('Alt+ArrowDown');
    await expect
      .poll(() => panel.posted('queue/move'))
      .toEqual([
        { type: 'queue/move', id: 'three', to: 1 },
        { type: 'queue/move', id: 'one', to: 1 },
      ]);
  });

  it('keeps the focus where queued prompts are taken away by key, and gives it back after the last', async () => {
    const panel = await PanelPage.open();
    const queue = ['one', 'two'].map((text) => ({ id: text, text }));
    await panel.show(threadView([], { turn: running, queue }));
    await panel.page.getByRole('button', { name: 'Remove: two' }).focus();
    await panel.page.keyboard.press('Enter');
    await panel.patch({ op: 'panel/set', fields: { queue: [queue[0]!] } });
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'Remove: one' }).evaluate((e) => e === document.activeElement))
      .toBe(true);
    await panel.patch({ op: 'panel/set', fields: { queue: [] } });
    await expect.poll(() => panel.box.evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('moves queued prompts by dragging; Escape leaves them', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([], { turn: running, queue: ['one', 'two', 'three'].map((text) => ({ id: text, text })) }),
    );
    const grip = panel.page.getByRole('button', { name: 'Move: one, 1 of 3' });
    const target = await panel.page.getByRole('button', { name: 'Move: three, 3 of 3' }).boundingBox();
    const drag = async () => {
      await grip.hover();
      await panel.page.mouse.down();
      await panel.page.mouse.move(target!.x + 5, target!.y + 5, { steps: 4 });
    };
    await drag();
    await expect.poll(() => panel.page.locator('.drop-below').count()).toBe(1);
    await panel.page.keyboard.press('Escape');
    await panel.page.mouse.up();
    await expect.poll(() => panel.page.locator('.drop-below, .dragged').count()).toBe(0);
    await drag();
    await panel.page.mouse.up();
    await expect.poll(() => panel.posted('queue/move')).toEqual([{ type: 'queue/move', id: 'one', to: 2 }]);
  });
});
