import { describe, expect, it } from 'vitest';
import type { EntryView, NoticeAction } from '../../src/protocol/entryView';
import type { ThreadView } from '../../src/protocol/viewModel';
import { PanelPage, useHarness } from './panelPage';
import { asking, pending } from './permissionScenes.mjs';
import { scenes } from './scenes.mjs';
import { agentMessage, diff, form, terminal, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const between = (id: string) => agentMessage(id, 'Next:');

describe('the title of a call', () => {
  const path = 'src/tokenizer.ts';
  const view = threadView(
    [
      toolCall('line', {
        title: 'Run the migration of tables',
        toolKind: 'execute',
        decision: 'Allow once',
        durationMs: 2_400,
      }),
      between('m'),
      toolCall('rejected', {
        title: 'Delete the folder dist',
        toolKind: 'delete',
        status: 'rejected',
        decision: 'Reject',
        durationMs: undefined,
      }),
      toolCall('edit', {
        toolKind: 'edit',
        status: 'rejected',
        decision: 'Reject',
        durationMs: undefined,
        content: [diff({ label: path })],
      }),
      toolCall('command', {
        toolKind: 'execute',
        decision: 'Allow once',
        content: [{ type: 'terminal', terminalId: 'T' }],
      }),
    ],
    {},
    [terminal('T', { command: 'npm test -- parser' })],
  );

  it.each([250, 300, 420, 745])('gives way last, %i px wide', async (width) => {
    const panel = await PanelPage.open({ width });
    await panel.show(view, { expanded: { edit: false, command: false } });
    for (const id of ['line', 'rejected', 'edit', 'command']) {
      const [isWhole, cut, isWithin] = await panel.page.locator(`[data-entry=${id}]`).evaluate((entry) => {
        const title = entry.querySelector('.label, .title')!;
        const line = entry.querySelector('.line-button, .card-head')!.getBoundingClientRect();
        // A word beside it is whole, or not there.
        const beside = [...entry.querySelectorAll('.yields')].flatMap((box) => {
          const [outer, words] = [
            box.getBoundingClientRect(),
            box.querySelector(':scope > span:not(.codicon)')!.getBoundingClientRect(),
          ];
          const isShown = words.top < outer.bottom - 1;
          return isShown && words.right > outer.right + 1 ? [box.textContent!.trim()] : [];
        });
        return [
          title.scrollWidth <= title.clientWidth,
          beside,
          title.getBoundingClientRect().right <= line.right,
        ] as const;
      });
      expect([id, isWhole, cut, isWithin]).toEqual([id, true, [], true]);
    }
    const isShown = await panel.page
      .locator('[data-entry=line] .decision')
      .evaluate((box) => box.firstElementChild!.getBoundingClientRect().top < box.getBoundingClientRect().bottom - 1);
    expect(isShown).toBe(width >= 420);
    expect(await panel.page.locator('[data-entry=line] button').getAttribute('title')).toBe(
      'You answered “Allow once”',
    );
  });
});

describe('a problem that another prompt has left behind', () => {
  const notice = (fields: object): EntryView => ({
    kind: 'notice',
    id: 'n',
    severity: 'error',
    title: 'The model provider is overloaded',
    actions: [],
    ...fields,
  });

  it('is one line, which opens', async () => {
    const panel = await PanelPage.open({ width: 300 });
    await panel.show(
      threadView([userMessage('u', 'Go'), notice({ detail: 'Try again in a moment.', actions: ['retry', 'showLog'] })]),
    );
    await panel.page.getByRole('button', { name: 'Retry' }).waitFor();
    await panel.patch(
      { op: 'entry/replace', entry: notice({ detail: 'Try again in a moment.', passed: true }) },
      { op: 'entry/add', entry: userMessage('v', 'Again') },
    );
    const note = panel.page.locator('.notice');
    await expect.poll(() => note.getByRole('button').count()).toBe(1);
    expect(await note.evaluate((e) => e.getBoundingClientRect().height)).toBeLessThan(30);
    await note
      .getByRole('button', { name: 'The model provider is overloaded · Try again in a moment.', expanded: false })
      .click();
    await note.getByText('Try again in a moment.', { exact: true }).waitFor();
    await panel.patch({ op: 'entry/replace', entry: notice({ passed: true }) });
    await expect.poll(() => note.getByRole('button').count()).toBe(0);
  });
});

describe('the colour for the one thing to do', () => {
  const coloured = (panel: PanelPage) =>
    panel.page.evaluate(() => {
      const blue = getComputedStyle(document.body).getPropertyValue('--vscode-button-background').trim();
      const probe = document.createElement('i');
      probe.style.setProperty('background-color', blue);
      document.body.append(probe);
      const colour = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return [...document.querySelectorAll<HTMLButtonElement>('button:enabled')]
        .filter((button) => button.checkVisibility() && getComputedStyle(button).backgroundColor === colour)
        .map((button) => button.getAttribute('aria-label') ?? button.innerText.split('\n')[0]);
    });
  const command = asking('c', 'Run', { command: 'make' });
  const details = form('f', [{ type: 'text', input: 'line', key: 'k', label: 'Name', required: false, value: '' }]);
  const asksForm = { requestId: 'r-f', entryId: 'f', kind: 'elicitation', title: 'A few details', askedAt: 1 } as const;
  const both = (...entries: EntryView[]) => threadView(entries, { pendingQuestions: [pending('c', 'make'), asksForm] });
  const elsewhere = (isRisky: boolean, isWhole = true) => ({
    waitingElsewhere: [
      {
        key: 'b',
        agent: 'Codex',
        title: 'Run',
        question: pending('b', 'cargo build', { askedAt: 2 }, isWhole, isRisky),
      },
    ],
  });
  const failed = (...actions: NoticeAction[]) =>
    threadView([], { connection: { state: 'failed', title: 'It stopped', detail: '', actions } });

  it.each<readonly [string, ThreadView, readonly string[]]>([
    ['a request', scenes.working.view, ['Allow once']],
    ['a dangerous request', scenes.askedChain.view, []],
    [
      'the oldest of several requests',
      threadView([command, asking('d', 'Build', { command: 'make all' })], {
        pendingQuestions: [pending('c', 'make'), pending('d', 'make all')],
      }),
      ['Allow once'],
    ],
    ['a form', threadView([details], { pendingQuestions: [asksForm] }), ['Submit']],
    ['a request beside a form', both(command, details), ['Allow once']],
    ['a form while a request is far', both(command, agentMessage('m', 'Text. '.repeat(3_000)), details), ['Submit']],
    [
      'the first of two forms',
      threadView([details, { ...details, id: 'g', requestId: 'r-g' }], {
        pendingQuestions: [asksForm, { ...asksForm, requestId: 'r-g', entryId: 'g' }],
      }),
      ['Submit'],
    ],
    ['a request of another session', threadView([], elsewhere(false)), ['Allow: cargo build']],
    ['a dangerous request of another session', threadView([], elsewhere(true)), ['Show that session: cargo build']],
    [
      'one that the line does not show in full',
      threadView([], elsewhere(false, false)),
      ['Show that session: cargo build'],
    ],
    [
      'a request beside one of another session',
      threadView([command], { pendingQuestions: [pending('c', 'make')], ...elsewhere(false) }),
      ['Allow once'],
    ],
    ['a sign-in', scenes.signInCommand.view, ['Run in Terminal']],
    ['the ways to sign in', scenes.signIn.view, []],
    [
      'a sign-in beside a request of another session',
      { ...scenes.signInCommand.view, panel: { ...scenes.signInCommand.view.panel, ...elsewhere(false) } },
      ['Run in Terminal'],
    ],
    ['a failed start', failed('restart', 'showLog'), ['Restart Agent']],
    ['a failed start without a way on', failed('showLog'), ['Send']],
    ['no agent', scenes.choose.view, ['Select an Agent…']],
    ['nothing else', threadView([agentMessage('m', 'Done.')]), ['Send']],
  ])('belongs to %s', async (_, view, expected) => {
    const panel = await PanelPage.open();
    await panel.show(view, { draft: 'And then?' });
    // Answers wait for a moment, without a colour.
    await expect
      .poll(() =>
        panel.page
          .locator('.thread-area .buttons button:disabled, .waiting-actions button:disabled')
          .evaluateAll((all) => all.filter((button) => button.getBoundingClientRect().bottom > 0).length),
      )
      .toBe(0);
    await expect.poll(() => coloured(panel)).toEqual(expected);
  });

  it('goes to Send once the request is answered, and to what has the focus', async () => {
    const panel = await PanelPage.open();
    await panel.show(both(command, details), { draft: 'And then?' });
    await expect.poll(() => coloured(panel)).toEqual(['Allow once']);
    await panel.page.getByLabel('Name').fill('Ada');
    await expect.poll(() => coloured(panel)).toEqual(['Submit']);
    await panel.box.focus();
    await expect.poll(() => coloured(panel)).toEqual(['Allow once']);
    await panel.patch(
      { op: 'entry/replace', entry: toolCall('c', { title: 'Run', toolKind: 'execute' }) },
      { op: 'entry/replace', entry: { ...details, state: 'accepted' } },
      { op: 'panel/set', fields: { pendingQuestions: [] } },
    );
    await expect.poll(() => coloured(panel)).toEqual(['Send']);
  });
});

describe('the way to the end', () => {
  it('does not cover a request', async () => {
    const panel = await PanelPage.open({ height: 500 });
    const view = form(
      'f',
      Array.from({ length: 12 }, (_, i) => ({
        type: 'text',
        input: 'line',
        key: `f${i}`,
        label: `Field ${i}`,
        required: false,
        value: '',
      })),
    );
    await panel.show(
      threadView([agentMessage('a', 'Text. '.repeat(600)), view, agentMessage('b', 'Text. '.repeat(600))], {
        pendingQuestions: [{ requestId: 'r-f', entryId: 'f', kind: 'elicitation', title: 'A few details', askedAt: 0 }],
      }),
    );
    const jump = panel.page.locator('.jump');
    const covers = () =>
      panel.page.evaluate(() => {
        const button = document.querySelector('.jump')!;
        const box = button.getBoundingClientRect();
        const isOver = [...document.querySelectorAll('.permission')].some((e) => {
          const { top, bottom } = e.getBoundingClientRect();
          return top < box.bottom && bottom > box.top;
        });
        return [isOver, button.checkVisibility({ visibilityProperty: true })];
      });
    const seen = new Set<string>();
    await panel.page.getByLabel('Field 0').scrollIntoViewIfNeeded();
    await panel.thread.hover();
    for (let i = 0; i < 40; i++) {
      await panel.page.mouse.wheel(0, -24);
      let now = '';
      await expect.poll(async () => (now = JSON.stringify(await covers()))).toMatch(/^\[(?:false,true|true,false)\]$/);
      seen.add(now);
    }
    expect([...seen].toSorted()).toEqual(['[false,true]', '[true,false]']);
    await expect.poll(() => jump.count()).toBe(1);
  });

  it('does not cover Redo', async () => {
    const panel = await PanelPage.open({ width: 285, height: 500 });
    await panel.show(
      threadView([
        agentMessage('a', 'Text. '.repeat(600)),
        { kind: 'notice', id: 'n', severity: 'info', title: 'You went back to before “Hello”', actions: ['redo'] },
        agentMessage('b', 'Text. '.repeat(600)),
      ]),
    );
    const redo = panel.page.getByRole('button', { name: 'Redo' });
    const covers = () =>
      redo.evaluate((button) => {
        const [a, b] = [button, document.querySelector('.jump')!].map((e) => e.getBoundingClientRect()) as [
          DOMRect,
          DOMRect,
        ];
        return (
          a.top < b.bottom &&
          a.bottom > b.top &&
          a.left < b.right &&
          a.right > b.left &&
          document.querySelector('.jump')!.checkVisibility({ visibilityProperty: true })
        );
      });
    await redo.evaluate((button) => {
      const thread = document.querySelector('.thread')!;
      thread.scrollTop +=
        button.getBoundingClientRect().bottom - document.querySelector('.dock')!.getBoundingClientRect().top + 4;
    });
    for (let i = 0; i < 12; i++) {
      await panel.thread.evaluate((thread) => void (thread.scrollTop += 3));
      await panel.frames();
      expect(await covers()).toBe(false);
    }
  });
});

describe('what became of a change', () => {
  const path = '/work/src/tokenizer.ts';
  const card = (id: string, startedAt: number) => toolCall(id, { toolKind: 'edit', startedAt, content: [diff()] });
  const prompt = (id: string, sentAt: number): EntryView => ({
    kind: 'userMessage',
    id,
    content: [{ type: 'text', text: id }],
    dropped: false,
    sentAt,
  });
  const state = (panel: PanelPage, id: string) =>
    panel.page.locator(`[data-entry=${id}] .review-state`).allInnerTexts();

  it('is told on the cards of the turn that made it', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([prompt('u1', 100), card('c1', 110), prompt('u2', 200), card('c2', 210)], {
        fileStates: [
          { path, turn: 'u1', pending: 0, kept: 1, undone: 0 },
          { path, turn: 'u2', pending: 2, kept: 0, undone: 0 },
        ],
      }),
    );
    await expect.poll(() => state(panel, 'c1')).toEqual(['Kept']);
    await expect.poll(() => state(panel, 'c2')).toEqual(['2 to review']);
    await panel.patch({
      op: 'panel/set',
      fields: {
        fileStates: [
          { path, turn: 'u1', pending: 0, kept: 1, undone: 0 },
          { path, turn: 'u2', pending: 1, kept: 0, undone: 1 },
        ],
      },
    });
    await expect.poll(() => state(panel, 'c2')).toEqual(['1 of 2 undone']);
    // A message in the middle of a turn begins none.
    await panel.patch({ op: 'entry/add', entry: prompt('u3', 300) }, { op: 'entry/add', entry: card('c3', 310) });
    await expect.poll(() => state(panel, 'c3')).toEqual(['1 of 3 kept']);
  });

  it('is told where the file was restored since, until Redo, and in a mark where the user reads on', async () => {
    const panel = await PanelPage.open();
    const fileStates = [
      { path, turn: 'u1', pending: 0, kept: 1, undone: 0 },
      { path, turn: 'u2', pending: 1, kept: 0, undone: 0 },
      { path, turn: 'u3', pending: 0, kept: 1, undone: 0 },
    ];
    await panel.show(
      threadView(
        [
          prompt('u1', 100),
          card('c1', 110),
          prompt('u2', 200),
          card('c2', 210),
          {
            kind: 'notice',
            id: 'n',
            severity: 'info',
            title: 'Files restored to the checkpoint before “u2”',
            actions: ['redoFiles'],
          },
          prompt('u3', 300),
          card('c3', 310),
        ],
        { fileStates, checkpoints: { from: 0, to: 300, restores: [{ from: 200, to: 250, paths: [path] }] } },
      ),
    );
    await expect.poll(() => state(panel, 'c2')).toEqual(['Restored']);
    for (const id of ['c1', 'c3']) await expect.poll(() => state(panel, id)).toEqual(['Kept']);
    await panel.page.locator('[data-entry=n]').getByRole('button', { name: /^Redo/ }).click();
    expect(await panel.nextPosted('notice/act')).toEqual({ type: 'notice/act', action: 'redoFiles' });
    await panel.patch({ op: 'panel/set', fields: { checkpoints: { from: 0, to: 300 } } });
    await expect.poll(() => state(panel, 'c2')).toEqual(['1 to review']);
  });
});

describe('the second key of a chord such as Ctrl+K A', () => {
  it('types and sends nothing in the box, nor from the conversation; the next key does', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('m', 'Hello')]));
    const box = panel.page.getByRole('textbox', { name: 'Message' });
    await box.fill('draft');
    for (const second of ['a', 'Enter', 'Shift+A']) {
      await panel.page.keyboard.press('Control+k');
      await panel.page.keyboard.press(second);
    }
    await panel.page.keyboard.type('s');
    expect(await box.inputValue()).toBe('drafts');
    expect(await panel.posted('prompt/submit')).toEqual([]);
    await panel.page.getByRole('log').focus();
    await panel.page.keyboard.press('Control+k');
    await panel.page.keyboard.press('x');
    expect(await panel.page.getByRole('log').evaluate((e) => e === document.activeElement)).toBe(true);
    expect(await box.inputValue()).toBe('drafts');
  });
});
