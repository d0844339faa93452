import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { axe, runAxe } from './axe';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const fence = (code: string) => `\`\`\`mermaid\n${code}\n\`\`\`\n`;
const flow = 'flowchart TD\n  A[Start] --> B{Is it done?}\n  B -->|yes| C[End]\n  B -->|no| A';

async function opened(text: string, options: Parameters<typeof PanelPage.open>[0] = {}): Promise<PanelPage> {
  const panel = await PanelPage.open(options);
  await panel.show(threadView([agentMessage('a', text)]));
  return panel;
}

/** The frame in which diagrams are drawn. */
const drawingFrame = ({ page }: PanelPage) => page.frames().find((frame) => frame.url() === 'about:srcdoc')!;

/** The source of the diagram's image, as text. */
const source = async (page: Page) =>
  decodeURIComponent((await page.locator('.diagram > img').getAttribute('src'))!.replace('data:image/svg+xml,', ''));

describe('a Mermaid diagram', () => {
  it('is drawn as an image, with its code behind a button', async () => {
    const panel = await opened(`Look:\n\n${fence(flow)}`);
    const { page } = panel;
    const image = page.getByRole('img', { name: 'Diagram: flowchart TD' });
    await image.waitFor();
    const svg = await source(page);
    for (const word of ['Start', 'Is it done?', 'yes', 'End']) expect(svg).toContain(word);
    expect(
      await image.evaluate((element: HTMLImageElement) => [
        element.complete,
        element.naturalWidth > 50,
        element.naturalWidth === Number(element.getAttribute('width')),
      ]),
    ).toEqual([true, true, true]);
    const code = page.locator('.code-block pre');
    expect(await code.isVisible()).toBe(false);
    await page.evaluate(axe);
    expect(await page.evaluate(runAxe, false)).toEqual([]);
    await page.getByRole('button', { name: 'Show Code' }).press('Enter');
    await expect.poll(() => code.innerText()).toContain('A[Start] --> B{Is it done?}');
    expect(await image.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    expect((await panel.nextPosted('code/copy')).text.trim()).toBe(flow);
    await page.getByRole('button', { name: 'Show Diagram' }).click();
    await expect.poll(() => image.isVisible()).toBe(true);
  });

  it('stays code while it streams, also in a list, and is drawn when its fence is closed', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', '', true)]));
    const append = (text: string) => panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text });
    await append('```mermaid\nflowchart TD\n  A --> B\n');
    await append('  B --> C\n');
    expect(await panel.page.locator('.diagram, .drawing-frame').count()).toBe(0);
    await expect.poll(() => panel.page.locator('.code-block pre').innerText()).toContain('B --> C');
    await append('```\n\n- A list\n\n  ```mermaid\n  sequenceDiagram\n');
    await panel.page.getByRole('img', { name: 'Diagram: flowchart TD' }).waitFor();
    await append('    Anna->>Ben: Hello\n');
    await panel.frames(5);
    expect(await panel.page.locator('.diagram').count()).toBe(1);
    await append('  ```\n\nThe end');
    const second = panel.page.getByRole('img', { name: 'Diagram: sequenceDiagram' });
    await second.waitFor();
    // What follows in the same list draws no diagram again.
    await second.evaluate((element) => element.setAttribute('data-same', ''));
    await append('.\n\n');
    await panel.frames(3);
    expect(await panel.page.locator('img[data-same]').count()).toBe(1);
  });

  it('is drawn again in the colours of another theme', async () => {
    const panel = await opened(fence(flow), { theme: 'dark' });
    await panel.page.locator('.diagram > img').waitFor();
    const dark = await source(panel.page);
    await panel.setTheme('hc-light');
    // The style came after the kind of the theme; VS Code sets both at once.
    await panel.setTheme('hc-light');
    await expect.poll(() => source(panel.page)).not.toBe(dark);
    await expect.poll(() => source(panel.page)).toMatch(/stroke: ?#0f4a85/i);
  });

  it('fits a narrow panel as far as it can be read, then scrolls, and has its original size on request', async () => {
    const panel = await opened(
      fence(
        `flowchart LR\n${Array.from({ length: 9 }, (_, i) => `  N${i}[Step number ${i}] --> N${i + 1}[Step number ${i + 1}]`).join('\n')}`,
      ),
      { width: 300 },
    );
    const image = panel.page.locator('.diagram > img');
    await image.waitFor();
    const scale = () =>
      image.evaluate((element: HTMLImageElement) => element.getBoundingClientRect().width / element.naturalWidth);
    expect(await scale()).toBeCloseTo(0.65, 1);
    expect(await panel.page.locator('.diagram').evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
    expect(await panel.thread.evaluate((thread) => thread.scrollWidth <= thread.clientWidth)).toBe(true);
    const button = panel.page.getByRole('button', { name: 'Original Size' });
    await button.click();
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    expect(await scale()).toBeCloseTo(1, 2);
  });

  it('with an error is code with one line that says where', async () => {
    const panel = await opened(fence('flowchart TD\n  A --> B\n  B -- > C ]'));
    await panel.page.getByText('This diagram has an error in line 3.').waitFor();
    expect(await panel.page.locator('.code-block pre').isVisible()).toBe(true);
    expect(await panel.page.locator('.diagram').count()).toBe(0);
  });

  it('that Find looks into shows its code', async () => {
    const panel = await opened(fence(flow));
    await panel.page.locator('.diagram > img').waitFor();
    await panel.box.press('Control+f');
    await panel.page.getByRole('search').getByRole('textbox').fill('Is it done');
    await panel.page.locator('.code-block pre').waitFor();
  });
});

