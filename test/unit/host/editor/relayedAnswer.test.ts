import { describe, expect, it } from 'vitest';
import { maxAnswer } from '../../../../src/editor/answers';
import { relayedAnswer } from '../../../../src/host/editor/relayedAnswer';

const text = (value: string) => ({ value });
const data = (mimeType: string, bytes: string | number) => ({
  mimeType,
  data: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes),
});
const pngBytes = (length = 8) => {
  const bytes = new Uint8Array(length);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return { mimeType: 'image/png', data: bytes };
};
/** A prompt as `renderElementJSON` makes it. */
const prompt = (...children: readonly object[]) => ({ value: { node: { type: 1, ctor: 2, children } } });
const line = (content: string, lineBreakBefore = false) => ({ type: 2, text: content, lineBreakBefore });

describe('what another extension’s tool answers', () => {
  it.each([
    ['texts', [text('one'), text('two')], 'one\ntwo'],
    [
      'data that is text',
      [data('text/plain', 'ä'), data('application/json', '{}'), data('application/ld+json', '[]')],
      'ä\n{}\n[]',
    ],
    ['a prompt', [prompt(line('a'), { type: 1, ctor: 1, children: [line('b', true)] }, line('c'))], 'a\nbc'],
    ['nothing', [], 'The tool gave no result.'],
    ['an empty text', [text('')], 'The tool gave no result.'],
    ['blanks', [text(' \n')], 'The tool gave no result.'],
    ['what is not text', [text('a'), data('application/pdf', 3)], 'a\n(Left out: 3 bytes of application/pdf)'],
    ['data without a kind', [{ data: new Uint8Array(2) }], '(Left out: 2 bytes of an unknown kind)'],
    [
      'an unknown part',
      [{ uri: 'x' }, 7, null],
      `(Left out: ${Array(3).fill('a part that only VS Code’s own chat can show').join(', ')})`,
    ],
    [
      'a prompt of images',
      [prompt({ type: 1, ctor: 3, children: [] })],
      '(Left out: a part that only VS Code’s own chat can show)',
    ],
    ['a picture that is a script', [data('image/svg+xml', 4)], '(Left out: 4 bytes of image/svg+xml)'],
  ])('%s', (_what, parts, expected) => expect(relayedAnswer(parts)).toEqual({ text: expected }));

  it('may have images, of the type that their bytes tell', () => {
    const shown = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    expect(relayedAnswer([text('a'), pngBytes()])).toEqual({ text: 'a', images: [shown] });
    expect(relayedAnswer([{ ...pngBytes(), mimeType: 'IMAGE/JPEG' }])).toEqual({ text: '', images: [shown] });
    expect(relayedAnswer([data('image/png', '<svg>'), data('image/png', 'abc')])).toEqual({
      text: '(Left out: 5 bytes of image/png, 3 bytes of image/png)',
    });
  });

  it('is bounded', () => {
    const images = relayedAnswer(Array<object>(20).fill(pngBytes()));
    expect(images.images).toHaveLength(8);
    expect(images.text).toMatch(/^\(Left out: (8 bytes of image\/png, ){9}8 bytes of image\/png, …\)$/);
    expect(relayedAnswer([pngBytes(5_000_000)]).images).toBeUndefined();
    for (const parts of [
      [text('x'.repeat(1_000_000))],
      [data('text/plain', 1_000_000)],
      [prompt(...Array<object>(100_000).fill(line('x'.repeat(100))))],
    ])
      expect(relayedAnswer(parts).text.length).toBeLessThan(maxAnswer + 100);
  });

  it('ends for a prompt without an end', () => {
    const node: Record<string, unknown> = { type: 1 };
    node['children'] = [node, node];
    expect(relayedAnswer([{ value: { node } }]).text).toContain('Left out');
  });
});
