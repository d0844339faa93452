import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, userMessage } from './views.mjs';

useHarness();

const long = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? userMessage(`e${i}`, `prompt ${i}`) : agentMessage(`e${i}`, `answer ${i}\n\n${'more text '.repeat(60)}`)));

describe('an imported session', () => {
  it('has a line with New Session in place of the message box, and keys for the box lead nowhere', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long[0]!, { kind: 'agentMessage', id: 'e1', content: [{ type: 'text', text: 'answer' }], streaming: false, endsTurn: true }], { agent: 'Demo', imported: { exportedAt: Date.UTC(2026, 10, 22, 12) } }));
    const line = panel.page.getByRole('group', { name: 'Imported session' });
    await expect.poll(() => line.innerText()).toMatch(/^Read-only session with Demo, exported .*2026/);
    await expect.poll(() => panel.box.isVisible()).toBe(false);
    await panel.page.getByRole('button', { name: 'Copy answer' }).waitFor();
    expect(await panel.page.getByRole('button', { name: /^(Retry|Edit this message|Restore)/ }).count()).toBe(0);
    await panel.send({ type: 'focus/set', target: 'composer' });
    await expect.poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
    await panel.page.keyboard.type('hello');
    await panel.page.keyboard.press('Enter');
    await line.getByRole('button', { name: 'New Session' }).click();
    expect([await panel.posted('prompt/submit'), await panel.posted('session/new')]).toEqual([[], [{ type: 'session/new' }]]);
    await panel.show(threadView());
    await expect.poll(() => panel.box.isVisible()).toBe(true);
    expect(await line.count()).toBe(0);
  });
});

describe('a link to a prompt', () => {
  it('scrolls to it as soon as it is drawn, and the conversation does not go on to its end', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(long));
    await panel.send({ type: 'entry/reveal', entryId: 'e20' });
    const prompt = panel.page.getByText('prompt 20', { exact: true });
    const isInView = () => prompt.evaluate((element) => element.getBoundingClientRect().top > 0 && element.getBoundingClientRect().bottom < innerHeight).catch(() => false);
    await expect.poll(isInView).toBe(true);
    await panel.patch({ op: 'entry/add', entry: agentMessage('e400', 'the last') });
    await panel.send({ type: 'entry/reveal', entryId: 'e99999' });
    await expect.poll(() => panel.page.getByText('the last', { exact: true }).count()).toBe(1);
    expect(await isInView()).toBe(true);
  });

  it('is copied from the menu of the prompt', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(long.slice(0, 2)));
    await expect.poll(() => panel.page.locator('.user-message').first().getAttribute('data-vscode-context').then((text) => JSON.parse(text ?? '{}') as unknown)).toEqual({ webviewSection: 'prompt', entryId: 'e0' });
  });
});
