import { describe, expect, it } from 'vitest';
import { finalHtml, read } from './markdownPages';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView } from './views.mjs';

useHarness();

describe('Markdown', () => {
  it('shows each kind of block', async () => {
    const panel = await PanelPage.open({ height: 3000 });
    await panel.show(threadView([agentMessage('a', read('kitchen-sink'))]));
    await finalHtml(panel);
    const { thread } = panel;
    await expect.poll(() => thread.locator('h1').allInnerTexts()).toEqual(['Kitchen sink', 'Setext heading']);
    expect(await thread.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('title')))).toEqual([
      'Title (https://example.com)',
      'https://example.org',
      'https://example.net/path?x=1&y=2',
      'https://example.com/one',
      'src/file.ts:12',
      'https://example.com/three',
    ]);
    await expect.poll(() => thread.locator('table td.align-right').first().innerText()).toBe('c');
    await expect.poll(() => thread.getByRole('checkbox', { name: 'Done' }).isChecked()).toBe(true);
    await expect.poll(() => thread.locator('kbd').allInnerTexts()).toEqual(['Ctrl', 'C']);
    await expect.poll(() => thread.getByText('©').innerText()).toContain('© ✓ &.');
    await expect.poll(() => thread.innerText()).toContain('<Component prop="x"> as text');
    await expect.poll(() => thread.locator('.hl-keyword').first().innerText()).toBe('const');
  });

  it('uses a definition that comes after its references', async () => {
    const panel = await PanelPage.open();
    const text = `See [the docs].\n\n${'Filler paragraph.\n\n'.repeat(20)}`;
    await panel.show(threadView([agentMessage('a', text, true)]));
    await expect.poll(() => panel.thread.getByRole('link').count()).toBe(0);
    await panel.patch({
      op: 'entry/replace',
      entry: agentMessage('a', `${text}[the docs]: https://example.com/docs\n`),
    });
    await expect.poll(() => panel.thread.getByRole('link', { name: 'the docs' }).count()).toBe(1);
  });

  it('gives code to the host for copying and inserting, with nothing added or lost', async () => {
    const panel = await PanelPage.open();
    const code = 'if (a < b && c) {\n\tprint("x");\n}';
    await panel.show(threadView([agentMessage('a', `\`\`\`js\n${code}\n\`\`\``)]));
    await expect.poll(() => panel.page.locator('.hl-string').count()).toBe(1);
    await panel.page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => panel.page.getByRole('status').allTextContents()).toContain('Copied');
    await panel.page.getByRole('button', { name: 'Insert at Cursor' }).click();
    await expect.poll(() => panel.posted('code/copy')).toEqual([{ type: 'code/copy', text: code }]);
    await expect.poll(() => panel.posted('code/insert')).toEqual([{ type: 'code/insert', text: code }]);
  });

  it('opens code as a new file, saves it, wraps its lines, and numbers many, which no copy has', async () => {
    const panel = await PanelPage.open({ width: 300 });
    const code = Array.from({ length: 14 }, (_, i) => `const aRatherLongName${i} = 'and a long text';`).join('\n');
    await panel.show(threadView([agentMessage('a', `\`\`\`ts src/names.ts\n${code.slice(0, 100)}`, true)]));
    const numbers = () => panel.page.locator('.code-piece').evaluate((e) => getComputedStyle(e, '::before').content);
    expect(await numbers()).toBe('none');
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: `${code.slice(100)}\n\`\`\`\n` });
    await expect.poll(async () => (await numbers()).replaceAll('\n', '\\a ')).toContain('13\\a 14');
    const pre = panel.page.locator('pre');
    expect(await pre.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true);
    const wrap = panel.page.getByRole('button', { name: 'Word Wrap' });
    await wrap.focus();
    await expect.poll(() => wrap.evaluate((e) => getComputedStyle(e).opacity)).toBe('1');
    await panel.page.keyboard.press('Enter');
    await expect.poll(() => pre.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(false);
    await expect.poll(() => wrap.getAttribute('aria-pressed')).toBe('true');
    await panel.page.getByRole('button', { name: 'New File' }).click();
    await expect
      .poll(() => panel.posted('code/newFile'))
      .toEqual([{ type: 'code/newFile', text: code, language: 'ts' }]);
    await panel.page.getByRole('button', { name: 'Save As…' }).click();
    await expect
      .poll(() => panel.posted('code/save'))
      .toEqual([{ type: 'code/save', text: code, info: 'ts src/names.ts' }]);
    await panel.page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector('.code-block pre')!));
    expect(await panel.page.evaluate(() => getSelection()!.toString())).toBe(code);
  });

  it('folds what is in <details>, also after a blank line', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        agentMessage(
          'a',
          '<details><summary>More</summary>\n\nInside **it**\n\n```sh\nnpm test\n```\n\n</details>\n\nAfter',
        ),
      ]),
    );
    const inside = panel.thread.getByText('Inside it');
    await panel.thread.getByText('After').waitFor();
    expect(await inside.isVisible()).toBe(false);
    await panel.thread.getByText('More').click();
    await inside.waitFor();
    await panel.thread.getByText('npm test').waitFor();
  });

  it('draws a patch without a block of code as a diff, between what is said before and after', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([agentMessage('a', 'Before\n*** Begin Patch\n*** Update File: x\n-a\n+b\n*** End Patch\nAfter')]),
    );
    await expect.poll(() => panel.page.locator('.patch-line.add').allTextContents()).toEqual(['+b\n']);
    await expect.poll(() => panel.thread.locator('p').allInnerTexts()).toEqual(['Before', 'After']);
  });

  it('draws a patch as a diff, and copies it as it is', async () => {
    const panel = await PanelPage.open();
    const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new';
    await panel.show(
      threadView([
        agentMessage(
          'a',
          `\`\`\`diff\n${patch}\n\`\`\`\n\n\`\`\`\n*** Begin Patch\n*** Update File: x\n-a\n--- note\n+b\n*** End Patch\n\`\`\``,
        ),
      ]),
    );
    await expect.poll(() => panel.page.locator('.patch-line.add').allTextContents()).toEqual(['+new', '+b\n']);
    await expect
      .poll(() => panel.page.locator('.patch-line.remove').allTextContents())
      .toEqual(['-old\n', '-a\n', '--- note\n']);
    await panel.page.getByRole('button', { name: 'Copy' }).first().click();
    await expect.poll(() => panel.posted('code/copy')).toEqual([{ type: 'code/copy', text: patch }]);
  });

  it('draws a patch without a name like the diff of a card: numbers, words that differ, colours, and no @@ rows', async () => {
    const panel = await PanelPage.open();
    const patch = [
      '--- a/x.ts',
      '+++ b/x.ts',
      '@@ -9,4 +9,4 @@ function f()',
      ' const a = 1;',
      '-const total = sum(a);',
      '\\ No newline at end of file',
      '+const total = sumOf(a);',
      '--- not a heading',
      '+++ neither',
      ` return a;${' '.repeat(100)}// end`,
      '@@ -1998 +1998,2 @@',
      ' last',
      '+new',
    ].join('\n');
    await panel.show(threadView([agentMessage('a', `\`\`\`\n${patch}\n\`\`\``)]));
    const rows = panel.page.locator('.patch-line');
    await expect
      .poll(() =>
        rows.evaluateAll((all) =>
          all.map((row) =>
            `${row.getAttribute('data-line') ?? ''} ${row.className.replace('patch-line', '').trim()}`.trim(),
          ),
        ),
      )
      .toEqual([
        'head',
        'head',
        'head',
        '9',
        '10 remove',
        '',
        '10 add',
        '11 remove',
        '11 add',
        '12',
        'gap',
        '1998',
        '1999 add',
      ]);
    await expect.poll(() => panel.page.locator('.diff-word').allTextContents()).toEqual(['sum', 'sumOf']);
    await expect
      .poll(() => panel.page.locator('.patch-line .hl-keyword').allTextContents())
      .toEqual(['const', 'const', 'const', 'return', 'new']);
    expect(await panel.page.locator('code').textContent()).toBe(patch);
    await expect.poll(() => rows.nth(10).evaluate((row) => row.getBoundingClientRect().height)).toBe(1);
    // What follows the numbers of lines can be read.
    expect(await rows.nth(2).innerText()).toContain('function f()');
    expect(await rows.nth(2).evaluate((row) => row.getBoundingClientRect().height)).toBeGreaterThan(12);
  });

  it('opens links and files through the host only', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([
        agentMessage(
          'a',
          '[web](https://example.com/a) [mail](mailto:a@example.com) [file](src/a.ts:12) [uri](file:///work/b%20c.ts#L3) [abs](/work/c.ts) [win](C:\\\\d\\\\e.ts:7)',
        ),
      ]),
    );
    for (const name of ['web', 'mail', 'file', 'uri', 'abs', 'win'])
      await panel.thread.getByRole('link', { name }).click();
    await expect
      .poll(() => panel.posted('link/open'))
      .toEqual([
        { type: 'link/open', href: 'https://example.com/a' },
        { type: 'link/open', href: 'mailto:a@example.com' },
      ]);
    expect(await panel.posted('location/open')).toEqual([
      { type: 'location/open', path: 'src/a.ts', line: 12 },
      { type: 'location/open', path: '/work/b c.ts', line: 3 },
      { type: 'location/open', path: '/work/c.ts' },
      { type: 'location/open', path: 'C:\\d\\e.ts', line: 7 },
    ]);
    expect(panel.page.url()).toMatch(/^http:\/\/127\.0\.0\.1/);
  });

  it('keeps far text findable as plain text, and formats it when it comes near', async () => {
    const panel = await PanelPage.open();
    const text = Array.from(
      { length: 400 },
      (_, i) => `Paragraph **number ${i}** of a long answer that goes on for some time.\n\n`,
    ).join('');
    await panel.show(threadView([agentMessage('a', text)]));
    const first = panel.page.locator('.md-page').first();
    await expect
      .poll(() => first.evaluate((e) => e.classList.contains('plain') && e.textContent!.includes('**number 0**')))
      .toBe(true);
    await panel.thread.evaluate((e) => e.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 })));
    await panel.thread.evaluate((e) => {
      e.scrollTop = 0;
    });
    await panel.page.locator('strong', { hasText: /^number 0$/ }).waitFor();
  });

  it('keeps a selection in what is already said while more is said', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', 'First words and then', true)]));
    await panel.page.evaluate(() => {
      const text = document.querySelector('.agent-message p')!.firstChild!;
      getSelection()!.setBaseAndExtent(text, 0, text, 11);
    });
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: ' some **more**' });
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: ' words.\n\nNext' });
    await expect.poll(() => panel.page.evaluate(() => getSelection()!.toString())).toBe('First words');
  });
});

