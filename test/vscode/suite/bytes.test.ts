import * as assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { BytesDesk } from './bytesDesk';
import { errorOf, until } from './desk';

type Encode = (text: string) => Buffer;

const utf8: Encode = (text) => Buffer.from(text);
const utf16: Encode = (text) => Buffer.from(text, 'utf16le');
const utf16be: Encode = (text) => utf16(text).swap16();
/** Letters beyond ASCII are the bytes of the encoding, written as one character each. */
const bytes: Encode = (text) => Buffer.from(text, 'latin1');
const marked =
  (encode: Encode): Encode =>
  (text) =>
    encode(`\uFEFF${text}`);

/**
 * What a file holds; its third line is what the agent changes. `lossy`: VS Code, which takes it for UTF-8, would not
 * save the same bytes.
 */
interface Row {
  readonly name: string;
  readonly text: string;
  readonly encode: Encode;
  readonly kind: 'even' | 'uneven' | 'lossy' | 'binary';
}

const row = (name: string, kind: Row['kind'], encode: Encode, text: string): Row => ({ name, kind, encode, text });
const rows: readonly Row[] = [
  row('utf8.txt', 'even', utf8, '© Müller\ncafé\nthree\nfour\n'),
  row('windows.txt', 'even', utf8, '© Müller\r\ncafé\r\nthree\r\nfour\r\n'),
  row('no-end.txt', 'even', utf8, 'one\ntwo\nthree\nfour'),
  row('mark.txt', 'even', marked(utf8), '© Müller\ncafé\nthree\nfour\n'),
  row('utf16le-mark.txt', 'even', marked(utf16), 'one\ncafé 日本\nthree\nfour\n'),
  row('utf16be-mark.txt', 'even', marked(utf16be), 'one\r\ncafé 日本\r\nthree\r\nfour\r\n'),
  row('mixed.txt', 'uneven', utf8, 'one\r\ntwo\nthree\r\nfour\nfive\r\n'),
  row('mixed-mark.txt', 'uneven', marked(utf8), 'one\ntwo\r\nthree\nfour é'),
  row('lone-cr.txt', 'uneven', utf8, 'one\ntwo\rthree\nfour\n'),
  row('latin1.txt', 'lossy', bytes, '© M\xfcller\ncaf\xe9\nthree\nfour\n'),
  row('windows1251.txt', 'lossy', bytes, '\xcf\xf0\xe8\xe2\xe5\xf2\n\xec\xe8\xf0\nthree\nfour\n'),
  row('shift-jis.txt', 'lossy', bytes, '\x93\xfa\x96{\x8c\xea\n2\nthree\nfour\n'),
  row('gbk.txt', 'lossy', bytes, '\xd6\xd0\xce\xc4\n2\nthree\nfour\n'),
  row('utf16le.txt', 'lossy', utf16, 'one\ntwo\nthree\nfour\n'),
  row('utf16be.txt', 'lossy', utf16be, 'one\ntwo\nthree\nfour\n'),
  row('invalid.txt', 'lossy', bytes, 'one\n\xc3\x28 \xf0\x9f\nthree\nfour\n'),
  row('nul.txt', 'binary', utf8, `${'long '.repeat(200)}\nzero \0\nthree\nfour\n`),
];

/**
 * Where files are open, or change on disk, VS Code reads each of them at each step, which takes seconds for all rows:
 * `npm run test:long` has them. These have one of each kind, line end and mark.
 */
const someRows =
  process.env['PARLEY_LONG'] === '1'
    ? rows
    : rows.filter(({ name }) => /^(windows|mark|utf16le-mark|mixed|latin1|utf16be|nul)\.txt$/.test(name));

const changed = (text: string) => text.replace('three', 'THREE');
const bytesBefore = (of: readonly Row[], text = (row: Row) => row.text) =>
  Object.fromEntries(of.map((row) => [row.name, row.encode(text(row)).toString('latin1')]));

