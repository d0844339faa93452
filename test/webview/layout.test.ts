import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { faintTexts } from './faintTexts';
import { scenes } from './scenes.mjs';
import { agentMessage, threadView, userMessage } from './views.mjs';

useHarness();

describe('every state is complete', () => {
  it.each([165, 250, 300, 400, 900])('%i px wide', async (width) => {
    const panel = await PanelPage.open({ width, height: 1600 });
    const found: string[] = [];
    for (const [name, scene] of Object.entries(scenes)) {
      await panel.show(scene.view, scene.ui);
      found.push(...(await panel.page.evaluate(overflows)).map((line) => `${name}: ${line}`));
    }
    expect(found).toEqual([]);
  });

  it('and its lines stay readable where the panel is wide', async () => {
    const panel = await PanelPage.open({ width: 1400 });
    await panel.show(scenes.markdown.view);
    const width = await panel.page.locator('.agent-message').evaluate((e) => e.getBoundingClientRect().width);
    expect(width).toBeLessThanOrEqual(760);
  });
});

/** Runs in the page: what is cut off, or too small to be hit. */
function overflows(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the document scrolls sideways');
  const thread = document.querySelector('.thread')!;
  if (thread.scrollWidth > thread.clientWidth) found.push('the thread scrolls sideways');
  for (const element of document.querySelectorAll<HTMLElement>(
    'button, textarea, .card, .strip, .label, .title, .asks, h2, p, .notice-title > span',
  )) {
    if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest('pre, .diff, .table, .visually-hidden')) continue;
    if (box.left < -0.5 || box.right > innerWidth + 0.5)
      found.push(`${element.className} ${element.textContent?.trim().slice(0, 30)} ${box.left}–${box.right}`);
    // What does not fit ends with dots; its parent does not cut it off without a word.
    const parent = element.parentElement!.getBoundingClientRect();
    if (element.matches('.head-button > .label') && box.right > parent.right + 0.5)
      found.push(`cut off: ${element.textContent?.slice(0, 30)}`);
    if (element.tagName === 'BUTTON' && (box.height < 18 || box.width < 16))
      found.push(`too small: ${element.className} ${box.width}×${box.height}`);
  }
  return found;
}

describe('what VS Code has around the panel', () => {
  it('is never scrolled by it', async () => {
    const { page } = await PanelPage.open({ width: 400, height: 600 });
    // As VS Code's own element, which is some pixels lower than what it shows.
    await page.evaluate(async () => {
      const [scroller, frame] = [document.createElement('div'), document.createElement('iframe')];
      Object.assign(scroller.style, { height: '500px', overflow: 'hidden' });
      Object.assign(frame.style, { display: 'block', width: '380px', height: '540px', border: '0' });
      frame.src = location.href;
      scroller.id = 'around';
      scroller.append(frame);
      document.body.replaceChildren(scroller);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
    });
    const frame = page.frames()[1]!;
    const view = threadView(
      Array.from({ length: 20 }, (_, i) => [
        userMessage(`u${i}`, `Question ${i}`),
        agentMessage(`a${i}`, 'Text. '.repeat(200)),
      ]).flat(),
    );
    const send = (message: unknown) => frame.evaluate((one) => window.harness.send(one), message);
    await send({
      type: 'thread/snapshot',
      stamp: { generation: 1, sequence: 0 },
      view,
      ui: { draft: '', mentions: [], expanded: {} },
    });
    await frame.locator('.composer textarea').waitFor();
    await send({ type: 'focus/set', target: 'composer' });
    await frame.waitForFunction(() => document.activeElement?.matches('textarea'));
    await send({ type: 'entry/reveal', entryId: 'u4' });
    await frame.waitForFunction(() => document.activeElement?.closest('.entry-userMessage'));
    await send({ type: 'focus/set', target: 'find' });
    await frame.waitForFunction(
      () => document.activeElement?.matches('input, textarea') && document.activeElement.closest('.find'),
    );
    expect(await page.locator('#around').evaluate((around) => around.scrollTop)).toBe(0);
  });
});

describe('a page in place of the conversation', () => {
  it.each(['sessions', 'gallery'] as const)('%s shows nothing of what is behind it', async (name) => {
    const panel = await PanelPage.open({ width: 285 });
    await panel.show({ ...scenes[name].view, threadId: 't' });
    await panel.patch(
      { op: 'entry/add', entry: userMessage('u', 'A question') },
      { op: 'entry/add', entry: agentMessage('a', 'Text. '.repeat(2_000)) },
    );
    await panel.page.waitForFunction(() => document.querySelector('.prompt-head:not([hidden])') !== null);
    const pages = await panel.page.evaluate(() =>
      [3, 20, 282].map(
        (x) =>
          document
            .elementFromPoint(x, document.querySelector('.thread-area')!.getBoundingClientRect().top + 14)
            ?.closest('.session-list, .gallery') !== null,
      ),
    );
    expect(pages).toEqual([true, true, true]);
  });
});

it('has one main landmark, and links in code can be read', async () => {
  const panel = await PanelPage.open({ theme: 'dark-modern' });
  await panel.show(threadView([agentMessage('a', 'See [`src/tokenizer.ts`](https://example.com) and more.')]));
  await panel.page.locator('.markdown a code').waitFor();
  expect(await panel.page.getByRole('main').count()).toBe(1);
  expect((await panel.page.evaluate(faintTexts, 4.5)).filter((text) => text.includes('tokenizer'))).toEqual([]);
});
