import { describe, expect, it } from 'vitest';
import type { EntryView } from '../../src/protocol/entryView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const prompt = (id: string, text: string, sentAt: number): EntryView => ({ kind: 'userMessage', id, content: [{ type: 'text', text }], dropped: false, sentAt });
const entries = [prompt('e0', 'Make `tokenize` iterative and keep the public API, whatever else happens to it.', 100), agentMessage('e1', 'Done.'), prompt('e2', 'And the tests?', 200), agentMessage('e3', 'They pass.')];
const restore = { name: 'Restore files to before this prompt' };

describe('checkpoints in the thread', () => {
  it('a prompt after which files were changed offers to restore them, when it is pointed at or focused', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries, { checkpoints: { from: 0, to: 100 } }));
    const button = panel.page.getByRole('button', restore);
    await expect.poll(() => button.count()).toBe(1);
    const opacity = () => panel.page.locator('.prompt-actions').evaluate((element) => getComputedStyle(element).opacity);
    expect(await opacity()).toBe('0');
    await panel.page.locator('.user-message').first().hover();
    expect(await opacity()).toBe('1');
    await button.click();
    expect(await panel.posted('checkpoint/restore')).toEqual([{ type: 'checkpoint/restore', entryId: 'e0' }]);
    await panel.patch({ op: 'panel/set', fields: { checkpoints: { from: 0, to: 200 } } });
    await expect.poll(() => button.count()).toBe(2);
    await panel.page.mouse.move(0, 0);
    await panel.thread.focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    await expect.poll(() => button.nth(1).evaluate((element) => element === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Enter');
    expect((await panel.posted('checkpoint/restore')).at(-1)).toEqual({ type: 'checkpoint/restore', entryId: 'e2' });
  });

  it('says at the prompt that it was restored to, with Redo, until that is taken back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(entries, { checkpoints: { from: 0, to: 200, restored: 100 } }));
    const note = panel.page.locator('.user-message').first().locator('.restored-note');
    await expect.poll(() => note.innerText()).toMatch(/Restored to before this prompt\s*·\s*Redo/);
    await note.getByRole('button', { name: /^Redo/ }).click();
    expect(await panel.posted('checkpoint/redo')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: { checkpoints: { from: 0, to: 200 } } });
    await expect.poll(() => note.count()).toBe(0);
    await expect.poll(() => panel.page.getByRole('button', restore).count()).toBe(2);
  });

  const looks = process.env['CHECKPOINT_PICTURES'];
  it.runIf(looks)('is drawn to be looked at', async () => {
    for (const theme of ['dark-modern', 'light-modern', 'hc-dark'] as const) {
      for (const width of [300, 640]) {
        const panel = await PanelPage.open({ theme, width, height: 420 });
        await panel.show(threadView([...entries, prompt('e4', 'One more', 300)], { checkpoints: { from: 0, to: 300, restored: 200 } }));
        await panel.page.locator('.user-message').first().hover();
        await panel.frames();
        await panel.page.screenshot({ path: `${looks}/${theme}-${width}.png` });
        await panel.page.mouse.move(0, 0);
        await panel.page.getByRole('button', restore).last().focus();
        await panel.page.keyboard.press('Shift+Tab');
        await panel.page.keyboard.press('Tab');
        await panel.page.screenshot({ path: `${looks}/${theme}-${width}-focus.png` });
      }
    }
  });
});
