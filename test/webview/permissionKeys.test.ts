import { describe, expect, it } from 'vitest';
import { asking, card, pending } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { threadView } from './views.mjs';

useHarness();

describe('a permission request and the keyboard', () => {
  it('takes no focus and no answer in the moment when it appears', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([]));
    await panel.box.fill('typing');
    await panel.page.evaluate(() => performance.mark('asked'));
    await panel.patch({ op: 'entry/add', entry: asking('c', 'Run') });
    const button = card(panel, 'Run').getByRole('button', { name: 'Reject', exact: true });
    await button.waitFor();
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    await button.click();
    const waited = await panel.page.evaluate(
      () => performance.now() - performance.getEntriesByName('asked')[0]!.startTime,
    );
    expect(waited).toBeGreaterThanOrEqual(398);
  });

  it('is answered with digits only while its card has the focus', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await panel.box.press('2');
    await expect.poll(() => panel.posted('permission/select')).toEqual([]);
    await expect.poll(() => panel.box.inputValue()).toBe('2');
    await card(panel, 'Run')
      .getByRole('button', { name: 'Reject', exact: true })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    for (const key of ['Escape', 'Space', '9', 'Control+1']) await panel.page.keyboard.press(key);
    await expect.poll(() => panel.posted('permission/select')).toEqual([]);
    await panel.page.keyboard.press('2');
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'yes' }]);
  });

  it('is reached with the Tab key and answered with Enter', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')]));
    await card(panel, 'Run')
      .getByRole('button', { name: 'Reject', exact: true })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    await panel.thread.focus();
    await panel.page.keyboard.press('Tab');
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.querySelector('span')?.textContent))
      .toBe('Reject');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    expect((await panel.posted('permission/select')).map((m) => m.optionId)).toEqual(['yes']);
  });

  it('is answered with Enter on the card by its highlighted option, and the arrow keys move to another', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await card(panel, 'Run')
      .getByRole('button', { name: 'Reject', exact: true })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('ArrowRight');
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.querySelector('span')?.textContent))
      .toBe('Always');
    await panel.page.keyboard.press('ArrowRight');
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.querySelector('span')?.textContent))
      .toBe('Reject');
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'yes' }]);
    // Whoever came from an editor is there again.
    expect(await panel.posted('focus/leave')).toHaveLength(1);
  });

  it('leaves the question pending with Escape, and gives the focus back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => panel.posted('focus/leave')).toHaveLength(1);
    expect(await panel.posted('permission/select')).toEqual([]);
  });
});
