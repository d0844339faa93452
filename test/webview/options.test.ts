import { describe, expect, it } from 'vitest';
import type { OptionView, SelectOptionView } from '../../src/protocol/optionView';
import { PanelPage, useHarness } from './panelPage';
import { manyOptions, modeOption, threadView } from './views.mjs';

useHarness();

const turn = { running: true, startedAt: Date.now() - 14_000, stopping: false, canForceStop: false };

async function open(
  options: readonly OptionView[],
  page: Parameters<typeof PanelPage.open>[0] = {},
  fields: object = {},
): Promise<PanelPage> {
  const panel = await PanelPage.open({ width: 700, ...page });
  await panel.show(threadView([], { agent: 'Claude Code', options, ...fields }));
  return panel;
}

const button = ({ page }: PanelPage, name: string | RegExp) => page.getByRole('button', { name });
const option = ({ page }: PanelPage, name: string | RegExp) => page.getByRole('option', { name });
const menu = ({ page }: PanelPage) => page.locator('.option-menu');
const set = (panel: PanelPage) => panel.posted('option/set');
/** The row that the keyboard is on, as a screen reader is told. */
const active = ({ page }: PanelPage) =>
  page.evaluate(() =>
    document
      .getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')
      ?.getAttribute('aria-label'),
  );
const focused = ({ page }: PanelPage) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const replace = (options: readonly OptionView[], key: string, fields: object) =>
  options.map((item) => (item.key === key ? ({ ...item, ...fields } as OptionView) : item));

describe('the pickers', () => {
  it('are named for what they choose and what is chosen', async () => {
    const panel = await open(manyOptions());
    for (const name of [
      'Mode: Ask first',
      /^Model: OpenCode Zen\/Astra 6/,
      'Reasoning effort: High',
      'Session options',
    ])
      await button(panel, name).waitFor();
    await expect
      .poll(() => button(panel, 'Mode: Ask first').getAttribute('title'))
      .toBe('Mode: Ask first\nAsks before each change');
  });

  it('are absent where there is nothing to choose, and so is the button for more', async () => {
    const panel = await open([]);
    await button(panel, /^Agent: /).waitFor();
    await expect.poll(() => panel.page.locator('.composer-tools .picker, .composer-tools .options').count()).toBe(1);
  });

  it('109 stand in the agent’s order', async () => {
    const panel = await open(manyOptions().toReversed());
    await expect
      .poll(() => panel.page.locator('.picker').evaluateAll((all) => all.map((e) => e.getAttribute('aria-label'))))
      .toEqual(['Agent: Claude Code', 'Reasoning effort: High', expect.stringContaining('Model: '), 'Mode: Ask first']);
  });

  it('107 show a mode that was never offered, and mark one that acts without asking', async () => {
    const panel = await open([modeOption()]);
    await panel.patch({
      op: 'panel/set',
      fields: { options: [modeOption({ value: 'unheard-of', valueName: 'unheard-of', permissive: true })] },
    });
    await button(panel, 'Mode: unheard-of').waitFor();
    await expect.poll(() => button(panel, 'Mode: unheard-of').locator('.codicon-unlock').isVisible()).toBe(true);
  });
});

