import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { FormFieldView } from '../../src/protocol/formView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, form, page, threadView } from './views.mjs';

useHarness();

type Text = Extract<FormFieldView, { type: 'text' }>;

function text(key: string, label: string, fields: Partial<Text> = {}): Text {
  return { type: 'text', input: 'line', key, label, required: false, value: '', ...fields };
}

function select(
  key: string,
  label: string,
  titles: readonly string[],
  fields: Partial<Extract<FormFieldView, { type: 'select' }>> = {},
): FormFieldView {
  return {
    type: 'select',
    key,
    label,
    required: false,
    value: '',
    options: titles.map((title) => ({ value: title.toLowerCase(), title })),
    ...fields,
  };
}

const question = (panel: PanelPage, title = 'A few details') =>
  panel.page.getByRole('group', { name: `Request: ${title}`, exact: true });

/** The button, once it takes clicks. */
async function ready(group: Locator, name: string): Promise<Locator> {
  const button = group.getByRole('button', { name, exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  return button;
}

const described = (locator: Locator) =>
  locator.evaluate((e) =>
    (e.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent?.trim())
      .join(' | '),
  );

describe('a form', () => {
  it('163: shows who asks, what, and every kind of field with its default, and sends what it shows', async () => {
    const panel = await PanelPage.open({ height: 1200 });
    const fields: FormFieldView[] = [
      text('name', 'Name', {
        required: true,
        value: 'Ada',
        description: 'As on the door',
        hint: 'At least 2 characters',
      }),
      text('note', 'Note', { input: 'lines' }),
      text('age', 'Age', { input: 'number', value: '36' }),
      text('day', 'Day', { input: 'date', value: '2026-11-20' }),
      text('at', 'Moment', { input: 'dateTime', value: '2026-11-20T14:30:05Z' }),
      text('key', 'Key', { input: 'secret' }),
      { type: 'checkbox', key: 'keep', label: 'Keep it', required: false, value: true },
      select('colour', 'Colour', ['Red', 'Blue'], { value: 'blue' }),
      select(
        'zone',
        'Zone',
        Array.from({ length: 9 }, (_, i) => `Z${i}`),
        { value: 'z4' },
      ),
      {
        type: 'multiSelect',
        key: 'on',
        label: 'On',
        required: false,
        value: ['a'],
        options: [
          { value: 'a', title: 'A', description: 'The first' },
          { value: 'b', title: 'B' },
        ],
      },
      { type: 'unsupported', key: 'odd', label: 'Odd', required: false, what: '_colour' },
    ];
    await panel.show(threadView([form('f', fields, { message: 'Some **words**' })]));
    const group = question(panel);
    await expect
      .poll(() => group.innerText())
      .toMatch(
        /Demo Agent asks[^]*Some words[^]*Odd: Parley cannot show this field \(_colour\)\.[^]*Demo Agent will read the secret that you enter\. Parley does not store it\./,
      );
    const name = group.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.getAttribute('aria-required')).toBe('true');
    await expect.poll(() => described(name)).toBe('As on the door | At least 2 characters');
    await expect.poll(() => group.getByRole('radio', { name: 'Blue' }).isChecked()).toBe(true);
    await expect.poll(() => group.getByRole('combobox', { name: 'Zone' }).inputValue()).toBe('z4');
    await expect.poll(() => group.getByLabel('Key').getAttribute('type')).toBe('password');
    await group.getByRole('radio', { name: 'Red' }).check();
    await group.getByRole('checkbox', { name: 'B', exact: true }).check();
    await group.getByLabel('Key').fill('hunter2');
    await group.getByLabel('Note').fill('one\ntwo');
    await (await ready(group, 'Submit')).click();
    const { requestId, values } = await panel.nextPosted('elicitation/submit');
    expect(requestId).toBe('r-f');
    expect(values).toEqual({
      name: 'Ada',
      note: 'one\ntwo',
      age: '36',
      day: '2026-11-20',
      at: '2026-11-20T14:30:05Z',
      key: 'hunter2',
      keep: true,
      colour: 'red',
      zone: 'z4',
      on: ['a', 'b'],
    });
  });

  it('a moment is shown in the user’s zone and sent as one that all understand', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([form('f', [text('at', 'Moment', { input: 'dateTime' })])]));
    const box = question(panel).getByLabel('Moment');
    await box.fill('2026-07-01T09:05');
    const moment = await panel.page.evaluate(() => new Date(2026, 6, 1, 9, 5).toISOString().replace('.000', ''));
    await (await ready(question(panel), 'Submit')).click();
    expect((await panel.nextPosted('elicitation/submit')).values).toEqual({ at: moment });
    await expect.poll(() => box.inputValue()).toBe('2026-07-01T09:05');
  });

  it('a choice that is not required can be taken back', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        form('f', [select('c', 'Colour', ['Red', 'Blue']), select('r', 'Needed', ['Yes', 'No'], { required: true })]),
      ]),
    );
    const group = question(panel);
    await group.getByRole('radio', { name: 'Red' }).check();
    await group.getByRole('radio', { name: 'Yes' }).check();
    await expect.poll(() => group.getByRole('button', { name: /^Clear/ }).count()).toBe(1);
    await group.getByRole('button', { name: 'Clear Colour' }).click();
    await expect.poll(() => group.getByRole('radio', { name: 'Red' }).isChecked()).toBe(false);
    await (await ready(group, 'Submit')).click();
    expect((await panel.nextPosted('elicitation/submit')).values).toEqual({ c: '', r: 'yes' });
  });

  it('takes no focus and no answer in the moment when it appears, not even by Enter', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([]));
    await panel.box.fill('typing');
    await panel.page.evaluate(() => performance.mark('asked'));
    await panel.patch({ op: 'entry/add', entry: form('f', [text('n', 'Name')]) });
    expect(await panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
    await question(panel).getByLabel('Name').press('Enter');
    const early = await panel.page.evaluate(
      () => performance.now() - performance.getEntriesByName('asked')[0]!.startTime < 390,
    );
    if (early) expect(await panel.posted('elicitation/submit')).toEqual([]);
    await question(panel).getByRole('button', { name: 'Decline' }).click();
    await panel.nextPosted('elicitation/decline');
    const waited = await panel.page.evaluate(
      () => performance.now() - performance.getEntriesByName('asked')[0]!.startTime,
    );
    expect(waited).toBeGreaterThanOrEqual(398);
  });

  it('163: what is wrong is said in words beside its field, with the focus on the first, until it is changed', async () => {
    const panel = await PanelPage.open();
    const fields = [
      text('a', 'First', { required: true }),
      text('b', 'Second'),
      select('c', 'Third', ['Red'], { required: true }),
    ];
    await panel.show(threadView([form('f', fields)]));
    const group = question(panel);
    await group.getByLabel('Second').fill('typed');
    await (await ready(group, 'Submit')).click();
    const wrong = [
      { ...fields[0]!, error: 'Fill in this field.' },
      fields[1]!,
      { ...fields[2]!, error: 'Select one.' },
    ] as FormFieldView[];
    await panel.patch({ op: 'entry/replace', entry: form('f', wrong) });
    const first = group.getByLabel('First');
    await expect.poll(() => first.evaluate((e) => e === document.activeElement)).toBe(true);
    await expect.poll(() => first.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => described(first)).toBe('Fill in this field.');
    await expect.poll(() => described(group.getByRole('radiogroup', { name: 'Third' }))).toBe('Select one.');
    await expect.poll(() => group.getByLabel('Second').inputValue()).toBe('typed');
    await first.fill('x');
    await expect.poll(() => group.getByText('Fill in this field.').count()).toBe(0);
    await expect.poll(() => group.getByText('Select one.').count()).toBe(1);
    // Refused again for what is still wrong.
    await (await ready(group, 'Submit')).click();
    await panel.patch({ op: 'entry/replace', entry: form('f', [fields[0]!, fields[1]!, wrong[2]!]) });
    await expect
      .poll(() => group.getByRole('radio', { name: 'Red' }).evaluate((e) => e === document.activeElement))
      .toBe(true);
  });

  it('what was typed survives a snapshot and the hiding of the panel, and is not kept where VS Code writes to disk', async () => {
    const panel = await PanelPage.open();
    const view = threadView([
      form('f', [text('n', 'Name'), text('k', 'Key', { input: 'secret' }), select('c', 'Colour', ['Red', 'Blue'])]),
    ]);
    await panel.show(view);
    const group = question(panel);
    await group.getByLabel('Name').fill('Ada');
    await group.getByLabel('Key').fill('hunter2');
    await group.getByRole('radio', { name: 'Blue' }).check();
    await panel.show(view);
    await expect.poll(() => group.getByLabel('Name').inputValue()).toBe('Ada');
    await panel.page.waitForFunction(() =>
      window.harness.posted.some((m) => m.type === 'ui/changed' && m.ui.forms?.['r-f']?.['c'] === 'blue'),
    );
    const { ui } = (await panel.posted('ui/changed')).at(-1)!;
    expect(ui.forms).toEqual({ 'r-f': { n: 'Ada', k: 'hunter2', c: 'blue' } });
    expect(JSON.stringify(await panel.page.evaluate(() => window.harness.getState()))).not.toMatch(/hunter2|Ada/);
    const shownAgain = await PanelPage.open();
    await shownAgain.show(view, ui);
    await expect.poll(() => question(shownAgain).getByLabel('Name').inputValue()).toBe('Ada');
    await expect.poll(() => question(shownAgain).getByLabel('Key').inputValue()).toBe('hunter2');
    await expect.poll(() => question(shownAgain).getByRole('radio', { name: 'Blue' }).isChecked()).toBe(true);
  });

  it('is answered with the keyboard alone', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        form('f', [
          select('c', 'Colour', ['Red', 'Blue']),
          { type: 'checkbox', key: 'k', label: 'Keep', required: false, value: false },
          text('n', 'Note', { input: 'lines' }),
        ]),
      ]),
    );
    const group = question(panel);
    await ready(group, 'Submit');
    await group.getByRole('button', { name: 'Dismiss request' }).focus();
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await panel.page.keyboard.press('ArrowDown');
    await expect.poll(() => group.getByRole('radio', { name: 'Blue' }).isChecked()).toBe(true);
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Space');
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.type('one');
    await panel.page.keyboard.press('Shift+Enter');
    await panel.page.keyboard.type('two');
    await panel.page.keyboard.press('Enter');
    expect((await panel.nextPosted('elicitation/submit')).values).toEqual({ c: 'blue', k: true, n: 'one\ntwo' });
    // Escape closes nothing: an answer is never an accident.
    await panel.page.keyboard.press('Escape');
    expect(await panel.posted('elicitation/cancel')).toEqual([]);
  });

  it('where messages are sent with Ctrl+Enter, forms are too', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([form('f', [text('n', 'Note', { input: 'lines' })])], { sendWith: 'ctrlEnter' }));
    await ready(question(panel), 'Submit');
    const note = question(panel).getByLabel('Note');
    await note.fill('one');
    await note.press('Enter');
    await panel.page.keyboard.type('two');
    await note.press('Control+Enter');
    expect((await panel.nextPosted('elicitation/submit')).values).toEqual({ n: 'one\ntwo' });
  });

  it('164: Decline and Dismiss are two things, and nothing is written into the agent’s words', async () => {
    const panel = await PanelPage.open();
    const hostile = '<img src=x onerror=alert(1)>';
    await panel.show(
      threadView([
        form('f', [text('n', hostile, { description: hostile }), select('c', 'Colour', [hostile])], {
          title: hostile,
          message: `${hostile} [link](command:evil)`,
        }),
        form('g', []),
      ]),
    );
    const first = question(panel, hostile);
    await expect.poll(() => first.locator('img').count()).toBe(0);
    await expect.poll(() => first.locator('a[href^="command"]').count()).toBe(0);
    await expect.poll(() => first.getByLabel(hostile).first().count()).toBe(1);
    await (await ready(first, 'Decline')).click();
    await (await ready(question(panel), 'Dismiss request')).click();
    await expect
      .poll(() => panel.posted('elicitation/decline'))
      .toEqual([{ type: 'elicitation/decline', requestId: 'r-f' }]);
    await expect
      .poll(() => panel.posted('elicitation/cancel'))
      .toEqual([{ type: 'elicitation/cancel', requestId: 'r-g' }]);
  });

  it('169: a required field that cannot be shown leaves only Decline', async () => {
    const panel = await PanelPage.open();
    const body = {
      type: 'form',
      fields: [{ type: 'unsupported', key: 'c', label: 'Colour', required: true, what: '_colour' }],
      canSubmit: false,
    } as const;
    await panel.show(threadView([form('f', [], { body })]));
    await ready(question(panel), 'Decline');
    await expect.poll(() => question(panel).getByRole('button', { name: 'Submit' }).count()).toBe(0);
    await question(panel).getByText('You can only decline this form').waitFor();
  });

  it('is a few lines with the answer once it is over, and the focus stays with it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([form('f', [text('n', 'Name')])]));
    await question(panel).getByLabel('Name').fill('Ada');
    await panel.page.waitForFunction(() =>
      window.harness.posted.some((m) => m.type === 'ui/changed' && m.ui.forms !== undefined),
    );
    await (await ready(question(panel), 'Submit')).click();
    await panel.patch({
      op: 'entry/replace',
      entry: form('f', [], { state: 'accepted', answers: [{ label: 'Name', text: 'Ada <b>L.</b>' }] }),
    });
    await expect.poll(() => question(panel).innerText()).toMatch(/A few details\s+Answered\s+Name\s+Ada <b>L\.<\/b>/);
    await expect.poll(() => question(panel).getByRole('textbox').count()).toBe(0);
    await expect.poll(() => question(panel).evaluate((e) => e === document.activeElement)).toBe(true);
    // What was typed into it is forgotten.
    await panel.page.waitForFunction(() =>
      window.harness.posted.some((m) => m.type === 'ui/changed' && m.ui.forms === undefined),
    );
  });

  it.each([
    ['accepted', { state: 'accepted', answers: [{ label: 'Name', text: 'Ada' }] }],
    ['asked again', { state: 'waiting', title: 'Once more' }],
  ] as const)('takes no focus from a user who is elsewhere when it is %s', async (_what, change) => {
    const panel = await PanelPage.open();
    await panel.show(threadView([form('f', [text('n', 'Name')])]));
    await question(panel).getByLabel('Name').fill('Ada');
    await (await ready(question(panel), 'Submit')).click();
    const taken = await panel.leave();
    await panel.patch({ op: 'entry/replace', entry: form('f', [text('n', 'Name')], change) });
    await panel.page
      .getByText(change.state === 'accepted' ? 'Answered' : 'Once more')
      .first()
      .waitFor();
    expect(await taken()).toBe(0);
  });

  it('is announced, and has its line over the box while it is out of sight', async () => {
    const panel = await PanelPage.open();
    const filler = Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Message ${i}`));
    await panel.show(
      threadView([form('f', [text('n', 'Name')]), ...filler], {
        pendingQuestions: [{ requestId: 'r-f', entryId: 'f', kind: 'elicitation', title: 'A few details', askedAt: 0 }],
      }),
    );
    await panel.page.getByRole('status').getByText('Demo Agent asks: A few details').waitFor({ state: 'attached' });
    await panel.page.getByRole('button', { name: 'Show the request: A few details' }).click();
    await expect.poll(() => question(panel).evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.page.getByRole('group', { name: 'Waiting for you' }).waitFor({ state: 'detached' });
  });
});

describe('a question that is taller than the panel', () => {
  const tall = (fields: Parameters<typeof form>[2] = {}) =>
    form(
      'f',
      Array.from({ length: 14 }, (_, i) => text(`t${i}`, `Field ${i}`)),
      fields,
    );
  const waiting = { requestId: 'r-f', entryId: 'f', kind: 'elicitation', title: 'A few details', askedAt: 0 } as const;
  const topOf = (panel: PanelPage) =>
    question(panel).evaluate((e) =>
      Math.round(e.getBoundingClientRect().top - e.closest('.thread')!.getBoundingClientRect().top),
    );
  const chatter = Array.from({ length: 30 }, (_, i) => agentMessage(`m${i}`, `Message ${i}`));

  it('is shown from its top, and the thread goes on at its end once it is answered', async () => {
    const panel = await PanelPage.open({ height: 600 });
    await panel.show(threadView(chatter));
    await panel.patch({ op: 'entry/add', entry: tall() }, { op: 'panel/set', fields: { pendingQuestions: [waiting] } });
    await expect.poll(() => topOf(panel)).toBeLessThan(20);
    expect(await topOf(panel)).toBeGreaterThanOrEqual(-1);
    // What comes below does not take it away.
    await panel.patch({ op: 'entry/add', entry: agentMessage('x', 'On the side') });
    await expect.poll(() => topOf(panel)).toBeLessThan(20);
    await question(panel).getByLabel('Field 13').focus();
    await panel.patch(
      { op: 'entry/replace', entry: tall({ state: 'accepted', body: { type: 'form', fields: [], canSubmit: true } }) },
      { op: 'panel/set', fields: { pendingQuestions: [] } },
    );
    await panel.patch({ op: 'entry/add', entry: agentMessage('y', 'Thank you.') });
    await expect
      .poll(() => panel.thread.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop))
      .toBeLessThan(2);
  });

  it('leaves a user who reads further up alone', async () => {
    const panel = await PanelPage.open({ height: 600 });
    await panel.show(threadView(chatter));
    await panel.thread.hover();
    await panel.page.mouse.wheel(0, -400);
    await expect
      .poll(() => panel.thread.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop))
      .toBeGreaterThan(100);
    await panel.rests();
    const before = await panel.thread.evaluate((e) => e.scrollTop);
    await panel.patch({ op: 'entry/add', entry: tall() }, { op: 'panel/set', fields: { pendingQuestions: [waiting] } });
    await panel.frames(5);
    expect(await panel.thread.evaluate((e) => e.scrollTop)).toBe(before);
    await panel.page.getByRole('button', { name: 'Show the request: A few details' }).click();
    await expect.poll(() => topOf(panel)).toBeLessThan(20);
  });
});

describe('a page', () => {
  it('165: shows host and whole address as text, and asks nobody for anything before consent', async () => {
    const panel = await PanelPage.open();
    const requests: string[] = [];
    panel.page.on('request', (request) => requests.push(request.url()));
    await panel.show(threadView([page('p', { message: 'Sign in there.' })]));
    const group = question(panel, 'Sign in to go on');
    await expect
      .poll(() => group.innerText())
      .toMatch(/example\.com\s+https:\/\/example\.com\/device\?code=AB12-CD34&state=0f8d1c/);
    await expect.poll(() => group.locator('a').count()).toBe(0);
    await group.getByRole('button', { name: 'Copy address' }).click();
    expect((await panel.nextPosted('code/copy')).text).toBe('https://example.com/device?code=AB12-CD34&state=0f8d1c');
    await expect.poll(() => panel.page.getByRole('status').allTextContents()).toContain('Copied');
    await (await ready(group, 'Open in Browser')).click();
    await expect.poll(() => panel.posted('elicitation/open')).toEqual([{ type: 'elicitation/open', requestId: 'r-p' }]);
    expect(requests.filter((url) => url.includes('example.com'))).toEqual([]);
  });

  it('165: waits once it is open, and can be opened again or let go', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([page('p')]));
    await panel.patch({ op: 'entry/replace', entry: page('p', { state: 'opened' }) });
    const group = question(panel, 'Sign in to go on');
    await group.getByText('Waiting for you to finish there.').waitFor();
    await group.getByRole('button', { name: 'Open Again' }).click();
    await group.getByRole('button', { name: 'Stop Waiting' }).click();
    await expect.poll(() => panel.posted('elicitation/open')).toHaveLength(1);
    await expect.poll(() => panel.posted('elicitation/cancel')).toHaveLength(1);
    await panel.patch({ op: 'entry/replace', entry: page('p', { state: 'completed' }) });
    await expect.poll(() => group.innerText()).toMatch(/Sign in to go on\s+Finished\s+example\.com/);
    await expect.poll(() => group.getByRole('button').count()).toBe(0);
  });

  it('165: says what could make one take the address for another', async () => {
    const panel = await PanelPage.open();
    const body = {
      type: 'page',
      url: 'https://github.com@evil.example/',
      host: 'evil.example',
      warnings: ['The address begins with a user name.'],
    } as const;
    await panel.show(threadView([page('p', { body })]));
    await question(panel, 'Sign in to go on').getByText('The address begins with a user name.').waitFor();
  });
});
