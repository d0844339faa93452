import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const lazy = '**/panel/highlighter-*.js';
const code = Array.from(
  { length: 12 },
  (_, i) => `const value${i} = "text ${i}"; // a comment that is long enough to scroll`,
).join('\n');
const text = `Before.\n\n\`\`\`ts\n${code}\n\`\`\`\n\n- in a list\n\n  \`\`\`json\n  { "a": 1 }\n  \`\`\`\n\nAfter.\n`;

/**
 * Where every block stands, in whole pixels (a line cut into more spans may be wider by a fraction), and what it says.
 */
const places = (panel: PanelPage) =>
  panel.page.locator('.md-block, pre, code').evaluateAll((all) =>
    all.map((e) => {
      const { x, y, width, height } = e.getBoundingClientRect();
      return `${e.textContent} at ${[x, y, width, height].map(Math.round).join(' ')}`;
    }),
  );

describe('colours of code', () => {
  it('come after the plain text, and nothing moves', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const panel = await PanelPage.open({
      prepare: (page) =>
        page.route(lazy, async (route) => {
          await held;
          await route.continue();
        }),
    });
    await panel.show(threadView([agentMessage('a', text)]));
    await expect.poll(() => panel.page.locator('pre').first().innerText()).toContain('const value0');
    await panel.frames(10);
    expect(await panel.page.locator('[class^=hl-]').count()).toBe(0);
    const before = await places(panel);
    release();
    await expect.poll(() => panel.page.locator('.hl-keyword').count()).toBe(12);
    await expect.poll(() => panel.page.locator('.hl-attr').count()).toBe(1);
    expect(await places(panel)).toEqual(before);
  });

  it('come to code that is still being written when they are there', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const panel = await PanelPage.open({
      prepare: (page) =>
        page.route(lazy, async (route) => {
          await held;
          await route.continue();
        }),
    });
    await panel.show(threadView([agentMessage('a', '```ts\nconst a = 1;\n', true)]));
    await panel.frames();
    release();
    await expect
      .poll(async () => {
        await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'const b = 2;\n' });
        return panel.page.locator('.hl-keyword').count();
      })
      .toBeGreaterThan(1);
  });

  it('are left away where they cannot be loaded, and the log says so once', async () => {
    const panel = await PanelPage.open({ prepare: (page) => page.route(lazy, (route) => route.abort()) });
    panel.expected.push(/Failed to load resource/, /highlighter-\w+\.js/);
    await panel.show(threadView([agentMessage('a', text), agentMessage('b', '```js\nlet more = 1;\n```')]));
    await expect.poll(async () => (await panel.posted('log')).length).toBe(1);
    await panel.frames(10);
    expect((await panel.posted('log'))[0]!.message).toMatch(/highlighter-\w+\.js/);
    await expect.poll(() => panel.page.locator('pre').allInnerTexts()).toEqual([code, '{ "a": 1 }', 'let more = 1;']);
    expect(await panel.page.locator('[class^=hl-]').count()).toBe(0);
    await panel.page.getByRole('button', { name: 'Copy' }).first().click();
    await expect.poll(async () => (await panel.posted('code/copy'))[0]?.text).toBe(code);
  });
});
