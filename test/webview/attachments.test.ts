import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sniffMediaType } from '../../src/base/mediaType';
import { maxAttachments, maxMediaLength } from '../../src/protocol/attachments';
import { decodeFromWebview } from '../../src/protocol/fromWebview';
import { PanelPage, useHarness } from './panelPage';
import { attachment, picture, threadView } from './views.mjs';

declare global {
  interface Window {
    /** Tasks over 50 ms, in ms. */
    long: number[];
    letGo(): void;
  }
}

useHarness();

/** A file that the page makes: given bytes as text, or a drawing of noise that no format can make small. */
type Made =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly noise: readonly [width: number, height: number]; readonly type: string };

/** Pastes or drops files as a browser would. @returns whether the page took them, so that the browser does nothing. */
function give(
  page: Page,
  how: 'paste' | 'drop',
  files: readonly Made[],
  data: Record<string, string> = {},
): Promise<boolean> {
  return page.evaluate(
    async ({ how, files, data }) => {
      const transfer = new DataTransfer();
      for (const [type, text] of Object.entries(data)) transfer.setData(type, text);
      for (const made of files) {
        if ('text' in made) {
          transfer.items.add(new File([Uint8Array.from(made.text, (c) => c.charCodeAt(0))], made.name));
          continue;
        }
        const canvas = new OffscreenCanvas(...made.noise);
        const context = canvas.getContext('2d')!;
        const image = context.createImageData(...made.noise);
        let seed = 1;
        for (let i = 0; i < image.data.length; i++) image.data[i] = (seed = (seed * 48_271) % 0x7fffffff) & 0xff;
        context.putImageData(image, 0, 0);
        transfer.items.add(new File([await canvas.convertToBlob({ type: made.type })], made.name));
      }
      const box = document.querySelector('textarea')!;
      const options = { bubbles: true, cancelable: true };
      if (how === 'paste')
        return !box.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: transfer }));
      const thread = document.querySelector('.thread')!;
      thread.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: transfer }));
      return !thread.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: transfer }));
    },
    { how, files, data },
  );
}

const typeOf = (data: string) => sniffMediaType(Buffer.from(data, 'base64'));

describe('a pasted text', () => {
  it.each<[what: string, text: string, name: string | undefined]>([
    [
      'of 20,000 lines',
      Array.from(
        { length: 20_000 },
        (_, i) => `line ${i} of a log file with some words in it, and a path src/a${i}.ts`,
      ).join('\n'),
      'Pasted text (20,000 lines)',
    ],
    ['of one very long line', 'x'.repeat(1_500_000), 'Pasted text'],
    ['of 500 lines', 'a line\n'.repeat(500), undefined],
  ])('%s', async (_, text, name) => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.page.evaluate(() => {
      window.long = [];
      new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ duration }) => duration))).observe(
        {
          type: 'longtask',
        },
      );
    });
    expect(await give(panel.page, 'paste', [], { 'text/plain': text })).toBe(name !== undefined);
    if (name === undefined) return;
    await expect.poll(async () => (await panel.posted('attachment/add')).length).toBe(1);
    const [sent] = await panel.posted('attachment/add');
    expect(sent!.name).toBe(name);
    // Every character.
    expect(Buffer.from(sent!.data, 'base64').toString('utf8') === text).toBe(true);
    await panel.box.pressSequentially('typed on');
    expect(await panel.box.inputValue()).toBe('typed on');
    expect(Math.max(0, ...(await panel.page.evaluate(() => window.long)))).toBeLessThan(3_000);
  });
});