describe('bytes', function () {
  // Tables of files, each written, undone and restored.
  this.timeout(600_000);
  let desk: BytesDesk;
  beforeEach(() => {
    desk = new BytesDesk();
  });
  afterEach(async () => {
    for (const key of ['encoding', 'autoGuessEncoding', 'candidateGuessEncodings']) await set(key, undefined);
    await set('encoding', undefined, 'ini');
    await desk.clear();
  });

  const set = (key: string, value: unknown, of?: string) =>
    vscode.workspace
      .getConfiguration('files', of === undefined ? undefined : { languageId: of })
      .update(key, value, vscode.ConfigurationTarget.Workspace, of !== undefined);
  const onDisk = () =>
    Object.fromEntries(
      readdirSync(desk.folder)
        .filter((name) => name.endsWith('.txt'))
        .map((name) => [name, desk.bytes(name).toString('latin1')]),
    );
  const holds = (expected: Record<string, string>, when: string) =>
    assert.deepEqual(onDisk(), Object.fromEntries(Object.entries(expected).sort(([a], [b]) => (a < b ? -1 : 1))), when);
  const put = (all: readonly Row[]) => all.forEach(({ name, encode, text }) => desk.put(name, encode(text)));
  const refused = (of: readonly Row[]) => of.map(({ name }) => desk.path(name)).sort();

  async function agentWritesAll(all: readonly Row[]): Promise<string[]> {
    const failed: string[] = [];
    for (const { name } of all) {
      const text = await desk.agentReads(name).catch(() => 'three');
      // As an agent that knows no other line ends.
      await desk
        .agentWrites(name, changed(text).replaceAll(/\r\n?/g, '\n'))
        .catch((error: Error) => failed.push(`${name}: ${error.message}`));
    }
    return failed;
  }

  for (const state of ['closed', 'open']) {
    it(`of files that are ${state} and that an agent writes by fs stay but for its line, or it is refused; Undo, Restore, Redo and Keep are exact`, async () => {
      const all = state === 'open' ? someRows : rows;
      put(all);
      const texts = all.filter(({ kind }) => kind === 'even' || kind === 'uneven');
      const others = all.filter((row) => !texts.includes(row));
      if (state === 'open') for (const { name, kind } of all) if (kind !== 'binary') await desk.open(name);
      const before = bytesBefore(all);
      const after = { ...before, ...bytesBefore(texts, ({ text }) => changed(text)) };
      const write = async (when: string) => {
        assert.deepEqual(
          (await agentWritesAll(all)).map((line) => line.split(':')[0]),
          others.map(({ name }) => name),
        );
        holds(after, when);
      };
      await write('written');
      assert.deepEqual(
        desk.warned.map((line) => line.split(' is not valid')[0]).sort(),
        refused(others.filter(({ kind }) => kind === 'lossy')),
      );
      await desk.undoShown();
      holds(before, 'undone');
      desk.prompt = 2;
      await write('written again');
      assert.deepEqual(await desk.restoreTo(2), []);
      holds(before, 'restored');
      assert.deepEqual(await desk.redo(), []);
      holds(after, 'redone');
      assert.deepEqual(await desk.restoreTo(2), []);
      holds(before, 'restored again');
      desk.prompt = 3;
      await write('written at last');
      await desk.keepShown();
      holds(after, 'kept');
      assert.deepEqual(desk.reported, []);
      await until('clean editors', () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    });
  }

  it('of files with unsaved work are written with it where a save changes nothing else, else it is refused; Undo leaves the work', async () => {
    put(someRows);
    const typed = someRows.filter(({ kind }) => kind !== 'binary');
    for (const { name } of typed) await desk.type(await desk.open(name), 0, 'mine ');
    const even = typed.filter(({ kind }) => kind === 'even');
    const before = bytesBefore(someRows);
    const failed = await agentWritesAll(typed);
    assert.deepEqual(
      failed.map((line) => line.split(':')[0]),
      typed.filter((row) => !even.includes(row)).map(({ name }) => name),
    );
    holds({ ...before, ...bytesBefore(even, ({ text }) => `mine ${changed(text)}`) }, 'written');
    const unsaved = () =>
      vscode.workspace.textDocuments
        .filter(({ isDirty }) => isDirty)
        .map(({ fileName }) => fileName)
        .sort();
    assert.deepEqual(unsaved(), refused(typed.filter((row) => !even.includes(row))));
    assert.match(
      failed.find((line) => line.startsWith('mixed.txt'))!,
      /mixed line endings and unsaved changes/,
    );
    await desk.undoShown();
    holds({ ...before, ...bytesBefore(even, ({ text }) => `mine ${text}`) }, 'undone');
    assert.deepEqual(desk.reported, []);
  });

  for (const state of ['closed', 'open'] as const) {
    it(`of files that are ${state} and that an agent's tool or command writes on disk come back exactly by Undo and Restore, and go again by Redo`, async () => {
      /** The file takes another form by the change. */
      const others: readonly (readonly [before: Row, after: Buffer])[] = [
        [row('mark-goes.txt', 'even', marked(utf8), 'one é\nthree\n'), utf8('one é\nTHREE\n')],
        [row('mark-comes.txt', 'even', utf8, 'one é\nthree\n'), marked(utf8)('one é\nTHREE\n')],
        [row('becomes-lf.txt', 'even', utf8, 'one\r\nthree\r\n'), utf8('one\nTHREE\n')],
        [row('becomes-even.txt', 'uneven', utf8, 'one\r\ntwo\nthree\r\n'), utf8('one\ntwo\nTHREE\n')],
        [row('becomes-uneven.txt', 'even', utf8, 'one\ntwo\nthree\n'), utf8('one\r\ntwo\nTHREE\n')],
        [row('becomes-lossy.txt', 'even', marked(utf8), 'caf\u00e9\r\nthree\r\n'), bytes('caf\xe9\nTHREE\n')],
        [row('becomes-text.txt', 'lossy', bytes, 'caf\xe9\r\nthree\r\n'), utf8('café\nTHREE\n')],
        [row('becomes-utf16.txt', 'even', utf8, 'one\nthree\n'), marked(utf16)('one\nTHREE\n')],
        [row('becomes-binary.txt', 'uneven', utf8, 'one\r\ntwo\nthree\n'), Buffer.from([0, 1, 2, 0])],
      ];
      const all = [...someRows, ...others.map(([before]) => before)];
      const names = all.map(({ name }) => name);
      put(all);
      if (state === 'open') for (const { name, kind } of all) if (kind !== 'binary') await desk.open(name);
      const before = bytesBefore(all);
      const after = {
        ...bytesBefore(someRows, ({ text }) => changed(text)),
        ...Object.fromEntries(others.map(([{ name }, fresh]) => [name, fresh.toString('latin1')])),
      };
      const write = (isCommand: boolean) =>
        desk.agentTurn(names, isCommand, () =>
          Object.entries(after).forEach(([name, content]) => desk.put(name, Buffer.from(content, 'latin1'))),
        );
      await write(false);
      const lossy = desk.shown
        .changes()
        .filter(({ note }) => note === 'Binary file')
        .map(({ path }) => path)
        .sort();
      assert.deepEqual(
        lossy,
        refused(
          all.filter(
            ({ name, kind }) => kind === 'lossy' || kind === 'binary' || /^becomes-(lossy|text|binary)/.test(name),
          ),
        ),
      );
      await desk.undoShown();
      holds(before, 'undone');
      desk.prompt = 2;
      await write(true);
      assert.deepEqual(await desk.restoreTo(2), []);
      holds(before, 'restored');
      assert.deepEqual(await desk.redo(), []);
      holds(after, 'redone');
      await desk.keepShown();
      holds(after, 'kept');
      assert.deepEqual(await desk.restoreTo(2), []);
      holds(before, 'restored after Keep');
      assert.deepEqual(desk.reported, []);
      await until('clean editors', () => vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    });
  }

  it('of files with unsaved work that an agent writes on disk come back exactly by Undo once the work is reverted, and not before', async () => {
    const some = rows.filter(({ name }) => /^(utf8|windows|mixed|utf16le-mark|latin1|utf16be)\.txt$/.test(name));
    put(some);
    for (const { name } of some) await desk.type(await desk.open(name), 0, 'mine ');
    const [before, after] = [bytesBefore(some), bytesBefore(some, ({ text }) => changed(text))];
    await desk.agentTurn(
      some.map(({ name }) => name),
      false,
      () => some.forEach(({ name, encode, text }) => desk.put(name, encode(changed(text)))),
    );
    await desk.undoShown();
    holds(after, 'not undone');
    assert.equal(desk.reported.join('\n').match(/unsaved changes/g)?.length, some.length);
    for (const { name } of some) {
      const { document } = await desk.open(name);
      assert.ok(document.getText().startsWith('mine '), name);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await until('the file', () => !document.isDirty && document.getText().includes('THREE'));
    }
    desk.reported.length = 0;
    await desk.undoShown();
    holds(before, 'undone');
    assert.deepEqual(desk.reported, []);
  });

  it('follow the encoding that is set for a language, and what it has no letter for is refused', async () => {
    await set('encoding', 'windows1251', 'ini');
    const text = 'Привет\nthree\n';
    const cyrillic = (all: string) =>
      Buffer.from([...all].map((letter) => (letter < '\x80' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x350)));
    desk.put('a.ini', cyrillic(text));
    desk.put('b.ini', cyrillic(text));
    desk.put('plain.ini', 'one\n');
    assert.equal(await desk.agentReads('a.ini'), text);
    await desk.agentWrites('a.ini', 'Привет\nмир\n');
    assert.deepEqual(desk.bytes('a.ini'), cyrillic('Привет\nмир\n'));
    await desk.agentTurn(['b.ini'], false, () => desk.put('b.ini', cyrillic('Привет\nмир\n')));
    assert.deepEqual(
      desk.shown
        .changes()
        .map(({ label, added, removed, note }) => [label, added, removed, note])
        .sort(),
      [
        ['a.ini', 1, 1, undefined],
        ['b.ini', 1, 1, undefined],
      ],
    );
    await desk.undoShown();
    assert.deepEqual([desk.bytes('a.ini'), desk.bytes('b.ini')], [cyrillic(text), cyrillic(text)]);
    for (const name of ['a.ini', 'plain.ini', 'new.ini']) {
      const error = await errorOf(desk.agentWrites(name, 'Привет\n日本\n'));
      assert.match(
        error.message,
        /is saved in the encoding set for its language, which can’t represent some characters of the new text\. Nothing was written/,
        name,
      );
    }
    assert.deepEqual(
      [desk.bytes('a.ini'), desk.disk('plain.ini'), desk.exists('new.ini'), desk.warned.length],
      [cyrillic(text), 'one\n', false, 3],
    );
    await desk.agentWrites('new.ini', 'мир\n');
    await desk.agentWrites('plain.ini', 'мир\n');
    assert.deepEqual([desk.bytes('new.ini'), desk.bytes('plain.ini')], [cyrillic('мир\n'), cyrillic('мир\n')]);
  });

  it('follow the encoding that VS Code guesses', async () => {
    await set('autoGuessEncoding', true);
    await set('candidateGuessEncodings', ['shiftjis', 'utf8']);
    const text = `${'日本語のテキスト\n'.repeat(5)}three\n`;
    const shiftJis = (all: string) =>
      bytes(all.replaceAll('日本語のテキスト', '\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g'));
    desk.put('a.txt', shiftJis(text));
    desk.put('b.txt', shiftJis(text));
    desk.put('ascii.txt', 'one\n');
    assert.equal(await desk.agentReads('a.txt'), text);
    await desk.agentWrites('a.txt', changed(text));
    assert.deepEqual(desk.bytes('a.txt'), shiftJis(changed(text)));
    await desk.agentTurn(['b.txt'], false, () => desk.put('b.txt', shiftJis(changed(text))));
    assert.deepEqual(
      desk.shown
        .changes()
        .map(({ label, added, removed, note }) => [label, added, removed, note])
        .sort(),
      [
        ['a.txt', 1, 1, undefined],
        ['b.txt', 1, 1, undefined],
      ],
    );
    await desk.agentWrites('ascii.txt', 'é 日本\n');
    assert.equal(desk.disk('ascii.txt'), 'é 日本\n');
    await desk.undoShown();
    assert.deepEqual(
      [desk.bytes('a.txt'), desk.bytes('b.txt'), desk.disk('ascii.txt'), desk.reported],
      [shiftJis(text), shiftJis(text), 'one\n', []],
    );
  });

  it('of a new file are in the encoding of the settings, with the mark of these or of the agent', async () => {
    await desk.agentWrites('plain.txt', 'é\r\n');
    await desk.agentWrites('agents.txt', '\uFEFFé\n');
    await set('encoding', 'utf8bom');
    await desk.agentWrites('set.txt', 'é\n');
    await desk.agentWrites('both.txt', '\uFEFFé\n');
    holds(
      {
        'plain.txt': utf8('é\r\n').toString('latin1'),
        'agents.txt': marked(utf8)('é\n').toString('latin1'),
        'set.txt': marked(utf8)('é\n').toString('latin1'),
        'both.txt': marked(utf8)('é\n').toString('latin1'),
      },
      'written',
    );
    await desk.agentWrites('plain.txt', 'è\n');
    assert.deepEqual(desk.bytes('plain.txt'), utf8('è\r\n'));
  });

  it('that are no text are read as VS Code shows them, and what is said names the way out', async () => {
    desk.put('a.txt', bytes('caf\xe9\nthree\n'));
    assert.equal(await desk.agentReads('a.txt'), 'caf\uFFFD\nthree\n');
    for (let i = 0; i < 2; i++) {
      const error = await errorOf(desk.agentWrites('a.txt', 'x\n'));
      assert.deepEqual([error.code, error.data], [-32603, { path: desk.path('a.txt'), reason: 'not_text' }]);
      assert.match(
        error.message,
        /a\.txt is not valid text in utf8, .*Nothing was written\. The user can help: .*Reopen with Encoding/,
      );
    }
    assert.equal(desk.warned.length, 1);
    await vscode.workspace.openTextDocument(vscode.Uri.file(desk.path('a.txt')), { encoding: 'windows1252' });
    await desk.agentWrites('a.txt', 'café\n€\n');
    assert.deepEqual(desk.bytes('a.txt'), bytes('caf\xe9\n\x80\n'));
    await desk.undoShown();
    assert.deepEqual(desk.bytes('a.txt'), bytes('caf\xe9\nthree\n'));
  });

  it('of lines that come back one by one are those from before, mixed line ends included', async () => {
    const before = 'one\r\ntwo\nthree\rfour\r\nfive\nsix\r\nseven\n';
    desk.put('a.txt', before);
    await desk.agentWrites('a.txt', 'one\nthree\nfour\nfive\n6\nseven\n');
    assert.equal(desk.disk('a.txt'), 'one\r\nthree\rfour\r\nfive\n6\r\nseven\n');
    await desk.agentWrites('a.txt', 'one\nfive\n6\nseven\n');
    assert.equal(desk.disk('a.txt'), 'one\r\nfive\n6\r\nseven\n');
    const places = desk.shown.placesIn(desk.path('a.txt'));
    assert.equal(places.length, 2);
    await desk.shown.decide(places.slice(0, 1), 'undo');
    assert.equal(desk.disk('a.txt'), 'one\r\ntwo\nthree\rfour\r\nfive\n6\r\nseven\n');
    await desk.undoShown();
    assert.deepEqual([desk.disk('a.txt'), desk.reported], [before, []]);
  });

  it('of a file with hunks that becomes binary come back with one Undo', async () => {
    desk.put('a.txt', marked(utf8)('café\r\nthree\r\n'));
    await desk.agentWrites('a.txt', 'café\nTHREE\n');
    await desk.agentTurn(['a.txt'], false, () => desk.put('a.txt', bytes('caf\xe9\nTHREE\n')));
    await desk.undoShown();
    assert.deepEqual(
      [desk.bytes('a.txt'), desk.shown.changes().length, desk.reported],
      [marked(utf8)('café\r\nthree\r\n'), 0, []],
    );
  });
});
