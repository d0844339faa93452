import { describe, expect, it } from 'vitest';
import type { PanelView } from '../../src/protocol/viewModel';
import { everything } from './dockScenes.mjs';
import { PanelPage, useHarness } from './panelPage';
import { threadView } from './views.mjs';

useHarness();

const { changes, notes, queue, notices, waitingElsewhere } = everything;

const group = (panel: PanelPage, name: string) => panel.page.getByRole('group', { name, exact: true });
const toggle = (panel: PanelPage, kind: 'changes' | 'notes' | 'queue') => panel.page.locator(`.toggle-${kind}`);
const list = (panel: PanelPage, name: string) =>
  panel.page.getByRole('list', { name }).and(panel.page.locator(':not(.visually-hidden)'));
/** The toggles that are open. */
const opened = (panel: PanelPage) =>
  panel.page
    .locator('.toggle[aria-expanded=true]')
    .evaluateAll((all) => all.map((button) => button.className.match(/toggle-(\w+)/)?.[1]));
const actions = (panel: PanelPage) =>
  panel.page
    .locator('.pending-strip .strip-line > .actions button')
    .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));
const set = (panel: PanelPage, fields: Partial<PanelView>) => panel.patch({ op: 'panel/set', fields });
const hasFocus = (panel: PanelPage, kind: 'changes' | 'notes' | 'queue') =>
  toggle(panel, kind).evaluate((button) => button === document.activeElement);

/** Shows it, with the code that comes late. */
async function show(
  fields: Partial<PanelView>,
  { width = 420, expanded = {} }: { readonly width?: number; readonly expanded?: Record<string, boolean> } = {},
): Promise<PanelPage> {
  const panel = await PanelPage.open({ width });
  await panel.show(threadView([], fields), { expanded });
  const kinds = (fields.changes ? 1 : 0) + (fields.notes ? 1 : 0) + (fields.queue ? 1 : 0);
  await panel.page.locator(kinds > 1 ? `.kinds-${kinds}` : '.pending-strip').waitFor();
  return panel;
}

describe('the dock with everything at once', () => {
  it.each([250, 300, 420, 560, 745])('has three rows of 32 px, %i px wide', async (width) => {
    const panel = await show(everything, { width });
    const rows = await panel.page.locator('.dock-strips > *').evaluateAll((all) =>
      all.map((strip) => {
        const { top, bottom } = strip.getBoundingClientRect();
        const line = strip.querySelector('.strip-line');
        const inside = getComputedStyle(line ?? strip);
        return {
          name: strip.getAttribute('aria-label'),
          top,
          bottom,
          heads: strip.querySelectorAll('.strip-line').length,
          height: line && line.getBoundingClientRect().height + 2,
          inside: inside.paddingInlineStart,
        };
      }),
    );
    expect(rows.map(({ name, heads, height, inside }) => ({ name, heads, height, inside }))).toEqual([
      // A request is shown to its last letter, in several lines if need be.
      { name: 'Waiting for you', heads: 0, height: null, inside: '8px' },
      { name: 'Running turn', heads: 1, height: 32, inside: '8px' },
      { name: 'Pending', heads: 1, height: 32, inside: '8px' },
    ]);
    expect(rows.slice(1).map(({ top }, i) => top - rows[i]!.bottom)).toEqual([4, 4]);
    if (width === 745) expect(rows[0]!.bottom - rows[0]!.top).toBe(32);
  });

  it.each([false, true])('cuts off no button at 250 px; paused: %s', async (queuePaused) => {
    const panel = await show({ ...everything, queuePaused }, { width: 250 });
    const cut = () =>
      panel.page.evaluate(() => {
        const found: string[] = [];
        const line = document.querySelector<HTMLElement>('.pending-strip > .strip-line')!;
        if (line.scrollWidth > line.clientWidth) found.push(`the line: ${line.scrollWidth} > ${line.clientWidth}`);
        const buttons = [...line.querySelectorAll<HTMLElement>('button')].map((button) => ({
          button,
          box: button.getBoundingClientRect(),
        }));
        for (const [i, { button, box }] of buttons.entries()) {
          const next = buttons[i + 1]?.box.left ?? line.getBoundingClientRect().right - 8;
          if (button.scrollWidth > button.clientWidth || box.width < 20 || box.right > next + 0.1)
            found.push(
              `${button.innerText}: ${box.left}–${box.right}, ${button.scrollWidth} in ${button.clientWidth}, next at ${next}`,
            );
          const word = button.querySelector<HTMLElement>('span.brief');
          if (word && (word.offsetWidth === 0 || word.scrollWidth > word.clientWidth))
            found.push(`${word.innerText}: ${word.scrollWidth} in ${word.clientWidth}`);
        }
        return found;
      });
    for (const kind of ['changes', 'notes', 'queue'] as const) {
      if (!(await opened(panel)).includes(kind)) await toggle(panel, kind).click();
      expect(await cut(), kind).toEqual([]);
    }
    // What is cut short is said in full.
    expect(
      await panel.page.getByRole('button', { name: /^3 files 140 added, 42 removed$/ }).getAttribute('title'),
    ).toBe('3 files\n140 added, 42 removed');
    expect(await panel.page.getByRole('button', { name: notes.title }).count()).toBe(1);
    expect(await panel.page.getByRole('button', { name: queuePaused ? 'Queue paused' : '2 queued' }).count()).toBe(1);
  });
});

