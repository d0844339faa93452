import { describe, expect, it } from 'vitest';
import { maxImageSide, maxMediaLength } from '../../../src/protocol/attachments';
import { fittingScale } from '../../../webview/attach/imagePreparation';
import { droppedUris, isAttachable, pastedFiles } from '../../../webview/attach/transfer';
import { contextItems } from '../../../webview/composer/completionItems';

/** As much of a DataTransfer as is looked at. */
function transfer(data: Record<string, string>, files: readonly string[] = []): DataTransfer {
  const types = [...Object.keys(data), ...(files.length > 0 ? ['Files'] : [])];
  return {
    types,
    files: files.map((name) => ({ name })),
    getData: (type: string) => data[type] ?? '',
  } as unknown as DataTransfer;
}

describe('a paste', () => {
  it.each([
    ['a screenshot', {}, ['image.png'], ['Pasted image']],
    ['an image copied in a browser', { 'text/html': '<img>' }, ['image.png'], ['Pasted image']],
    [
      'cells of a spreadsheet, which come with a picture of them',
      { 'text/plain': '1\t2', 'text/html': '<table>' },
      ['image.png'],
      [],
    ],
    [
      'files of a file manager, which come with their names',
      { 'text/plain': 'a.png\r\nb.txt' },
      ['a.png', 'b.txt'],
      ['a.png', 'b.txt'],
    ],
    ['a file called image.png, with its path', { 'text/plain': '/tmp/image.png' }, ['image.png'], ['image.png']],
    ['text', { 'text/plain': 'hello' }, [], []],
  ])('of %s', (_, data, files, names) =>
    expect(pastedFiles(transfer(data, files)).map(({ name }) => name)).toEqual(names),
  );
});

describe('a drop', () => {
  it.each([
    [
      'from the Explorer',
      { 'application/vnd.code.uri-list': 'file:///a%20b.ts\r\nfile:///c', 'text/plain': '/a b.ts' },
      ['file:///a%20b.ts', 'file:///c'],
    ],
    ['from a remote window', { 'text/uri-list': '# comment\nvscode-remote://host/a' }, ['vscode-remote://host/a']],
    ['as JSON', { resourceurls: '["file:///a", 1]' }, ['file:///a']],
    ['of a web link', { 'text/uri-list': 'https://example.com' }, []],
    ['of broken JSON', { resourceurls: '[' }, []],
  ])('%s', (_, data, uris) => expect(droppedUris(transfer(data))).toEqual(uris));

  it('of text is the box’s own affair', () => {
    expect(isAttachable(transfer({ 'text/plain': 'x' }))).toBe(false);
    expect(isAttachable(transfer({}, ['a']))).toBe(true);
    expect(isAttachable(transfer({ ResourceURLs: '[]' }))).toBe(true);
  });
});

describe('the scale of an image', () => {
  it.each([
    ['small', 800, 600, 1_000, 1],
    ['heavy', 4_000, 3_000, maxMediaLength * 4, 0.45],
    ['long', maxImageSide * 2, 10, 1_000, 0.5],
    ['of unknown weight', 800, 600, 0, 1],
    ['empty', 0, 0, 0, 1],
  ])('%s', (_, width, height, length, scale) => expect(fittingScale(width, height, length)).toBeCloseTo(scale));
});

describe('contexts among what @ completes', () => {
  it.each([
    ['', 12, false],
    ['s', 4, false],
    ['prob', 1, true],
    ['CHA', 1, true],
    ['src/', 0, false],
    ['problems.md', 0, false],
  ])('%j', (query, count, first) => {
    const found = contextItems(query);
    expect(found.items).toHaveLength(count);
    expect(found.first).toBe(first);
  });
});
