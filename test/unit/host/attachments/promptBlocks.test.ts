import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../../src/host/attachments/attachment';
import {
  attachmentBlocks,
  attachmentMeta,
  cutAtMentions,
  fenced,
  shownBlock,
} from '../../../../src/host/attachments/promptBlocks';

const all = { image: true, audio: true, embeddedContext: true };
const none = { image: false, audio: false, embeddedContext: false };
const item = (fields: Partial<Attachment>): Attachment => ({
  id: 'i',
  kind: 'file',
  label: 'a.ts',
  detail: 'src/a.ts',
  linkable: true,
  uri: 'file:///src/a.ts',
  ...fields,
});
const link = { type: 'resource_link', uri: 'file:///src/a.ts', name: 'a.ts' };

describe('item 76: the blocks of an attachment', () => {
  it.each([
    [
      'a file',
      {},
      'const a;',
      all,
      [{ type: 'resource', resource: { uri: 'file:///src/a.ts', text: 'const a;', mimeType: 'text/plain' } }],
    ],
    ['a file for an agent without embedded context', {}, 'const a;', none, [link]],
    ['a binary or large file', { size: 9 }, undefined, all, [{ ...link, size: 9 }]],
    [
      'a PDF, with a link for agents that leave out what is not text',
      { mimeType: 'application/pdf' },
      'JVBERi0=',
      all,
      [
        {
          type: 'resource',
          resource: { uri: 'file:///src/a.ts', blob: 'JVBERi0=', mimeType: 'application/pdf' },
        },
        { ...link, mimeType: 'application/pdf' },
      ],
    ],
    [
      'a PDF for an agent without embedded context',
      { mimeType: 'application/pdf', size: 5 },
      'JVBERi0=',
      none,
      [{ ...link, mimeType: 'application/pdf', size: 5 }],
    ],
    [
      'a PDF that is none any more',
      { mimeType: 'application/pdf' },
      undefined,
      all,
      [{ ...link, mimeType: 'application/pdf' }],
    ],
    ['a folder', { kind: 'folder' }, undefined, all, [link]],
    [
      'a pasted image',
      { kind: 'image', linkable: false, mimeType: 'image/webp' },
      'AAAA',
      all,
      [{ type: 'image', data: 'AAAA', mimeType: 'image/webp' }],
    ],
    [
      'an image file',
      { kind: 'image', mimeType: 'image/png' },
      'AAAA',
      all,
      [{ type: 'image', data: 'AAAA', mimeType: 'image/png', uri: 'file:///src/a.ts' }],
    ],
    [
      'an image file for an agent without images',
      { kind: 'image', mimeType: 'image/png' },
      'AAAA',
      none,
      [{ ...link, mimeType: 'image/png' }],
    ],
    ['a pasted image for an agent without images', { kind: 'image', linkable: false }, 'AAAA', none, []],
    ['a pasted image that is not kept any more', { kind: 'image', linkable: false }, undefined, all, []],
    [
      'a sound',
      { kind: 'audio', mimeType: 'audio/wav' },
      'AAAA',
      all,
      [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
    ],
    [
      'a diff',
      { kind: 'changes', linkable: false, uri: 'parley:/changes', mimeType: 'text/x-diff' },
      '+a',
      all,
      [{ type: 'resource', resource: { uri: 'parley:/changes', text: '+a', mimeType: 'text/x-diff' } }],
    ],
    [
      'problems for an agent without embedded context',
      { kind: 'problems', linkable: false, label: 'Problems' },
      'a.ts:1',
      none,
      [{ type: 'text', text: '\n\nProblems:\n```\na.ts:1\n```\n' }],
    ],
    [
      'a selection for an agent without embedded context',
      { kind: 'selection' },
      'let x',
      none,
      [link, { type: 'text', text: '\n\na.ts:\n```\nlet x\n```\n' }],
    ],
  ] as const)('%s', (_, fields, content, takes, blocks) =>
    expect(attachmentBlocks(item(fields), content, takes)).toEqual(blocks),
  );

  it('a fence is longer than any in the text', () => {
    expect(fenced('a')).toBe('```\na\n```');
    expect(fenced('```js\n````\n')).toBe('`````\n```js\n````\n`````');
    expect(fenced('` '.repeat(1_000_000)).endsWith('\n```')).toBe(true);
  });
});

describe('what the thread keeps of an attachment', () => {
  it('is a small picture of an image, and a link to all else; each knows its attachment', () => {
    const preview = { mimeType: 'image/webp', data: 'UklG' };
    expect(shownBlock(item({ kind: 'image', linkable: false, preview }), 'file:///store/i/Pasted.png')).toEqual({
      type: 'image',
      ...preview,
      uri: 'file:///store/i/Pasted.png',
      _meta: { [attachmentMeta]: 'i' },
    });
    expect(
      shownBlock(item({ kind: 'changes', linkable: false, uri: 'parley:/changes' }), 'file:///store/i/changes.diff'),
    ).toMatchObject({ type: 'resource_link', uri: 'file:///store/i/changes.diff' });
    expect(shownBlock(item({ kind: 'selection', uri: 'file:///a.ts#L1-L2' }), 'file:///store/i/a.ts')).toMatchObject({
      type: 'resource_link',
      uri: 'file:///a.ts#L1-L2',
    });
  });
});

describe('a text with mentions', () => {
  const mention = (name: string) => ({ token: `@${name}`, path: `/${name}`, label: name });

  it.each([
    ['no mention', 'hello', [], ['hello']],
    [
      'in order of the text',
      'see @b.ts, not @a.ts please',
      ['a.ts', 'b.ts'],
      ['see @b.ts → b.ts', ', not @a.ts → a.ts', ' please'],
    ],
    ['a longer name is another word', '@a.tsx or @a.ts', ['a.ts'], ['@a.tsx or @a.ts → a.ts']],
    [
      'one that the text does not name comes last',
      'see @b.ts now',
      ['a.ts', 'b.ts'],
      ['see @b.ts → b.ts', ' now', ' → a.ts'],
    ],
    ['nothing but a mention', '@a.ts', ['a.ts'], ['@a.ts → a.ts']],
    ['item 86: a command stays at the beginning', '/review @a.ts  ', ['a.ts'], ['/review @a.ts → a.ts']],
    ['empty', '  ', [], []],
  ])('%s', (_, text, names, pieces) => {
    expect(
      cutAtMentions(text, names.map(mention)).map(
        (piece) => piece.text + (piece.mention ? ` → ${piece.mention.label}` : ''),
      ),
    ).toEqual(pieces);
  });
});

it('lines after a mention stay with it', () => {
  const mention = { token: '@a.ts', path: '/w/a.ts', label: 'a.ts' };
  expect(cutAtMentions('Fix @a.ts:3-9 now', [mention])).toEqual([
    { text: 'Fix @a.ts:3-9', mention, lines: { first: 3, last: 9, length: 4 } },
    { text: ' now' },
  ]);
});
