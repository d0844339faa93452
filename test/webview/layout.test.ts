import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { scenes } from './scenes.mjs';

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
  for (const element of document.querySelectorAll<HTMLElement>('button, textarea, .card, .strip, .label, .title, .asks, h2, p, .notice-title > span')) {
    if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || element.closest('pre, .diff, .table, .visually-hidden')) continue;
    if (box.left < -0.5 || box.right > innerWidth + 0.5) found.push(`${element.className} ${element.textContent?.trim().slice(0, 30)} ${box.left}–${box.right}`);
    // What does not fit ends with dots; its parent does not cut it off without a word.
    const parent = element.parentElement!.getBoundingClientRect();
    if (element.matches('.head-button > .label') && box.right > parent.right + 0.5) found.push(`cut off: ${element.textContent?.slice(0, 30)}`);
    if (element.tagName === 'BUTTON' && (box.height < 18 || box.width < 16)) found.push(`too small: ${element.className} ${box.width}×${box.height}`);
  }
  return found;
}
