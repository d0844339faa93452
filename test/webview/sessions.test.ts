import { describe, expect, it } from 'vitest';
import type { SessionItemView, SessionsView } from '../../src/protocol/sessionsView';
import { axe, runAxe } from './axe';
import { gallery } from './galleryScenes.mjs';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const item = (key: string, fields: Partial<SessionItemView> = {}): SessionItemView => ({
  key,
  title: `Session ${key}`,
  agent: 'Demo Agent',
  folder: 'sample',
  updatedAt: Date.now() - 3_700_000,
  state: 'stored',
  isCurrent: false,
  acts: ['rename', 'pin', 'archive', 'delete'],
  ...fields,
});
const day = 86_400_000;
const items = [
  item('a', {
    title: 'Make the tokenizer iterative',
    state: 'running',
    isCurrent: true,
    updatedAt: Date.now(),
    acts: ['rename', 'pin', 'delete'],
  }),
  item('b', { title: 'Fix the parser', state: 'waiting', updatedAt: Date.now() - 1 }),
  item('c', {
    title: 'Old one of the agent',
    agent: 'Codex',
    state: 'atAgent',
    updatedAt: Date.now() - 20 * day,
    acts: ['rename', 'pin', 'archive'],
  }),
  item('d', { title: 'Deploy', state: 'failed', updatedAt: Date.now() - 4 * day }),
  item('e', {
    title: 'Read the logs',
    isPinned: true,
    updatedAt: Date.now() - 40 * day,
    acts: ['rename', 'unpin', 'archive', 'delete'],
  }),
  item('f', { title: 'Put away', isArchived: true, acts: ['rename', 'pin', 'unarchive', 'delete'] }),
];
const list = (fields: Partial<SessionsView> = {}): { sessions: SessionsView } => ({
  sessions: {
    items,
    archived: (fields.items ?? items).filter(({ isArchived }) => isArchived).length,
    loading: false,
    hasMore: false,
    ...fields,
  },
});
const rows = (panel: PanelPage) => panel.page.locator('.session-row');
const titles = (panel: PanelPage) =>
  panel.page.locator('.session-row .session-line:first-child .label').allInnerTexts();
const focused = (panel: PanelPage) =>
  panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);
const row = (panel: PanelPage, name: RegExp) => panel.page.getByRole('row', { name });

/** Shows the list and waits until it has the keyboard. */
async function open(fields: Partial<SessionsView> = {}, width?: number): Promise<PanelPage> {
  const panel = await PanelPage.open(width === undefined ? {} : { width });
  await panel.show(threadView([agentMessage('m', 'Hello')]));
  await panel.patch({ op: 'panel/set', fields: list(fields) });
  await expect.poll(() => focused(panel)).toBe('Search sessions');
  return panel;
}

describe('what sessions used', () => {
  const used = [
    item('a', { usage: { tokens: 12_400, cost: { amount: 0.25, currency: 'USD' } } }),
    item('b', { usage: { cost: { amount: 3, currency: 'credits' } } }),
    item('c'),
  ];
  const today = [{ cost: { amount: 1.2, currency: 'USD' } }, { tokens: 341_000 }];
  /** What a row shows: what does not fit is below its line. */
  const seen = (panel: PanelPage) =>
    rows(panel).evaluateAll((all) =>
      all.map((one) => {
        const line = one.querySelector('.spent')!.getBoundingClientRect();
        const parts = [...one.querySelectorAll<HTMLElement>('.agent, .age, .usage')];
        return parts.filter((part) => part.getBoundingClientRect().top < line.bottom).map((part) => part.innerText);
      }),
    );

  it('is in its row and, for today, above the list', async () => {
    const panel = await open({ items: used, today }, 420);
    expect(await panel.page.locator('.session-today').innerText()).toBe('Today: $1.20 · 341K tokens');
    expect(await seen(panel)).toEqual([
      ['Demo Agent', '1 h', '$0.25', '12K tokens'],
      ['Demo Agent', '1 h', '3 credits'],
      ['Demo Agent', '1 h'],
    ]);
  });

  it('gives way as a whole in a narrow row, where the tooltip has it', async () => {
    const panel = await open({ items: used }, 240);
    expect(await panel.page.locator('.session-today').count()).toBe(0);
    expect((await seen(panel))[0]).toEqual(['Demo Agent', '1 h', '$0.25']);
    expect(await rows(panel).first().getAttribute('title')).toContain('Demo Agent · 1 h · $0.25 · 12K tokens');
    await panel.page.setViewportSize({ width: 165, height: 640 });
    expect((await seen(panel))[0]).toEqual(['Demo Agent', '1 h']);
  });
});