describe('a pasted image', () => {
  it('goes to the host as it is, with a small picture of it, and its chip shows it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    expect(await give(panel.page, 'paste', [{ name: 'image.png', noise: [400, 100], type: 'image/png' }])).toBe(true);
    const added = await panel.nextPosted('attachment/add');
    expect(added).toMatchObject({ name: 'Pasted image', remark: '400 × 100' });
    expect(typeOf(added.data)).toBe('image/png');
    expect(typeOf(added.preview!.data)).toBe('image/webp');
    await panel.patch({
      op: 'panel/set',
      fields: {
        attachments: [
          attachment('a', {
            kind: 'image',
            label: 'Pasted image',
            detail: 'Pasted image, 400 × 100',
            linkable: false,
            preview: added.preview!,
          }),
        ],
      },
    });
    const chip = panel.page.getByRole('button', { name: 'Open Pasted image' });
    await expect.poll(() => chip.locator('img').evaluate((e) => (e as HTMLImageElement).naturalWidth)).toBe(320);
    await expect.poll(() => panel.page.getByText('Adding…').count()).toBe(0);
    // Those who listen are told.
    await expect.poll(() => panel.page.getByRole('status').allInnerTexts()).toContain('Added Pasted image');
  });

  it('is sent without any text', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { attachments: [attachment('a', { kind: 'image' }), attachment('b')] }));
    await panel.box.press('Enter');
    expect(await panel.nextPosted('prompt/submit')).toEqual({
      type: 'prompt/submit',
      text: '',
      mentions: [],
      attachments: ['a', 'b'],
    });
  });

  it('of a type that agents do not know becomes a PNG', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><script>alert(1)</script><rect width="60" height="40"/></svg>';
    // One blue pixel.
    const bitmap =
      'BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\0\0\0';
    await give(panel.page, 'drop', [
      { name: 'a.svg', text: svg },
      { name: 'b.bmp', text: bitmap },
    ]);
    await expect.poll(() => panel.posted('attachment/add')).toHaveLength(2);
    const added = Object.fromEntries((await panel.posted('attachment/add')).map((message) => [message.name, message]));
    expect(added['a.svg']?.remark).toBe('60 × 40, converted to PNG');
    expect(added['b.bmp']?.remark).toBe('1 × 1, converted to PNG');
    for (const { data } of Object.values(added)) expect(typeOf(data)).toBe('image/png');
  });

  it('that is too large is scaled down until it fits, and the user is told', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await give(panel.page, 'paste', [{ name: 'big.png', noise: [1600, 1200], type: 'image/png' }]);
    const added = await panel.nextPosted('attachment/add');
    expect(added.data.length).toBeLessThanOrEqual(maxMediaLength);
    expect(added.data.length).toBeGreaterThan(maxMediaLength / 4);
    expect(typeOf(added.data)).toBe('image/png');
    expect(added.remark).toMatch(/^scaled down from 1600 × 1200 to \d+ × \d+$/);
    await panel.page.getByText(/^big\.png: scaled down from 1600 × 1200 to/).waitFor();
  });

  it('goes along with a message that is sent before it is ready', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.fill('what is this');
    await give(panel.page, 'paste', [{ name: 'big.png', noise: [1600, 1200], type: 'image/png' }]);
    await panel.box.press('Enter');
    // The user looks at another window meanwhile.
    await panel.box.press('Alt');
    await panel.nextPosted('prompt/submit');
    const types = (await panel.page.evaluate(() => window.harness.posted))
      .map(({ type }) => type)
      .filter((type) => type === 'attachment/add' || type === 'prompt/submit');
    expect(types).toEqual(['attachment/add', 'prompt/submit']);
    expect(await panel.box.inputValue()).toBe('');
    // Without a word it is sent once the host has it.
    await give(panel.page, 'paste', [{ name: 'big.png', noise: [1600, 1200], type: 'image/png' }]);
    await panel.box.press('Enter');
    await expect.poll(async () => (await panel.posted('attachment/add')).length).toBe(2);
    await panel.frames();
    expect(await panel.posted('prompt/submit')).toHaveLength(1);
    await panel.patch({ op: 'panel/set', fields: { attachments: [attachment('a', { kind: 'image' })] } });
    await expect.poll(async () => (await panel.posted('prompt/submit')).at(-1)?.attachments).toEqual(['a']);
  });

  it('that is refused keeps back the message that was sent with it', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.page.evaluate(() => {
      const { createImageBitmap } = window;
      const held = new Promise<void>((resolve) => (window.letGo = resolve));
      Object.assign(window, { createImageBitmap: (blob: Blob) => held.then(() => createImageBitmap(blob)) });
    });
    await panel.box.fill('what is this');
    await give(panel.page, 'paste', [{ name: 'b.png', text: '\x89PNG\r\n\x1a\nno more' }]);
    await panel.box.press('Enter');
    await panel.page.evaluate(() => window.letGo());
    await panel.page.getByText(/ is damaged\.$/).waitFor();
    await expect.poll(() => panel.page.getByText('Adding…').count()).toBe(0);
    await panel.frames();
    expect(await panel.posted('prompt/submit')).toEqual([]);
    expect(await panel.box.inputValue()).toBe('what is this');
    // What it was about is known now.
    await panel.box.press('Enter');
    await panel.nextPosted('prompt/submit');
  });

  it('that cannot be read is refused with the reason', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await give(panel.page, 'drop', [{ name: 'a.heic', text: '\0\0\0\x18ftypheic....' }]);
    await panel.page
      .getByText('a.heic cannot be converted to an image format that agents support (image/heic).')
      .waitFor();
    await give(panel.page, 'drop', [{ name: 'b.png', text: '\x89PNG\r\n\x1a\nno more' }]);
    await panel.page.getByText('b.png is damaged.').waitFor();
    expect(await panel.posted('attachment/add')).toEqual([]);
  });

  it('item 75: is refused where the agent takes none, and the words stay until the user types', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { promptCapabilities: { image: false, audio: false, embeddedContext: true } }));
    await give(panel.page, 'paste', [{ name: 'image.png', noise: [10, 10], type: 'image/png' }]);
    const words = panel.page.getByText(/^Demo Agent does not support images\./);
    await words.waitFor();
    await panel.patch({ op: 'panel/set', fields: { title: 'Something else' } });
    await expect.poll(() => words.count()).toBe(1);
    await panel.box.pressSequentially('x');
    await expect.poll(() => words.count()).toBe(0);
    expect(await panel.posted('attachment/add')).toEqual([]);
  });

  it('beside text of an office program is left out: the text is meant', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    expect(
      await give(panel.page, 'paste', [{ name: 'image.png', noise: [10, 10], type: 'image/png' }], {
        'text/plain': 'a cell',
      }),
    ).toBe(false);
    expect(await give(panel.page, 'paste', [], { 'text/plain': 'text' })).toBe(false);
    expect(await panel.posted('attachment/add')).toEqual([]);
  });
});

