import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, diff, terminal, threadView, toolCall } from './views.mjs';

useHarness();

describe('tool call', () => {
  it('is a group named by its title, with its status in text', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([toolCall('c', { title: 'Read a.ts', status: 'running', durationMs: undefined })]));
    const group = panel.thread.getByRole('group', { name: 'Read a.ts' });
    for (const [status, word] of [
      ['running', 'Running'],
      ['pending', 'Pending'],
      ['completed', 'Completed'],
      ['failed', 'Failed'],
      ['cancelled', 'Cancelled'],
      ['rejected', 'Rejected'],
    ] as const) {
      await panel.patch({ op: 'entry/replace', entry: toolCall('c', { title: 'Read a.ts', status }) });
      await expect.poll(() => group.textContent()).toContain(word);
    }
  });

  it('is one line when finished, and opens to its places, input and output', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', {
          title: 'Read a.ts',
          name: 'fs_read',
          locations: [{ path: '/work/src/a.ts', label: 'src/a.ts', line: 7 }],
          input: '{ "path": "a.ts" }',
          output: 'ok <b>',
          content: [{ type: 'content', content: { type: 'text', text: 'Found **it**' } }],
        }),
      ]),
    );
    const group = panel.thread.getByRole('group', { name: 'Read a.ts' });
    expect((await group.boundingBox())!.height).toBeLessThan(30);
    await group.getByRole('button', { expanded: false }).click();
    await group.getByRole('link', { name: 'src/a.ts:7' }).click();
    await expect
      .poll(() => panel.posted('location/open'))
      .toEqual([{ type: 'location/open', path: '/work/src/a.ts', line: 7 }]);
    await expect.poll(() => group.locator('strong').innerText()).toBe('it');
    await expect.poll(() => group.getByText('ok <b>').isVisible()).toBe(false);
    await group.getByText('Output').click();
    await group.getByText('ok <b>').waitFor();
    await group.getByText('Input').click();
    await group.getByText('{ "path": "a.ts" }').waitFor();
    await expect.poll(() => group.innerText()).toContain('fs_read');
  });

  it('stays open with its reason when it failed', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', {
          title: 'Read a.ts',
          status: 'failed',
          content: [{ type: 'content', content: { type: 'text', text: 'No such file' } }],
        }),
      ]),
    );
    await panel.thread.getByText('No such file').waitFor();
  });

  it('remembers what was opened by hand', async () => {
    const panel = await PanelPage.open();
    const view = threadView([toolCall('c', { input: 'the input' })]);
    await panel.show(view);
    await panel.thread.getByRole('group').getByRole('button').first().click();
    const { ui } = await panel.nextPosted('ui/changed');
    expect(ui.expanded).toEqual({ c: true });
    await panel.page.reload();
    await panel.show(view, ui);
    await panel.thread.getByText('Input', { exact: true }).waitFor();
  });

  it('shows its running time while it runs', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([toolCall('c', { status: 'running', durationMs: undefined, startedAt: Date.now() - 5000 })]),
    );
    await expect.poll(() => panel.thread.innerText()).toMatch(/[5-9] s/);
  });
});

