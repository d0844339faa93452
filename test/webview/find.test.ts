import { describe, expect, it } from 'vitest';
import { box, count, find, isInView, marked, open } from './finding';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, diff, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const turns = (n: number) =>
  Array.from({ length: n }, (_, i) => [
    userMessage(`u${i}`, `Question ${i}`),
    agentMessage(`a${i}`, `An answer with **needle**${i === 3 ? 'work' : ''} number ${i}.`),
  ]).flat();

describe('find', () => {
  it('counts, marks and goes round, and gives the focus back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(5)));
    await open(panel, 'needle');
    await expect.poll(() => count(panel)).toBe('1 of 5');
    await expect
      .poll(() => marked(panel))
      .toEqual({ current: ['needle'], others: ['needle', 'needle', 'needle', 'needle'] });
    await panel.page.keyboard.press('Shift+Enter');
    await expect.poll(() => count(panel)).toBe('5 of 5');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.press('F3');
    await expect.poll(() => count(panel)).toBe('2 of 5');
    await panel.page.keyboard.press('Shift+F3');
    await expect.poll(() => count(panel)).toBe('1 of 5');
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => find(panel).isVisible()).toBe(false);
    expect(await panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
    expect(await marked(panel)).toEqual({ current: [], others: [] });
  });

  it('searches a thread once all of it has come', async () => {
    const panel = await PanelPage.open();
    const all = turns(40);
    await panel.show({ ...threadView(all.slice(60)), rest: 60 });
    await open(panel, 'needle');
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(20, 60), rest: 20 });
    expect(await count(panel)).toBe('Searching…');
    await panel.patch({ op: 'entry/addRest', at: 'start', entries: all.slice(0, 20), rest: 0 });
    await expect.poll(() => count(panel)).toMatch(/ of 40$/);
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => isInView(panel)).toBe(true);
  });

  it('matches case, whole words and regular expressions', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(5)));
    await open(panel, 'NEEDLE');
    await expect.poll(() => count(panel)).toBe('1 of 5');
    await panel.page.keyboard.press('Alt+w');
    await expect.poll(() => count(panel)).toBe('1 of 4');
    await panel.page.keyboard.press('Alt+c');
    await expect.poll(() => count(panel)).toBe('No results');
    await panel.page.keyboard.press('Alt+w');
    await panel.page.keyboard.press('Alt+c');
    await panel.page.keyboard.press('Alt+r');
    await box(panel).fill('number [24]');
    await expect.poll(() => count(panel)).toBe('1 of 2');
    await box(panel).fill('number [');
    await expect.poll(() => count(panel)).toBe('Invalid expression');
    await box(panel).fill('Question \\d$');
    await expect.poll(() => count(panel)).toBe('1 of 5');
  });

  it('takes a break in a prompt for the end of a word', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', 'log\nneedle\nlog')]));
    await open(panel, 'needle');
    await panel.page.keyboard.press('Alt+w');
    await expect.poll(() => marked(panel)).toEqual({ current: ['needle'], others: [] });
  });

  it('finds what is far, and what is folded, and shows it', async () => {
    const panel = await PanelPage.open();
    const lines = Array.from({ length: 60 }, (_, i) => `+line ${i}`);
    const folded = [
      toolCall('t1', { output: 'first output' }),
      toolCall('t2', { output: 'the treasure is here' }),
      {
        kind: 'thought' as const,
        id: 'th',
        content: [{ type: 'text' as const, text: 'a treasure, perhaps' }],
        streaming: false,
      },
      toolCall('d', {
        toolKind: 'edit',
        content: [diff({ hunks: [{ oldStart: 1, newStart: 1, lines: [...lines, '+treasure map'] }] })],
      }),
      userMessage('long', `${'log\n'.repeat(50)}treasure chest`),
    ];
    await panel.show(
      threadView([...turns(100), ...folded, ...turns(100).map((entry) => ({ ...entry, id: `x${entry.id}` }))]),
    );
    await open(panel, 'treasure');
    await expect.poll(() => count(panel)).toMatch(/of 4$/);
    for (let i = 0; i < 4; i++) {
      await expect.poll(async () => (await marked(panel)).current).toEqual(['treasure']);
      await expect.poll(() => isInView(panel)).toBe(true);
      const before = await count(panel);
      await panel.page.keyboard.press('Enter');
      await expect.poll(() => count(panel)).not.toBe(before);
    }
    // What was opened for a match is closed again with the next.
    await expect.poll(async () => (await panel.posted('ui/changed')).at(-1)?.ui.expanded).not.toHaveProperty('long');
  });

  it('stays at a match while what is around it gets its height', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        ...turns(30),
        agentMessage('t', 'The treasure.'),
        ...turns(30).map((entry) => ({ ...entry, id: `x${entry.id}` })),
      ]),
    );
    await open(panel, 'treasure');
    await expect.poll(() => isInView(panel)).toBe(true);
    await panel.patch({ op: 'entry/replace', entry: agentMessage('a29', 'Another answer.\n\n'.repeat(60)) });
    await expect.poll(() => panel.thread.getByText('Another answer.').count()).toBe(60);
    await expect.poll(() => isInView(panel)).toBe(true);
    await panel.page.mouse.move(200, 300);
    await panel.page.mouse.wheel(0, -3_000);
    await expect.poll(() => isInView(panel)).toBe(false);
    await panel.patch({ op: 'entry/replace', entry: agentMessage('a29', 'Short.') });
    await panel.frames(5);
    expect(await isInView(panel)).toBe(false);
  });

  it('finds what comes while it is open, and stays where it is', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([...turns(3), agentMessage('s', 'Begins', true)]));
    await open(panel, 'needle');
    await expect.poll(() => count(panel)).toBe('1 of 3');
    await panel.page.keyboard.press('Enter');
    await panel.patch(
      { op: 'entry/appendText', id: 's', part: 0, text: ' with a needle' },
      { op: 'entry/add', entry: agentMessage('n', 'needle') },
    );
    await expect.poll(() => count(panel)).toBe('2 of 5');
    await panel.show(threadView(turns(2)));
    await expect.poll(() => count(panel)).toBe('2 of 2');
  });

  it('stops an expression that does not end, while the panel takes keys', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', `${'a'.repeat(40)}!`), ...turns(2)]));
    await open(panel, '');
    await panel.page.keyboard.press('Alt+r');
    await box(panel).pressSequentially('(a+)+$');
    expect(await box(panel).inputValue()).toBe('(a+)+$');
    await expect.poll(() => count(panel)).toBe('Search timed out');
    await box(panel).fill('needle');
    await expect.poll(() => count(panel)).toBe('1 of 2');
  });

  it('searches 100,000 entries while the user types', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(1)));
    await panel.page.evaluate(() => {
      const entries = Array.from({ length: 100_000 }, (_, i) => ({
        kind: 'agentMessage',
        id: `m${i}`,
        content: [
          { type: 'text', text: `Some words of an answer, number ${i}, as long as a sentence of an agent may be.` },
        ],
        streaming: false,
      }));
      window.harness.send({
        type: 'thread/patch',
        stamp: { generation: 1, sequence: 1 },
        patches: entries.map((entry) => ({ op: 'entry/add', entry })),
      });
    });
    await panel.frames(5);
    await open(panel, 'number 77777');
    await expect.poll(() => count(panel), { timeout: 90_000 }).toBe('1 of 1');
    const took = await panel.page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>('.find input')!;
      const isFound = () => document.querySelector('.find-count')!.textContent!.endsWith(' of 11');
      const start = performance.now();
      input.value = 'number 7777';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const held = performance.now() - start;
      const isLater = !isFound();
      while (!isFound()) await new Promise((resolve) => requestAnimationFrame(resolve));
      return { held, isLater, found: performance.now() - start };
    });
    // How long it takes is the machine's; the user types on meanwhile.
    console.log(
      `100,000 entries: typing held up for ${took.held.toFixed(0)} ms, found after ${took.found.toFixed(0)} ms`,
    );
    expect(took.isLater).toBe(true);
  });

  it('opens for the host, with what is selected, and not over the list of sessions', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(2)));
    await panel.page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('[data-entry=u1] p')!));
    await panel.send({ type: 'focus/set', target: 'find' });
    await expect.poll(() => box(panel).inputValue()).toBe('Question 1');
    expect(await box(panel).evaluate((e) => e === document.activeElement)).toBe(true);
    await expect.poll(() => count(panel)).toBe('1 of 1');
    await find(panel).getByRole('button', { name: 'Close (Escape)' }).click();
    await panel.patch({
      op: 'panel/set',
      fields: { sessions: { items: [], archived: 0, loading: false, hasMore: false } },
    });
    await panel.page.keyboard.press('Control+f');
    expect(await find(panel).isVisible()).toBe(false);
  });
});
