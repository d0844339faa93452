import { beforeEach, describe, expect, it, vi } from 'vitest';
import { encodedLike, encodedNew, encodingName, fileText, TextLossError } from '../../../../src/host/files/fileText';
import { FakeEncodings } from '../../../fakes/encodings';

const window = vi.hoisted(() => ({
  workspace: {} as Record<string, unknown>,
  Uri: { file: (fsPath: string) => ({ fsPath }) },
}));
vi.mock('vscode', () => window);

let encodings: FakeEncodings;
beforeEach(() => {
  encodings = new FakeEncodings();
  Object.assign(window.workspace, encodings);
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const windows1251 = '\xcf\xf0\xe8\xe2\xe5\xf2';
const shiftJis = '\x93\xfa\x96{\x8c\xea';
const gbk = '\xd6\xd0\xce\xc4';

interface Row {
  readonly bytes: Buffer;
  readonly text: string | undefined;
  /** Absent: the bytes do not come back. */
  readonly as?: string;
  readonly ends?: string;
  readonly settings?: Record<string, unknown>;
  readonly guess?: string;
  /** The encoding of the document. */
  readonly shown?: string;
}

const rows: Readonly<Record<string, Row>> = {
  ASCII: { bytes: latin1('a\n'), text: 'a\n', as: 'utf8', ends: '\n' },
  nothing: { bytes: latin1(''), text: '', as: 'utf8', ends: '' },
  'UTF-8': { bytes: Buffer.from('é\r\n'), text: 'é\r\n', as: 'utf8', ends: '\r\n' },
  'UTF-8 with mixed line ends': { bytes: Buffer.from('é\r\nb\n'), text: 'é\r\nb\n', as: 'utf8', ends: 'mixed' },
  'UTF-8 with a lone CR': { bytes: Buffer.from('é\rb\n'), text: 'é\rb\n', as: 'utf8', ends: 'mixed' },
  'UTF-8 with a mark': { bytes: Buffer.from('\uFEFFé\n'), text: 'é\n', as: 'utf8bom', ends: '\n' },
  'UTF-8 with a mark, in a document': { bytes: Buffer.from('\uFEFFé\n'), text: 'é\n', as: 'utf8bom', shown: 'utf8bom' },
  'UTF-8 that got a mark under its document': {
    bytes: Buffer.from('\uFEFFé\n'),
    text: 'é\n',
    as: 'utf8bom',
    shown: 'utf8',
  },
  'UTF-8 that lost its mark under its document': {
    bytes: Buffer.from('é\n'),
    text: 'é\n',
    as: 'utf8',
    shown: 'utf8bom',
  },
  'UTF-8 with two marks': { bytes: Buffer.from('\uFEFF\uFEFFé\n'), text: '\uFEFFé\n' },
  'UTF-8 without a mark where one is set': {
    bytes: Buffer.from('é\n'),
    text: 'é\n',
    as: 'utf8',
    settings: { encoding: 'utf8bom' },
  },
  'invalid UTF-8': { bytes: latin1('a\xc3\x28\n'), text: 'a\uFFFD(\n' },
  'a letter that stands for invalid ones': { bytes: Buffer.from('a\uFFFD\n'), text: 'a\uFFFD\n', as: 'utf8' },
  'UTF-8 that is cut off': { bytes: latin1('a\n\xe6\x97'), text: 'a\n\uFFFD' },
  'UTF-16 LE with a mark': { bytes: utf16('\uFEFFé日\n'), text: 'é日\n', as: 'utf16le', ends: '\n' },
  'UTF-16 BE with a mark': { bytes: utf16('\uFEFFé日\n').swap16(), text: 'é日\n', as: 'utf16be' },
  'UTF-16 LE with a mark and half a letter': { bytes: Buffer.concat([utf16('\uFEFFa'), latin1('x')]), text: 'a\uFFFD' },
  'UTF-16 LE without a mark': { bytes: utf16('abc\n'), text: 'abc\n' },
  'UTF-16 BE without a mark': { bytes: utf16('abc\n').swap16(), text: 'abc\n' },
  'UTF-16 that a file became under its document': {
    bytes: utf16('\uFEFFé\n'),
    text: 'é\n',
    as: 'utf16le',
    shown: 'utf8',
  },
  zeros: { bytes: Buffer.from([1, 0, 0, 2]), text: undefined },
  'zeros far inside': { bytes: latin1(`${'a'.repeat(600)}\0`), text: undefined },
  'Latin-1': { bytes: latin1('caf\xe9\n'), text: 'caf\uFFFD\n' },
  'Latin-1 where it is set': {
    bytes: latin1('caf\xe9\n'),
    text: 'café\n',
    as: 'windows1252',
    settings: { encoding: 'windows1252' },
  },
  'Latin-1 in a document': { bytes: latin1('caf\xe9\n'), text: 'café\n', as: 'windows1252', shown: 'windows1252' },
  'Latin-1 where VS Code guesses it': {
    bytes: latin1('caf\xe9\n'),
    text: 'café\n',
    as: 'windows1252',
    settings: { autoGuessEncoding: true },
    guess: 'windows1252',
  },
  'Latin-1 in a document that is in UTF-8': { bytes: latin1('caf\xe9\n'), text: 'caf\uFFFD\n', shown: 'utf8' },
  'Windows-1251': { bytes: latin1(`${windows1251}\n`), text: '\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\n' },
  'Windows-1251 where it is set': {
    bytes: latin1(`${windows1251}\n`),
    text: 'Привет\n',
    as: 'windows1251',
    settings: { encoding: 'windows1251' },
  },
  'Windows-1251 where VS Code guesses it, and another is set': {
    bytes: latin1(`${windows1251}\n`),
    text: 'Привет\n',
    as: 'windows1251',
    settings: { encoding: 'windows1252', autoGuessEncoding: true },
    guess: 'windows1251',
  },
  'UTF-8 where VS Code guesses it': {
    bytes: Buffer.from('é\n'),
    text: 'é\n',
    as: 'utf8',
    settings: { encoding: 'windows1252', autoGuessEncoding: true },
    guess: 'utf8',
  },
  'Shift-JIS in a document': { bytes: latin1(`${shiftJis}\n`), text: '日本語\n', as: 'shiftjis', shown: 'shiftjis' },
  'Shift-JIS where it is set': {
    bytes: latin1(`${shiftJis}\n`),
    text: '日本語\n',
    as: 'shiftjis',
    settings: { encoding: 'shiftjis' },
  },
  'GBK where it is set': { bytes: latin1(`${gbk}\n`), text: '中文\n', as: 'gbk', settings: { encoding: 'gbk' } },
  'GBK with half a letter': { bytes: latin1(`${gbk}\xd6`), text: '中文\uFFFD', settings: { encoding: 'gbk' } },
  'ASCII where UTF-16 is set': { bytes: latin1('ab\n!'), text: '\u6261\u210a', settings: { encoding: 'utf16le' } },
};

describe('the text of a file', () => {
  it.each(Object.entries(rows))('in %s', async (_name, { bytes, text, as, ends, settings, guess, shown }) => {
    Object.assign(encodings.settings, settings);
    encodings.guess = guess;
    const found = await fileText('/w/a.txt', bytes, shown);
    expect(found?.text).toBe(text);
    expect(found?.encoding && encodingName(found.encoding)).toBe(as);
    if (ends !== undefined) expect(found?.ends).toBe(ends);
    if (!found) return;
    // The law: the same text becomes the same bytes, or none.
    if (as) expect(await encodedLike('/w/a.txt', found, text!)).toEqual(bytes);
    else await expect(encodedLike('/w/a.txt', found, text!)).rejects.toThrow(TextLossError);
  });

  it('in UTF-8, and in ASCII whatever is set, is not sent to the window', async () => {
    await fileText('/w/a.txt', Buffer.from('é\n'));
    encodings.settings['encoding'] = 'windows1251';
    await fileText('/w/a.txt', Buffer.from('a\n'));
    expect(encodings.calls).toBe(0);
  });
});

describe('another text', () => {
  it.each<[name: string, bytes: Buffer, text: string, after: Buffer]>([
    ['UTF-8 with a mark', Buffer.from('\uFEFFé\r\n'), 'è\nx\n', Buffer.from('\uFEFFè\r\nx\r\n')],
    ['UTF-8, and has a mark of its own', Buffer.from('é\n'), '\uFEFFè\r\n', Buffer.from('è\n')],
    ['UTF-16', utf16('\uFEFFé\r\n'), '日\n', utf16('\uFEFF日\r\n')],
    ['mixed line ends', Buffer.from('a\r\nb\nc\rd'), 'a\nB\nc\nd\n', Buffer.from('a\r\nB\nc\rd\n')],
    ['UTF-8, and has a zero', Buffer.from('a\n'), 'a\0\n', Buffer.from('a\0\n')],
  ])('in the bytes of %s', async (_name, bytes, text, after) => {
    expect(await encodedLike('/w/a.txt', (await fileText('/w/a.txt', bytes))!, text)).toEqual(after);
  });

  it('takes lines that come back from the file before', async () => {
    const [now, before] = await Promise.all(
      ['a\r\nc\n', 'a\r\nb\rc\n'].map((text) => fileText('/w/a.txt', Buffer.from(text))),
    );
    expect((await encodedLike('/w/a.txt', now!, 'a\nb\nc\n', before)).toString()).toBe('a\r\nb\rc\n');
  });

  it.each([
    ['windows1252', latin1('caf\xe9\n'), '日\n'],
    ['utf8', Buffer.from('é\n'), 'half \ud83d\n'],
  ])('that %s has no letters for is refused', async (encoding, bytes, text) => {
    encodings.settings['encoding'] = encoding;
    await expect(encodedLike('/w/a.txt', (await fileText('/w/a.txt', bytes))!, text)).rejects.toThrow(
      `it is saved in ${encoding}, which can’t represent some characters of the new text, so Parley left it unchanged`,
    );
    await expect(encodedNew('/w/new.txt', text)).rejects.toThrow(TextLossError);
  });

  it.each<[encoding: string, content: string, bytes: Buffer]>([
    ['utf8', 'é\r\n', Buffer.from('é\r\n')],
    ['utf8', '\uFEFFé\n', Buffer.from('\uFEFFé\n')],
    ['utf8bom', 'é\n', Buffer.from('\uFEFFé\n')],
    ['utf8bom', '\uFEFFé\n', Buffer.from('\uFEFFé\n')],
    ['utf16le', '\uFEFFé\n', utf16('\uFEFFé\n')],
    ['windows1252', 'é\n', latin1('\xe9\n')],
  ])('in a new file where %s is set: %j', async (encoding, content, bytes) => {
    encodings.settings['encoding'] = encoding;
    expect(await encodedNew('/w/new.txt', content)).toEqual(bytes);
  });
});
