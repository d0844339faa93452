import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, toolCall } from './views.mjs';

useHarness();

describe('paths', () => {
  it('makes links of paths in output and in blocks of code where the pointer is or the focus comes', async () => {
    const panel = await PanelPage.open();
    const output = {
      type: 'terminal',
      terminalId: 'output',
      output: { lines: ['src/a.ts:5:2 - error', 'src/none.ts:1'], firstLine: 0, exitCode: 1 },
    } as const;
    await panel.show(
      threadView([
        toolCall('c', { title: 'tsc', command: 'tsc', toolKind: 'execute', content: [output] }),
        agentMessage('a', '```ts\nimport "src/b.ts";\n```'),
      ]),
    );
    const row = panel.page.locator('.terminal-row').first();
    await row.waitFor();
    // What helps reading is loaded once the panel is there.
    await expect
      .poll(async () => {
        await panel.page.mouse.move(1, 1);
        await row.hover();
        return (await panel.posted('paths/query')).map(({ paths }) => paths);
      })
      .toEqual([['src/a.ts']]);
    await panel.send({ type: 'paths/found', paths: ['src/a.ts'], existing: ['src/a.ts'] });
    await row.locator('.path-link').click();
    expect(await panel.nextPosted('location/open')).toEqual({
      type: 'location/open',
      path: 'src/a.ts',
      line: 5,
      column: 2,
    });
    // Its colors replace what is in it.
    await panel.page.locator('.code-block [class^=hl-]').first().waitFor({ state: 'attached' });
    await panel.page.locator('.code-block pre').focus();
    await expect.poll(() => panel.posted('paths/query').then((all) => all.at(-1)?.paths)).toEqual(['src/b.ts']);
    await panel.send({ type: 'paths/found', paths: ['src/b.ts'], existing: ['src/b.ts'] });
    await expect.poll(() => panel.page.locator('.code-block .path-link').allInnerTexts()).toEqual(['src/b.ts']);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(() => panel.posted('location/open').then((all) => all.at(-1)))
      .toEqual({ type: 'location/open', path: 'src/b.ts' });
  });

  it('makes links of the paths that the host finds, in prose and in code', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        agentMessage(
          'a',
          'See src/a.ts:5:2, `src/b.ts:7`, src/none.ts:1 and [src/a.ts:9](https://example.com/src/a.ts).\n\n```\nsrc/a.ts:1\n```',
          true,
        ),
      ]),
    );
    const { paths } = await panel.nextPosted('paths/query');
    expect(paths).toEqual(['src/a.ts', 'src/b.ts', 'src/none.ts']);
    expect(await panel.page.locator('.path-link').count()).toBe(0);
    await panel.send({ type: 'paths/found', paths, existing: ['src/a.ts', 'src/b.ts'] });
    await expect.poll(() => panel.page.locator('.path-link').allInnerTexts()).toEqual(['src/a.ts:5:2', 'src/b.ts:7']);
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: '\n\nAlso src/b.ts' });
    await expect.poll(() => panel.page.locator('.path-link').count()).toBe(3);
    await panel.page.locator('.path-link').first().click();
    await panel.page.locator('.path-link').nth(1).click();
    await expect
      .poll(() => panel.posted('location/open'))
      .toEqual([
        { type: 'location/open', path: 'src/a.ts', line: 5, column: 2 },
        { type: 'location/open', path: 'src/b.ts', line: 7 },
      ]);
    expect(await panel.posted('paths/query')).toHaveLength(1);
  });
});
