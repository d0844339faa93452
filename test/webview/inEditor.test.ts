import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, userMessage } from './views.mjs';

useHarness();

const view = (threadId: string, said: boolean) => ({
  ...threadView(said ? [userMessage('u', 'Question'), agentMessage('a', 'Answer')] : [], { title: 'A title' }),
  threadId,
});

describe('the panel in an editor tab and beside one', () => {
  it('keeps which session it shows, for the tab that comes back', async () => {
    const panel = await PanelPage.open();
    const kept = () => panel.page.evaluate(() => window.harness.getState());
    await panel.show(view('one', false));
    await expect.poll(kept).toMatchObject({ threadId: 'one', isEmpty: true });
    await panel.page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await expect.poll(kept).toMatchObject({ threadId: 'one', draft: 'half a thought' });
    await panel.show(view('two', true));
    await expect.poll(kept).toMatchObject({ threadId: 'two', isEmpty: false });
  });

  it('lets go of a draft that has moved to a tab with its session, and of no other', async () => {
    const panel = await PanelPage.open();
    const box = panel.page.getByRole('textbox', { name: 'Message' });
    await panel.show(view('one', true));
    await box.fill('half a thought');
    await panel.show(view('two', false));
    await expect.poll(() => box.inputValue()).toBe('half a thought');
    await panel.show(view('three', false), { hasMoved: true });
    await expect.poll(() => box.inputValue()).toBe('');
    // The host repeats itself; what was typed since stays.
    await box.fill('another');
    await panel.show(view('three', false), { hasMoved: true });
    await expect.poll(() => box.inputValue()).toBe('another');
  });

  it('takes what is typed along only to a session that has no draft, and leaves it to its own otherwise', async () => {
    const panel = await PanelPage.open();
    const told = () => panel.posted('ui/changed').then((all) => all.map(({ ui }) => ui.draft));
    await panel.show(view('one', true));
    await panel.box.fill('foo');
    // The box is left by a click, which may be the one that switches.
    await panel.page.getByRole('button', { name: 'Add context' }).focus();
    expect(await told()).toEqual(['foo']);
    await panel.show(view('two', true), { draft: 'bar' });
    await expect.poll(() => panel.box.inputValue()).toBe('bar');
    await panel.show(view('three', true));
    await expect.poll(() => panel.box.inputValue()).toBe('bar');
    await expect.poll(told).toEqual(['foo', 'bar']);
  });

  const keeping = (kept: object) => (page: Page) =>
    page.addInitScript((kept) => {
      let harness: Window['harness'] | undefined;
      const set = (made: Window['harness']) =>
        (harness = made).setState({ draft: 'kept', mentions: [], expanded: {}, ...kept });
      Object.defineProperty(window, 'harness', { get: () => harness, set });
    }, kept);

  it.each([
    ['one', false, 'one', 'kept'],
    ['one', false, 'two', ''],
    ['one', true, 'two', 'kept'],
  ])(
    'shows what the window kept only in its conversation: %s (empty: %s), then %s',
    async (threadId, isEmpty, next, text) => {
      const panel = await PanelPage.open({ prepare: keeping({ threadId, isEmpty }) });
      const box = panel.page.getByRole('textbox', { name: 'Message' });
      await expect.poll(() => box.inputValue()).toBe('kept');
      await panel.show(view(next, !isEmpty), { draft: '' });
      await panel.frames();
      expect(await box.inputValue()).toBe(text);
    },
  );

  it('takes the host’s draft for newer than what the window kept, and what is typed for newer than both', async () => {
    const panel = await PanelPage.open({ prepare: keeping({}) });
    const box = panel.page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => box.inputValue()).toBe('kept');
    await panel.show(view('one', true), { draft: 'newer' });
    await expect.poll(() => box.inputValue()).toBe('newer');
    await panel.page.reload();
    await box.fill('typed');
    await panel.show(view('one', true), { draft: 'newer' });
    await expect.poll(() => box.inputValue()).toBe('typed');
  });

  it.each([
    ['the focus leaves', () => window.dispatchEvent(new FocusEvent('blur'))],
    ['a key of VS Code', () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))],
  ])('tells what was typed before %s, so that a command finds it', async (_, happen) => {
    const panel = await PanelPage.open();
    await panel.show(view('one', true));
    await panel.page.getByRole('textbox', { name: 'Message' }).fill('just typed');
    await panel.page.evaluate(happen);
    expect((await panel.posted('ui/changed')).at(-1)?.ui.draft).toBe('just typed');
  });

  it.each([250, 1400])('has the colours of an editor, one column and no second title, %i px wide', async (width) => {
    const panel = await PanelPage.open({ width });
    await panel.page.evaluate(() => document.documentElement.classList.add('in-editor'));
    await panel.show(view('one', true));
    await panel.page.locator('.agent-message').waitFor();
    const seen = await panel.page.evaluate(() => {
      const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
      const [thread, composer] = [box('.thread-list'), box('.composer')];
      const editor = getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background').trim();
      return {
        column: Math.abs(thread.left - composer.left),
        width: composer.width,
        isEditor: getComputedStyle(document.documentElement).getPropertyValue('--background').trim() === editor,
        title: getComputedStyle(document.querySelector('.session-title')!).clipPath,
      };
    });
    expect(seen).toMatchObject({ isEditor: true, title: 'inset(50%)' });
    expect(seen.column).toBeLessThanOrEqual(10);
    expect(seen.width).toBeLessThanOrEqual(760);
    // It still has a heading for whoever goes by headings.
    expect(await panel.page.getByRole('heading', { level: 1 }).innerText()).toBe('A title');
  });
});