describe('the list of sessions', () => {
  it('takes the focus, has groups by date, and says in words what each session does', async () => {
    const panel = await open();
    expect(await panel.page.locator('.session-group').allInnerTexts()).toEqual([
      'Pinned',
      'Today',
      'Last 7 days',
      'Older',
      'Archived (1)',
    ]);
    expect(await titles(panel)).toEqual([
      'Read the logs',
      'Make the tokenizer iterative',
      'Fix the parser',
      'Deploy',
      'Old one of the agent',
    ]);
    for (const name of [
      /^Make the tokenizer iterative, Working, Demo Agent, now$/,
      /^Fix the parser, Waiting for you, Demo Agent/,
      /^Deploy, Failed/,
      /^Read the logs, Pinned, Demo Agent/,
      /^Old one of the agent, Not loaded, Codex/,
    ])
      expect(await row(panel, name).count(), String(name)).toBe(1);
    expect(await row(panel, /^Make/).getAttribute('aria-current')).toBe('true');
    await panel.page.evaluate(axe);
    expect(await panel.page.evaluate(runAxe, false)).toEqual([]);
  });

  it('has the focus whenever it is opened, although the message box is to get it just before', async () => {
    const panel = await open();
    for (let i = 0; i < 2; i++) {
      await panel.patch({ op: 'panel/set', fields: {}, cleared: ['sessions'] });
      await expect.poll(() => focused(panel)).toBe('Message');
      await Promise.all([
        panel.send({ type: 'focus/set', target: 'composer' }),
        panel.patch({ op: 'panel/set', fields: list() }),
      ]);
      await panel.frames(5);
      expect(await focused(panel)).toBe('Search sessions');
    }
    // From the one page to the other, too.
    await panel.patch({ op: 'panel/set', fields: { gallery: gallery() }, cleared: ['sessions'] });
    await expect.poll(() => focused(panel)).toBe('Search agents');
    await Promise.all([
      panel.send({ type: 'focus/set', target: 'composer' }),
      panel.patch({ op: 'panel/set', fields: list(), cleared: ['gallery'] }),
    ]);
    await panel.frames(5);
    expect(await focused(panel)).toBe('Search sessions');
  });

  it('takes no focus from a user who types elsewhere when its rows go', async () => {
    const panel = await open();
    await panel.page.keyboard.press('ArrowDown');
    const taken = await panel.leave();
    await panel.patch({ op: 'panel/set', fields: list({ items: items.filter(({ key }) => key !== 'e') }) });
    await row(panel, /^Read the logs/).waitFor({ state: 'detached' });
    await panel.frames();
    expect(await taken()).toBe(0);
  });

  it('is walked, opened, renamed and deleted by keyboard, and a letter goes into the search', async () => {
    const panel = await open();
    const { keyboard } = panel.page;
    await keyboard.press('ArrowDown');
    expect(await focused(panel)).toMatch(/^Read the logs/);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    expect(await focused(panel)).toMatch(/^Fix the parser/);
    await keyboard.press('F2');
    await keyboard.press('Delete');
    expect(await panel.posted('sessions/act')).toEqual([
      { type: 'sessions/act', act: 'rename', keys: ['b'] },
      { type: 'sessions/act', act: 'delete', keys: ['b'] },
    ]);
    // The row goes; the keyboard stays in its place.
    await panel.patch({
      op: 'panel/set',
      fields: list({ items: items.filter(({ key }) => key !== 'b'), deleted: { count: 1, title: 'Fix the parser' } }),
    });
    await expect.poll(() => focused(panel)).toMatch(/^Deploy/);
    await keyboard.press('Control+z');
    expect(await panel.posted('sessions/undoDelete')).toHaveLength(1);
    await keyboard.press('End');
    expect(await focused(panel)).toMatch(/^Old one/);
    await keyboard.press('Enter');
    expect(await panel.posted('sessions/show')).toEqual([{ type: 'sessions/show', key: 'c' }]);
    await keyboard.type('dep');
    expect(await focused(panel)).toBe('Search sessions');
    await expect.poll(() => titles(panel)).toEqual(['Deploy']);
    await keyboard.press('Enter');
    expect((await panel.posted('sessions/show')).at(-1)).toEqual({ type: 'sessions/show', key: 'd' });
    await keyboard.press('Escape');
    expect(await panel.posted('sessions/toggle')).toHaveLength(1);
  });

  it('closes with the keyboard in the message box', async () => {
    const panel = await open();
    await panel.page.keyboard.press('ArrowDown');
    await panel.patch({ op: 'panel/set', fields: { sessions: undefined as never } });
    await expect.poll(() => focused(panel)).toBe('Message');
  });

  it('archives and deletes several at once', async () => {
    const panel = await open();
    await row(panel, /^Read/).click({ modifiers: ['Control'] });
    await row(panel, /^Deploy/).click({ modifiers: ['Shift'] });
    await expect.poll(() => panel.page.locator('[aria-selected=true]').count()).toBe(4);
    await panel.page.getByText('4 selected').waitFor();
    expect(await panel.posted('sessions/show')).toEqual([]);
    await row(panel, /^Make/).click({ modifiers: ['Control'] });
    const context = JSON.parse((await row(panel, /^Deploy/).getAttribute('data-vscode-context'))!) as object;
    expect(context).toEqual({
      webviewSection: 'session',
      preventDefaultContextMenuItems: true,
      sessionKeys: ['e', 'b', 'd'],
      sessionActs: 'archive delete',
    });
    await panel.page.getByRole('button', { name: 'Archive', exact: true }).click();
    expect(await panel.posted('sessions/act')).toEqual([
      { type: 'sessions/act', act: 'archive', keys: ['e', 'b', 'd'] },
    ]);
    // By keyboard: Shift extends, Delete is about the selection.
    await row(panel, /^Fix/).focus();
    await panel.page.keyboard.press('Shift+ArrowDown');
    await panel.page.keyboard.press('Delete');
    expect((await panel.posted('sessions/act')).at(-1)).toEqual({
      type: 'sessions/act',
      act: 'delete',
      keys: ['b', 'd'],
    });
  });

  it('offers in the menu what can be done with the session, and opens it from the button too', async () => {
    const panel = await open();
    const read = async (name: RegExp) =>
      JSON.parse((await row(panel, name).getAttribute('data-vscode-context'))!) as {
        sessionKeys: string[];
        sessionActs: string;
      };
    expect(await read(/^Make/)).toMatchObject({ sessionKeys: ['a'], sessionActs: 'rename pin delete' });
    expect(await read(/^Read/)).toMatchObject({ sessionActs: 'rename unpin archive delete' });
    await panel.page.evaluate(() =>
      document.addEventListener('contextmenu', (event) =>
        document.body.setAttribute(
          'data-opened',
          (event.target as HTMLElement).closest('.session-row')?.getAttribute('data-key') ?? '',
        ),
      ),
    );
    await row(panel, /^Deploy/).hover();
    await panel.page.getByRole('button', { name: 'More actions for Deploy' }).click();
    expect(await panel.page.getAttribute('body', 'data-opened')).toBe('d');
    // Cut, Copy and Paste are for the search box only.
    expect(await panel.page.locator('.session-list').getAttribute('data-vscode-context')).toBe(
      '{"preventDefaultContextMenuItems":true}',
    );
    expect(await panel.page.locator('.search').getAttribute('data-vscode-context')).toBe(
      '{"preventDefaultContextMenuItems":false}',
    );
  });

  it('shows archived ones when they are asked for', async () => {
    const panel = await open();
    expect(await rows(panel).count()).toBe(5);
    await panel.page.getByRole('button', { name: 'Archived (1)' }).click();
    await row(panel, /^Put away/).hover();
    await panel.page.getByRole('button', { name: 'Unarchive Put away' }).click();
    expect(await panel.posted('sessions/act')).toEqual([{ type: 'sessions/act', act: 'unarchive', keys: ['f'] }]);
  });

  it('stays open when Escape ends the composition of an input method', async () => {
    const panel = await open();
    await panel.page
      .getByRole('textbox', { name: 'Search sessions' })
      .evaluate((box) =>
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true })),
      );
    expect(await panel.posted('sessions/toggle')).toEqual([]);
    await panel.page.keyboard.press('Escape');
    expect(await panel.posted('sessions/toggle')).toHaveLength(1);
  });

  it('shows the lines of conversations below the titles that match, and opens one at its line', async () => {
    const panel = await open();
    await panel.page.keyboard.insertText('parser');
    await expect.poll(() => panel.posted('sessions/search')).toEqual([{ type: 'sessions/search', text: 'parser' }]);
    await panel.page.getByText('Searching conversations…').waitFor();
    const hits = [
      {
        id: '0',
        title: 'Deploy',
        agent: 'Demo Agent',
        updatedAt: Date.now(),
        line: '- The **<b>Parser</b>** of `parser.ts` is slow',
      },
    ];
    await panel.patch({
      op: 'panel/set',
      fields: list({ search: { text: 'parser', hits, isRunning: false, isCut: true } }),
    });
    await expect.poll(() => titles(panel)).toEqual(['Fix the parser', 'The <b>Parser</b> of parser.ts is slow']);
    expect(await panel.page.locator('mark').allInnerTexts()).toEqual(['Parser', 'parser']);
    await panel.page.getByText('There may be more results.').waitFor();
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('sessions/showHit')).toEqual([{ type: 'sessions/showHit', id: '0' }]);
    await panel.page.evaluate(axe);
    expect(await panel.page.evaluate(runAxe, false)).toEqual([]);
  });

  it('says when there is none, when an agent is asked, what went wrong, and what was deleted', async () => {
    const panel = await open({
      items: [],
      loading: true,
      problem: 'Codex could not list its sessions: no',
      deleted: { count: 2 },
    });
    for (const words of [
      'No sessions yet.',
      'Loading sessions from the agent…',
      'Codex could not list its sessions: no',
      '2 sessions deleted',
    ])
      await panel.page.getByText(words).waitFor();
    await panel.page.getByRole('button', { name: 'Restore' }).click();
    expect(await panel.posted('sessions/undoDelete')).toHaveLength(1);
    await panel.page.keyboard.press('Shift+Tab');
    await panel.page.getByRole('textbox', { name: 'Search sessions' }).fill('zz');
    await panel.patch({
      op: 'panel/set',
      fields: list({ items: [], search: { text: 'zz', hits: [], isRunning: false, isCut: false } }),
    });
    await panel.page.getByText('No results found').waitFor();
  });

  it('is whole at 250 px: the title and the state are there, and nothing is wider than the list', async () => {
    const panel = await open({}, 250);
    for (const text of ['Waiting for you', 'Failed', 'Not loaded']) {
      const box = (await panel.page.getByText(text, { exact: true }).boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(250);
    }
    await row(panel, /^Fix/).hover();
    const label = (await row(panel, /^Fix/).locator('.label').boundingBox())!;
    expect(label.width).toBeGreaterThan(80);
    expect(await panel.page.evaluate(() => document.querySelector('.session-list')!.scrollWidth)).toBeLessThanOrEqual(
      250,
    );
  });

  it('draws the first of thousands, and more when asked', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      item(`s${i}`, { updatedAt: Date.now() - i * 60_000, ...(i === 900 ? { isPinned: true } : {}) }),
    );
    const panel = await open({ items: many });
    expect(await rows(panel).count()).toBe(200);
    // What is pinned is there however old it is.
    expect(await rows(panel).first().getAttribute('data-key')).toBe('s900');
    await panel.page.getByRole('button', { name: 'Show More' }).click();
    await expect.poll(() => rows(panel).count()).toBe(400);
  });

  it('an agent that waits in another session is one click away', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { waitingElsewhere: [{ key: 'b', agent: 'Codex', title: 'Run rm -rf dist' }] }));
    await panel.page.getByRole('button', { name: 'Show that session: Run rm -rf dist' }).click();
    await expect.poll(() => panel.posted('question/show')).toEqual([{ type: 'question/show', key: 'b' }]);
  });
});

