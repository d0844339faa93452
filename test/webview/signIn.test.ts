import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { signInScenes, signInView } from './signInScenes.mjs';
import { threadView } from './views.mjs';

useHarness();

const card = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Sign in to Codex' });
/** It is loaded with the first card, which takes no click for a moment. */
const ready = (panel: PanelPage) => panel.page.locator('.sign-in-method:enabled').first().waitFor();

describe('the sign-in card', () => {
  it('39: offers the agent’s methods in its words, and tells the host which one was chosen', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signIn.view, { draft: 'and this too' });
    await ready(panel);
    const names = await card(panel).locator('.sign-in-method').allInnerTexts();
    expect(names.map((name) => name.split('\n')[0])).toEqual([
      'ChatGPT (device code)',
      'API Key',
      'Log in with the command line',
    ]);
    // Agents write Markdown here; its marks are no part of the words.
    expect(await card(panel).locator('.sign-in-method').nth(1).innerText()).toBe(
      'API Key\nUse an API key from OPENAI_API_KEY to authenticate',
    );
    expect(await card(panel).locator('.sign-in-method code').allInnerTexts()).toEqual(['OPENAI_API_KEY']);
    await card(panel).getByText('Your message will be sent after you sign in.').waitFor();
    await card(panel)
      .getByRole('button', { name: /API Key/ })
      .click();
    expect(await panel.posted('signIn/choose')).toEqual([{ type: 'signIn/choose', requestId: 's1', methodId: 'key' }]);
    // What is being typed stays.
    expect(await panel.box.inputValue()).toBe('and this too');
  });

  it('takes no click in the moment in which it appears', async () => {
    const panel = await PanelPage.open();
    // Watched in the page: from here the moment may be over before one can ask.
    await panel.page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const methods = [...document.querySelectorAll<HTMLButtonElement>('.sign-in-method')];
        if (methods.length === 0) return;
        document.documentElement.dataset['atFirst'] = methods.map(({ disabled }) => disabled).join();
        observer.disconnect();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await panel.show(signInScenes.signIn.view);
    await ready(panel);
    expect(await panel.page.evaluate(() => document.documentElement.dataset['atFirst'])).toBe('true,true,true');
  });

  it('46: shows the whole command with its variables and its folder before it runs', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signInCommand.view);
    const { step } = signInScenes.signInCommand.view.panel.signIn!;
    expect(step.type === 'confirm' && (await card(panel).getByLabel('Command').innerText())).toBe(
      step.type === 'confirm' && step.command,
    );
    for (const words of ['LD_PRELOAD=/tmp/a/rather/long/path/that/does/not/fit.so', '/home/ada/work/tokenizer'])
      await card(panel).getByText(words).waitFor();
    await card(panel).getByRole('button', { name: 'Run in Terminal' }).click();
    await card(panel).getByRole('button', { name: 'Back' }).click();
    expect(await panel.posted('signIn/act')).toEqual([
      { type: 'signIn/act', requestId: 's1', act: 'run' },
      { type: 'signIn/act', requestId: 's1', act: 'back' },
    ]);
  });

  it('45, 49: can be told that it is done, shown the terminal, and called off', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signInTerminal.view);
    for (const name of ['I Have Signed In', 'Show Terminal', 'Cancel'])
      await card(panel).getByRole('button', { name }).click();
    await panel.show(signInScenes.signInTrying.view);
    await card(panel).getByText('Signing in with “ChatGPT (device code)”').waitFor();
    await card(panel).getByRole('button', { name: 'Cancel' }).click();
    expect((await panel.posted('signIn/act')).map(({ act }) => act)).toEqual(['done', 'showTerminal', 'back', 'back']);
  });

  it('42: says what went wrong, and that to a screen reader too', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signInFailed.view);
    expect(await card(panel).getByRole('alert').innerText()).toContain('The device code has expired');
    await ready(panel);
    await card(panel).getByRole('button', { name: 'Not Now' }).click();
    expect(await panel.posted('signIn/act')).toEqual([{ type: 'signIn/act', requestId: 's1', act: 'dismiss' }]);
  });

  it('is gone through with the keyboard alone, and keeps the focus from step to step', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signIn.view);
    await ready(panel);
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel).evaluate((e) => e === document.activeElement)).toBe(true);
    for (let i = 0; i < 3; i++) await panel.page.keyboard.press('Tab');
    const focused = await panel.page.evaluate(() => ({
      text: document.activeElement!.textContent,
      ring: getComputedStyle(document.activeElement!).outlineStyle,
    }));
    expect(focused).toMatchObject({ text: expect.stringContaining('command line') });
    expect(focused.ring).not.toBe('none');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('signIn/choose')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: { signIn: signInScenes.signInCommand.view.panel.signIn! } });
    await card(panel).getByRole('button', { name: 'Run in Terminal' }).waitFor();
    expect(await card(panel).evaluate((e) => e.contains(document.activeElement))).toBe(true);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('signIn/act')).toEqual([{ type: 'signIn/act', requestId: 's1', act: 'run' }]);
  });

  it('190: shows what the agent calls its methods as text', async () => {
    const panel = await PanelPage.open();
    const hostile = '<img src=x onerror=alert(1)> [a](command:x) **b**';
    const view = signInView({
      methods: [{ id: 'h', name: hostile, description: hostile, kind: 'agent' }],
      reason: hostile,
      problem: hostile,
    });
    await panel.show(threadView([], { agent: 'Codex', signIn: view }));
    expect(await card(panel).locator('img, a, strong, b').count()).toBe(0);
    expect((await card(panel).innerText()).split(hostile)).toHaveLength(5);
  });

  it('is announced, and gives the place back to what was there', async () => {
    const panel = await PanelPage.open();
    await panel.show(signInScenes.signInEmpty.view);
    await expect.poll(() => panel.page.locator('[aria-live]').allInnerTexts()).toContain('Codex asks you to sign in.');
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['signIn'] });
    const elapsed = panel.page.locator('.starting .elapsed');
    const before = await elapsed.innerText();
    await expect.poll(() => elapsed.innerText()).not.toBe(before);
    await panel.patch({ op: 'panel/set', fields: { connection: { state: 'ready' } } });
    expect(await card(panel).count()).toBe(0);
    await panel.page.getByText('Ask Codex to build, fix or explain').waitFor();
  });
});
