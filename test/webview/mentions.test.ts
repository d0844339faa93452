import { describe, expect, it } from 'vitest';
import { decodeFromWebview } from '../../src/protocol/fromWebview';
import { maxMentions } from '../../src/protocol/messages';
import { PanelPage, useHarness } from './panelPage';
import { threadView } from './views.mjs';

useHarness();

const files = [
  { path: '/work/src/tokenizer.ts', name: 'tokenizer.ts', folder: 'src', isFolder: false },
  { path: '/work/test/tokenizer.ts', name: 'tokenizer.ts', folder: 'test', isFolder: false },
  { path: '/work/src', name: 'src', folder: '', isFolder: true },
];

async function answerFiles(panel: PanelPage, found = files): Promise<void> {
  await expect.poll(async () => (await panel.posted('files/query')).length).toBeGreaterThan(0);
  const { queryId } = (await panel.posted('files/query')).at(-1)!;
  await panel.send({ type: 'files/found', queryId, files: found });
  await panel.page.getByRole('option').first().waitFor();
}

describe('file mentions', () => {
  it('are not offered any more after Escape, nor what does not fit what was typed since', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('@tok');
    await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe('tok');
    await answerFiles(panel);
    const options = panel.page.getByRole('option');
    expect(await options.count()).toBe(3);
    await panel.box.pressSequentially('q');
    // Until the host answers, Enter can take none that does not fit.
    await expect.poll(() => options.count()).toBe(0);
    await panel.page.getByText('Searching…').waitFor();
    await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe('tokq');
    const { queryId } = (await panel.posted('files/query')).at(-1)!;
    await panel.box.press('Escape');
    await expect.poll(() => panel.page.getByText('Searching…').count()).toBe(0);
    await panel.send({ type: 'files/found', queryId, files });
    await panel.frames();
    expect(await options.count()).toBe(0);
  });

  it('complete through the host and become chips that are sent', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('fix @tok');
    await panel.page.getByText('Searching…').waitFor();
    // Letters are typed one by one; only the answer to the latest question counts.
    await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe('tok');
    await answerFiles(panel);
    await panel.box.press('Enter');
    await expect.poll(() => panel.box.inputValue()).toBe('fix @tokenizer.ts ');
    await panel.box.pressSequentially('and @tok');
    await panel.page.getByText('Searching…').waitFor();
    await expect
      .poll(async () => (await panel.posted('files/query')).filter(({ text }) => text === 'tok').length)
      .toBe(2);
    await answerFiles(panel);
    await panel.page.getByRole('option').nth(1).click();
    await expect.poll(() => panel.box.inputValue()).toBe('fix @tokenizer.ts and @test/tokenizer.ts ');
    await panel.box.press('Enter');
    expect(await panel.posted('prompt/submit')).toEqual([
      {
        type: 'prompt/submit',
        text: 'fix @tokenizer.ts and @test/tokenizer.ts ',
        mentions: [
          { token: '@tokenizer.ts', path: '/work/src/tokenizer.ts', label: 'src/tokenizer.ts' },
          { token: '@test/tokenizer.ts', path: '/work/test/tokenizer.ts', label: 'test/tokenizer.ts' },
        ],
        attachments: [],
      },
    ]);
    await expect.poll(() => panel.page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('keep the lines that are typed after a name, which the chip shows', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('fix @tok:10-20');
    await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe('tok');
    await answerFiles(panel);
    await panel.box.press('Enter');
    await expect.poll(() => panel.box.inputValue()).toBe('fix @tokenizer.ts:10-20 ');
    await panel.page.getByRole('button', { name: 'Open tokenizer.ts:10-20' }).waitFor();
    await panel.box.fill('fix @tokenizer.ts');
    await panel.page.getByRole('button', { name: 'Open tokenizer.ts', exact: true }).waitFor();
  });

  it('stand in groups with all other context, which the arrows reach', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('@');
    await answerFiles(panel);
    await expect
      .poll(() => panel.page.locator('.completion-group').allTextContents())
      .toEqual(['Files', 'Code', 'Git', 'Terminal and sessions']);
    await panel.box.press('ArrowUp');
    await panel.box.press('Enter');
    await expect.poll(() => panel.posted('context/add')).toEqual([{ type: 'context/add', source: 'session' }]);
    await panel.box.pressSequentially('@cmt');
    await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe('cmt');
    await panel.send({ type: 'files/found', queryId: (await panel.posted('files/query')).at(-1)!.queryId, files: [] });
    await panel.page.getByRole('option', { name: /@commit/ }).click();
    await expect.poll(async () => (await panel.posted('context/add')).at(-1)?.source).toBe('commit');
    expect(await panel.box.inputValue()).toBe('');
  });

  it('take an Enter that came before they were found; where none are, the message is sent', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    const answer = async (text: string, found: typeof files) => {
      await expect.poll(async () => (await panel.posted('files/query')).at(-1)?.text).toBe(text);
      await panel.send({
        type: 'files/found',
        queryId: (await panel.posted('files/query')).at(-1)!.queryId,
        files: found,
      });
    };
    await panel.box.pressSequentially('fix @tok');
    await panel.box.press('Enter');
    await answer('tok', files);
    await expect.poll(() => panel.box.inputValue()).toBe('fix @tokenizer.ts ');
    expect(await panel.posted('prompt/submit')).toEqual([]);
    await panel.box.pressSequentially('for @zoe');
    await panel.box.press('Enter');
    await answer('zoe', []);
    await expect
      .poll(async () => (await panel.posted('prompt/submit')).map(({ text }) => text))
      .toEqual(['fix @tokenizer.ts for @zoe']);
    await expect.poll(() => panel.box.inputValue()).toBe('');
    // Whoever types on has changed their mind.
    await panel.box.pressSequentially('@tok');
    await panel.box.press('Enter');
    await panel.box.pressSequentially(' en');
    await panel.frames();
    expect(await panel.box.inputValue()).toBe('@tok en');
    expect(await panel.posted('prompt/submit')).toHaveLength(1);
  });

  it('use only the answer to the latest question', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    // Keys that come slowly are a question each.
    const asked = async () => (await panel.posted('files/query')).at(-1)!;
    await panel.box.pressSequentially('@a');
    await expect.poll(async () => (await asked()).text).toBe('a');
    const first = await asked();
    await panel.box.pressSequentially('b');
    await expect.poll(async () => (await asked()).text).toBe('ab');
    const second = await asked();
    await panel.send({ type: 'files/found', queryId: second.queryId, files: [files[2]!] });
    await panel.send({ type: 'files/found', queryId: first.queryId, files: [files[0]!] });
    await panel.frames();
    await expect.poll(() => panel.page.getByRole('option').allInnerTexts()).toEqual(['src']);
    await panel.box.press('Tab');
    await panel.box.pressSequentially('@zz');
    await expect.poll(async () => (await asked()).text).toBe('zz');
    await panel.send({ type: 'files/found', queryId: (await asked()).queryId, files: [] });
    await panel.page.locator('.completion-note', { hasText: 'No files found' }).waitFor();
    await panel.box.press('Escape');
    await expect.poll(() => panel.page.locator('.completion-note', { hasText: 'No files found' }).count()).toBe(0);
  });

  it('leave with their token, and take it along', async () => {
    const panel = await PanelPage.open();
    const mentions = [
      { token: '@a.ts', path: '/a.ts', label: 'a.ts' },
      { token: '@b.ts', path: '/b.ts', label: 'b.ts' },
    ];
    await panel.show(threadView(), { draft: 'see @a.ts and @b.ts', mentions });
    const chip = (name: string) => panel.page.getByRole('button', { name: `Remove ${name}` });
    await panel.page.getByRole('button', { name: 'Open a.ts' }).click();
    expect((await panel.nextPosted('location/open')).path).toMatch(/a\.ts$/);
    await panel.box.press('End');
    await panel.box.press('Backspace');
    await chip('b.ts').waitFor({ state: 'detached' });
    await chip('a.ts').focus();
    await panel.page.keyboard.press('Backspace');
    await chip('a.ts').waitFor({ state: 'detached' });
    await expect.poll(() => panel.box.inputValue()).toBe('see and @b.t');
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
  });
});

describe('a message that names more files than can be sent', () => {
  it('stays in the box and says why; its draft is kept all the same', async () => {
    const panel = await PanelPage.open();
    const mentions = Array.from({ length: maxMentions + 1 }, (_, i) => ({
      token: `@f${i}`,
      path: `/work/f${i}`,
      label: `f${i}`,
    }));
    const draft = mentions.map(({ token }) => token).join(' ');
    await panel.show(threadView(), { draft, mentions });
    await panel.box.press('Enter');
    await panel.page.getByText('A message can name at most 200 files with @. Remove some of them.').waitFor();
    expect(await panel.posted('prompt/submit')).toEqual([]);
    expect(await panel.box.inputValue()).toBe(draft);
    await panel.box.press('End');
    await panel.box.pressSequentially(' please');
    const told = await panel.nextPosted('ui/changed');
    expect(decodeFromWebview(told)).toMatchObject({ ui: { draft: expect.stringContaining(draft) } });
    // A mention goes with its name.
    await panel.box.fill(draft.slice(0, draft.lastIndexOf(' ')));
    await panel.box.press('Enter');
    expect((await panel.nextPosted('prompt/submit')).mentions).toHaveLength(maxMentions);
  });
});
