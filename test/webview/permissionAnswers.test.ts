import { describe, expect, it } from 'vitest';
import type { PermissionOptionView } from '../../src/protocol/permissionView';
import { asking, card, options, pending } from './asking';
import { PanelPage, useHarness } from './panelPage';
import { permissionScenes } from './permissionScenes.mjs';
import { asked, threadView } from './views.mjs';

useHarness();

describe('the answer to a permission request', () => {
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
        { interval: 30 },
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
          { interval: 30 },
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
});
