import { describe, expect, it } from 'vitest';
import { asking, card, options, pending } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, asked, diff, threadView, toolCall } from './views.mjs';

useHarness();

describe('permission', () => {
  it('shows the whole command and the options in the agent’s words and order', async () => {
    const panel = await PanelPage.open();
    const command = `rm -rf ./dist\nnpm run build -- --with "a very long argument that goes on and on" ${'x'.repeat(200)}`;
    await panel.show(threadView([asking('c', 'Run', { command, cwd: '/work' })]));
    const group = card(panel, 'Run');
    await expect
      .poll(() => group.locator('.options').getByRole('button').locator('span').allInnerTexts())
      .toEqual(['Reject', 'Yes, <b>do</b> it', 'Always']);
    for (const name of ['Reject', 'Yes, <b>do</b> it', 'Always'])
      expect(await group.getByRole('button', { name, exact: true }).count()).toBe(1);
    await expect.poll(() => group.locator('pre').innerText()).toBe(command);
    await expect.poll(() => group.locator('pre').evaluate((e) => e.scrollWidth <= e.clientWidth)).toBe(true);
    await expect.poll(() => group.innerText()).toContain('/work');
    await expect
      .poll(() => group.getByRole('button', { name: 'Yes, <b>do</b> it', exact: true }).getAttribute('class'))
      .toBe('primary');
    await group.getByRole('button', { name: 'Always', exact: true }).click();
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'always' }]);
  });

  it('says a long command once: where the title is the command it takes two lines, and a title of its own all that it needs', async () => {
    const panel = await PanelPage.open();
    const command = `npm run build -- ${'--with "a very long argument" '.repeat(20)}`.trim();
    const other = 'Why this is asked, at some length. '.repeat(10).trim();
    await panel.show(threadView([asking('c', command, { command }), asking('d', other, { command })]));
    const linesOf = (title: string) =>
      panel.page
        .locator('.permission .title', { hasText: title })
        .evaluate((e) => Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)));
    await expect.poll(() => linesOf('npm run build')).toBe(2);
    await expect.poll(() => panel.page.locator('pre.asked').first().innerText()).toBe(command);
    expect(await linesOf('Why this is asked')).toBeGreaterThan(2);
  });

  it('names who asks beside a title of one line, and below a longer one, which has the whole width', async () => {
    const panel = await PanelPage.open({ width: 300 });
    await panel.show(
      threadView([
        asking('c', 'Run it', { input: '{}' }),
        asking('d', 'Fetch a page from the web, which is a rather long title', { input: '{}' }),
      ]),
    );
    const places = (title: string) =>
      card(panel, title).evaluate((e) => {
        const [icon, words, asks] = [...e.querySelector('.card-head')!.children].map((part) =>
          part.getBoundingClientRect(),
        );
        const inner = e.querySelector('.permission-body > *')!.getBoundingClientRect();
        return {
          beside: asks!.top < words!.bottom,
          whole: Math.abs(words!.right - inner.right) < 1,
          indent: asks!.left === words!.left,
          iconAtTop: icon!.top - words!.top < 4,
        };
      });
    await expect.poll(() => places('Run it')).toMatchObject({ beside: true, iconAtTop: true });
    await expect
      .poll(() => places('Fetch a page from the web, which is a rather long title'))
      .toEqual({ beside: false, whole: true, indent: true, iconAtTop: true });
  });

  it('names the file of an edit once, and opens the diff editor for it before it is allowed', async () => {
    const panel = await PanelPage.open();
    const long = diff({ path: '/work/src/long.ts', label: 'src/long.ts', added: 800, removed: 800, truncated: true });
    const titles = ['Edit src/tokenizer.ts', 'Edit a file', 'Edit two', 'Read src/tokenizer.ts; src/tokenizer.ts'];
    await panel.show(
      threadView([
        asking('a', titles[0]!, {
          content: [diff()],
          locations: [{ path: '/work/src/tokenizer.ts', label: 'src/tokenizer.ts' }],
        }),
        asking('b', titles[1]!, { content: [diff()] }),
        asking('c', titles[2]!, { content: [diff(), long] }),
        asking('d', titles[3]!, { content: [diff()] }),
      ]),
    );
    const paths = (title: string) =>
      card(panel, title).locator('.asked-path > span:not(.codicon, .diff-tools)').allInnerTexts();
    await expect.poll(() => paths(titles[0]!)).toEqual([]);
    expect(await card(panel, titles[0]!).locator('.card-head').innerText()).toContain('+3');
    // A title that could be read in another way takes the place of no path.
    expect([await paths(titles[1]!), await paths(titles[2]!), await paths(titles[3]!)]).toEqual([
      ['src/tokenizer.ts'],
      ['src/tokenizer.ts', 'src/long.ts'],
      ['src/tokenizer.ts'],
    ]);
    for (const [title, path] of [
      [titles[0]!, 'src/tokenizer.ts'],
      [titles[2]!, 'src/long.ts'],
    ] as const)
      await card(panel, title)
        .getByRole('button', { name: `Open diff of ${path}` })
        .click();
    expect(await panel.posted('permission/openDiff')).toEqual([
      { type: 'permission/openDiff', requestId: 'r-a', path: '/work/src/tokenizer.ts' },
      { type: 'permission/openDiff', requestId: 'r-c', path: '/work/src/long.ts' },
    ]);
    expect(await panel.posted('permission/select')).toEqual([]);
  });

  it.each([520, 900])('has no empty room, and its foot in one line, %i px wide', async (width) => {
    const panel = await PanelPage.open({ width });
    await panel.show(
      threadView([asking('a', 'Set 3 todos')], {
        agent: 'Claude Code',
        pendingQuestions: [pending('a', 'Set 3 todos')],
      }),
    );
    await card(panel, 'Set 3 todos').waitFor();
    const measured = () =>
      card(panel, 'Set 3 todos').evaluate((e) => {
        const box = (selector: string) => [...e.querySelectorAll(selector)].map((part) => part.getBoundingClientRect());
        const tops = new Set(box('.permission-foot > *').map(({ top, height }) => Math.round(top + height / 2)));
        return [box('.options')[0]!.top - box('.card-head')[0]!.bottom, tops.size];
      });
    await expect.poll(measured).toEqual([0, 1]);
  });

  it('shows the diff, or else the raw input, and the places', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        asking('c', 'Edit', {
          content: [diff()],
          input: 'not needed',
          locations: [{ path: '/etc/hosts', label: '/etc/hosts' }],
        }),
        asking('d', 'Fetch', { input: '{ "url": "https://example.com" }' }),
      ]),
    );
    await expect.poll(() => card(panel, 'Edit').locator('.diff-line.add').count()).toBe(3);
    await expect.poll(() => card(panel, 'Edit').innerText()).toContain('/etc/hosts');
    await expect.poll(() => card(panel, 'Edit').innerText()).not.toContain('not needed');
    await expect.poll(() => card(panel, 'Fetch').locator('pre').innerText()).toContain('https://example.com');
  });

  it('shows the raw input in full, folded below what it comes to, and says where a command comes from', async () => {
    const panel = await PanelPage.open();
    const input = JSON.stringify({ command: 'make', note: 'x'.repeat(40_000) }, undefined, 2);
    await panel.show(
      threadView([
        asking('c', 'Build', { command: 'make', input }),
        asking('d', 'npm test', {
          permissions: [
            asked('r-d', 'npm test', options, { command: 'npm test', input: '{ "a": 1 }' }, { isFromTitle: true }),
          ],
        }),
      ]),
    );
    const folded = card(panel, 'Build').getByText('Raw input (40 KB)');
    await folded.click();
    await expect
      .poll(() =>
        card(panel, 'Build')
          .getByLabel('Input')
          .innerText()
          .then((text) => text.length),
      )
      .toBe(input.length);
    await expect
      .poll(() => card(panel, 'npm test').innerText())
      .toContain('Taken from the title. The agent sent no command.');
    await expect.poll(() => card(panel, 'npm test').getByLabel('Input').isVisible()).toBe(true);
  });

  it('shows each part of a chained command on a line of its own, and no word less than there is', async () => {
    const panel = await PanelPage.open();
    const command = 'cd a && sudo make install; echo "$(date)" # done';
    const steps = ['cd a', 'sudo make install', 'make install', 'echo "$(date)"', 'date'];
    await panel.show(
      threadView([
        asking('c', 'Run', {
          command,
          permissions: [
            asked(
              'r-c',
              'Run',
              options,
              { command },
              { steps, risks: [{ kind: 'privilege', text: 'Runs with the rights of the administrator' }] },
            ),
          ],
        }),
      ]),
    );
    await expect
      .poll(() =>
        card(panel, 'Run').getByRole('list', { name: 'Command in 5 parts' }).getByRole('listitem').allInnerTexts(),
      )
      .toEqual(['cd a', '&& sudo make install', 'runs make install', '; echo "$(date)"', 'runs date', '# done']);
    await expect
      .poll(() => card(panel, 'Run').getByRole('list', { name: 'Risks' }).innerText())
      .toBe('Runs with the rights of the administrator');
  });

  it('shows characters that turn a line round or hide in it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run', { command: 'echo \u202Eevil\u200B' })]));
    await expect.poll(() => card(panel, 'Run').locator('pre').innerText()).toBe('echo ⟨U+202E⟩evil⟨U+200B⟩');
  });

  it('says who remembers an answer for always', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await expect.poll(() => card(panel, 'Run').innerText()).toContain('Demo Agent remembers “Always”.');
    await expect
      .poll(() => card(panel, 'Run').getByRole('button', { name: 'Always', exact: true }).getAttribute('title'))
      .toBe('Always allow. Demo Agent remembers it.');
  });

  it('folds to the decision once it is answered, and leaves when it is withdrawn', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await panel.patch(
      { op: 'entry/replace', entry: toolCall('c', { title: 'Run', status: 'running', decision: 'Always' }) },
      { op: 'panel/set', fields: { pendingQuestions: [] } },
    );
    await expect.poll(() => card(panel, 'Run').count()).toBe(0);
    await expect.poll(() => panel.thread.getByRole('group', { name: 'Run' }).innerText()).toContain('You: Always');
    await panel.patch({
      op: 'entry/replace',
      entry: toolCall('c', {
        title: 'Run',
        status: 'running',
        decision: 'Always',
        decidedOn: 'npm test',
        decidedOnOther: true,
      }),
    });
    await expect
      .poll(() => panel.thread.getByRole('group', { name: 'Run' }).innerText())
      .toContain('You answered “Always” to: npm test');
  });

  it('says of the first command and change of an agent without modes that nobody was asked', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', { title: 'Run', toolKind: 'execute', status: 'completed', wasUnasked: true }),
        toolCall('d', { title: 'Write', toolKind: 'edit', status: 'completed', wasUnasked: true }),
      ]),
    );
    await expect
      .poll(() => panel.thread.getByRole('group', { name: 'Run' }).textContent())
      .toContain('Ran without asking');
    await expect
      .poll(() => panel.thread.getByRole('group', { name: 'Write' }).textContent())
      .toContain('Changed without asking');
  });

  it('is announced, and has its line over the box while its card is out of sight', async () => {
    const panel = await PanelPage.open();
    const filler = Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Message ${i}`));
    await panel.show(
      threadView([asking('c', 'Run it', { command: 'make' }), ...filler], {
        pendingQuestions: [pending('c', 'Run it')],
      }),
    );
    await panel.page
      .getByRole('status')
      .getByText('Demo Agent asks for permission: Run it')
      .waitFor({ state: 'attached' });
    await panel.page.getByRole('button', { name: 'Show the request: Run it' }).click();
    await expect.poll(() => card(panel, 'Run it').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.getByRole('group', { name: 'Waiting for you' }).waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        card(panel, 'Run it').evaluate(
          (e) => e.getBoundingClientRect().top > 0 && e.getBoundingClientRect().bottom < innerHeight,
        ),
      )
      .toBe(true);
  });
});
