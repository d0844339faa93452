import * as assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Review } from '../../../src/host/review/review';
import { Desk, sessionId } from './desk';
import { contentOfText } from '../../../src/host/storage/contentInHand';

const lines = (first: string, last: string) => `${first}\nzwei é\n3\n日本\n${last}\n`;
const before = lines('one', 'five');
const after = lines('ONE', 'FIVE');

type Encode = (text: string) => Buffer;
const utf8: Encode = (text) => Buffer.from(text, 'utf8');
const withMark: Encode = (text) => Buffer.from(`\uFEFF${text}`, 'utf8');
const crlf: Encode = (text) => utf8(text.replaceAll('\n', '\r\n'));
const utf16: Encode = (text) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be: Encode = (text) => utf16(text).swap16();
const utf16crlf: Encode = (text) => utf16(text.replaceAll('\n', '\r\n'));

const files: readonly (readonly [name: string, encode: Encode])[] = [
  ['with space.txt', utf8],
  ['issue #1.txt', utf8],
  ['100%.txt', utf8],
  ['%20 and %2F.txt', utf8],
  ['what?.txt', utf8],
  ['[brackets] {x} (y).txt', utf8],
  ['Ünïcödé 日本語 🐟.txt', utf8],
  // Composed and decomposed letters are two names on most disks.
  ['e\u0301.txt', utf8],
  ['quo\'te & "double".txt', utf8],
  ['deep/folder with space/#/a.txt', utf8],
  ['-leading dash', utf8],
  ['mark.txt', withMark],
  ['windows.txt', crlf],
  ['utf16.txt', utf16],
  ['utf16be.txt', utf16be],
  ['utf16 windows.txt', utf16crlf],
];

describe('Keep and Undo, whatever the file', () => {
  let desk: Desk;
  let review: Review;
  beforeEach(() => {
    desk = new Desk();
    review = desk.shownReview;
  });
  afterEach(() => desk.clear());

  const hunk = (name: string, number: number) => review.placesIn(desk.path(name)).slice(number, number + 1);

  for (const [name, encode] of files) {
    it(`${JSON.stringify(name)} (${encode === utf8 ? 'utf8' : nameOf(encode)}): one hunk undone, one kept, that taken back, all undone: byte by byte`, async () => {
      desk.put(name, encode(before));
      await desk.write(name, after);
      assert.deepEqual(desk.bytes(name), encode(after));
      assert.deepEqual(desk.changes(), [`modified ${name} +2 -2`]);
      await review.decide(hunk(name, 0), 'undo');
      assert.deepEqual(desk.bytes(name), encode(lines('one', 'FIVE')));
      await review.keepPlaces(hunk(name, 0));
      assert.deepEqual([desk.changes(), desk.bytes(name)], [[], encode(lines('one', 'FIVE'))]);
      await desk.keeping.undoLast();
      assert.deepEqual(desk.changes(), [`modified ${name} +1 -1`]);
      await review.undo({});
      assert.deepEqual([desk.changes(), desk.bytes(name), desk.reported], [[], encode(before), []]);
    });
  }

  it('a created file with an odd name goes, and comes back with its deletion undone', async () => {
    const name = 'new #1 100% 日本.txt';
    await desk.write(name, after);
    await review.undo({});
    assert.equal(desk.exists(name), false);
    desk.review.record(sessionId, desk.path(name), contentOfText(before), contentOfText(undefined));
    assert.deepEqual(desk.changes(), [`deleted ${name} +0 -5`]);
    await review.undo({});
    assert.equal(desk.disk(name), before);
  });

  it('a symbolic link stays one, to a file and in a folder', async () => {
    mkdirSync(desk.path('real'));
    desk.put('real/target.txt', before);
    desk.put('real/other.txt', before);
    symlinkSync(desk.path('real/target.txt'), desk.path('link.txt'));
    symlinkSync(desk.path('real'), desk.path('linked'));
    // One name for each file: by two names it is followed as two.
    for (const [name, real] of [
      ['link.txt', 'real/target.txt'],
      ['linked/other.txt', 'real/other.txt'],
    ] as const) {
      await desk.write(name, after);
      assert.equal(desk.disk(real), after);
      assert.equal(desk.changes().length, 1, name);
      await review.undo({});
      assert.deepEqual([desk.disk(real), desk.changes(), desk.reported], [before, [], []], name);
    }
    assert.deepEqual(
      [lstatSync(desk.path('link.txt')).isSymbolicLink(), lstatSync(desk.path('linked')).isSymbolicLink()],
      [true, true],
    );
  });

  it('a read-only file cannot be undone, which is said, and nothing is lost or half done', async () => {
    const path = desk.put('locked.txt', before);
    await desk.write('locked.txt', after);
    chmodSync(path, 0o444);
    try {
      await review.undo({});
      assert.equal(desk.disk('locked.txt'), after);
      assert.deepEqual(desk.changes(), ['modified locked.txt +2 -2']);
      assert.equal(desk.reported.length, 1);
      assert.match(desk.reported[0]!, /locked\.txt.*read-only/);
      assert.deepEqual(
        vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ fileName }) => fileName),
        [],
      );
      await review.keepPlaces(hunk('locked.txt', 0));
      assert.deepEqual(desk.changes(), ['modified locked.txt +1 -1']);
    } finally {
      chmodSync(path, 0o644);
    }
    await review.undo({});
    assert.equal(desk.disk('locked.txt'), lines('ONE', 'five'));
  });

  it('a file of 100,000 lines with 1,000 hunks is there to review in a moment', async () => {
    const text = (changed: boolean) =>
      Array.from({ length: 100_000 }, (_, i) =>
        changed && i % 100 === 7 ? `changed ${i}` : `const value${i % 500} = compute(${i});`,
      ).join('\n');
    desk.put('large.txt', text(true));
    desk.review.record(sessionId, desk.path('large.txt'), contentOfText(text(false)), contentOfText(text(true)));
    const started = performance.now();
    assert.equal(review.placesIn(desk.path('large.txt')).length, 1_000);
    const elapsed = performance.now() - started;
    assert.ok(elapsed < 20_000, `${elapsed} ms`);
  });
});

function nameOf(encode: Encode): string {
  return encode === withMark
    ? 'UTF-8 with mark'
    : encode === crlf
      ? 'CRLF'
      : encode === utf16
        ? 'UTF-16 LE'
        : encode === utf16be
          ? 'UTF-16 BE'
          : 'UTF-16 LE, CRLF';
}
