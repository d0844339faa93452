import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, asked, diff, terminal, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

/* What a thread costs is what is near the view, and nobody notices. */

const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    userMessage(`u${i}`, `Question ${i}`),
    agentMessage(
      `a${i}`,
      `Answer ${i}, with some words.\n\n- one\n- two\n\n\`\`\`\n${'long code '.repeat(20)}\n\`\`\`\n`,
    ),
  ]).flat();
const nodes = (panel: PanelPage) => panel.page.evaluate(() => document.querySelectorAll('*').length);
/** What helps to read is loaded, and so is what copies. */
const readable = (panel: PanelPage) => panel.page.locator('.prompt-head').waitFor({ state: 'attached' });
const entries = (panel: PanelPage) =>
  panel.page.locator('.entry').evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset['entry']!));

async function press(panel: PanelPage, key: string): Promise<void> {
  await panel.thread.focus();
  await panel.page.keyboard.press(key);
}

describe('a long thread', () => {
  it('holds only what is near the view, in order, and reaches its beginning and its end', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        Array.from({ length: 5_000 }, (_, i) =>
          toolCall(`c${i}`, { title: `Edit ${i}`, toolKind: 'edit', content: [diff({ label: `file${i}.ts` })] }),
        ),
      ),
    );
    await panel.page.getByText('file4999.ts').waitFor();
    await panel.frames(60);
    expect(await nodes(panel)).toBeLessThan(6_000);
    await press(panel, 'Control+Home');
    await panel.page.getByText('file0.ts').waitFor();
    await panel.frames(60);
    expect(await nodes(panel)).toBeLessThan(6_000);
    const drawn = (await entries(panel)).map((id) => Number(id.slice(1)));
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    await press(panel, 'Control+End');
    await expect.poll(() => panel.page.getByText('file4999.ts').isVisible()).toBe(true);
    await panel.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
  });

  it('moves nothing in view while what is above comes near', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(400)));
    await panel.frames(30);
    await panel.thread.hover();
    const jumps = await panel.page.evaluate(async () => {
      const thread = document.querySelector('.thread')!;
      let worst = 0;
      for (let step = 0; step < 60; step++) {
        thread.scrollTop -= 120;
        const probe = document.elementFromPoint(200, 300)?.closest('.entry');
        const before = probe?.getBoundingClientRect().top ?? 0;
        for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
        if (probe?.isConnected) worst = Math.max(worst, Math.abs(probe.getBoundingClientRect().top - before));
        else worst = Infinity;
      }
      return worst;
    });
    expect(jumps).toBeLessThan(2);
  });

  it('draws the end at once, and moves nothing in view while the rest comes above it', async () => {
    const panel = await PanelPage.open();
    const all = turns(300);
    await panel.show({ ...threadView(all.slice(560)), rest: 560 });
    await expect.poll(() => panel.thread.getByText('Question 299').isVisible()).toBe(true);
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(400, 560), rest: 400 });
    await panel.frames(10);
    expect(await panel.thread.getByText('Question 299').isVisible()).toBe(true);
    await panel.thread.hover();
    await panel.page.mouse.wheel(0, -300);
    await expect
      .poll(() => panel.thread.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop))
      .toBeGreaterThan(100);
    await panel.rests();
    const place = () =>
      panel.page.evaluate(() => {
        const entry = document.elementFromPoint(200, 300)!.closest<HTMLElement>('.entry')!;
        return { id: entry.dataset['entry'], top: Math.round(entry.getBoundingClientRect().top) };
      });
    const before = await place();
    await panel.patch(
      { op: 'entry/addRest', at: 'start', entries: all.slice(100, 400), rest: 100 },
      { op: 'entry/add', entry: agentMessage('news', 'News') },
    );
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(0, 100), rest: 0 });
    await panel.frames(10);
    expect(await place()).toEqual(before);
    await press(panel, 'Control+Home');
    await panel.thread.locator('p').getByText('Question 0', { exact: true }).waitFor();
    const drawn = await entries(panel);
    expect(drawn.slice(0, 4)).toEqual(['u0', 'a0', 'u1', 'a1']);
    await press(panel, 'Control+End');
    await expect.poll(() => panel.page.getByText('News').isVisible()).toBe(true);
  });

  it('goes to where the user was and to what is asked for, also when that comes later', async () => {
    const panel = await PanelPage.open();
    const all = turns(300);
    const offset = (id: string) =>
      panel.page
        .locator(`[data-entry=${id}]`)
        .evaluate((e) =>
          Math.round(e.getBoundingClientRect().top - document.querySelector('.thread')!.getBoundingClientRect().top),
        );
    await panel.show({ ...threadView(all.slice(500)), rest: 500 }, { scroll: { entryId: 'u120', offset: -7 } });
    await panel.send({ type: 'entry/reveal', entryId: 'u20' });
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(200, 500), rest: 200 });
    await expect.poll(() => offset('u120')).toBe(-7);
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(0, 200), rest: 0 });
    await expect.poll(() => panel.thread.locator('p').getByText('Question 20', { exact: true }).isVisible()).toBe(true);
  });

  it('shows the middle first where the user was there, and its way to the end', async () => {
    const panel = await PanelPage.open();
    const all = turns(300);
    await panel.show({ ...threadView(all.slice(200, 300)), rest: 500 }, { scroll: { entryId: 'u120', offset: 0 } });
    await panel.thread.locator('p').getByText('Question 120', { exact: true }).waitFor();
    await panel.patch({ op: 'entry/addRest', at: 'end', entries: all.slice(300), rest: 200 });
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(0, 200), rest: 0 });
    await panel.frames(10);
    expect(await panel.thread.locator('p').getByText('Question 120', { exact: true }).isVisible()).toBe(true);
    await press(panel, 'Control+End');
    await expect.poll(() => panel.thread.getByText('Question 299').isVisible()).toBe(true);
  });

  it('has what a subagent did below its call, and the prompt over its answer, also when these come later', async () => {
    const panel = await PanelPage.open();
    const calls = Array.from({ length: 120 }, (_, i) =>
      toolCall(`c${i}`, { title: `Step ${i}`, parentId: 'P', status: 'failed' }),
    );
    const words = Array.from({ length: 80 }, (_, i) => agentMessage(`m${i}`, `Paragraph ${i}`));
    const before = turns(40);
    const top = () => panel.page.locator('[data-entry=m0]').evaluate((e) => Math.round(e.getBoundingClientRect().top));
    const focused = () => panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset['entry']);
    await panel.show({ ...threadView([...calls.slice(100), ...words]), rest: 182 });
    await expect.poll(() => panel.page.getByText('Paragraph 79').isVisible()).toBe(true);
    await readable(panel);
    await press(panel, 'Control+Home');
    await panel.page.locator('[data-entry=c119]').waitFor();
    // What would scroll on would be at the very top when more comes above it, where the view does not follow its
    // entries.
    expect(await panel.thread.evaluate((e) => e.scrollTop)).toBe(0);
    await panel.page.locator('[data-entry=m0]').evaluate((e) => e.scrollIntoView({ block: 'center' }));
    await panel.frames(10);
    const place = await top();
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: calls.slice(20, 100), rest: 102 });
    await panel.frames(10);
    expect([
      await top(),
      await panel.page.locator('[data-entry=c119]').isVisible(),
      await panel.page.locator('.prompt-head-line').isVisible(),
    ]).toEqual([place, true, false]);
    await panel.patch({
      op: 'entry/addRest',
      at: 'start',
      entries: [
        ...before.slice(60),
        userMessage('long', 'Do it all'),
        toolCall('P', { title: 'Look around' }),
        ...calls.slice(0, 20),
      ],
      rest: 60,
    });
    await expect.poll(() => panel.page.locator('[data-entry=c119]').count()).toBe(0);
    await panel.frames(10);
    expect(await top()).toBe(place);
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: before.slice(0, 60), rest: 0 });
    await panel.frames(10);
    expect(await top()).toBe(place);
    await panel.thread.hover();
    await panel.page.mouse.wheel(0, 600);
    await expect.poll(() => panel.page.locator('.prompt-head').innerText()).toBe('Do it all');
    await press(panel, 'Alt+ArrowUp');
    await expect.poll(focused).toBe('long');
    await panel.page.locator('[data-entry=P] .line-button').first().click();
    await expect
      .poll(async () => (await entries(panel)).filter((id) => id.startsWith('c')).slice(0, 3))
      .toEqual(['c0', 'c1', 'c2']);
    expect(await panel.page.locator('[data-entry=c0]').getAttribute('aria-label')).toBe('Part of Look around');
    await press(panel, 'Control+End');
    await expect.poll(() => panel.page.getByText('Paragraph 79').isVisible()).toBe(true);
  });

  it('steps to a prompt that has not come once it comes', async () => {
    const panel = await PanelPage.open();
    const all = turns(60);
    const focused = () => panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset['entry']);
    await panel.show({ ...threadView(all.slice(60, 80)), rest: 100 }, { scroll: { entryId: 'u30', offset: 0 } });
    await panel.page.locator('[data-entry=u30]').waitFor();
    await panel.page.locator('[data-entry=u30]').evaluate((e) => {
      e.tabIndex = -1;
      e.focus({ preventScroll: true });
    });
    await panel.page.keyboard.press('Alt+ArrowUp');
    await panel.patch({ op: 'entry/addRest', at: 'end', entries: all.slice(80), rest: 60 });
    expect(await focused()).toBe('u30');
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(0, 60), rest: 0 });
    await expect.poll(focused).toBe('u29');
  });

  it('goes on with a text that grows far from the view, once', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('first', 'It began', true), ...turns(100)]));
    await panel.frames(10);
    expect(await entries(panel)).not.toContain('first');
    await panel.patch({ op: 'entry/appendText', id: 'first', part: 0, text: ' and went' });
    await press(panel, 'Control+Home');
    await panel.patch({ op: 'entry/appendText', id: 'first', part: 0, text: ' on.' });
    await expect.poll(() => panel.page.locator('[data-entry=first]').innerText()).toBe('It began and went on.');
    await panel.patch({ op: 'entry/close', id: 'first' });
    await expect.poll(() => panel.page.locator('[data-entry=first]').innerText()).toBe('It began and went on.');
  });

  it('keeps what was opened, scrolled and shown in full while it is far', async () => {
    const panel = await PanelPage.open();
    const lines = Array.from({ length: 60 }, (_, i) => `+line ${i}`);
    const rows = Array.from({ length: 40 }, (_, i) => [{ text: `row ${i}` }]);
    await panel.show(
      threadView(
        [
          toolCall('d', {
            toolKind: 'edit',
            content: [diff({ hunks: [{ oldStart: 1, newStart: 1, lines }] })],
            input: '{"file": "a"}',
          }),
          toolCall('t', { toolKind: 'execute', content: [{ type: 'terminal', terminalId: 'T' }] }),
          agentMessage('a', `\`\`\`\n${'wide '.repeat(100)}\n\`\`\`\n`),
          ...turns(200),
        ],
        {},
        [terminal('T', { rows })],
      ),
    );
    await press(panel, 'Control+Home');
    await panel.page.getByRole('button', { name: 'Show all 60 lines' }).click();
    await panel.page.getByRole('button', { name: 'Show details' }).first().click();
    await panel.page.getByText('Input').click();
    await panel.page.getByRole('button', { name: '30 earlier lines' }).click();
    await panel.page.locator('[data-entry=a] pre').evaluate((e) => (e.scrollLeft = 120));
    await panel.frames(5);
    await press(panel, 'Control+End');
    await expect.poll(() => panel.page.locator('[data-entry=d]').count()).toBe(0);
    await press(panel, 'Control+Home');
    await panel.page.getByText('{"file": "a"}').waitFor();
    expect(await panel.page.getByRole('button', { name: 'Show all 60 lines' }).count()).toBe(0);
    await panel.thread.evaluate((e) => (e.scrollTop += 1_500));
    await panel.page.getByText('row 0', { exact: true }).waitFor({ state: 'attached' });
    expect(await panel.page.getByRole('button', { name: '30 earlier lines' }).count()).toBe(0);
    await expect.poll(() => panel.page.locator('[data-entry=a] pre').evaluate((e) => e.scrollLeft)).toBe(120);
  });

  it('does not remove what has the focus or the selection', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([toolCall('f', { content: [diff()] }), ...turns(200)]));
    await press(panel, 'Control+Home');
    const button = panel.page.locator('[data-entry=f]').getByRole('button', { name: 'Open diff' });
    await button.focus();
    await panel.thread.evaluate((e) => (e.scrollTop = e.scrollHeight));
    await expect.poll(() => panel.page.getByText('Question 199').isVisible()).toBe(true);
    await panel.frames(10);
    expect(await button.evaluate((e) => e === document.activeElement)).toBe(true);
    expect(await entries(panel)).not.toContain('a60');
  });

  it('copies all of it, drawn or not', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(200)));
    await readable(panel);
    await press(panel, 'Control+a');
    const copied = await panel.page.evaluate(() => {
      const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
      document.querySelector('.thread')!.dispatchEvent(event);
      return event.clipboardData!.getData('text/plain');
    });
    expect([...copied.matchAll(/^Question (\d+)$/gm)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 200 }, (_, i) => i),
    );
    expect(copied).toContain('Answer 199');
  });

  it('copies from the middle of one entry to the middle of another that is far', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(200)));
    await readable(panel);
    await press(panel, 'Control+Home');
    await panel.thread.locator('p').getByText('Question 1', { exact: true }).waitFor();
    await panel.page.evaluate(() => {
      const text = document.querySelector('[data-entry=u1] p')!.firstChild!;
      getSelection()!.setBaseAndExtent(text, 9, text, 10);
    });
    await panel.thread.evaluate((e) => (e.scrollTop = e.scrollHeight));
    await panel.page.getByText('Question 198').waitFor();
    const copied = await panel.page.evaluate(() => {
      const selection = getSelection()!;
      selection.extend(document.querySelector('[data-entry=u198] p')!.firstChild!, 8);
      const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
      document.querySelector('.thread')!.dispatchEvent(event);
      return event.clipboardData!.getData('text/plain');
    });
    expect(copied).toMatch(/^1\s+Answer 1,/);
    expect(copied).toContain('Question 100\n');
    expect(copied).toMatch(/Question$/);
  });

  it('has a request that waits in the document however far it is, and leads to it', async () => {
    const panel = await PanelPage.open();
    const options = [
      { optionId: 'y', name: 'Allow', kind: 'allow_once' as const },
      { optionId: 'n', name: 'Reject', kind: 'reject_once' as const },
    ];
    const call = toolCall('q', {
      title: 'Run it',
      toolKind: 'execute',
      status: 'waiting',
      command: 'make',
      permissions: [asked('r', 'Run it', options, { command: 'make' })],
    });
    await panel.show(
      threadView([...turns(100), call, ...turns(100).map((entry) => ({ ...entry, id: `x${entry.id}` }))], {
        pendingQuestions: [{ kind: 'permission', requestId: 'r', entryId: 'q', title: 'Run it', askedAt: 1 }],
      }),
    );
    await panel.page.getByRole('group', { name: 'Permission: Run it' }).waitFor({ state: 'attached' });
    await panel.page.getByRole('button', { name: /^Show the request/ }).click();
    await expect
      .poll(() =>
        panel.page.getByRole('group', { name: 'Permission: Run it' }).evaluate((e) => e === document.activeElement),
      )
      .toBe(true);
    await panel.page
      .getByRole('group', { name: 'Permission: Run it' })
      .getByRole('button', { name: 'Allow', exact: false })
      .first()
      .click();
    expect(await panel.nextPosted('permission/select')).toMatchObject({ requestId: 'r', optionId: 'y' });
  });

  it('goes from prompt to prompt with Alt and the arrow keys, also to those that were not drawn, and back to the end', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(300)));
    const focused = () =>
      panel.page.evaluate(
        () => (document.activeElement as HTMLElement).dataset['entry'] ?? document.activeElement!.className,
      );
    const isAtTop = (id: string) =>
      panel.page
        .locator(`[data-entry=${id}]`)
        .evaluate(
          (e) =>
            Math.abs(e.getBoundingClientRect().top - document.querySelector('.thread')!.getBoundingClientRect().top) <
            60,
        );
    await press(panel, 'Alt+ArrowUp');
    await expect.poll(focused).toBe('u299');
    for (let i = 298; i > 280; i--) {
      await panel.page.keyboard.press('Alt+ArrowUp');
      await expect.poll(focused).toBe(`u${i}`);
    }
    await expect.poll(() => isAtTop('u281')).toBe(true);
    await panel.page.keyboard.press('Alt+ArrowDown');
    await expect.poll(focused).toBe('u282');
    await press(panel, 'Control+Home');
    await panel.thread.locator('p').getByText('Question 0', { exact: true }).waitFor();
    await panel.page.keyboard.press('Alt+ArrowDown');
    await expect.poll(focused).toMatch(/^u[01]$/);
    const first = Number((await focused()).slice(1));
    await panel.page.keyboard.press('Alt+ArrowDown');
    await expect.poll(focused).toBe(`u${first + 1}`);
    await press(panel, 'Control+End');
    await panel.page.getByText('Question 299').waitFor();
    await panel.page.keyboard.press('Alt+ArrowUp');
    await expect.poll(focused).toBe('u299');
    await panel.page.keyboard.press('Alt+ArrowDown');
    await expect.poll(focused).toBe('thread');
  });

  it('draws of many entries that come at once only those near the end, where the user is elsewhere', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(100)));
    await press(panel, 'Control+Home');
    await panel.thread.locator('p').getByText('Question 0', { exact: true }).waitFor();
    await panel.patch(
      ...turns(2_000).map((entry) => ({ op: 'entry/add' as const, entry: { ...entry, id: `x${entry.id}` } })),
    );
    expect(await nodes(panel)).toBeLessThan(4_000);
    expect(await panel.thread.locator('p').getByText('Question 0', { exact: true }).isVisible()).toBe(true);
  });

  it('keeps the length of its scroll bar about when the width changes', async () => {
    const panel = await PanelPage.open({ width: 420 });
    await panel.show(threadView(turns(300)));
    await panel.frames(20);
    const height = () => panel.thread.evaluate((e) => e.scrollHeight);
    const before = await height();
    await panel.page.setViewportSize({ width: 700, height: 800 });
    await panel.frames(10);
    expect(await height()).toBeLessThan(before * 1.1);
    await expect.poll(() => panel.thread.getByText('Question 299').isVisible()).toBe(true);
  });
});