describe('an image file that the host read', () => {
  it('is made ready, or given back', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.send({ type: 'image/prepare', requestId: 7, name: 'a.png', ...picture });
    expect(await panel.nextPosted('attachment/add')).toMatchObject({
      requestId: 7,
      name: 'a.png',
      data: picture.data,
      remark: '96 × 64',
    });
    await panel.send({
      type: 'image/prepare',
      requestId: 8,
      name: 'b.tiff',
      mimeType: 'image/tiff',
      data: Buffer.from('II*\0').toString('base64'),
    });
    expect(await panel.nextPosted('image/refused')).toMatchObject({
      requestId: 8,
      reason: expect.stringContaining('b.tiff cannot be converted'),
    });
  });
});

describe('a drop', () => {
  it('from the Explorer names files and folders', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    expect(
      await give(panel.page, 'drop', [], {
        'application/vnd.code.uri-list': 'file:///work/a.ts\r\nfile:///work/src',
        'text/plain': '/work/a.ts',
      }),
    ).toBe(true);
    expect(await panel.nextPosted('attachment/addUris')).toEqual({
      type: 'attachment/addUris',
      uris: ['file:///work/a.ts', 'file:///work/src'],
    });
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
  });

  it('of more files than one message of the panel may name hands over the first', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await give(panel.page, 'drop', [], {
      'text/uri-list': Array.from({ length: 300 }, (_, i) => `file:///work/${i}.ts`).join('\r\n'),
    });
    const message = await panel.nextPosted('attachment/addUris');
    expect(decodeFromWebview(message)).toEqual(message);
    expect(message.uris.length).toBeGreaterThan(maxAttachments);
  });

  it('of a file from elsewhere goes with its content; too large a one is refused', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await give(panel.page, 'drop', [{ name: 'notes.md', text: '# Notes' }]);
    expect(await panel.nextPosted('attachment/add')).toEqual({
      type: 'attachment/add',
      name: 'notes.md',
      data: Buffer.from('# Notes').toString('base64'),
    });
    await give(panel.page, 'drop', [{ name: 'log.txt', text: 'x'.repeat(4_000_000) }]);
    await panel.page.getByText(/^log\.txt is too large/).waitFor();
  });

  it('is announced over the panel, with what VS Code wants held', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    const over = (type: string, kind: string) =>
      panel.page.evaluate(
        ([type, kind]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData(kind!, 'x');
          const isLeft = document
            .querySelector('.thread')!
            .dispatchEvent(new DragEvent(type!, { bubbles: true, cancelable: true, dataTransfer }));
          // The words go by themselves after a moment.
          return [isLeft, document.querySelector<HTMLElement>('.drop-overlay')!.checkVisibility()];
        },
        [type, kind],
      );
    const words = panel.page.getByText('Hold Shift and drop to add to the message');
    expect(await over('dragenter', 'text/plain')).toEqual([true, false]);
    expect(await over('dragenter', 'text/uri-list')).toEqual([false, true]);
    await over('dragleave', 'text/uri-list');
    await expect.poll(() => words.isVisible()).toBe(false);
    // A drag that VS Code takes away says nothing more.
    expect(await over('dragover', 'text/uri-list')).toEqual([false, true]);
    await expect.poll(() => words.isVisible()).toBe(false);
  });
});