describe('the file that the user looks at', () => {
  const file = { label: 'a.ts', detail: 'src/a.ts' };

  it('is added with one click, which leaves the user in the message box', async () => {
    const panel = await open(manyOptions(), {}, { currentFile: file });
    await button(panel, 'Add src/a.ts to the message').click();
    await expect.poll(() => panel.posted('context/add')).toEqual([{ type: 'context/add', source: 'current' }]);
    await expect.poll(() => focused(panel)).toBe('Message');
    await panel.patch({
      op: 'panel/set',
      fields: { currentFile: { label: 'a.ts:3-9', detail: 'src/a.ts:3-9', isSelection: true } },
    });
    await button(panel, 'Add src/a.ts:3-9 to the message').waitFor();
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['currentFile'] });
    await expect.poll(() => button(panel, /to the message/).count()).toBe(0);
  });

  it('is no longer offered once the message has it', async () => {
    const panel = await open(manyOptions(), {}, { currentFile: file });
    await button(panel, 'Add src/a.ts to the message').waitFor();
    const attachments = [{ id: '1', kind: 'file' as const, label: 'a.ts', detail: 'src/a.ts', linkable: true }];
    await panel.patch({ op: 'panel/set', fields: { attachments } });
    await expect.poll(() => button(panel, 'Add src/a.ts to the message').count()).toBe(0);
  });

  it('goes with each message as the chip shows it, until the user removes it', async () => {
    const panel = await open(manyOptions(), {}, { currentFile: file });
    await panel.box.fill('once');
    await panel.box.press('Enter');
    await button(panel, 'Add the active file to each message').click();
    await expect.poll(() => panel.posted('context/follow')).toEqual([{ type: 'context/follow', on: true }]);
    await expect.poll(() => focused(panel)).toBe('Message');
    await panel.patch({
      op: 'panel/set',
      fields: { currentFile: { label: 'a.ts:3-9', detail: 'src/a.ts:3-9', isSelection: true, isFollowed: true } },
    });
    const chip = panel.page.getByRole('group', { name: 'The active file goes with each message: src/a.ts:3-9' });
    await chip.waitFor();
    await panel.box.fill('each');
    await panel.box.press('Enter');
    await expect
      .poll(async () => (await panel.posted('prompt/submit')).map(({ text, followed }) => [text, followed]))
      .toEqual([
        ['once', undefined],
        ['each', 'src/a.ts:3-9'],
      ]);
    // It alone is no message.
    await panel.box.press('Enter');
    await chip.getByRole('button').focus();
    await panel.page.keyboard.press('Delete');
    await expect
      .poll(async () => (await panel.posted('context/follow')).at(-1))
      .toEqual({ type: 'context/follow', on: false });
    expect(await panel.posted('prompt/submit')).toHaveLength(2);
  });

  it.each([250, 300, 420, 745])('takes no room from the agent’s name (%i px)', async (width) => {
    const panel = await open(manyOptions(), { width }, { currentFile: file });
    await panel.page.locator('.chip.current').waitFor();
    expect(
      await panel.page.locator('.picker.agent .label').evaluate((label) => label.scrollWidth <= label.clientWidth),
    ).toBe(true);
  });
});

