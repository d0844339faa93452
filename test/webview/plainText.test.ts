import { describe, expect, it } from 'vitest';
import type { ToolContentView } from '../../src/protocol/toolCallView';
import { asking, card } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, toolCall } from './views.mjs';

useHarness();

const said = (text: string, isPlain = true): readonly ToolContentView[] => [
  { type: 'content', content: { type: 'text', text, ...(isPlain ? { isPlain } : {}) } },
];
const file =
  '# Makes the report\n# TODO: split\nclass Report:\n    def __init__(self, a_b, *args, **kw):\n\tself.x = a_b * 2 * 3\n        return "<b>html</b>"\n';

/* What a tool gave is shown as it is. */
describe('text of a tool', () => {
  it('is no Markdown', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([toolCall('c', { title: 'Read a.py', content: [...said(file)] })]));
    const group = panel.thread.getByRole('group', { name: 'Read a.py' });
    await group.getByRole('button', { expanded: false }).click();
    await expect.poll(() => group.locator('.plain code').evaluate((e) => e.textContent)).toBe(file);
    expect(await group.locator('h1, strong, em, b, li').count()).toBe(0);
    expect(
      await group
        .locator('.plain code')
        .evaluate((e) => [getComputedStyle(e).whiteSpace, e.querySelector('[data-numbers]')]),
    ).toEqual(['pre-wrap', null]);
  });

  it('grows, and becomes Markdown and text again', async () => {
    const panel = await PanelPage.open();
    const call = (text: string, isPlain: boolean) =>
      toolCall('c', { title: 'Read a.py', status: 'failed', content: [...said(text, isPlain)] });
    await panel.show(threadView([call('# one', true)]));
    const body = panel.thread.locator('.content');
    await expect.poll(() => body.innerText()).toBe('# one');
    await panel.patch({ op: 'entry/replace', entry: call('# one\n# two', true) });
    await expect.poll(() => body.innerText()).toBe('# one\n# two');
    await panel.patch({ op: 'entry/replace', entry: call('# one', false) });
    await expect.poll(() => body.locator('h1').innerText()).toBe('one');
    await panel.patch({ op: 'entry/replace', entry: call('# one', true) });
    await expect.poll(() => body.innerText()).toBe('# one');
  });

  it('of many lines has no numbers but its own, and can be unwrapped', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', {
          title: 'Read',
          status: 'failed',
          content: [...said(Array.from({ length: 40 }, (_, i) => `${i + 100}\tline ${'x'.repeat(200)}`).join('\n'))],
        }),
      ]),
    );
    expect(await panel.thread.locator('[data-numbers]').count()).toBe(0);
    await panel.thread.locator('.code-block').hover();
    await panel.thread.getByRole('button', { name: 'Word Wrap' }).click();
    await expect
      .poll(() => panel.thread.locator('.plain code').evaluate((e) => getComputedStyle(e).whiteSpace))
      .toBe('pre');
  });
});

describe('control sequences', () => {
  const red = (words: string) => `\u001b[31m\u001b[1m${words}\u001b[0m`;

  it('are left out of an answer, wherever it is cut', async () => {
    const panel = await PanelPage.open();
    const text = `The log says ${red('RED')} here, [a link](https://a.example).\n\n\`\`\`\n${red('FENCE')}\n\`\`\`\n\n| ${red('CELL')} | b |\n|---|---|\n`;
    await panel.show(threadView([agentMessage('a', '', true)]));
    for (let at = 0; at < text.length; at += 3)
      await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: text.slice(at, at + 3) });
    await panel.patch({ op: 'entry/replace', entry: agentMessage('a', text) });
    await expect.poll(() => panel.thread.innerText()).toContain('The log says RED here, a link.');
    expect(await panel.thread.innerText()).not.toMatch(/\[\d*m|⟨/);
    expect(await panel.thread.locator('pre, th').allInnerTexts()).toEqual(['FENCE', 'CELL', 'b']);
  });

  it('are made visible in a permission request, in its text and in its input', async () => {
    const panel = await PanelPage.open();
    const content = [...said(`Safe \u001b[8mrm -rf x\u001b[0m`), ...said('A \u202edoc\u202c and \u001b[2K', false)];
    await panel.show(
      threadView([
        asking(
          'c',
          `Look \u001b[31mhere`,
          { content, input: '{ "a": "\\u001b[8m" }' },
          { fields: [{ name: 'a', text: '\u001b[8mhidden' }] },
        ),
      ]),
    );
    const text = await panel.page.locator('.permission').innerText();
    for (const part of [
      'Look ⟨U+001B⟩[31mhere',
      'Safe ⟨U+001B⟩[8mrm -rf x⟨U+001B⟩[0m',
      '⟨U+202E⟩doc',
      '⟨U+001B⟩[2K',
      'a: ⟨U+001B⟩[8mhidden',
    ])
      expect(text).toContain(part);
  });
});