describe('what waits for the user', () => {
  it('takes the place of the notice, which comes back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { notices, waitingElsewhere }));
    const notice = group(panel, 'Notice from Demo Agent');
    await group(panel, 'Waiting for you').waitFor();
    expect(await notice.count()).toBe(0);
    await set(panel, { waitingElsewhere: [] });
    await notice.waitFor();
    expect(await group(panel, 'Waiting for you').count()).toBe(0);
    await set(panel, { notes: { title: '', items: [], offer: 'Undone changes will be sent with your next message' } });
    await group(panel, 'Undone changes will be sent with your next message').waitFor();
    expect(await notice.count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['notes'] });
    await notice.waitFor();
  });
});

describe('changes, comments and the queue in one row', () => {
  it('show the queue until the user opens something else, and one list at a time', async () => {
    const panel = await show({ changes, notes, queue });
    expect(await opened(panel)).toEqual(['queue']);
    await list(panel, 'Queued messages').waitFor();
    // Its rows say what is with each; the head says how many there are.
    expect(await list(panel, 'Queued messages').getByRole('listitem').allInnerTexts()).toEqual([
      'also update the README',
      'then commit',
    ]);
    expect(await actions(panel)).toEqual([]);
    await toggle(panel, 'notes').click();
    await list(panel, 'To be sent').waitFor();
    expect(await opened(panel)).toEqual(['notes']);
    expect([await list(panel, 'Queued messages').count(), await list(panel, 'Changed files').count()]).toEqual([0, 0]);
    await toggle(panel, 'changes').click();
    await list(panel, 'Changed files').waitFor();
    expect(await opened(panel)).toEqual(['changes']);
    await toggle(panel, 'changes').click();
    await expect.poll(() => opened(panel)).toEqual([]);
    // It is kept as everything that is opened.
    await expect
      .poll(async () => (await panel.posted('ui/changed')).at(-1)?.ui.expanded)
      .toEqual({ 'dock:changes': false, 'dock:notes': false, 'dock:queue': false });
    // What is queued next is in view again.
    await set(panel, { queue: [] });
    await panel.page.locator('.kinds-2').waitFor();
    await set(panel, { queue });
    await list(panel, 'Queued messages').waitFor();
  });

  it('are used with the keyboard alone', async () => {
    const panel = await show({ changes, notes, queue });
    await toggle(panel, 'changes').focus();
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => opened(panel)).toEqual(['changes']);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await expect.poll(() => opened(panel)).toEqual(['notes']);
    expect(await hasFocus(panel, 'notes')).toBe(true);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    expect(await panel.nextPosted('notes/act')).toEqual({ type: 'notes/act', act: 'send' });
  });

  it('have the actions of what is open, or else of the first', async () => {
    const panel = await show({ changes, notes, queue, queuePaused: true });
    const click = (of: string, name: string) => group(panel, of).getByRole('button', { name, exact: true }).click();
    await expect.poll(() => toggle(panel, 'queue').innerText()).toContain('Paused');
    await click('Queue', 'Resume');
    await click('Queue', 'Clear');
    await toggle(panel, 'notes').click();
    await click('Comments', 'Send now');
    await toggle(panel, 'changes').click();
    await click('Changes', 'Undo');
    await toggle(panel, 'changes').click();
    await expect.poll(() => opened(panel)).toEqual([]);
    await click('Changes', 'Keep');
    expect(
      [
        await panel.posted('queue/resume'),
        await panel.posted('queue/clear'),
        await panel.posted('notes/act'),
        await panel.posted('change/undo'),
        await panel.posted('change/keep'),
      ].flat(),
    ).toEqual([
      { type: 'queue/resume' },
      { type: 'queue/clear' },
      { type: 'notes/act', act: 'send' },
      { type: 'change/undo' },
      { type: 'change/keep' },
    ]);
  });

  it('let the second click of a double click change nothing else', async () => {
    const panel = await show({ changes, notes });
    const { x, y, width } = (await group(panel, 'Changes').getByRole('button', { name: 'Keep' }).boundingBox())!;
    const press = async (clickCount: number) => {
      await panel.page.mouse.down({ clickCount });
      await panel.page.mouse.up({ clickCount });
    };
    await panel.page.mouse.move(x + width / 2, y + 8);
    await press(1);
    expect(await panel.nextPosted('change/keep')).toEqual({ type: 'change/keep' });
    await set(panel, { changes: [] });
    await group(panel, 'Comments').waitFor();
    expect(
      await panel.page.evaluate(
        ([left, top]) => document.elementFromPoint(left, top)?.closest('button')?.getAttribute('aria-label'),
        [x + width / 2, y + 8] as const,
      ),
    ).toBe('Send now');
    await press(2);
    await panel.frames();
    expect(await panel.posted('notes/act')).toEqual([]);
    await press(1);
    await expect.poll(() => panel.posted('notes/act')).toHaveLength(1);
  });
});