describe('the list of values', () => {
  it('opens with a click on the value in force, sends what is clicked, and leaves the user in the message box', async () => {
    const panel = await open(manyOptions());
    await button(panel, 'Mode: Ask first').click();
    await expect.poll(() => active(panel)).toBe('Ask first');
    await expect.poll(() => button(panel, 'Mode: Ask first').getAttribute('aria-expanded')).toBe('true');
    await expect.poll(() => option(panel, 'Ask first').getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => menu(panel).innerText()).toContain('Asks before each change');
    await option(panel, 'Bypass permissions, acts without asking').hover();
    await expect.poll(() => menu(panel).innerText()).toContain('Never asks; meant for disposable environments');
    await option(panel, 'Auto').click();
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:mode', value: 'auto' }]);
    await expect.poll(() => menu(panel).isVisible()).toBe(false);
    await expect.poll(() => focused(panel)).toBe('Message');
  });

  it('is walked through with the keyboard, which then stands on the button again', async () => {
    const panel = await open(manyOptions());
    const mode = button(panel, 'Mode: Ask first');
    await mode.focus();
    await mode.press('ArrowDown');
    await expect.poll(() => active(panel)).toBe('Ask first');
    await panel.page.keyboard.press('ArrowUp');
    await expect.poll(() => active(panel)).toBe('Bypass permissions, acts without asking');
    await panel.page.keyboard.press('Home');
    await panel.page.keyboard.press('b');
    await expect.poll(() => active(panel)).toBe('Bypass permissions, acts without asking');
    await panel.page.keyboard.press('ArrowUp');
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:mode', value: 'auto' }]);
    await expect.poll(() => focused(panel)).toBe('Mode: Ask first');
  });

  it.each(['Escape', 'Tab', 'click', 'button'])('is closed by %s and nothing is sent', async (way) => {
    const panel = await open(manyOptions());
    await button(panel, 'Mode: Ask first').click();
    await menu(panel).waitFor();
    if (way === 'click') await panel.page.mouse.click(300, 100);
    else if (way === 'button') await button(panel, 'Mode: Ask first').click();
    else await panel.page.keyboard.press(way);
    await expect.poll(() => menu(panel).isVisible()).toBe(false);
    if (way === 'Escape') await expect.poll(() => focused(panel)).toBe('Mode: Ask first');
    if (way === 'Tab') await expect.poll(() => focused(panel)).toMatch(/^Model: /);
    expect(await set(panel)).toEqual([]);
  });

  it('can be searched where it is long; groups keep their headings', async () => {
    const panel = await open(manyOptions());
    await button(panel, /^Model: /).click();
    const search = panel.page.getByRole('combobox', { name: 'Search: Model' });
    await expect.poll(() => menu(panel).locator('.heading').allInnerTexts()).toEqual(['Latest', 'Older']);
    await search.pressSequentially('sol 5.1');
    await expect
      .poll(() => panel.page.getByRole('option').allInnerTexts())
      .toEqual(['Sol 5.1', 'Sol 5.10', 'Sol 5.11']);
    await expect.poll(() => active(panel)).toBe('Sol 5.1, Older');
    await search.press('ArrowDown');
    await search.press('Enter');
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:model', value: 'old-10' }]);
    await button(panel, /^Model: /).click();
    await search.fill('nothing like it');
    await menu(panel).getByText('No results found').waitFor();
    await search.press('Enter');
    expect(await set(panel)).toHaveLength(1);
  });

  it('goes when the agent withdraws what it is about', async () => {
    const panel = await open(manyOptions());
    await button(panel, 'Reasoning effort: High').click();
    await menu(panel).waitFor();
    await panel.patch({ op: 'panel/set', fields: { options: [modeOption()] } });
    await expect.poll(() => menu(panel).isVisible()).toBe(false);
    await expect.poll(() => focused(panel)).toBe('Message');
  });

  it('takes names as text, however they look', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const panel = await open([
      modeOption({
        name: evil,
        valueName: evil,
        value: 'e',
        choices: [{ value: 'e', name: evil, description: evil, group: evil }],
      }),
    ]);
    await button(panel, `${evil}: ${evil}`).click();
    await expect.poll(() => menu(panel).locator('.label').textContent()).toBe(evil);
    await expect.poll(() => panel.page.locator('img').count()).toBe(0);
  });

  it('of a long list has the favorites first, which are marked with the mouse and by key', async () => {
    const choices = Array.from({ length: 20 }, (_, i) => ({ value: `m${i}`, name: `Model ${i}` }));
    const panel = await open([
      modeOption({ key: 'config:model', name: 'Model', role: 'model', value: 'm0', valueName: 'Model 0', choices }),
    ]);
    const marked = () => panel.posted('option/favorite');
    await button(panel, 'Model: Model 0').click();
    await option(panel, 'Model 7').hover();
    await option(panel, 'Model 7').getByTitle('Add to Favorites (Shift+Enter)').click();
    await expect
      .poll(marked)
      .toEqual([{ type: 'option/favorite', key: 'config:model', value: 'm7', isFavorite: true }]);
    await panel.patch({ op: 'panel/set', fields: { favorites: { 'config:model': ['m7'] } } });
    await expect
      .poll(() => panel.page.getByRole('option').first().getAttribute('aria-label'))
      .toBe('Model 7, Favorites');
    expect(await set(panel)).toEqual([]);
    await panel.page.keyboard.press('Home');
    await panel.page.getByRole('combobox').fill('Model 7');
    await panel.page.keyboard.press('Shift+Enter');
    await expect.poll(marked).toHaveLength(2);
    expect((await marked())[1]).toEqual({
      type: 'option/favorite',
      key: 'config:model',
      value: 'm7',
      isFavorite: false,
    });
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:model', value: 'm7' }]);
  });

  it('draws a bounded part of a list that has no end', async () => {
    const choices = Array.from({ length: 5_000 }, (_, i) => ({ value: `m${i}`, name: `Model ${i}` }));
    const panel = await open([
      modeOption({ key: 'config:model', name: 'Model', role: 'model', value: 'm0', valueName: 'Model 0', choices }),
    ]);
    await button(panel, 'Model: Model 0').click();
    await expect.poll(() => panel.page.getByRole('option').count()).toBe(1_000);
    await panel.page.getByRole('combobox').fill('4999');
    await expect.poll(() => panel.page.getByRole('option').allInnerTexts()).toEqual(['Model 4999']);
  });
});

