import { describe, expect, it } from 'vitest';
import { finalHtml, read } from './markdownPages';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

declare global {
  interface Window {
    /** Set by what must not run. */
    pwned?: number;
  }
}

useHarness();

describe('hostile Markdown:', () => {
  it('a formula places, colours, links and loads nothing', async () => {
    const panel = await PanelPage.open({ height: 2000 });
    const requests: string[] = [];
    panel.page.on('request', (request) => requests.push(request.url()));
    await panel.show(threadView([agentMessage('a', read('threat-math'))]));
    await finalHtml(panel);
    expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
    await expect.poll(() => panel.page.locator('math').count()).toBeGreaterThan(3);
    await expect
      .poll(() => panel.page.locator('.agent-message').locator('script, a, img, svg, [href], [id], [onerror]').count())
      .toBe(0);
    const styles = await panel.page
      .locator('.math *')
      .evaluateAll((all) =>
        all.flatMap((e) => [
          e.getAttribute('style') ?? '',
          e.getAttribute('class') ?? '',
          e.getAttribute('mathcolor') ?? '',
        ]),
      );
    expect(styles.filter((style) => /position|inset|transform|color|url|permission/i.test(style))).toEqual([]);
    await expect.poll(() => panel.page.evaluate(() => window.pwned)).toBeUndefined();
    expect(await panel.thread.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
    await expect.poll(() => panel.thread.innerText()).toContain('⟨U+202E⟩');
  });

  it.each([
    ['quotes', '>', 6_000],
    ['lists', '- ', 2_000],
    ['numbered lists in quotes', '> 1. ', 1_000],
  ])('%s in each other without end are text, and all else is drawn', async (_what, mark, count) => {
    const panel = await PanelPage.open({ height: 8000 });
    await panel.show(threadView([agentMessage('a', `**First**\n\n${mark.repeat(count)}inner [x]: y\n\n**Last**`)]));
    await expect.poll(() => panel.page.locator('.agent-message strong').allInnerTexts()).toEqual(['First', 'Last']);
    await expect.poll(() => panel.page.locator('.agent-message').innerText()).toContain('inner [x]: y');
  });

  it('a link whose words name another host shows the true one', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        agentMessage('a', '[https://github.com/login](https://evil.example/login) and [docs](https://example.com/)'),
      ]),
    );
    await expect
      .poll(() => panel.page.locator('.agent-message p').innerText())
      .toBe('https://github.com/login (evil.example) and docs');
  });

  for (const threat of ['script-tags', 'event-handlers', 'link-schemes', 'remote-images', 'clobbering-and-spoofing']) {
    it(`${threat} are inert`, async () => {
      const panel = await PanelPage.open({ height: 4000 });
      const requests: string[] = [];
      panel.page.on('request', (request) => requests.push(request.url()));
      await panel.show(threadView([agentMessage('a', read(`threat-${threat}`))]));
      await finalHtml(panel);
      const message = panel.page.locator('.agent-message');
      for (const element of await message.locator('p, b, i, span, a, div, summary').all()) {
        // A click on anything must stay within the panel.
        if (await element.isVisible()) await element.dispatchEvent('click');
      }
      await panel.frames();
      await expect.poll(() => panel.page.evaluate(() => window.pwned)).toBeUndefined();
      expect(
        requests.filter((url) => !/^data:|^http:\/\/127\.0\.0\.1:\d+\/(?:codicon\.ttf|panel\/[\w-]+\.js$)/.test(url)),
      ).toEqual([]);
      await expect
        .poll(() =>
          message
            .locator(
              'script, iframe, object, embed, style, link, meta, base, form, svg, math, video, picture, template, input:not([type=checkbox])',
            )
            .count(),
        )
        .toBe(0);
      const attributes = await message.evaluate((root) =>
        [...root.querySelectorAll('.md-block *')].flatMap((e) => [...e.attributes].map((a) => `${a.name}=${a.value}`)),
      );
      expect(
        attributes.filter(
          (a) =>
            /^on|^style=|^id=|^name=|^srcset=|javascript:|vbscript:|command:|vscode|evil\.example.*(?:src|background)/i.test(
              a,
            ) && !/^(?:title)=/.test(a),
        ),
      ).toEqual([]);
      expect((await panel.posted('location/open')).map((m) => m.path)).not.toContain('/etc/passwd');
      for (const { href } of await panel.posted('link/open')) expect(href).toMatch(/^(?:https?|mailto):/);
      await expect.poll(() => panel.page.getByRole('group', { name: /Permission/ }).count()).toBe(0);
      await expect.poll(() => panel.page.getByRole('textbox').count()).toBe(1);
      expect(panel.page.url()).toMatch(/^http:\/\/127\.0\.0\.1/);
    });
  }
});
