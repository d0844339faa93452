import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

async function show(text: string, width?: number): Promise<PanelPage> {
  const panel = await PanelPage.open({ height: 3000, ...(width === undefined ? {} : { width }) });
  await panel.show(threadView([agentMessage('a', text)]));
  await panel.frames();
  return panel;
}

/* Text is text: whatever formats nothing is on screen as it was written. */
describe('a tag that formats nothing', () => {
  const texts: readonly (readonly [name: string, text: string, shown?: readonly string[]])[] = [
    ['generics', 'It returns Promise<Map<string, User>> and <void>.'],
    [
      'XML on lines of its own',
      '<dependency>\n  <groupId>org.example</groupId>\n  <include>**/*.java</include>\n</dependency>',
    ],
    ['a component', '<UserCard name="Ann" onSelect={pick} />'],
    ['a component with others', '<Layout title="x">\n  <Slot/>\n</Layout>'],
    ['a component named like a tag of HTML', '<Table rows={rows} />\n\n<Details open />'],
    ['an element in a sentence', '<COMPANY>Adobe</COMPANY> was found in the text.'],
    ['placeholders', 'Replace <your-name> with yours, and <path/to/file> too.'],
    ['an include', '#include <stdio.h>'],
    ['HTML with a class and an event', '<div class="card" onclick="pick()">\n  Text\n</div>'],
    ['HTML that is a form', '<form action="/x">\n  <input name="q">\n</form>'],
    ['a component in a block that formats', '<div>\n<UserCard name="Ann" />\n</div>', ['<UserCard name="Ann" />']],
    ['a declaration', '<?xml version="1.0"?>\n<root/>'],
    ['a document type', '<!DOCTYPE html>'],
    ['a comment', '<!-- TODO: more -->\n\nand <!-- inline --> too'],
    ['CDATA', '<![CDATA[ a < b ]]>'],
    ['a script', '<script>\nlet a = 1;\n\nlet b = 2;\n</script>'],
    ['a tag in a list', '- <item id="1">one</item>\n- <Slot/>', ['<item id="1">one</item>', '<Slot/>']],
    ['a tag in a table', '| a |\n|---|\n| List<String> and <T> |', ['List<String> and <T>']],
    ['a level in a log', '[ERROR]: failed\n\n[INFO]: started'],
    ['an answer in tags', '<answer>\nSome **bold** words\n</answer>', ['<answer>', 'Some bold words', '</answer>']],
  ];

  it.each(
    texts.map(([name, text, shown]) => [name, text, shown ?? text.split('\n').filter((line) => line !== '')] as const),
  )('%s', async (_name, text, shown) => {
    const panel = await show(`Before.\n\n${text}\n\nAfter **bold**.`);
    const said = await panel.thread.innerText();
    for (const line of shown) expect(said).toContain(line);
    expect(await panel.thread.locator('p').last().innerText()).toBe('After bold.');
  });

  it('leaves those that format as they are', async () => {
    const panel = await show(
      '<details open>\n<summary>More</summary>\n<p align="center">Hidden <b>text</b> and List&lt;T&gt;</p>\n</details>\n\n<div align="center">\n<img src="a.png" width="20" alt="An image">\n</div>',
    );
    expect(await panel.thread.locator('details b').innerText()).toBe('text');
    expect((await panel.thread.innerText()).split('\n').filter((line) => line !== '')).toEqual(
      expect.arrayContaining(['More', 'Hidden text and List<T>', 'An image']),
    );
    expect(await panel.thread.innerText()).not.toMatch(/<(?:details|div|p|summary)/);
  });
});

it('words in Chinese, Japanese and Korean are bold without spaces around', async () => {
  const panel = await show(
    'これは**「設定」**の値です。\n\n请先**“保存文件”**再继续。\n\n**「甲」**なので**「乙」**です。\n\n값은 **`main`**입니다.',
  );
  expect(await panel.thread.locator('strong').allInnerTexts()).toEqual([
    '「設定」',
    '“保存文件”',
    '「甲」',
    '「乙」',
    'main',
  ]);
  expect(await panel.thread.innerText()).not.toContain('*');
});

it('a Markdown file in a fence of three is one block, and tabs in code are four wide', async () => {
  const panel = await show(
    '```markdown\n## Title\n\n```bash\nnpm i\n```\n\nEnd of it.\n```\n\nAFTER **bold**\n\n```go\n\tif true {\n```',
  );
  expect(await panel.thread.locator('.code-block').count()).toBe(2);
  expect(await panel.thread.locator('strong').innerText()).toBe('bold');
  expect(
    await panel.thread
      .locator('.code-block pre')
      .last()
      .evaluate((e) => getComputedStyle(e).tabSize),
  ).toBe('4');
});