describe('finished tool calls', () => {
  const three = [
    toolCall('1'),
    toolCall('2', { startedAt: 1200 }),
    toolCall('3', { title: 'Search x', toolKind: 'search', startedAt: 1400 }),
  ];

  it('fold into one line that says what was done, and opens to list them', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'Reading'), ...three, agentMessage('b', 'Done')]));
    const fold = panel.page.getByRole('button', { name: /Read 2 files, searched once.*0\.8 s/ });
    await fold.waitFor();
    await expect.poll(() => panel.thread.getByRole('group', { name: 'Search x' }).isVisible()).toBe(false);
    await fold.click();
    await panel.thread.getByRole('group', { name: 'Search x' }).waitFor();
    await expect.poll(() => panel.thread.getByRole('group').count()).toBe(3);
    await panel.page.keyboard.press('Space');
    await expect.poll(() => panel.thread.getByRole('group', { name: 'Search x' }).isVisible()).toBe(false);
    await panel.page.keyboard.press('Enter');
    await panel.thread.getByRole('group', { name: 'Search x' }).waitFor();
  });

  it('fold as they finish, and unfold when one turns out to have failed', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([three[0]!, { ...three[1]!, status: 'running' }]));
    await expect.poll(() => panel.page.getByText('Read 2 files').count()).toBe(0);
    await panel.patch({ op: 'entry/replace', entry: three[1]! });
    await panel.page.getByText('Read 2 files').waitFor();
    await panel.patch({ op: 'entry/add', entry: three[2]! });
    await panel.page.getByText('Read 2 files, searched once').waitFor();
    await panel.patch({ op: 'entry/replace', entry: { ...three[1]!, status: 'failed' } });
    await panel.page.getByText('Read 2 files').waitFor({ state: 'detached' });
    await expect.poll(() => panel.thread.getByRole('group', { name: 'Search x' }).isVisible()).toBe(true);
  });

  it('with a diff, a terminal or a question stay out of the fold', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([three[0]!, toolCall('d', { title: 'Edit', content: [diff()] }), three[1]!]));
    await expect.poll(() => panel.page.locator('.tool-call').count()).toBe(3);
    for (const call of await panel.page.locator('.tool-call').all()) expect(await call.isVisible()).toBe(true);
  });
});

describe('diff', () => {
  it('shows its hunks and counts, and opens in the diff editor', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', {
          title: 'Edit',
          toolKind: 'edit',
          content: [{ type: 'content', content: { type: 'text', text: 'ok' } }, diff()],
        }),
      ]),
    );
    const group = panel.thread.getByRole('group', { name: 'Edit' });
    await expect
      .poll(() => group.innerText())
      .toMatch(/src\/tokenizer\.ts\s*Completed\s*\+3\s*−1\s*3 added, 1 removed/);
    await expect.poll(() => group.locator('.diff-line.add').allInnerTexts()).toHaveLength(3);
    await expect
      .poll(() => group.locator('.diff-line.remove').innerText())
      .toContain('-  return [head, ...tokenize(rest)];');
    await group.getByRole('button', { name: 'Open diff' }).click();
    await expect.poll(() => panel.posted('diff/open')).toEqual([{ type: 'diff/open', entryId: 'c', index: 1 }]);
  });

  it('numbers its lines, colours them and marks the words that differ, none of which is copied', async () => {
    const panel = await PanelPage.open({ width: 300 });
    const lines = [` /* begins${' and goes on'.repeat(8)}`, '-   one */ const a = "x";', '+   two */ const a = "x";'];
    await panel.show(
      threadView([
        toolCall('c', {
          content: [
            diff({
              hunks: [
                { oldStart: 8, newStart: 9, lines },
                { oldStart: 120, newStart: 121, lines: lines.slice(1) },
              ],
            }),
          ],
        }),
      ]),
    );
    const rows = panel.page.locator('.diff-line');
    expect(
      await rows.evaluateAll((all) => all.map((e) => getComputedStyle(e, '::before').content.replaceAll(/[^\d]/g, ''))),
    ).toEqual(['9', '9', '10', '120', '121']);
    await expect.poll(() => panel.page.locator('.diff-line.add .hl-comment').first().innerText()).toBe('   two */');
    await expect.poll(() => panel.page.locator('.diff-word').allInnerTexts()).toEqual(['one', 'two', 'one', 'two']);
    await expect.poll(() => panel.page.locator('.diff-gap').count()).toBe(1);
    await expect.poll(() => panel.thread.innerText()).not.toContain('@@');
    await panel.page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('.diff-lines')!));
    expect(await panel.page.evaluate(() => getSelection()!.toString().split('\n')[1])).toBe('   one */ const a = "x";');
    await expect
      .poll(() => panel.page.locator('.diff').evaluate((e) => getComputedStyle(e).getPropertyValue('--cut-end')))
      .toBe('28px');
  });

  it('of some lines of a file gets their true numbers from the host, and none where they are not certain', async () => {
    const panel = await PanelPage.open();
    const lines = [' same', '-old', '+new'];
    const snippet = diff({ path: '/work/a.ts', hunks: [{ oldStart: 1, newStart: 1, lines }] });
    await panel.show(
      threadView([
        toolCall('c', { content: [snippet] }),
        toolCall('d', { content: [{ ...snippet, path: '/work/b.ts' }] }),
      ]),
    );
    await expect
      .poll(async () => (await panel.posted('snippet/query')).map(({ queryId: _id, ...question }) => question))
      .toEqual(
        ['/work/a.ts', '/work/b.ts'].map((path) => ({
          type: 'snippet/query',
          path,
          texts: ['same\nnew', 'same\nold'],
        })),
      );
    const [first, second] = await panel.posted('snippet/query');
    await panel.send({ type: 'snippet/found', queryId: first!.queryId, line: 41 });
    await panel.send({ type: 'snippet/found', queryId: second!.queryId });
    await expect
      .poll(() =>
        panel.page.locator('.diff-line').evaluateAll((all) => all.map((e) => (e as HTMLElement).dataset['line'])),
      )
      .toEqual(['41', '42', '42', undefined, undefined, undefined]);
  });

  it('that is long shows its beginning, and all of it on demand', async () => {
    const panel = await PanelPage.open();
    const lines = Array.from({ length: 60 }, (_, i) => `+line ${i}`);
    await panel.show(
      threadView([
        toolCall('c', { content: [diff({ added: 60, removed: 0, hunks: [{ oldStart: 0, newStart: 1, lines }] })] }),
      ]),
    );
    await expect.poll(() => panel.page.locator('.diff-line.add').count()).toBe(16);
    await panel.page.getByRole('button', { name: 'Show all 60 lines' }).press('Enter');
    // The button goes; the focus stays in the conversation.
    await expect.poll(() => panel.thread.evaluate((e) => e === document.activeElement)).toBe(true);
    await expect.poll(() => panel.page.locator('.diff-line.add').count()).toBe(60);
  });

  it('closes and opens at its head', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([toolCall('c', { content: [diff()] })]));
    await panel.page.getByRole('button', { name: 'src/tokenizer.ts', expanded: true }).click();
    await panel.page.locator('.diff-line').first().waitFor({ state: 'detached' });
  });
});

