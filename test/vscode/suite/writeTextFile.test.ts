import * as assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Desk, errorOf, until } from './desk';

/** Takes part in the first save of a document, with edits of its own. */
function atFirstSave(saved: vscode.TextDocument, takePart: () => Promise<vscode.TextEdit[]>): vscode.Disposable {
  let hasTakenPart = false;
  return vscode.workspace.onWillSaveTextDocument((event) => {
    if (event.document !== saved || hasTakenPart) return;
    hasTakenPart = true;
    event.waitUntil(takePart());
  });
}

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.label);

describe('fs/write_text_file', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.clear());

  it('137: creates the file and its folders, opens no tab and takes no focus', async () => {
    desk.put('open.txt', 'x');
    const editor = await desk.open('open.txt');
    const before = tabs();
    await desk.write('new/deep/ünï #1.txt', 'created\n');
    assert.equal(desk.disk('new/deep/ünï #1.txt'), 'created\n');
    assert.equal(await desk.read('new/deep/ünï #1.txt'), 'created\n');
    assert.deepEqual(tabs(), before);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
  });

  it('137: an existing file that is not open is written without a tab', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    await desk.write('a.txt', 'one\n2\n');
    assert.equal(desk.disk('a.txt'), 'one\n2\n');
    assert.deepEqual(tabs(), []);
    // VS Code would open and save it by its path, through whatever link is in it by then.
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ uri }) => uri.fsPath === desk.path('a.txt')),
      [],
    );
  });

  it('138: an open editor shows the new text, the cursor stays with its line, and undo takes it back', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    const editor = await desk.open('a.txt');
    editor.selection = new vscode.Selection(2, 3, 2, 3);
    await desk.write('a.txt', 'zero\none\n2\nthree\n');
    assert.equal(editor.document.getText(), 'zero\none\n2\nthree\n');
    assert.equal(editor.document.isDirty, false);
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [3, 3]);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  it('138: unsaved text that the agent has read is written with its changes', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.type(editor, 0, 'mine\n');
    const seen = await desk.read('a.txt');
    await desk.write('a.txt', seen.replace('two', '2'));
    assert.equal(desk.disk('a.txt'), 'mine\none\n2\n');
    assert.equal(editor.document.isDirty, false);
  });

  it('138: what the user typed since the agent has read is merged', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\n');
    const editor = await desk.open('a.txt');
    const seen = await desk.read('a.txt');
    await desk.type(editor, 0, 'mine\n');
    await desk.write('a.txt', seen.replace('four', '4'));
    assert.equal(desk.disk('a.txt'), 'mine\none\ntwo\nthree\n4\n');
  });

  it('138: unsaved text is kept for an agent that has only seen the disk', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    await desk.type(await desk.open('a.txt'), 0, 'mine\n');
    await desk.write('a.txt', 'one\ntwo\n3\n');
    assert.equal(desk.disk('a.txt'), 'mine\none\ntwo\n3\n');
  });

  it('138: where both changed the same line nothing is written, and reading again makes it work', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.read('a.txt');
    await desk.type(editor, 1, 'my ');
    const error = await errorOf(desk.write('a.txt', 'one\n2\n'));
    assert.match(error.message, /unsaved changes by the user.*Read the file again/);
    assert.equal(editor.document.getText(), 'one\nmy two\n');
    assert.equal(desk.disk('a.txt'), 'one\ntwo\n');
    const seen = await desk.read('a.txt');
    await desk.write('a.txt', seen.replace('two', '2'));
    assert.equal(desk.disk('a.txt'), 'one\nmy 2\n');
  });

  for (const [law, before, content, after] of [
    ['CRLF stays', 'a\r\nb\r\n', 'a\nB\nc\n', 'a\r\nB\r\nc\r\n'],
    ['CRLF from the agent does not get into an LF file', 'a\nb\n', 'a\r\nB\r\n', 'a\nB\n'],
    ['a missing line end at the end stays as the agent wrote it', 'a\nb\n', 'a\nb', 'a\nb'],
    ['a BOM stays', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['a BOM from the agent is not doubled', '\uFEFFa\n', '\uFEFFb\n', '\uFEFFb\n'],
    [
      'white space and odd characters are exact',
      'x',
      '\t a  \n\u2028\u00a0é日😀\u0301\n\n',
      '\t a  \n\u2028\u00a0é日😀\u0301\n\n',
    ],
    ['an empty text', 'a\nb\n', '', ''],
    ['into an empty file', '', 'a\nb', 'a\nb'],
  ] as const) {
    it(`139: ${law}`, async () => {
      desk.put('a.txt', Buffer.from(before));
      await desk.write('a.txt', content);
      assert.equal(desk.bytes('a.txt').toString('utf8'), after);
    });
  }

  it('139: another encoding stays', async () => {
    desk.put('utf16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é\n', 'utf16le')]));
    await desk.write('utf16.txt', 'é日\n');
    assert.deepEqual(
      desk.bytes('utf16.txt'),
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é日\n', 'utf16le')]),
    );
    desk.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    await vscode.workspace.openTextDocument(vscode.Uri.file(desk.path('latin.txt')), { encoding: 'iso88591' });
    assert.equal(await desk.read('latin.txt'), 'café\n');
    await desk.write('latin.txt', 'th\u00e9\n');
    assert.deepEqual(desk.bytes('latin.txt'), Buffer.from('th\xe9\n', 'latin1'));
  });

  it('140: a new file behind a link that leads out is asked about', async () => {
    symlinkSync(desk.outside, desk.path('linked'));
    symlinkSync(join(desk.outside, 'not-yet.txt'), desk.path('dangling.txt'));
    assert.equal((await errorOf(desk.write('linked/new.txt', 'x'))).code, -32602);
    assert.equal((await errorOf(desk.write('dangling.txt', 'x'))).code, -32602);
    assert.deepEqual(desk.asked, [
      `write ${join(desk.outside, 'new.txt')}`,
      `write ${join(desk.outside, 'not-yet.txt')}`,
    ]);
    assert.equal(existsSync(join(desk.outside, 'new.txt')), false);
    desk.allowOutside = true;
    await desk.write('linked/new.txt', 'x');
    assert.equal(readFileSync(join(desk.outside, 'new.txt'), 'utf8'), 'x');
  });

  it('141: many writes to one file end with the last, and a read after a write sees it', async () => {
    desk.put('a.txt', 'start\n');
    for (let i = 0; i < 10; i++) {
      await desk.write('a.txt', `text ${i}\n`);
      assert.equal(await desk.read('a.txt'), `text ${i}\n`);
    }
    const all = Array.from({ length: 10 }, (_, i) => desk.write('a.txt', `${'line\n'.repeat(i)}end ${i}\n`));
    await Promise.all(all);
    assert.match(desk.disk('a.txt'), /^(line\n)*end \d\n$/);
    assert.equal(await desk.read('a.txt'), desk.disk('a.txt'));
  });

  it('a clean open document whose file was changed on disk, even twice in a row, is written on top of the change', async () => {
    const gaps = [0, 30, 60, 90, 120, 150];
    const name = (gap: number) => `after-${gap}.txt`;
    for (const gap of gaps) {
      desk.put(name(gap), 'one\n');
      await desk.open(name(gap));
    }
    await Promise.all(
      gaps.map(async (gap) => {
        desk.put(name(gap), 'changed by a command\n');
        // Between two changes VS Code reads the file, and keeps the time of one with the text of the other.
        await new Promise((resolve) => setTimeout(resolve, gap));
        desk.put(name(gap), 'changed by a command!\n');
        await desk.write(name(gap), 'changed by a command\nand by the agent\n');
        assert.equal(desk.disk(name(gap)), 'changed by a command\nand by the agent\n');
        const document = await vscode.workspace.openTextDocument(desk.path(name(gap)));
        await until('the editor to follow', () => document.getText() === desk.disk(name(gap)));
        assert.equal(document.isDirty, false);
      }),
    );
  });

  it('a read-only file, a directory and a binary file are clear errors, and nothing is lost', async () => {
    chmodSync(desk.put('ro.txt', 'keep\n'), 0o444);
    assert.match((await errorOf(desk.write('ro.txt', 'x'))).message, /read-only/);
    assert.equal(desk.disk('ro.txt'), 'keep\n');
    mkdirSync(desk.path('folder'));
    assert.match((await errorOf(desk.write('folder', 'x'))).message, /is a directory/);
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]);
    desk.put('image.png', image);
    assert.match((await errorOf(desk.write('image.png', 'x'))).message, /binary|cannot be opened/);
    assert.deepEqual(desk.bytes('image.png'), image);
  });

  it('a file where a folder should be is a clear error', async () => {
    desk.put('file', 'x');
    const error = await errorOf(desk.write('file/child.txt', 'x'));
    assert.match(error.message, /file\/child\.txt/);
  });

  it('a notebook file is read and written as the text that it is', async () => {
    const notebook = (source: string) =>
      JSON.stringify(
        {
          cells: [{ cell_type: 'code', source, metadata: {}, outputs: [] }],
          metadata: {},
          nbformat: 4,
          nbformat_minor: 5,
        },
        null,
        1,
      );
    desk.put('a.ipynb', notebook('1 + 1'));
    assert.equal(await desk.read('a.ipynb'), notebook('1 + 1'));
    await desk.write('a.ipynb', notebook('2 + 2'));
    assert.equal(desk.disk('a.ipynb'), notebook('2 + 2'));
  });

  it('an edit that VS Code saves by itself meanwhile is no failure', async () => {
    const config = vscode.workspace.getConfiguration('files');
    await config.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Workspace);
    await config.update('autoSaveDelay', 1, vscode.ConfigurationTarget.Workspace);
    try {
      desk.put('a.txt', 'one\n');
      await desk.open('a.txt');
      for (let i = 0; i < 20; i++) await desk.write('a.txt', `text ${i}\n`);
      assert.equal(desk.disk('a.txt'), 'text 19\n');
    } finally {
      await config.update('autoSave', undefined, vscode.ConfigurationTarget.Workspace);
      await config.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('a large file is edited in good time', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i} with some text to make it longer\n`);
    desk.put('large.txt', lines.join(''));
    lines[5] = 'changed\n';
    lines[59_000] = 'changed too\n';
    const started = Date.now();
    await desk.write('large.txt', lines.join(''));
    assert.equal(desk.disk('large.txt'), lines.join(''));
    assert.ok(Date.now() - started < 60_000);
    assert.deepEqual(desk.changes(), ['modified large.txt +2 -2']);
  });

  it("format on save counts as the agent's", async () => {
    const provider = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.formatted' },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(new vscode.Position(document.lineCount - 1, 0), '// formatted\n'),
        ],
      },
    );
    const config = vscode.workspace.getConfiguration('editor');
    await config.update('formatOnSave', true, vscode.ConfigurationTarget.Workspace);
    try {
      desk.put('a.formatted', 'one\n');
      await desk.write('a.formatted', 'two\n');
      assert.equal(desk.disk('a.formatted'), 'two\n// formatted\n');
      assert.deepEqual(desk.changes(), ['modified a.formatted +2 -1']);
    } finally {
      provider.dispose();
      await config.update('formatOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('what the user types while it is saved is theirs, on disk and after Undo, and the next write keeps it', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    const editor = await desk.open('a.txt');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    let hasTyped = false;
    const participant = atFirstSave(editor.document, async () => {
      hasTyped = true;
      await vscode.commands.executeCommand('type', { text: 'my' });
      await vscode.commands.executeCommand('type', { text: ' ' });
      return [vscode.TextEdit.insert(new vscode.Position(4, 4), ';')];
    });
    try {
      await desk.write('a.txt', 'one\ntwo\nthree\nfour\nFIVE\n');
    } finally {
      participant.dispose();
    }
    assert.ok(hasTyped);
    assert.ok(editor.document.getText().startsWith('my one\n'), editor.document.getText());
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1']);
    await desk.write('a.txt', 'one\ntwo\n3\nfour\nFIVE\n');
    assert.ok(desk.disk('a.txt').startsWith('my one\ntwo\n3\nfour\nFIVE'), desk.disk('a.txt'));
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), 'my one\ntwo\nthree\nfour\nfive\n');
    assert.deepEqual(desk.reported, []);
  });

  it("what the user types while a save fails stays, and the agent's text does not", async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    const editor = await desk.open('a.txt');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const participant = atFirstSave(editor.document, async () => {
      // VS Code does not save over what it has not seen.
      desk.put('a.txt', 'by another program, longer than it was\n');
      await vscode.commands.executeCommand('type', { text: 'my ' });
      return [];
    });
    try {
      assert.equal((await errorOf(desk.write('a.txt', 'one\ntwo\nTHREE\n'))).code, -32603);
    } finally {
      participant.dispose();
    }
    assert.equal(editor.document.getText(), 'my one\ntwo\nthree\n');
    assert.equal(desk.disk('a.txt'), 'by another program, longer than it was\n');
  });
});
