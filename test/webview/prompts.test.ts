import { describe, expect, it } from 'vitest';
import { axe, runAxe } from './axe';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, form, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const answer = Array.from({ length: 60 }, (_, i) => `Paragraph ${i} of the answer.`).join('\n\n');
/** Loaded once the panel is there. */
const isLoaded = (panel: PanelPage) => panel.page.locator('.prompt-head').waitFor({ state: 'attached' });
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    userMessage(`u${i}`, `Question ${i}`),
    agentMessage(`a${i}`, answer),
  ]).flat();
const head = (panel: PanelPage) => panel.page.locator('.prompt-head');
const line = (panel: PanelPage) => panel.page.locator('.prompt-head-line');
const problems = async (panel: PanelPage) => {
  await panel.page.evaluate(axe);
  return panel.page.evaluate(runAxe, false);
};
const scrollTo = (panel: PanelPage, id: string, by: number) =>
  panel.page.evaluate(
    ([entry, offset]) => {
      const thread = document.querySelector('.thread')!;
      thread.scrollTop +=
        document.querySelector(`[data-entry="${entry}"]`)!.getBoundingClientRect().top -
        thread.getBoundingClientRect().top +
        Number(offset);
    },
    [id, by] as const,
  );

describe('the prompt whose answer is in view', () => {
  it('is one line over the conversation, which moves nothing, and leads to the prompt', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        userMessage('u', `Explain this.\n\n${'And with many more words. '.repeat(40)}`),
        agentMessage('a', answer),
        userMessage('v', '**Second** `one`'),
        agentMessage('b', answer),
      ]),
    );
    await expect.poll(() => head(panel).innerText()).toBe('Second one');
    expect(await line(panel).evaluate((e) => e.getBoundingClientRect().height)).toBe(28);
    expect(await head(panel).evaluate((e) => e.getBoundingClientRect().height)).toBe(0);
    await scrollTo(panel, 'v', -100);
    await expect.poll(() => head(panel).innerText()).toMatch(/^Explain this\. And with many more words\./);
    await scrollTo(panel, 'v', -10);
    await expect.poll(() => line(panel).isVisible()).toBe(false);
    await scrollTo(panel, 'a', 300);
    await line(panel).waitFor();
    // A click with the mouse would scroll first, and so hide what is to be clicked.
    await head(panel).getByText('Explain this.').dispatchEvent('click');
    await expect
      .poll(() => panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset['entry']))
      .toBe('u');
    await expect.poll(() => line(panel).isVisible()).toBe(false);
    expect(
      await panel.page
        .locator('[data-entry=u]')
        .evaluate(
          (e) => e.getBoundingClientRect().top - document.querySelector('.thread')!.getBoundingClientRect().top,
        ),
    ).toBeCloseTo(4, -1);
  });

  it('is found in a thread of any length, also where its answer is longer than what is drawn', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        ...turns(2),
        userMessage('long', 'Do it all'),
        ...Array.from({ length: 3_000 }, (_, i) => toolCall(`c${i}`, { status: 'failed' })),
      ]),
    );
    await expect.poll(() => head(panel).innerText()).toBe('Do it all');
    await panel.thread.focus();
    await panel.page.keyboard.press('Control+Home');
    await expect.poll(() => line(panel).isVisible()).toBe(false);
  });

  it('takes no focus from a user who types elsewhere when it goes because an agent asks', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        userMessage('u', 'Do it'),
        ...Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Text ${i}`)),
      ]),
    );
    await line(panel).getByRole('button').first().focus();
    const taken = await panel.leave();
    await panel.patch(
      { op: 'entry/add', entry: form('f', []) },
      {
        op: 'panel/set',
        fields: {
          pendingQuestions: [
            { requestId: 'r-f', entryId: 'f', kind: 'elicitation', title: 'A few details', askedAt: 0 },
          ],
        },
      },
    );
    await line(panel).waitFor({ state: 'hidden' });
    expect(await taken()).toBe(0);
  });

  it('covers nothing that the keyboard goes to', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        userMessage('u', 'Do it'),
        ...Array.from({ length: 40 }, (_, i) => [
          toolCall(`c${i}`, { title: `Call ${i}` }),
          agentMessage(`m${i}`, `Text ${i}`),
        ]).flat(),
      ]),
    );
    await line(panel).waitFor();
    await panel.page.getByRole('button', { name: 'Call 39' }).focus();
    for (let i = 38; i > 5; i--) {
      await panel.page
        .getByRole('button', { name: `Call ${i}`, exact: false })
        .first()
        .waitFor({ state: 'attached' });
      await panel.page.keyboard.press('Shift+Tab');
      const below = await panel.page.evaluate(
        () =>
          document.activeElement!.getBoundingClientRect().top -
          document.querySelector('.prompt-head-line')!.getBoundingClientRect().bottom,
      );
      expect(below).toBeGreaterThanOrEqual(0);
    }
  });

  it('says nothing twice to a screen reader, and lists all prompts', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(turns(3)));
    await line(panel).waitFor();
    expect(await panel.thread.getByRole('button', { name: 'Question 2' }).count()).toBe(0);
    expect(await problems(panel)).toEqual([]);
    const list = head(panel).getByRole('button', { name: 'Go to Prompt…' });
    const scrollTop = () => panel.thread.evaluate((e) => e.scrollTop);
    const before = await scrollTop();
    await panel.thread.focus();
    await panel.page.keyboard.press('Tab');
    expect(await list.evaluate((e) => e === document.activeElement)).toBe(true);
    await panel.frames(3);
    expect(await scrollTop()).toBe(before);
    await list.click();
    await panel.nextPosted('prompt/pick');
    await panel.send({ type: 'entry/reveal', entryId: 'u0' });
    await expect
      .poll(() => panel.page.evaluate(() => (document.activeElement as HTMLElement).dataset['entry']))
      .toBe('u0');
  });

  it('is not what is copied, and follows a prompt that is told piece by piece', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', 'Tell'), agentMessage('a', answer)]));
    await expect.poll(() => head(panel).innerText()).toBe('Tell');
    await panel.patch({ op: 'entry/appendText', id: 'u', part: 0, text: ' me' });
    await expect.poll(() => head(panel).innerText()).toBe('Tell me');
    await panel.thread.focus();
    await panel.page.keyboard.press('Control+a');
    expect(
      await panel.page.evaluate(
        () =>
          getSelection()!
            .toString()
            .match(/Tell me/g)?.length,
      ),
    ).toBe(1);
  });
});

describe('the name of a symbol in an answer', () => {
  it('is a link while Ctrl is held, and nothing is asked before', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([agentMessage('a', 'See `parseExpr`, `Foo.bar()` and `npm test`.\n\n```\nparseExpr\n```\n')]),
    );
    await isLoaded(panel);
    const code = panel.page.locator('p code', { hasText: 'parseExpr' });
    await code.hover();
    expect(await code.evaluate((e) => getComputedStyle(e).textDecorationLine)).toBe('none');
    await code.click();
    await panel.page.keyboard.down('Control');
    await expect.poll(() => code.evaluate((e) => getComputedStyle(e).textDecorationLine)).toBe('underline');
    await code.click();
    await panel.page.locator('code', { hasText: 'npm test' }).click();
    await panel.page.locator('pre').click();
    await panel.page.keyboard.up('Control');
    await expect.poll(() => code.evaluate((e) => getComputedStyle(e).textDecorationLine)).toBe('none');
    expect(await panel.posted('symbol/open')).toEqual([{ type: 'symbol/open', names: ['parseExpr'] }]);
  });

  it('is offered with the others in view by F12', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        agentMessage('old', '`farAway`'),
        agentMessage('x', answer),
        agentMessage('a', 'See `parseExpr`, `Foo.bar()`, `parseExpr` and `npm test`.'),
      ]),
    );
    await isLoaded(panel);
    await panel.thread.focus();
    await panel.page.keyboard.press('F12');
    expect(await panel.nextPosted('symbol/open')).toEqual({ type: 'symbol/open', names: ['parseExpr', 'Foo.bar()'] });
  });
});

describe('a path in the title of a call', () => {
  it('is a link beside the button of the line, if there is such a file', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        toolCall('c', { title: 'Read src/a.ts:12', input: '{}' }),
        toolCall('d', { title: 'Read src/none.ts:3', status: 'failed', output: 'No such file' }),
      ]),
    );
    const { paths } = await panel.nextPosted('paths/query');
    expect(paths).toEqual(['src/a.ts', 'src/none.ts']);
    const line = panel.page.getByRole('button', { name: 'Read src/a.ts:12' });
    await line.focus();
    await panel.send({ type: 'paths/found', paths, existing: ['src/a.ts'] });
    const link = panel.page.getByRole('link', { name: 'src/a.ts:12' });
    await link.waitFor();
    expect(await panel.page.getByRole('link').count()).toBe(1);
    // The keyboard stays on the line, which the answer has drawn anew.
    expect(await line.evaluate((e) => e === document.activeElement)).toBe(true);
    await link.click();
    expect(await panel.nextPosted('location/open')).toEqual({ type: 'location/open', path: 'src/a.ts', line: 12 });
    expect(await line.getAttribute('aria-expanded')).toBe('false');
    await panel.page.locator('[data-entry=c] .end').click();
    await expect.poll(() => line.getAttribute('aria-expanded')).toBe('true');
    await line.focus();
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => line.getAttribute('aria-expanded')).toBe('false');
    await panel.page.keyboard.press('Tab');
    expect(await link.evaluate((e) => e === document.activeElement)).toBe(true);
    expect(await problems(panel)).toEqual([]);
  });
});
