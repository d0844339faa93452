import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

describe('thread', () => {
  it('asks for its state when it starts', async () => {
    const panel = await PanelPage.open();
    await panel.nextPosted('ready');
  });

  it('shows entries in the order of the thread', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', 'Hello'), agentMessage('a', 'Hi there')]));
    await panel.patch({ op: 'entry/add', entry: userMessage('u2', 'And now?') });
    await expect
      .poll(() => panel.thread.getByRole('article').allInnerTexts())
      .toEqual(['Hello', 'Hi there', 'And now?']);
  });

  it('appends streamed text to its message', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'Hel', true)]));
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'lo, **wor' });
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'ld**' });
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 1, text: 'Another part' });
    await panel.patch({
      op: 'entry/replace',
      entry: {
        kind: 'agentMessage',
        id: 'a',
        content: [
          { type: 'text', text: 'Hello, **world**' },
          { type: 'text', text: 'Another part' },
        ],
        streaming: false,
      },
    });
    await expect.poll(() => panel.thread.getByRole('article').innerText()).toMatch(/^Hello, world\n+Another part$/);
    await expect.poll(() => panel.thread.locator('strong').innerText()).toBe('world');
  });

  it('asks for a snapshot when a patch does not fit, and only once', async () => {
    const panel = await PanelPage.open();
    panel.expected.push(/entry nobody is unknown/);
    await panel.show(threadView([agentMessage('a', 'Hi')]));
    await panel.patch({ op: 'entry/appendText', id: 'nobody', part: 0, text: 'x' });
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'y' });
    await expect.poll(() => panel.posted('thread/resync')).toHaveLength(1);
    await panel.show(threadView([agentMessage('a', 'Hi again')]));
    await expect.poll(() => panel.thread.innerText()).toContain('Hi again');
  });

  it('asks for a snapshot when a patch is missing, and drops what is old', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'one', true)]));
    await panel.send({
      type: 'thread/patch',
      stamp: { generation: 1, sequence: 0 },
      patches: [{ op: 'entry/appendText', id: 'a', part: 0, text: ' old' }],
    });
    await panel.frames();
    await expect.poll(() => panel.posted('thread/resync')).toHaveLength(0);
    await panel.send({
      type: 'thread/patch',
      stamp: { generation: 1, sequence: 5 },
      patches: [{ op: 'entry/appendText', id: 'a', part: 0, text: ' late' }],
    });
    await panel.frames();
    await expect.poll(() => panel.posted('thread/resync')).toHaveLength(1);
    expect((await panel.thread.innerText()).trim()).toBe('one');
  });

  it('keeps the thread alive when a part throws', async () => {
    const panel = await PanelPage.open();
    panel.expected.push(/./);
    const broken = { ...toolCall('bad'), content: [{ type: 'diff', hunks: null }] } as never;
    await panel.show(threadView([userMessage('u', 'Hello'), broken, agentMessage('a', 'Still here')]));
    await expect.poll(() => panel.thread.innerText()).toContain('This part cannot be shown');
    await expect.poll(() => panel.thread.innerText()).toContain('Still here');
    expect((await panel.posted('log')).length).toBeGreaterThan(0);
  });

  it('marks a prompt that the agent has dropped', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([{ kind: 'userMessage', id: 'u', content: [{ type: 'text', text: 'No' }], dropped: true }]),
    );
    await expect.poll(() => panel.thread.innerText()).toContain('No longer part of the agent’s context');
  });

  it('keeps the line breaks of what a user typed', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', 'one\ntwo')]));
    await expect.poll(() => panel.thread.getByRole('article').innerText()).toBe('one\ntwo');
  });

  it('shows how a long prompt begins, and all of it on demand', async () => {
    const panel = await PanelPage.open();
    const log = (lines: number) => Array.from({ length: lines }, (_, i) => `line ${i + 1}`).join('\n');
    await panel.show(
      threadView([
        userMessage('u', log(80)),
        userMessage('v', log(20)),
        userMessage('w', 'word '.repeat(500)),
        agentMessage('a', 'Done.'),
      ]),
    );
    const heights = () =>
      panel.thread
        .locator('.user-message .markdown')
        .evaluateAll((all) => all.map((e) => Math.round(e.getBoundingClientRect().height / 19.5)));
    await expect.poll(heights).toEqual([12, 20, 12]);
    await panel.page.getByRole('button', { name: 'Show all', exact: true }).waitFor();
    await panel.page.getByRole('button', { name: 'Show all 80 lines' }).press('Enter');
    await expect.poll(async () => (await heights())[0]).toBe(80);
    await expect.poll(() => panel.page.getByRole('button', { name: 'Show all 80 lines' }).count()).toBe(0);
    // Kept with the rest of what was opened by hand, and the keys scroll on from here.
    await expect.poll(async () => (await panel.posted('ui/changed')).at(-1)?.ui.expanded).toEqual({ u: true });
    expect(await panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
  });

  it('hands what is typed on it to the message box, and leaves the other keys where they are', async () => {
    const panel = await PanelPage.open({ height: 300 });
    await panel.show(threadView([agentMessage('a', 'Words to read. '.repeat(200)), toolCall('c')]));
    await panel.thread.click({ position: { x: 40, y: 40 } });
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('Space');
    await panel.page.keyboard.press('Control+c');
    await panel.page.keyboard.press('Control+a');
    expect(await panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.type('Why so? @');
    await expect.poll(() => panel.box.inputValue()).toBe('Why so? @');
    await panel.page.keyboard.press('Escape');
    await panel.thread.click({ position: { x: 40, y: 40 } });
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    // Ctrl and an arrow lead there and back, from the first line of the box; without them the arrows are what they
    // were.
    await panel.box.fill('one\ntwo');
    await panel.page.keyboard.press('Control+ArrowUp');
    expect(await panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Control+Home');
    await panel.page.keyboard.press('Control+ArrowUp');
    await expect.poll(() => panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('ArrowDown');
    expect(await panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Control+ArrowDown');
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.box.fill('Why so? @');
    // A key that is held was pressed for something else, which is gone.
    await panel.page.mouse.click(2, 298);
    await panel.page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, repeat: true })),
    );
    expect(await panel.box.evaluate((e) => e === document.activeElement)).toBe(false);
    // Nor is a word lost where a click hit nothing at all.
    await panel.page.mouse.click(2, 298);
    await panel.page.keyboard.type('!');
    await expect.poll(() => panel.box.inputValue()).toBe('Why so? @!');
    await panel.page.keyboard.press('Backspace');
    // On a control a letter is no word.
    await panel.thread.getByRole('button').last().focus();
    await panel.page.keyboard.press('x');
    await expect.poll(() => panel.box.inputValue()).toBe('Why so? @');
  });

  it('is copied as a whole without the labels of its buttons and what stands below it', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          userMessage('u', 'Ask'),
          agentMessage('a', 'Answer'),
          { kind: 'notice', id: 'n', severity: 'error', title: 'It failed', actions: ['retry'] },
        ],
        { plan: [{ content: 'A step', priority: 'medium', status: 'in_progress' }] },
      ),
    );
    await panel.thread.click({ position: { x: 40, y: 400 } });
    await panel.page.keyboard.press('Control+a');
    const copied = await panel.page.evaluate(() =>
      getSelection()!
        .toString()
        .split('\n')
        .filter((line) => line.trim() !== ''),
    );
    expect(copied).toEqual(['Ask', 'Answer', 'It failed']);
  });

  it('tells the context menu which prompt or answer it is on', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([userMessage('u', 'Ask'), agentMessage('e1', 'Answer <i data-vscode-context="{}">x</i>')]),
    );
    const contexts = await panel.thread
      .locator('[data-vscode-context]')
      .evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset['vscodeContext']));
    expect(contexts).toEqual([
      '{"webviewSection":"prompt","entryId":"u"}',
      '{"webviewSection":"answer","entryId":"e1"}',
    ]);
  });

  it('opens a thought only on demand and says how long it took', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([{ kind: 'thought', id: 't', content: [{ type: 'text', text: 'Because' }], streaming: true }]),
    );
    await panel.page.getByRole('button', { name: 'Thinking…', expanded: false }).waitFor();
    await panel.patch({
      op: 'entry/replace',
      entry: {
        kind: 'thought',
        id: 't',
        content: [{ type: 'text', text: 'Because of **it**' }],
        streaming: false,
        durationMs: 4200,
      },
    });
    await expect.poll(() => panel.thread.innerText()).not.toContain('Because');
    await panel.page.getByRole('button', { name: 'Thought for 4 s' }).click();
    await panel.page.getByText('Because of it').waitFor();
    await panel.page.getByRole('button', { name: 'Thought for 4 s', expanded: true }).click();
    await panel.page.getByText('Because of it').waitFor({ state: 'detached' });
  });

  it('shows what a message holds besides text', async () => {
    const panel = await PanelPage.open();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await panel.show(
      threadView([
        {
          kind: 'agentMessage',
          id: 'a',
          streaming: false,
          content: [
            { type: 'image', mimeType: 'image/png', data: pixel, uri: 'file:///work/plot.png' },
            {
              type: 'audio',
              mimeType: 'audio/wav',
              data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAACJWAAACABAAZGF0YQAAAAA=',
            },
            { type: 'resource', uri: 'file:///work/a.txt', label: 'a.txt', text: 'content of a' },
            {
              type: 'resourceLink',
              uri: 'https://example.com/doc',
              label: 'The doc',
              description: 'All of it',
              size: 12_300,
            },
            { type: 'unknown', kind: 'hologram' },
          ],
        },
      ]),
    );
    await panel.page.getByRole('img', { name: 'plot.png' }).waitFor();
    await expect.poll(() => panel.page.locator('audio').count()).toBe(1);
    await panel.page.getByText('a.txt').click();
    await panel.page.getByText('content of a', { exact: true }).waitFor();
    await expect.poll(() => panel.thread.innerText()).toContain('12 KB');
    await expect.poll(() => panel.thread.innerText()).toContain('hologram');
    await panel.page.getByText('The doc').click();
    await expect
      .poll(() => panel.posted('link/open'))
      .toEqual([{ type: 'link/open', href: 'https://example.com/doc' }]);
  });

  it('cuts the long name of a file that goes with a message', async () => {
    const panel = await PanelPage.open({ width: 285 });
    const label = `${'a-very-long-name-'.repeat(12)}.md`;
    const uri = `file:///work/${label}`;
    const content = [
      { type: 'text' as const, text: 'Read it' },
      { type: 'resourceLink' as const, uri, label },
    ];
    await panel.show(threadView([{ kind: 'userMessage', id: 'u', content, dropped: false }]));
    const message = panel.page.locator('.user-message');
    await message.locator('.chip').waitFor();
    const right = (of: string) => panel.page.locator(of).evaluate((e) => e.getBoundingClientRect().right);
    expect(await right('.user-message .chip')).toBeLessThan(await right('.user-message'));
  });
});