describe('a hostile diagram', () => {
  const hostile: Record<string, string> = {
    'clicks and links':
      'flowchart TD\n  A[one] --> B[two]\n  click A "javascript:parent.parent.pwned=1" "tip"\n  click B call alert(1)\n  click A href "https://evil.example/x" _top',
    'a directive with other settings':
      '%%{init: {"securityLevel": "loose", "htmlLabels": true, "theme": "default", "themeCSS": "* { background: url(https://evil.example/a.png) }", "secure": [], "dompurifyConfig": {"ADD_TAGS": ["script"]}, "fontFamily": "x; } * { background: url(https://evil.example/f)"}}%%\nflowchart TD\n  A["<img src=x onerror=parent.parent.pwned=1>"] --> B',
    'front matter with other settings':
      '---\nconfig:\n  securityLevel: loose\n  themeVariables:\n    primaryColor: "url(https://evil.example/b)"\n---\nflowchart TD\n  A --> B',
    'HTML in labels':
      'flowchart TD\n  A["<script>parent.parent.pwned=1</script><iframe src=https://evil.example></iframe>"] --> B["<a href=javascript:pwned=1>x</a><style>@import \'https://evil.example/c\'</style>"]\n  B --> C["<svg onload=parent.parent.pwned=1><foreignObject><form action=https://evil.example><input></form></foreignObject></svg>"]',
    styles:
      'flowchart TD\n  A --> B\n  style A fill:url(https://evil.example/d),stroke:red;}</style><script>parent.parent.pwned=1</script>\n  classDef x fill:#f9f,background:url(https://evil.example/e)\n  class B x',
    images:
      'flowchart TD\n  A@{ img: "https://evil.example/g.png", label: "x", w: 60, h: 60 } --> B@{ icon: "evil:x" }',
    'notes and members':
      'sequenceDiagram\n  participant A as <img src=x onerror=parent.parent.pwned=1>\n  link A: Board @ https://evil.example/h\n  links A: {"x": "javascript:parent.parent.pwned=1"}\n  Note over A: <script>parent.parent.pwned=1</script>\n  A->>A: </style></svg><script>parent.parent.pwned=1</script>',
    'a prototype':
      '%%{init: {"__proto__": {"pwned": 1}, "constructor": {"prototype": {"pwned": 1}}}}%%\nflowchart TD\n  A --> B',
  };

  it('runs nothing, loads nothing and reaches the panel only as an image', async () => {
    const requests: string[] = [];
    const panel = await PanelPage.open({
      height: 6_000,
      prepare: (page) =>
        page.route(/evil\.example/, (route) => (requests.push(route.request().url()), route.fulfill({ status: 200 }))),
    });
    // What the frame's policy stopped is on its console.
    panel.expected.push(/violates the following Content Security Policy|Refused to|Not allowed to load/);
    await panel.show(
      threadView(
        Object.entries(hostile).map(([name, code], i) => agentMessage(`m${i}`, `**${name}**\n\n${fence(code)}`)),
      ),
    );
    const { page } = panel;
    await expect
      .poll(() => page.locator('.code-block:has(> .diagram), .code-block:has(> .diagram-problem)').count(), {
        timeout: 90_000,
      })
      .toBe(Object.keys(hostile).length);
    expect(await page.locator('.diagram').count()).toBeGreaterThan(4);
    expect(
      await page
        .locator('.diagram *')
        .evaluateAll((all) => all.map(({ localName }) => localName).filter((name) => name !== 'img')),
    ).toEqual([]);
    expect(await page.locator('.thread svg, .thread iframe, .thread a, .thread script, .thread style').count()).toBe(0);
    expect(
      await page.evaluate(() => [
        (window as { pwned?: unknown }).pwned,
        ({} as { pwned?: unknown }).pwned,
        document.querySelectorAll('iframe').length,
      ]),
    ).toEqual([undefined, undefined, 1]);
    // What the policy stops never gets here.
    expect(requests).toEqual([]);
  });

  it('is drawn in a frame of another origin, without network, that cannot reach the panel', async () => {
    const panel = await opened(fence(flow));
    await panel.page.locator('.diagram > img').waitFor();
    const inner = drawingFrame(panel);
    expect(await (await inner.frameElement()).getAttribute('sandbox')).toBe('allow-scripts');
    panel.expected.push(/violates the following Content Security Policy|Refused to|ERR_BLOCKED_BY_CSP|Framing/);
    const found = await inner.evaluate(async () => {
      const tried = async (act: () => unknown) =>
        Promise.resolve()
          .then(act)
          .then(
            () => 'open',
            () => 'shut',
          );
      const loads = (element: HTMLImageElement | HTMLScriptElement, url: string) =>
        new Promise((resolve, reject) => {
          element.addEventListener('load', resolve);
          element.addEventListener('error', reject);
          element.src = url;
          document.head.append(element);
        });
      window.parent.parent.postMessage(
        { type: 'thread/snapshot', stamp: { generation: 99, sequence: 0 }, view: {}, ui: {} },
        '*',
      );
      return {
        origin: self.origin,
        panel: await tried(() => window.parent.document),
        storage: await tried(() => window.localStorage),
        fetch: await tried(() => fetch('http://127.0.0.1:1/')),
        image: await tried(() => loads(document.createElement('img'), 'http://127.0.0.1:1/')),
        script: await tried(() => loads(document.createElement('script'), 'http://127.0.0.1:1/')),
      };
    });
    expect(found).toEqual({
      origin: 'null',
      panel: 'shut',
      storage: 'shut',
      fetch: 'shut',
      image: 'shut',
      script: 'shut',
    });
    // Its message was not taken for one of the host.
    await panel.frames(3);
    expect(await panel.page.locator('.diagram > img').count()).toBe(1);
    expect(await panel.posted('thread/resync')).toEqual([]);
  });

  it('that takes too long is ended, and the next one is drawn', async () => {
    const panel = await opened(fence(flow));
    await panel.page.getByRole('img', { name: 'Diagram: flowchart TD' }).waitFor();
    // How long a drawing takes depends on the machine; this one never ends.
    await drawingFrame(panel).evaluate(() => {
      // Once the answer to this is on its way, and before anything that comes after it.
      setTimeout(() => {
        for (;;);
      });
    });
    await panel.show(threadView([agentMessage('b', fence('pie\n  "a" : 1'))]));
    await expect
      .poll(async () => {
        await panel.advance(1_000);
        return panel.page.getByText('This diagram takes too long to draw.').isVisible();
      })
      .toBe(true);
    // Only without its frame does it end.
    expect(await panel.page.locator('.drawing-frame').count()).toBe(0);
    await panel.show(threadView([agentMessage('c', fence('flowchart LR\n  A --> B'))]));
    await panel.page.getByRole('img', { name: 'Diagram: flowchart LR' }).waitFor();
    expect(await panel.page.locator('.drawing-frame').count()).toBe(1);
  });

  it('of any size is code: nothing is drawn of more than 10,000 characters', async () => {
    const panel = await opened(fence(`flowchart TD\n${'  A --> B\n'.repeat(1_100)}`));
    await panel.page.getByText('This diagram is too large to draw.').waitFor();
    expect(await panel.page.locator('.drawing-frame').count()).toBe(0);
  });
});

it('what says that it is a diagram is code where VS Code serves no document to draw it in', async () => {
  const panel = await PanelPage.open({
    prepare: (page) =>
      page.route('**/fake.html', (route) =>
        route.fulfill({ status: 404, contentType: 'text/html', body: '<script>1</script>' }),
      ),
  });
  panel.expected.push(/404|Content Security Policy/);
  await panel.show(threadView([agentMessage('a', fence(flow))]));
  await panel.page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('fake.html')),
  );
  await expect.poll(() => panel.page.locator('.drawing-frame').count()).toBe(0);
  expect(await panel.page.locator('.code-block pre').isVisible()).toBe(true);
  expect(await panel.page.locator('.diagram, .diagram-problem').count()).toBe(0);
});