describe('the options button', () => {
  it('lists what has no picker; what is on or off changes and the list stays', async () => {
    const options = manyOptions();
    const panel = await open(options);
    await button(panel, 'Session options').click();
    await expect
      .poll(() =>
        menu(panel)
          .locator('.row')
          .evaluateAll((rows) =>
            rows.map(
              (row) =>
                `${row.getAttribute('role')} ${row.getAttribute('aria-label')} ${row.getAttribute('aria-checked')}`,
            ),
          ),
      )
      .toEqual([
        'menuitem Collaboration mode: Default null',
        'menuitemcheckbox Fast mode true',
        'menuitemcheckbox Dynamic workflows false',
      ]);
    await panel.page.getByRole('menuitemcheckbox', { name: 'Fast mode' }).click();
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:fast', value: false }]);
    await panel.patch({ op: 'panel/set', fields: { options: replace(options, 'config:fast', { value: false }) } });
    await expect
      .poll(() => panel.page.getByRole('menuitemcheckbox', { name: 'Fast mode' }).getAttribute('aria-checked'))
      .toBe('false');
    await expect.poll(() => active(panel)).toBe('Fast mode');
  });

  it('108 shows an option that appears while it is open, unless a picker does', async () => {
    const effort = manyOptions().filter(({ key }) => key === 'config:effort');
    const without = manyOptions().filter(({ key }) => key !== 'config:effort');
    for (const [width, rows] of [
      [700, 3],
      [420, 4],
    ] as const) {
      const panel = await open(without, { width });
      await button(panel, 'Session options').click();
      await expect.poll(() => menu(panel).locator('.row').count()).toBe(3);
      await panel.patch({ op: 'panel/set', fields: { options: [...without, ...effort] } });
      await expect.poll(() => menu(panel).locator('.row').count()).toBe(rows);
    }
  });

  it('opens the values of an option with the keyboard, and goes back from them', async () => {
    const panel = await open(manyOptions());
    await button(panel, 'Session options').press('Enter');
    await panel.page.getByRole('menu', { name: 'Session options' }).waitFor();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.getByRole('listbox', { name: 'Collaboration mode' }).waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('menu', { name: 'Session options' }).waitFor();
    await expect.poll(() => active(panel)).toBe('Collaboration mode: Default');
    await panel.page.keyboard.press(' ');
    await panel.page.keyboard.press('ArrowDown');
    await panel.page.keyboard.press(' ');
    await expect.poll(() => set(panel)).toEqual([{ type: 'option/set', key: 'config:collaboration', value: 'plan' }]);
    await expect.poll(() => focused(panel)).toBe('Session options');
  });

  it.each<[number, string[], string[]]>([
    [700, ['Agent', 'Mode', 'Model', 'Reasoning effort'], ['Collaboration mode', 'Fast mode', 'Dynamic workflows']],
    [420, ['Agent', 'Mode', 'Model'], ['Collaboration mode', 'Reasoning effort', 'Fast mode', 'Dynamic workflows']],
    [300, ['Agent', 'Mode', 'Model'], ['Collaboration mode', 'Reasoning effort', 'Fast mode', 'Dynamic workflows']],
    [250, ['Agent', 'Mode', 'Model'], ['Collaboration mode', 'Reasoning effort', 'Fast mode', 'Dynamic workflows']],
  ])('at %i px has what the row has no place for', async (width, inRow, behind) => {
    const panel = await open(manyOptions(), { width }, { turn, usage: { context: { used: 64_000, size: 200_000 } } });
    const names = (all: Element[]) =>
      all.filter((e) => e.checkVisibility()).map((e) => e.getAttribute('aria-label')!.split(':')[0]!);
    expect(await panel.page.locator('.picker').evaluateAll(names)).toEqual(inRow);
    // The agent is named at every width, in full before the model is.
    expect(
      await panel.page
        .locator('.picker.agent .label')
        .evaluate((label) => label.checkVisibility() && label.getBoundingClientRect().width),
    ).toBeGreaterThan(24);
    await button(panel, 'Session options').click();
    await expect.poll(() => menu(panel).locator('.row').evaluateAll(names)).toEqual(behind);
    const fits = () => panel.page.locator('.composer-tools').evaluate((row) => row.scrollWidth <= row.clientWidth);
    expect(await fits()).toBe(true);
    await panel.page.getByRole('menuitem', { name: /Collaboration/ }).click();
    expect(await fits()).toBe(true);
  });

  it.each([250, 285, 330])(
    'leaves mode and model their words at %i px, and the current file its name',
    async (width) => {
      const panel = await open(manyOptions(), { width }, { turn, currentFile: { label: 'a.ts', detail: 'src/a.ts' } });
      const shown = (name: string) =>
        panel.page.locator(`${name} .label`).evaluate((label) => {
          const [box, row] = [label, label.parentElement!].map((e) => e.getBoundingClientRect()) as [DOMRect, DOMRect];
          return label.checkVisibility() && box.width > 20 && box.bottom <= row.bottom + 1;
        });
      expect(await Promise.all(['.picker.agent', '.picker.mode', '.picker.model', '.chip.current'].map(shown))).toEqual(
        [true, true, true, true],
      );
      expect(await panel.page.locator('.picker.model .label').textContent()).toBe('Astra 6 Preview');
      expect(
        await panel.page
          .locator('.picker.agent .label')
          .evaluate((label) => label.scrollWidth <= label.clientWidth + 1),
      ).toBe(true);
    },
  );

  it('is not there for a model alone, which keeps its words', async () => {
    const [model] = manyOptions().filter(
      (item): item is SelectOptionView => item.type === 'select' && item.role === 'model',
    );
    const wide = await open([model!]);
    await button(wide, /^Model: /).waitFor();
    await expect.poll(() => button(wide, 'Session options').count()).toBe(0);
    const narrow = await open([model!], { width: 250 });
    await expect.poll(() => button(narrow, 'Session options').count()).toBe(0);
    const chip = button(narrow, 'Model: OpenCode Zen/Astra 6 Preview (recommended)');
    expect(await chip.getAttribute('title')).toContain('Model: OpenCode Zen/Astra 6 Preview (recommended)');
    await chip.click();
    await option(narrow, 'Sol 6.1, Latest').click();
    await expect.poll(() => set(narrow)).toEqual([{ type: 'option/set', key: 'config:model', value: 'sol' }]);
  });
});