describe('what models write', () => {
  async function shown(text: string, options: Parameters<typeof PanelPage.open>[0] = {}): Promise<PanelPage> {
    const panel = await PanelPage.open({ height: 3000, ...options });
    await panel.show(threadView([agentMessage('a', text)]));
    await finalHtml(panel);
    return panel;
  }

  it('shows alerts with their kind, and quotes as quotes', async () => {
    const panel = await shown(read('what-models-write'));
    expect(
      await panel.page
        .locator('.alert')
        .evaluateAll((all) =>
          all.map((e) => [e.className, (e as HTMLElement).innerText.split('\n').filter(Boolean).join('|')]),
        ),
    ).toEqual([
      ['alert alert-note', 'Note|The tokenizer keeps state.'],
      ['alert alert-warning', 'Warning|Two paragraphs.|and a list'],
      ['alert alert-tip', 'Tip|lower case'],
    ]);
    expect(await panel.page.locator('blockquote').innerText()).toBe('[!CAUTION] not alone in its line');
  });

  it('leads from a footnote to its text and back, with the keyboard too', async () => {
    const panel = await shown(read('what-models-write'));
    expect(await panel.page.locator('.footnote-reference').allInnerTexts()).toEqual(['1', 'long', '1', 'long']);
    await expect.poll(() => panel.thread.innerText()).toContain('[^nobody]');
    await panel.page.getByRole('link', { name: 'Footnote long' }).first().focus();
    await panel.page.keyboard.press('Enter');
    const back = panel.page.getByRole('link', { name: 'Back to footnote reference long' });
    await expect.poll(() => back.evaluate((e) => e === document.activeElement)).toBe(true);
    await expect
      .poll(() => panel.page.locator('.footnote').last().innerText())
      .toMatch(/A longer note\.\s+With a second paragraph\./);
    await back.click();
    await expect
      .poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Footnote long');
    expect(await panel.posted('location/open')).toEqual([]);
  });

  it('draws formulas as MathML, leaves prices alone, and shows the source of what is wrong', async () => {
    const panel = await shown(read('what-models-write'));
    expect(await panel.page.locator('math').count()).toBe(6);
    expect(await panel.page.locator('.math.display math').count()).toBe(3);
    expect(await panel.page.locator('.math > code').allInnerTexts()).toEqual(['\\frac{1', '\\nosuchcommand{x}']);
    await expect
      .poll(() => panel.thread.innerText())
      .toContain('prices of $5 and $6, or US$5 million (about 4$), $x$, $7$, $HOME/$USER and $5.');
    await expect.poll(() => panel.thread.innerText()).toContain('and [ a box ] and (an aside).');
    expect(await panel.page.locator('sub').allInnerTexts()).toEqual(['2']);
    expect(await panel.page.locator('del').allInnerTexts()).toEqual(['HO']);
  });

  it('scrolls a wide table in its own box, and fades where it is cut', async () => {
    const panel = await shown(read('what-models-write'), { width: 300 });
    const table = panel.page.locator('.table');
    expect(await panel.thread.evaluate((e) => e.scrollWidth - e.clientWidth)).toBe(0);
    expect(await table.evaluate((e) => e.scrollWidth > e.clientWidth)).toBe(true);
    const cuts = () =>
      table.evaluate((e) => ['--cut-start', '--cut-end'].map((name) => getComputedStyle(e).getPropertyValue(name)));
    await expect.poll(cuts).toEqual(['0px', '28px']);
    await table.evaluate((e) => {
      e.scrollLeft = e.scrollWidth;
    });
    await expect.poll(cuts).toEqual(['28px', '0px']);
    await panel.show(threadView([agentMessage('a', '| a | b |\n|---|---|\n| c | d |')]));
    await expect.poll(cuts).toEqual(['0px', '0px']);
  });

  it('waits for the end of what is half written', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([agentMessage('a', '> [!NO', true)]));
    const text = () => panel.page.locator('.agent-message').evaluate((e) => e.textContent);
    expect((await text()).trim()).toBe('');
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: 'TE]\n> It is $x$.\n\nThus $$\\frac{a' });
    await expect.poll(text).toMatch(/^NoteIt is x\.Thus $/);
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: '}{b}$$ and \\(c' });
    await expect.poll(() => panel.page.locator('math mfrac').count()).toBe(1);
    await expect.poll(async () => (await text()).includes('\\(')).toBe(false);
    await panel.patch({ op: 'entry/appendText', id: 'a', part: 0, text: ', or' });
    await panel.patch({
      op: 'entry/replace',
      entry: agentMessage('a', '> [!NOTE]\n> It is $x$.\n\nThus $$\\frac{a}{b}$$ and \\(c, or'),
    });
    await expect.poll(text).toContain('(c, or');
  });
});
