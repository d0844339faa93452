import { describe, expect, it } from 'vitest';
import type { PermissionOptionView } from '../../src/protocol/permissionView';
import { asking, card, options, pending } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { permissionScenes } from './permissionScenes.mjs';
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

  it('leaves a note that is being written in the message box where the request ends without it', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([asking('c', 'Run', { command: 'npm test' })], { pendingQuestions: [pending('c', 'npm test')] }),
    );
    await card(panel, 'Run').getByRole('button', { name: 'Reject with a note…' }).click();
    await card(panel, 'Run').getByRole('textbox').fill('use pnpm');
    await panel.patch(
      { op: 'entry/replace', entry: asking('c', 'Run', { permissions: [], status: 'cancelled' }) },
      { op: 'panel/set', fields: { pendingQuestions: [] } },
    );
    await expect.poll(() => panel.box.inputValue()).toBe('use pnpm');
  });

  it('takes no click for what it asked before the agent changed it, and its time begins anew', async () => {
    const panel = await PanelPage.open();
    const changedTo = (requestId: string, fields: object = {}) =>
      asking('c', 'Run', {
        permissions: [
          asked(
            requestId,
            'Run',
            options,
            { command: 'rm -rf ~/.ssh' },
            {
              origin: 'r-c',
              risks: [{ kind: 'changed', text: 'The agent changed this request while it waited. Before: npm test' }],
              ...fields,
            },
          ),
        ],
      });
    await panel.show(
      threadView([asking('c', 'Run', { command: 'npm test' })], { pendingQuestions: [pending('c', 'npm test')] }),
    );
    const button = card(panel, 'Run').getByRole('button', { name: 'Always', exact: true });
    await button.and(panel.page.locator(':not([aria-disabled])')).waitFor();
    await card(panel, 'Run').getByRole('button', { name: 'Reject with a note…' }).click();
    await card(panel, 'Run').getByRole('textbox').fill('not that');
    await card(panel, 'Run').locator('.card-head').click();
    await card(panel, 'Run').focus();
    // The swap, while it is assessed again, and once it was.
    await panel.patch(
      { op: 'entry/replace', entry: changedTo('r-c.1', { isChecking: true }) },
      { op: 'panel/set', fields: { pendingQuestions: [{ ...pending('c', 'rm'), requestId: 'r-c.1' }] } },
    );
    await panel.page.locator('.permission[data-question="r-c.1"]').waitFor();
    await panel.page.keyboard.press('Enter');
    await button.evaluate((e: HTMLButtonElement) => e.click());
    // In the page: from here the moment may be over before a key comes.
    await panel.page.evaluate(() => {
      performance.mark('assessed');
      const observer = new MutationObserver(() => {
        const request = document.querySelector<HTMLElement>('.permission[data-question="r-c.2"]');
        if (!request) return;
        observer.disconnect();
        request.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        request.querySelector<HTMLButtonElement>('.options > button')!.click();
        performance.mark('tried');
      });
      observer.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-question'] });
    });
    await panel.patch(
      { op: 'entry/replace', entry: changedTo('r-c.2') },
      { op: 'panel/set', fields: { pendingQuestions: [{ ...pending('c', 'rm'), requestId: 'r-c.2' }] } },
    );
    await expect.poll(() => panel.page.evaluate(() => performance.getEntriesByName('tried').length)).toBe(1);
    expect(await panel.posted('permission/select')).toEqual([]);
    await expect
      .poll(() => card(panel, 'Run').getByRole('list', { name: 'Risks' }).innerText())
      .toContain('Before: npm test');
    await expect.poll(() => card(panel, 'Run').locator('pre').first().innerText()).toBe('rm -rf ~/.ssh');
    expect(await card(panel, 'Run').getByRole('textbox').inputValue()).toBe('not that');
    await button.click();
    expect(
      await panel.page.evaluate(() => performance.now() - performance.getEntriesByName('assessed')[0]!.startTime),
    ).toBeGreaterThanOrEqual(398);
    expect(await panel.posted('permission/select')).toEqual([
      { type: 'permission/select', requestId: 'r-c.2', optionId: 'always' },
    ]);
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', requestId: 'r-c.2', read: true });
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

  it('can be seen and answered whatever the length and the number of its options', async () => {
    const panel = await PanelPage.open({ height: 600 });
    const many = Array.from({ length: 100 }, (_, i): PermissionOptionView => ({
      optionId: `o${i}`,
      name: i === 3 ? 'Allow '.repeat(333) : `Option ${i}`,
      kind: i === 0 ? 'allow_once' : 'other',
    }));
    const question = asking('c', 'Choose', { permissions: [{ ...asked('r-c', 'Choose', many), moreOptions: 4_900 }] });
    await panel.show(threadView([question], { pendingQuestions: [pending('c', 'Choose')] }));
    const first = card(panel, 'Choose').getByRole('button', { name: 'Option 0', exact: true });
    await first.waitFor();
    // By keyboard, page by page, to its end; then back to the first option.
    await panel.thread.focus();
    await panel.page.keyboard.press('Home');
    await expect
      .poll(
        async () => {
          await panel.page.keyboard.press('PageDown');
          return first.isEnabled();
        },
        { timeout: 30_000, interval: 30 },
      )
      .toBe(true);
    await panel.send({ type: 'focus/set', target: 'question' });
    await expect.poll(() => card(panel, 'Choose').evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.keyboard.press('Enter');
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'o0' }]);
    // And by mouse: another request like it.
    await panel.patch(
      {
        op: 'entry/replace',
        entry: asking('c', 'Choose', { permissions: [{ ...asked('r-d', 'Choose', many), moreOptions: 4_900 }] }),
      },
      { op: 'panel/set', fields: { pendingQuestions: [{ ...pending('c', 'Choose'), requestId: 'r-d' }] } },
    );
    await panel.page.mouse.move(200, 200);
    for (const delta of [-500, 400]) {
      await expect
        .poll(
          async () => {
            await panel.page.mouse.wheel(0, delta);
            return panel.thread.evaluate(
              (e, down) => (down ? e.scrollTop + e.clientHeight >= e.scrollHeight - 2 : e.scrollTop === 0),
              delta > 0,
            );
          },
          { timeout: 30_000, interval: 30 },
        )
        .toBe(true);
    }
    await card(panel, 'Choose').getByRole('button', { name: '4,900 more options…' }).click();
    expect(await panel.nextPosted('permission/showOptions')).toEqual({
      type: 'permission/showOptions',
      requestId: 'r-d',
    });
    await card(panel, 'Choose').getByRole('button', { name: 'Option 99', exact: true }).click();
    await expect
      .poll(() => panel.posted('permission/select').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/select', requestId: 'r-d', optionId: 'o99' });
  });

  it('takes one answer of a double click, not one for each card', async () => {
    const panel = await PanelPage.open({ height: 1400 });
    await panel.show(threadView([asking('c', 'Run'), asking('d', 'Then')]));
    await card(panel, 'Then')
      .getByRole('button', { name: 'Always' })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    await panel.page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLButtonElement>('.permission .primary')) button.click();
    });
    await panel.frames(3);
    expect((await panel.posted('permission/select')).map((m) => m.requestId)).toEqual(['r-c']);
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

  it.each([250, 300, 400, 900])(
    'says what each option does, whatever it is called, and each can be answered at %i px',
    async (width) => {
      const panel = await PanelPage.open({ width, height: 1_000 });
      await panel.show(permissionScenes.askedHostile.view);
      const group = panel.page.getByRole('group', { name: 'Permission: ⟨U+202E⟩Read a file' });
      const names = await group.locator('.options').getByRole('button').locator('> span').allInnerTexts();
      expect(names.slice(0, 4)).toEqual([
        'Always allow “⟨U+202E⟩tcejeR”',
        'Allow once “⟨U+200B⟩⟨U+200B⟩⟨U+200B⟩”',
        'Always reject “Allow”',
        'Reject',
      ]);
      const icons = await group
        .locator('.options .codicon')
        .evaluateAll((all) => all.map((one) => one.className.replace('codicon codicon-', '')));
      expect(icons).toEqual(['check-all', 'check', 'circle-slash', 'close', 'check']);
      for (const button of await group.locator('.options').getByRole('button').all())
        expect(await button.evaluate((e) => e.clientHeight)).toBeLessThan(150);
      expect(await group.locator('.primary').count()).toBe(0);
      // A diff wraps, and nothing is pushed out of sight.
      expect(await group.locator('.diff').evaluate((e) => e.scrollWidth <= e.clientWidth)).toBe(true);
      const lines = (await group.locator('.diff-line.add').allInnerTexts()).map((line) => line.trim());
      expect(lines).toEqual([
        '+const admin = false; ⟨U+202E⟩// safe⟨U+2066⟩',
        '+x = 1;⟨400 spaces⟩evil()',
        '+\u2066שלום();\u2069',
      ]);
      const long = group.getByRole('button', { name: /^Allow, because/ });
      await long.and(panel.page.locator(':not([aria-disabled])')).waitFor();
      await group.getByText('Show full option texts').click();
      expect((await group.getByRole('listitem').last().innerText()).length).toBeGreaterThan(1_900);
      await long.click();
      await expect
        .poll(() => panel.posted('permission/select'))
        .toEqual([{ type: 'permission/select', requestId: 'r-h', optionId: 'long' }]);
      expect(await panel.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    },
  );

  it('many options are a list that scrolls, all of which can be chosen; a digit shows what is out of sight first', async () => {
    const panel = await PanelPage.open({ width: 300, height: 600 });
    await panel.show(permissionScenes.askedMany.view);
    const group = card(panel, 'Choose a branch');
    const box = group.locator('.options');
    await group
      .getByRole('button', { name: 'Allow on branch 40' })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    expect((await box.boundingBox())!.height).toBeLessThan(230);
    await box.evaluate((e) => e.scrollTo(0, e.scrollHeight));
    await group.evaluate((e) => e.focus({ preventScroll: true }));
    await panel.page.keyboard.press('1');
    expect(await panel.posted('permission/select')).toEqual([]);
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.querySelector('span')?.textContent))
      .toBe('Allow on branch 1');
    await group.getByRole('button', { name: 'Allow on branch 40' }).click();
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-many', optionId: 'b40' }]);
  });

  it('a dangerous request has no highlighted option, and Enter answers nothing', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        asking('c', 'Run', {
          command: 'rm -rf /',
          permissions: [
            asked(
              'r-c',
              'Run',
              options,
              { command: 'rm -rf /' },
              { risks: [{ kind: 'deletes', text: 'Deletes files' }] },
            ),
          ],
        }),
      ]),
    );
    await card(panel, 'Run')
      .getByRole('button', { name: 'Reject', exact: true })
      .and(panel.page.locator(':not([aria-disabled])'))
      .waitFor();
    expect(await card(panel, 'Run').locator('.primary').count()).toBe(0);
    await card(panel, 'Run').focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.posted('permission/select')).toEqual([]);
  });

  it('is rejected with a note, which Escape puts away', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    const box = card(panel, 'Run').getByRole('textbox', { name: 'Tell Demo Agent what to do instead' });
    const open = card(panel, 'Run').getByRole('button', { name: 'Reject with a note…' });
    await open.click();
    await expect.poll(() => box.evaluate((e) => e === document.activeElement)).toBe(true);
    // What is typed into it is nobody's answer.
    await panel.page.keyboard.type('2');
    await panel.page.keyboard.press('Escape');
    await expect.poll(() => box.count()).toBe(0);
    await expect.poll(() => card(panel, 'Run').evaluate((e) => e === document.activeElement)).toBe(true);
    await open.click();
    await expect.poll(() => box.inputValue()).toBe('');
    await box.fill('use pnpm');
    // In its first moment a question takes no answer, and a note is one.
    await expect
      .poll(async () => {
        await box.press('Enter', { timeout: 500 }).catch(() => undefined);
        return (await panel.posted('permission/select'))[0];
      })
      .toEqual({ type: 'permission/select', requestId: 'r-c', optionId: 'no', note: 'use pnpm' });
  });

  it('says who remembers an answer for always', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([asking('c', 'Run')], { pendingQuestions: [pending('c', 'Run')] }));
    await expect.poll(() => card(panel, 'Run').innerText()).toContain('Demo Agent remembers “Always”.');
    await expect
      .poll(() => card(panel, 'Run').getByRole('button', { name: 'Always', exact: true }).getAttribute('title'))
      .toBe('Always allow. Demo Agent remembers it.');
  });

  it('keeps several questions apart, also on one call', async () => {
    const panel = await PanelPage.open({ height: 1400 });
    const two = asking('c', 'Two', { permissions: [asked('p1', 'First', options), asked('p2', 'Second', options)] });
    await panel.show(threadView([two, asking('d', 'Third')]));
    await card(panel, 'Second').getByRole('button', { name: 'Reject', exact: true }).click();
    // For a moment after an answer no other is taken.
    await expect
      .poll(async () => {
        await card(panel, 'Third').getByRole('button', { name: 'Always' }).click();
        return (await panel.posted('permission/select')).length;
      })
      .toBe(2);
    expect((await panel.posted('permission/select')).map((m) => [m.requestId, m.optionId])).toEqual([
      ['p2', 'no'],
      ['r-d', 'always'],
    ]);
    await panel.patch({ op: 'entry/replace', entry: { ...two, permissions: [two.permissions[0]!] } });
    await expect.poll(() => card(panel, 'Second').count()).toBe(0);
    await expect.poll(() => card(panel, 'First').count()).toBe(1);
    // The answer before has just been taken.
    await expect
      .poll(async () => {
        await card(panel, 'First').getByRole('button', { name: 'Reject', exact: true }).click();
        return (await panel.posted('permission/select')).at(-1);
      })
      .toEqual({ type: 'permission/select', requestId: 'p1', optionId: 'no' });
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
