import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, userMessage } from './views.mjs';

useHarness();

const long = (id: string, n: number) =>
  agentMessage(
    id,
    Array.from({ length: n }, (_, i) => `Paragraph ${i} of ${id}, with some words to fill its line.\n\n`).join(''),
  );
const distance = (panel: PanelPage) => panel.thread.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop);
const jump = (panel: PanelPage) => panel.page.getByRole('button', { name: 'Jump to latest' });

async function wheelUp(panel: PanelPage, by = 300): Promise<void> {
  await panel.thread.hover();
  const before = await panel.thread.evaluate((e) => e.scrollTop);
  await panel.page.mouse.wheel(0, -by);
  await expect.poll(() => panel.thread.evaluate((e) => e.scrollTop)).toBeLessThan(before);
}

describe('scrolling', () => {
  it('starts at the end and follows what is added', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60)]));
    await expect.poll(() => distance(panel)).toBeLessThan(2);
    for (let i = 0; i < 10; i++) {
      await panel.patch({ op: 'entry/add', entry: long(`b${i}`, 3) });
      await expect.poll(() => distance(panel)).toBeLessThan(2);
    }
    await expect.poll(() => jump(panel).isVisible()).toBe(false);
  });

  it('lets go as soon as the user scrolls up, and nothing moves then', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60), { ...long('s', 1), streaming: true } as never]));
    await wheelUp(panel);
    await jump(panel).waitFor();
    const probe = () => panel.page.evaluate(() => document.elementFromPoint(200, 200)!.getBoundingClientRect().top);
    await panel.frames(12);
    const before = await probe();
    for (let i = 0; i < 10; i++)
      await panel.patch({ op: 'entry/appendText', id: 's', part: 0, text: `More ${i}.\n\n` });
    expect(Math.abs((await probe()) - before)).toBeLessThan(1);
  });

  it('lets go with the keyboard too', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60)]));
    await expect.poll(() => panel.thread.evaluate((e) => e.scrollTop)).toBeGreaterThan(0);
    await panel.thread.focus();
    await panel.page.keyboard.press('PageUp');
    await jump(panel).waitFor();
    await panel.page.keyboard.press('End');
    await jump(panel).waitFor({ state: 'hidden' });
  });

  it('lets go with the first small step of a smooth scroll', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60), { ...long('s', 1), streaming: true } as never]));
    await expect.poll(() => distance(panel)).toBeLessThan(2);
    await panel.thread.evaluate((e) => {
      e.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp', bubbles: true }));
      e.scrollTop -= 3;
    });
    await panel.frames();
    await panel.patch({ op: 'entry/appendText', id: 's', part: 0, text: 'More.\n\nAnd more.\n\n' });
    await panel.frames(5);
    await expect.poll(() => distance(panel)).toBeGreaterThan(20);
    await panel.thread.evaluate((e) => (e.scrollTop = e.scrollHeight));
    await jump(panel).waitFor({ state: 'hidden' });
  });

  it('goes back to the end on demand, and stays there', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60)]));
    await wheelUp(panel);
    await jump(panel).click();
    await expect.poll(() => distance(panel)).toBeLessThan(2);
    await panel.patch({ op: 'entry/add', entry: long('b', 10) });
    await expect.poll(() => distance(panel)).toBeLessThan(2);
    await expect.poll(() => jump(panel).isVisible()).toBe(false);
  });

  it('goes to the end when a prompt is sent', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60)]));
    await wheelUp(panel);
    await panel.box.fill('next');
    await panel.box.press('Enter');
    await panel.patch({ op: 'entry/add', entry: userMessage('u', 'next') });
    await expect.poll(() => distance(panel)).toBeLessThan(2);
  });

  it('comes back to where it was, after hiding or a reload', async () => {
    const panel = await PanelPage.open();
    const entries = Array.from({ length: 120 }, (_, i) => long(`m${i}`, 4));
    await panel.show(threadView(entries));
    await panel.frames(20);
    await wheelUp(panel, 2500);
    const top = () =>
      panel.thread.evaluate((e) => {
        const edge = e.getBoundingClientRect().top;
        const below = (x: Element) => x.getBoundingClientRect().bottom > edge;
        // The browser skips what lies far, and says of an entry in it where it would stand: which group is there comes
        // first.
        const group = [...document.querySelectorAll('.entry-group')].find(below)!;
        const entry = [...group.querySelectorAll<HTMLElement>('.entry')].find(below)!;
        return [entry.dataset['entry'], Math.round(entry.getBoundingClientRect().top - edge)] as const;
      });
    let where = await top();
    // Wheels scroll smoothly, and texts get their true height as they come near: it rests when what it told is what
    // stands.
    await expect
      .poll(
        async () => {
          const last = where;
          where = await top();
          const told = (await panel.posted('ui/changed')).at(-1)?.ui.scroll;
          return last[1] === where[1] && told !== undefined && told.entryId === where[0] && told.offset === where[1];
        },
        { interval: 150 },
      )
      .toBe(true);
    const { ui } = (await panel.posted('ui/changed')).at(-1)!;
    await panel.page.reload();
    await panel.show(threadView(entries), ui);
    await expect
      .poll(async () => {
        const [id, offset] = await top();
        return id === where[0] && Math.abs(offset - where[1]) <= 2;
      })
      .toBe(true);
    await jump(panel).waitFor();
  });

  it('stays where the user is when a snapshot repairs the thread', async () => {
    const panel = await PanelPage.open();
    const entries = Array.from({ length: 40 }, (_, i) => long(`m${i}`, 4));
    await panel.show(threadView(entries));
    await wheelUp(panel, 800);
    await panel.frames(30);
    const text = () => panel.page.evaluate(() => document.elementFromPoint(200, 300)!.textContent);
    const before = await text();
    await panel.show(threadView(entries));
    await expect.poll(text).toBe(before);
    await panel.show(threadView(entries));
  });

  it('holds the end while the box grows', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([long('a', 60)]));
    await panel.box.fill('1\n2\n3\n4\n5\n6');
    await expect.poll(() => distance(panel)).toBeLessThan(2);
  });
});
