import { beforeAll, describe, expect, it } from 'vitest';
import { axe, runAxe } from './axe';
import { PanelPage, useHarness } from './panelPage';
import { scenes } from './scenes.mjs';

useHarness();

const themes = ['dark', 'light', 'hc-dark', 'hc-light'] as const;

describe('every state passes the accessibility checks', () => {
  const found: Record<string, string[]> = {};

  beforeAll(async () => {
    const panel = await PanelPage.open({ theme: themes[0], height: 1200 });
    // What the debugger evaluates is not subject to the page's policy.
    await panel.page.evaluate(axe);
    for (const [name, scene] of Object.entries(scenes)) {
      await panel.show(scene.view, scene.ui);
      await panel.page.waitForFunction(() =>
        document
          .getAnimations()
          .every(
            (animation) =>
              animation.playState !== 'running' ||
              !(animation.timeline instanceof DocumentTimeline) ||
              animation.effect?.getComputedTiming().iterations === Infinity,
          ),
      );
      // Options of a permission are inert, and therefore pale, for a moment; those of a card out of view until it is
      // seen.
      if ((await panel.page.locator('.waiting-strip').count()) === 0)
        await panel.page.locator('.permission.next .options button:disabled').first().waitFor({ state: 'detached' });
      for (const theme of themes) {
        await panel.setTheme(theme);
        // The first theme is checked by all rules; the others have the same elements in other colours.
        const violations = await panel.page.evaluate(runAxe, theme !== themes[0]);
        (found[theme] ??= []).push(
          ...violations.flatMap((v) =>
            v.nodes.map((n) => `${name}: ${v.id} ${n.html.slice(0, 160)} ${n.failureSummary ?? ''}`),
          ),
        );
      }
    }
  });

  it.each(themes)('in the theme %s', (theme) => {
    expect(found[theme]).toEqual([]);
  });
});

describe('an open list of options passes them too', () => {
  it.each(['Session options', 'Model:', 'Mode:'])('%s', async (name) => {
    const panel = await PanelPage.open({ width: 700, height: 600 });
    await panel.page.evaluate(axe);
    await panel.show(scenes.options.view);
    await panel.page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await panel.page.locator('.option-menu').waitFor();
    expect(await panel.page.evaluate(runAxe, false)).toEqual([]);
  });
});

describe('the keyboard', () => {
  it('reaches every control, and the focus can be seen on each', async () => {
    const panel = await PanelPage.open({ height: 1200 });
    await panel.show(scenes.working.view);
    await panel.page.locator('.permission button:disabled').first().waitFor({ state: 'detached' });
    const controls = await panel.page.locator('button:visible:enabled, a[href]:visible, textarea:visible').count();
    const seen = new Set<string>();
    await panel.page.locator('body').press('Tab');
    for (let i = 0; i < controls + 20; i++) {
      const focused = await panel.page.evaluate(() => {
        const e = document.activeElement as HTMLElement;
        const style = getComputedStyle(e);
        const frame = e.closest('.composer-frame');
        const ring =
          style.outlineStyle !== 'none' ||
          (frame !== null && getComputedStyle(frame).borderColor !== 'rgba(0, 0, 0, 0)');
        return {
          name: `${e.tagName} ${e.getAttribute('aria-label') ?? ''}${e.textContent?.trim().slice(0, 40)}`,
          ring,
          control: e.matches('button, a, textarea'),
          body: e === document.body,
        };
      });
      if (focused.body) break;
      expect(focused.ring, focused.name).toBe(true);
      if (focused.control) seen.add(focused.name);
      await panel.page.keyboard.press('Tab');
    }
    const names = await panel.page
      .locator('button:visible:enabled, a[href]:visible, textarea:visible')
      .evaluateAll((all) =>
        all.map((e) => `${e.tagName} ${e.getAttribute('aria-label') ?? ''}${e.textContent?.trim().slice(0, 40)}`),
      );
    expect(names.filter((name) => !seen.has(name))).toEqual([]);
  });

  it('stands still under reduced motion', async () => {
    const panel = await PanelPage.open({ reducedMotion: 'reduce' });
    await panel.show(scenes.working.view);
    await expect
      .poll(() =>
        panel.page.evaluate(
          () => document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline).length,
        ),
      )
      .toBe(0);
  });
});