describe('what a command says without a terminal', () => {
  it('is preformatted, open while it runs, and says how it ended', async () => {
    const panel = await PanelPage.open();
    const call = (lines: string[], status: 'running' | 'completed', end = {}) =>
      toolCall('c', {
        title: 'List',
        command: 'ls -la',
        toolKind: 'execute',
        status,
        ...(status === 'running' ? { durationMs: undefined } : {}),
        content: [{ type: 'terminal', terminalId: 'output', output: { lines, firstLine: 0, ...end } }],
      });
    await panel.show(threadView([call(['total 8', '*.ts   <b>'], 'running')]));
    const rows = () =>
      panel.page
        .locator('.terminal-row')
        .allInnerTexts()
        .then((all) => all.map((text) => text.trimEnd()));
    await expect.poll(rows).toEqual(['total 8', '*.ts   <b>']);
    await panel.page.evaluate(() => document.querySelector('.terminal-row')!.setAttribute('data-seen', ''));
    await panel.patch({
      op: 'entry/replace',
      entry: call(['total 8', '*.ts   <b>', 'last'], 'completed', { exitCode: 2 }),
    });
    await expect.poll(rows).toEqual(['total 8', '*.ts   <b>', 'last']);
    await expect.poll(() => panel.page.locator('[data-seen]').count()).toBe(1);
    await expect.poll(() => panel.thread.innerText()).toMatch(/ls -la[^]*exit 2/);
    await panel.patch({ op: 'entry/replace', entry: call(['no'], 'completed', { failed: true }) });
    await expect.poll(() => panel.page.locator('.state.failed').innerText()).toContain('failed');
  });

  it('has the colors of git in a diff, and in nothing that only looks like one', async () => {
    const panel = await PanelPage.open();
    const lines = [
      '- a list',
      '--- a/file',
      'diff --git a/x b/x',
      'index 1..2 100644',
      '--- a/x',
      '+++ b/x',
      '@@ -1,3 +1,3 @@ f',
      ' same',
      '--- was',
      '+++ is',
      '\\ No newline at end of file',
      '',
      '- a list',
      '@@ -9 +9 @@',
      '-old',
      '+new',
      '+ not counted',
    ];
    await panel.show(
      threadView([
        toolCall('c', {
          title: 'git diff',
          command: 'git diff',
          toolKind: 'execute',
          content: [{ type: 'terminal', terminalId: 'output', output: { lines, firstLine: 0, exitCode: 0 } }],
        }),
      ]),
    );
    await panel.page.getByRole('button', { name: '7 earlier lines' }).click();
    const looks = () =>
      panel.page
        .locator('.terminal-row')
        .evaluateAll((rows) => rows.map((row) => row.querySelector('span')?.className ?? ''));
    await expect
      .poll(looks)
      .toEqual(['', '', 'b', 'b', 'b', 'b', 'fg-6', '', 'fg-1', 'fg-2', '', '', '', 'fg-6', 'fg-1', 'fg-2', '']);
    await expect
      .poll(() =>
        panel.page
          .locator('.terminal-row')
          .allInnerTexts()
          .then((all) => all.map((text) => text.replace(/\n$/, ''))),
      )
      .toEqual(lines);
  });
});

