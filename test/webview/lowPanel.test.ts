import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ThreadView } from '../../src/protocol/viewModel';
import { PanelPage, useHarness } from './panelPage';
import { scenes } from './scenes.mjs';

useHarness();

/** The same with everything above and below the conversation that takes room from it. */
function crowded(view: ThreadView): ThreadView {
  const { plan, changes } = scenes.working.view.panel;
  return {
    ...view,
    entries: [...scenes.markdown.view.entries, ...view.entries],
    panel: {
      ...view.panel,
      title: 'A title',
      plan,
      changes,
      queue: scenes.queue.view.panel.queue,
      notices: scenes.updates.view.panel.notices,
    },
  };
}

/**
 * The answers that a click would not reach after the page has scrolled to them, as it does for assistive technology.
 */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const button of document.querySelectorAll<HTMLElement>('.permission .buttons > button')) {
      button.scrollIntoView({ block: 'center' });
      for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
      const box = button.getBoundingClientRect();
      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      if (!button.contains(hit))
        found.push(`${button.innerText.trim()}, at ${Math.round(box.top)}: ${hit?.tagName} ${hit?.className}`);
    }
    return found;
  });
}

describe('whatever waits can be answered', () => {
  it.each([200, 320, 560])('in a panel %i px high', async (height) => {
    const panel = await PanelPage.open({ width: 300, height });
    for (const name of ['forms', 'pages', 'askedCommand', 'askedChain', 'askedDiff'] as const) {
      for (const [room, view] of Object.entries({ alone: scenes[name].view, crowded: crowded(scenes[name].view) })) {
        await panel.show(view);
        // While what is far gets its height a held place is kept.
        await expect.poll(() => outOfReach(panel.page), { message: `${name}, ${room}` }).toEqual([]);
      }
    }
  });

  it('whoever scrolls without wheel and keys stays there, also where a place is held', async () => {
    const panel = await PanelPage.open({ width: 300, height: 400 });
    const [question, form] = scenes.forms.view.entries;
    // A card that is taller than the view is shown from its top.
    await panel.show(scenes.forms.view);
    const top = () => panel.thread.evaluate((e) => e.scrollTop);
    await expect
      .poll(() =>
        panel.page
          .locator(`[data-entry=${form!.id}]`)
          .evaluate(
            (e) =>
              Math.abs(e.getBoundingClientRect().top - document.querySelector('.thread')!.getBoundingClientRect().top) <
              20,
          ),
      )
      .toBe(true);
    await expect
      .poll(() =>
        panel.thread.evaluate(async (e) => {
          e.querySelector('button[type=submit]')!.scrollIntoView({ block: 'end' });
          const there = e.scrollTop;
          for (let i = 0; i < 4; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
          return e.scrollTop === there;
        }),
      )
      .toBe(true);
    const there = await top();
    // Also when something comes below.
    await panel.patch({ op: 'entry/add', entry: { ...question!, id: 'later' } });
    await panel.frames(4);
    expect(await top()).toBe(there);
  });
});