describe('the input of a request', () => {
  it('stands below the words, value by value, and its JSON is folded', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        asking(
          'c',
          'docs.search',
          { content: [...said('Searches the docs for a word.')], input: '{\n  "query": "a",\n  "n": 3\n}' },
          {
            fields: [
              { name: 'query', text: 'a' },
              { name: 'n', text: '3' },
            ],
          },
        ),
      ]),
    );
    const group = card(panel, 'docs.search');
    await expect.poll(() => group.locator('.fields').innerText()).toBe('query: a\nn: 3');
    const text = await group.innerText();
    expect(text.indexOf('Searches the docs')).toBeLessThan(text.indexOf('query: a'));
    expect(await group.getByText('"query"').isVisible()).toBe(false);
    await group.getByText(/Raw input/).click();
    await group.getByText('"query"').waitFor();
  });

  it('of a question is no JSON, no answer of it is the highlighted one, and no rule is offered', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        asking('c', 'Which one?', { input: '{ "question": "Which one?" }' }, { fields: [], isQuestion: true }),
        asking('d', 'Other', { input: '{}' }),
        // Rules are about requests of agents.
        asking('e', 'Run a task', { input: '{}' }, { isOwn: true }),
      ]),
    );
    const group = card(panel, 'Which one?');
    await expect.poll(() => group.getByRole('button', { name: 'Add rule…' }).count()).toBe(0);
    expect(await group.locator('.fields, pre:visible').count()).toBe(0);
    expect(await group.locator('.primary').count()).toBe(0);
    expect(await card(panel, 'Other').getByRole('button', { name: 'Add rule…' }).count()).toBe(1);
    expect(await card(panel, 'Run a task').getByRole('button', { name: 'Add rule…' }).count()).toBe(0);
  });
});

it('a place that cannot be opened is no link: a pattern, and a file that is not there', async () => {
  const panel = await PanelPage.open();
  const at = (path: string, label = path, more: object = {}) => ({ path, label, ...more });
  await panel.show(
    threadView([
      toolCall('c', {
        title: 'Look',
        locations: [
          at('/work/a.ts', 'a.ts', { line: 10, endLine: 20 }),
          at('/work/gone.ts', 'gone.ts'),
          at('/work/*.ts', '*.ts', { isNoFile: true }),
          at('/else/b.ts'),
        ],
      }),
    ]),
  );
  const group = panel.thread.getByRole('group', { name: 'Look' });
  await group.getByRole('button', { expanded: false }).click();
  await expect.poll(() => group.getByRole('link').allInnerTexts()).toEqual(['a.ts:10-20', 'gone.ts', '/else/b.ts']);
  expect((await panel.nextPosted('paths/query')).paths).toEqual(['/work/a.ts', '/work/gone.ts']);
  await panel.send({ type: 'paths/found', paths: ['/work/a.ts', '/work/gone.ts'], existing: ['/work/a.ts'] });
  await expect.poll(() => group.getByRole('link').allInnerTexts()).toEqual(['a.ts:10-20', '/else/b.ts']);
  expect(await group.locator('.location').allInnerTexts()).toEqual(['a.ts:10-20', 'gone.ts', '*.ts', '/else/b.ts']);
  await group.getByRole('link', { name: 'a.ts:10-20' }).click();
  await expect
    .poll(() => panel.posted('location/open'))
    .toEqual([{ type: 'location/open', path: '/work/a.ts', line: 10 }]);
});