describe('a choice', () => {
  it('is shown as chosen while the agent has not confirmed it', async () => {
    const panel = await open([modeOption({ value: 'auto', valueName: 'Auto', pending: true })]);
    await expect.poll(() => button(panel, 'Mode: Auto').getAttribute('aria-busy')).toBe('true');
  });

  it('160 that could not be had is explained until it is dismissed', async () => {
    const panel = await open(manyOptions());
    await panel.patch({ op: 'panel/set', fields: { optionProblem: 'Model was not changed to Sol: not today' } });
    await panel.page.getByRole('alert').getByText('Model was not changed to Sol: not today').waitFor();
    await button(panel, 'Dismiss').click();
    await expect.poll(() => panel.posted('optionProblem/dismiss')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: {}, cleared: ['optionProblem'] });
    await panel.page.getByText('not today').waitFor({ state: 'detached' });
  });
});

describe('a menu of 385 models', () => {
  const choices = Array.from({ length: 385 }, (_, i) => ({
    value: `m${i}`,
    name: `Provider/a-family-of-models-with-a-long-name-${i}`,
  }));
  const models = (at: number): SelectOptionView => ({
    key: 'model',
    type: 'select',
    name: 'Model',
    role: 'model',
    value: `m${at}`,
    valueName: choices[at]!.name,
    choices,
    pending: false,
    permissive: false,
  });

  it.each([0, 150, 300, 384])('opens on the current one: %s', async (at) => {
    const panel = await open([models(at)]);
    await button(panel, /^Model: /).click();
    await expect.poll(() => active(panel)).toBe(choices[at]!.name);
    const isInView = await panel.page.locator('.option-menu .row.active').evaluate((row) => {
      const [inner, outer] = [row.getBoundingClientRect(), row.parentElement!.getBoundingClientRect()];
      return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    });
    expect(isInView).toBe(true);
  });

  it('cuts long names in the middle', async () => {
    const panel = await open([models(300)], { width: 360 });
    await button(panel, /^Model: /).click();
    const label = panel.page.locator('.option-menu .row.active .label');
    expect(await label.evaluate((e) => e.textContent)).toBe(choices[300]!.name);
    const cut = () => label.evaluate((e) => [...e.children].map((part) => part.scrollWidth > part.clientWidth));
    await expect.poll(cut).toEqual([true, false]);
  });
});