it('an entry that was asked for comes into view, far ones too', async () => {
  const panel = await PanelPage.open();
  const entries = Array.from({ length: 300 }, (_, i) =>
    i % 2 ? agentMessage(`e${i}`, `Answer ${i}. `.repeat(30)) : userMessage(`e${i}`, `Question ${i}`),
  );
  await panel.show(threadView(entries));
  await panel.send({ type: 'entry/reveal', entryId: 'e20' });
  const isInView = () =>
    panel.page
      .getByText('Question 20', { exact: true })
      .evaluate((e) => {
        const { top } = e.getBoundingClientRect();
        return top > 0 && top < innerHeight;
      })
      .catch(() => false);
  await expect.poll(isInView).toBe(true);
  await expect
    .poll(() =>
      panel.page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset['entry']),
    )
    .toBe('e20');
});

it('a line that was found comes into view and is marked, in a tall answer, far away and in what is folded', async () => {
  const panel = await PanelPage.open();
  const answer = (id: string, at: number) =>
    agentMessage(
      id,
      Array.from({ length: 120 }, (_, i) =>
        i === at
          ? `The **Parser** of [parser.ts](https://example.com/p) is slow, line ${i}.`
          : `Some parser words, line ${i}.`,
      ).join('\n\n'),
    );
  const long = userMessage('long', `${'log\n'.repeat(60)}slow prompt`);
  const turns = Array.from({ length: 60 }, (_, i) => [
    userMessage(`u${i}`, `Question ${i}`),
    agentMessage(`a${i}`, `Answer ${i}. `.repeat(30)),
  ]).flat();
  const thought = {
    kind: 'thought' as const,
    id: 'th',
    content: [{ type: 'text' as const, text: `${'Well.\n\n'.repeat(80)}A slow thought.` }],
    streaming: false,
  };
  const call = toolCall('call', { content: [{ type: 'content', content: { type: 'text', text: 'The slow call' } }] });
  await panel.show(
    threadView([
      answer('first', 100),
      long,
      ...turns,
      thought,
      call,
      answer('last', 20),
      ...turns.map((entry) => ({ ...entry, id: `x${entry.id}` })),
    ]),
  );
  const marked = () =>
    panel.page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('parley-find-current') ?? [])] as Range[];
      const box = range?.getBoundingClientRect();
      const shown =
        range &&
        document
          .elementsFromPoint(box!.left + 1, box!.top + box!.height / 2)
          .includes(range.startContainer.parentElement!);
      return (
        range && {
          entry: range.startContainer.parentElement!.closest<HTMLElement>('[data-entry]')?.dataset['entry'],
          words: range.toString(),
          line: range.startContainer.parentElement!.closest('p, pre, div')?.textContent!.trim().slice(-9),
          shown,
        }
      );
    });
  const source = (n: number) => `The **Parser** of [parser.ts](https://example.com/p) is slow, line ${n}.`;
  const cases = [
    ['first', 'slow', source(100), 'line 100.'],
    ['last', 'slow parser', source(20), ' line 20.'],
    ['th', 'slow', 'A slow thought.', ' thought.'],
    ['call', 'slow', 'The slow call', 'slow call'],
    ['long', 'slow', 'slow prompt', 'ow prompt'],
  ] as const;
  for (const [entryId, text, line, end] of cases) {
    await panel.send({ type: 'entry/reveal', entryId, found: { text, line } });
    await expect
      .poll(marked)
      .toEqual({ entry: entryId, words: expect.stringMatching(/^(?:slow|Parser)$/), line: end, shown: true });
  }
  await panel.page.keyboard.press('Shift');
  expect(await marked()).toBeUndefined();
});