describe('the focus', () => {
  it('stays where it is when another kind comes or goes', async () => {
    const panel = await show({ changes });
    await group(panel, 'Changes').getByRole('button', { name: '3 files' }).focus();
    await set(panel, { notes });
    await panel.page.locator('.kinds-2').waitFor();
    expect(await hasFocus(panel, 'changes')).toBe(true);
    await set(panel, { queue });
    await panel.page.locator('.kinds-3').waitFor();
    expect(await hasFocus(panel, 'changes')).toBe(true);
    await toggle(panel, 'notes').focus();
    await set(panel, { changes: [], queue: [] });
    await group(panel, 'Comments').waitFor();
    expect(await hasFocus(panel, 'notes')).toBe(true);
  });

  it('stays in a list and on an action when its kind is alone again', async () => {
    const panel = await show({ changes, notes, queue }, { expanded: { 'dock:changes': true } });
    const keep = panel.page.getByRole('button', { name: 'Keep old.ts' });
    await keep.focus();
    await set(panel, { queue: [] });
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['notes'] });
    await group(panel, 'Changes').waitFor();
    expect(await keep.evaluate((button) => button === document.activeElement)).toBe(true);
    const keepAll = panel.page.getByRole('button', { name: 'Keep', exact: true });
    await keepAll.focus();
    await set(panel, { notes });
    await panel.page.locator('.kinds-2').waitFor();
    expect(await keepAll.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('stays on the buttons of a queued message when its kind is alone, and goes to what is left when its kind goes', async () => {
    const panel = await show({ changes, queue });
    const remove = panel.page.getByRole('button', { name: 'Remove: then commit' });
    await remove.focus();
    await set(panel, { changes: [] });
    await expect.poll(() => panel.page.getByText('Queued: also update the README').count()).toBe(1);
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
    await set(panel, { changes });
    await panel.page.locator('.kinds-2').waitFor();
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true);
    await set(panel, { queue: [] });
    await group(panel, 'Changes').waitFor();
    await expect.poll(() => hasFocus(panel, 'changes')).toBe(true);
  });

  it('goes to the toggle of the queue after Resume', async () => {
    const panel = await show({ changes, queue, queuePaused: true });
    await group(panel, 'Queue').getByRole('button', { name: 'Resume' }).focus();
    await panel.page.keyboard.press('Enter');
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['queuePaused'] });
    await expect.poll(() => hasFocus(panel, 'queue')).toBe(true);
    expect(await opened(panel)).toEqual(['queue']);
  });
});