describe('chips of attachments', () => {
  const attachments = [
    attachment('a', { kind: 'selection', label: 'a.ts:1-3', detail: 'src/a.ts:1-3' }),
    attachment('b', { kind: 'image', label: 'Pasted image', linkable: false, preview: picture }),
  ];

  it('open and leave with the keyboard', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { attachments }));
    const open = panel.page.getByRole('button', { name: 'Open a.ts:1-3' });
    await open.focus();
    await panel.page.keyboard.press('Enter');
    expect(await panel.nextPosted('attachment/open')).toEqual({ type: 'attachment/open', id: 'a' });
    await panel.page.keyboard.press('Delete');
    await panel.page.getByRole('button', { name: 'Remove Pasted image' }).focus();
    await panel.page.keyboard.press('Backspace');
    await expect
      .poll(() => panel.posted('attachment/remove'))
      .toEqual([
        { type: 'attachment/remove', id: 'a' },
        { type: 'attachment/remove', id: 'b' },
      ]);
    await expect.poll(() => panel.box.evaluate((e) => e === document.activeElement)).toBe(true);
  });

  it('item 75: say what becomes of what the agent does not take, once that is known', async () => {
    const panel = await PanelPage.open();
    const mentions = [{ token: '@c.ts', path: '/c.ts', label: 'c.ts' }];
    await panel.show(threadView([], { attachments, promptCapabilities: undefined }), { draft: '@c.ts', mentions });
    const descriptions = () =>
      panel.page
        .locator('.chips button[aria-label^=Remove]')
        .evaluateAll((all) => all.map((e) => e.getAttribute('aria-description')));
    await expect.poll(descriptions).toEqual([null, null, null]);
    await panel.patch({
      op: 'panel/set',
      fields: { promptCapabilities: { image: false, audio: false, embeddedContext: false } },
    });
    await expect
      .poll(descriptions)
      .toEqual([
        'Sent as part of the text, because Demo Agent does not support embedded files',
        'Not sent, because Demo Agent does not support images',
        'Sent as a link to the file, because Demo Agent does not support embedded files',
      ]);
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'Open c.ts' }).getAttribute('title'))
      .toContain('Sent as a link');
    await expect.poll(() => panel.page.locator('.chip.left-out').innerText()).toContain('Pasted image');
  });
});

describe('context', () => {
  it('is chosen with the button', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.page.getByRole('button', { name: 'Add context' }).click();
    expect(await panel.nextPosted('context/add')).toEqual({ type: 'context/add', source: 'menu' });
  });

  it('is completed after @, and takes what was typed away', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView());
    await panel.box.pressSequentially('explain @prob');
    await panel.page.getByRole('option', { name: /@problems/ }).waitFor();
    await panel.box.press('Enter');
    expect(await panel.nextPosted('context/add')).toEqual({ type: 'context/add', source: 'problems' });
    await expect.poll(() => panel.box.inputValue()).toBe('explain ');
  });
});