describe('terminal', () => {
  const call = toolCall('c', {
    title: 'Run tests',
    toolKind: 'execute',
    content: [{ type: 'terminal', terminalId: 'T' }],
  });

  it('that waits for input is pointed out, also while its card is closed, with the way to the real terminal', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([call], {}, [
        terminal('T', {
          running: true,
          exitCode: undefined,
          durationMs: undefined,
          waitsForInput: true,
          rows: [[{ text: 'Password:' }]],
        }),
      ]),
    );
    const hint = panel.page.getByRole('status').filter({ hasText: 'The command may be waiting for input' });
    await hint.waitFor();
    await panel.page.getByRole('group', { name: 'Run tests' }).getByRole('button', { expanded: true }).click();
    await expect.poll(() => panel.page.locator('.terminal-row').count()).toBe(0);
    await hint.getByRole('button', { name: 'Open Terminal' }).click();
    await expect.poll(() => panel.posted('terminal/open')).toEqual([{ type: 'terminal/open', terminalId: 'T' }]);
    await panel.patch({
      op: 'terminal/set',
      terminal: terminal('T', { running: true, exitCode: undefined, durationMs: undefined }),
    });
    await expect.poll(() => hint.count()).toBe(0);
  });

  it('shows its rows in their colours, how it ended, and opens natively', async () => {
    const panel = await PanelPage.open();
    const rows = [
      [{ text: 'red', classes: 'b fg-1' }, { text: ' true', fg: '#ff8800', bg: '#002200' }, { text: ' plain' }],
    ];
    await panel.show(threadView([call], {}, [terminal('T', { rows })]));
    const group = panel.thread.getByRole('group', { name: 'Run tests' });
    await expect
      .poll(() => group.innerText())
      .toMatch(/npm test -- tokenizer[\s\S]*exit 0 · 3\.4 s[\s\S]*red true plain/);
    await expect
      .poll(() => group.getByText('true').evaluate((e) => getComputedStyle(e).color))
      .toBe('rgb(255, 136, 0)');
    await expect.poll(() => group.getByText('red').evaluate((e) => getComputedStyle(e).fontWeight)).toBe('700');
    await group.getByRole('button', { name: 'Open in terminal' }).click();
    await expect.poll(() => panel.posted('terminal/open')).toEqual([{ type: 'terminal/open', terminalId: 'T' }]);
  });

  it('follows its output row by row and shows the end of it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([call], {}, []));
    await panel.patch({
      op: 'terminal/set',
      terminal: terminal('T', { running: true, rows: [], exitCode: undefined, durationMs: undefined }),
    });
    for (let i = 0; i < 30; i++)
      await panel.patch({
        op: 'terminal/rows',
        terminalId: 'T',
        firstRow: 0,
        start: i,
        rows: [[{ text: `row ${i}` }]],
      });
    // A progress bar rewrites its row.
    await panel.patch({
      op: 'terminal/rows',
      terminalId: 'T',
      firstRow: 0,
      start: 29,
      rows: [[{ text: 'row 29 done' }]],
    });
    const rows = () =>
      panel.page
        .locator('.terminal-row')
        .allInnerTexts()
        .then((all) => all.map((t) => t.trim()));
    await expect
      .poll(() => rows())
      .toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28].map((n) => `row ${n}`).concat('row 29 done'));
    await panel.page.getByRole('button', { name: '20 earlier lines' }).click();
    await expect.poll(() => rows()).toHaveLength(30);
    await panel.patch({ op: 'terminal/rows', terminalId: 'T', firstRow: 5, start: 30, rows: [[{ text: 'row 30' }]] });
    await expect.poll(async () => (await rows())[0]).toBe('row 5');
    await panel.page.getByText('5 earlier lines omitted').waitFor();
  });

  it('says when it failed, by which signal it ended, and what is less than usual', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([call], {}, [terminal('T', { exitCode: 2, remark: 'No pseudo-terminal.' })]));
    await expect.poll(() => panel.thread.innerText()).toMatch(/exit 2[\s\S]*No pseudo-terminal\./);
    await panel.patch({
      op: 'terminal/set',
      terminal: terminal('T', { exitCode: undefined, signal: 'SIGKILL', canOpen: false }),
    });
    await expect.poll(() => panel.thread.innerText()).toContain('SIGKILL');
    await expect.poll(() => panel.page.getByRole('button', { name: 'Open in terminal' }).count()).toBe(0);
  });

  it('has a check for exit 0 of a call that went well, and for nothing else', async () => {
    const panel = await PanelPage.open();
    const states: [call: object, terminal: object, words: string, icon: string | undefined][] = [
      [{ status: 'completed' }, { exitCode: 0 }, 'exit 0', 'check'],
      [{ status: 'completed' }, { exitCode: undefined }, 'ended', undefined],
      [{ status: 'completed' }, { exitCode: 3 }, 'exit 3', 'error'],
      [{ status: 'failed' }, { exitCode: undefined }, 'Failed', 'error'],
      [{ status: 'failed' }, { exitCode: 0 }, 'Failed', 'error'],
      [{ status: 'rejected' }, { exitCode: undefined }, 'Rejected', 'circle-slash'],
      [{ status: 'blocked' }, { exitCode: undefined }, 'Blocked', 'shield'],
      [{ status: 'unfinished' }, { exitCode: undefined }, 'Unfinished', 'question'],
      [{ status: 'stopped' }, { exitCode: undefined, signal: 'SIGTERM' }, 'Stopped', 'debug-stop'],
      [{ status: 'completed', wasStopped: true }, { exitCode: 143 }, 'Stopped', 'debug-stop'],
      [{ status: 'completed' }, { exitCode: undefined, signal: 'SIGTERM', stopped: true }, 'Stopped', 'debug-stop'],
      [{ status: 'completed' }, { running: true, exitCode: undefined, canOpen: true }, 'Still running', undefined],
    ];
    for (const [fields, ended, words, icon] of states) {
      await panel.show(threadView([{ ...call, ...fields }], {}, [terminal('T', ended)]));
      const state = panel.thread.locator('.state');
      await expect.poll(() => state.textContent()).toContain(words);
      const icons = await state
        .locator('.codicon')
        .evaluateAll((elements) =>
          elements.map((element) => [...element.classList].find((name) => name.startsWith('codicon-'))),
        );
      expect([words, icons]).toEqual([words, icon === undefined ? [] : [`codicon-${icon}`]]);
    }
  });
});