describe('a text that runs from the right', () => {
  it.each([
    ['a paragraph', 'هذا شرح عن الاختبار في الملف `src/app.ts` ثم نعيد التشغيل.', 'p', true],
    ['one that begins with a name', 'API هذا شرح عن الواجهة وكيف تعمل في المشروع.', 'p', true],
    ['one that begins with a path', 'src/app.ts הקובץ הזה עודכן', 'p', true],
    ['one that begins with code', '`npm test` מריץ את הבדיקות', 'p', true],
    ['a list', '- פקודת git rebase משנה את ההיסטוריה.\n- README.md עודכן.', 'ul', true],
    ['a numbered list', '1. שלב ראשון: להריץ `npm test`.\n2. שלב שני.', 'ol', true],
    ['a heading', '## כותרת', 'h2', true],
    ['a quote', '> ציטוט קצר', 'blockquote', true],
    ['a table', '| שם | ערך |\n|---|---|\n| אחד | 1 |', 'table', true],
    ['English with a word of it', 'The word שלום means peace.', 'p', false],
    ['English', 'A text.', 'p', false],
  ])('%s', async (_name, text, what, isRightToLeft) => {
    const panel = await show(text);
    expect(await panel.thread.locator(what).evaluate((e) => getComputedStyle(e).direction)).toBe(
      isRightToLeft ? 'rtl' : 'ltr',
    );
  });

  it('has the markers of a list on the right, and code and paths from the left', async () => {
    const panel = await show(
      '- הקובץ README.md עודכן ב `src/app.ts:3`\n\n  ```js\n  const שלום = 1; // הערה ארוכה\n  ```',
    );
    expect(
      await panel.thread
        .locator('ul')
        .evaluate((e) => [getComputedStyle(e).paddingRight, getComputedStyle(e).paddingLeft]),
    ).toEqual(['22px', '0px']);
    for (const code of ['li code', '.code-block pre'])
      expect(
        await panel.thread
          .locator(code)
          .first()
          .evaluate((e) => getComputedStyle(e).direction),
      ).toBe('ltr');
    await expect.poll(() => panel.thread.locator('.code-block bdi').allInnerTexts()).toEqual(['שלום', 'הערה ארוכה']);
    expect(await panel.thread.locator('.code-block code').innerText()).toBe('const שלום = 1; // הערה ארוכה');
  });
});

it('the first line of code without a language is not covered by buttons that nobody sees', async () => {
  const panel = await show(
    '```\nError: the first line of an error, which is long enough to reach the end of the row\n```',
    300,
  );
  const bar = panel.thread.locator('.code-bar');
  await panel.page.mouse.move(5, 1000);
  expect(await bar.evaluate((e) => getComputedStyle(e).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
  await panel.thread.locator('.code-block').hover();
  await expect.poll(() => bar.evaluate((e) => getComputedStyle(e).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
});

describe('reasoning in tags', () => {
  const text = '<think>\nFirst **this**,\n\nthen `that`.\n</think>\n\nThe **answer**.';

  it('is a thought, as it comes and at once', async () => {
    for (const step of [4, text.length]) {
      const panel = await PanelPage.open();
      await panel.show(threadView([agentMessage('a', '', true)]));
      for (let at = 0; at < text.length; at += step)
        await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: text.slice(at, at + step) });
      await panel.patch({ op: 'entry/replace', entry: agentMessage('a', text) });
      await expect.poll(() => panel.thread.locator('.agent-message').innerText()).toMatch(/^Thought\s+The answer\.$/);
      await panel.thread.getByText('Thought', { exact: true }).click();
      await expect.poll(() => panel.thread.locator('strong').allInnerTexts()).toEqual(['this', 'answer']);
      expect(await panel.thread.innerText()).not.toContain('<');
    }
  });

  it('is a thought also where only its end says so', async () => {
    const late = text.replace('<think>\n', '');
    for (const step of [4, late.length]) {
      const panel = await PanelPage.open();
      await panel.show(threadView([agentMessage('a', '', true)]));
      for (let at = 0; at < late.length; at += step)
        await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: late.slice(at, at + step) });
      await panel.patch({ op: 'entry/replace', entry: agentMessage('a', late) });
      await expect.poll(() => panel.thread.locator('.agent-message').innerText()).toMatch(/^Thought\s+The answer\.$/);
      expect(await panel.thread.locator('.thinking-text').count()).toBe(1);
    }
  });

  it('without an end is in view', async () => {
    const panel = await show('<think>All that was said');
    await expect.poll(() => panel.thread.innerText()).toContain('All that was said');
  });
});
