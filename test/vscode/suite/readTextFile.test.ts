import * as assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CancellationSource } from '../../../src/base/cancellation';
import { Desk, errorOf, sessionId } from './desk';

describe('fs/read_text_file', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.clear());

  it('133: gives unsaved text of an open editor, and the disk otherwise', async () => {
    desk.put('a.txt', 'disk\n');
    assert.equal(await desk.read('a.txt'), 'disk\n');
    await desk.type(await desk.open('a.txt'), 0, 'unsaved ');
    assert.equal(await desk.read('a.txt'), 'unsaved disk\n');
  });

  it('133: a clean document that has not noticed a change on disk is not believed', async () => {
    desk.put('a.txt', 'one\n');
    await vscode.workspace.openTextDocument(desk.path('a.txt'));
    desk.put('a.txt', 'two\n');
    assert.equal(await desk.read('a.txt'), 'two\n');
  });

  it('134: line is 1-based and limit counts lines', async () => {
    desk.put('a.txt', 'a\nb\nc');
    assert.equal(await desk.read('a.txt', { line: 2, limit: 1 }), 'b');
    assert.equal(await desk.read('a.txt', { line: 9 }), '');
    assert.equal(await desk.read('a.txt', { line: null, limit: null }), 'a\nb\nc');
  });

  it('135: a relative path, a URI and an empty path are refused', async () => {
    for (const path of ['a.txt', './a.txt', 'file:///etc/passwd', '']) {
      const error = await errorOf(
        desk.files.readTextFile(
          { sessionId, path },
          { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) },
        ),
      );
      assert.equal(error.code, -32602, path);
    }
    assert.deepEqual(desk.asked, []);
  });

  it('136: a missing file is -32002 with its URI, or empty for agents that need that', async () => {
    const error = await errorOf(desk.read('no such #file.txt'));
    assert.equal(error.code, -32002);
    assert.match(error.message, /no such #file\.txt/);
    assert.equal((error.data as { uri: string }).uri, vscode.Uri.file(desk.path('no such #file.txt')).toString());
    desk.missing = 'empty';
    assert.equal(await desk.read('no such #file.txt'), '');
  });

  it('136: a directory, a binary file and a huge file are clear errors', async () => {
    mkdirSync(desk.path('folder'));
    desk.put('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3]));
    desk.put('huge.txt', Buffer.alloc(11 * 1024 * 1024, 'x'));
    assert.match((await errorOf(desk.read('folder'))).message, /is a directory/);
    assert.match((await errorOf(desk.read('image.png'))).message, /binary/);
    assert.match((await errorOf(desk.read('huge.txt'))).message, /too large/);
  });

  it('139: text is decoded as VS Code does', async () => {
    desk.put('utf8.txt', Buffer.from('\uFEFFé日\n'));
    desk.put('utf16.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é日\n', 'utf16le')]));
    assert.equal(await desk.read('utf8.txt'), 'é日\n');
    assert.equal(await desk.read('utf16.txt'), 'é日\n');
  });

  it('140: odd names and links inside are read; a link that leads out is asked about', async () => {
    for (const name of ['with space.txt', 'ünï#co%20de?.txt', "qu'ote[1].txt"]) {
      desk.put(name, name);
      assert.equal(await desk.read(name), name);
    }
    writeFileSync(join(desk.outside, 'secret.txt'), 'secret');
    symlinkSync(join(desk.outside, 'secret.txt'), desk.path('link.txt'));
    symlinkSync(desk.outside, desk.path('linked'));
    for (const name of ['link.txt', 'linked/secret.txt', `../../${desk.outside.split('/').at(-1)}/secret.txt`]) {
      const error = await errorOf(desk.read(name));
      assert.equal(error.code, -32602);
      assert.match(error.message, /outside/);
    }
    assert.deepEqual(new Set(desk.asked), new Set([`read ${join(desk.outside, 'secret.txt')}`]));
    desk.allowOutside = true;
    assert.equal(await desk.read('link.txt'), 'secret');
  });

  it('141: fifty reads at once', async () => {
    for (let i = 0; i < 50; i++) desk.put(`f${i}.txt`, `text ${i}`);
    const texts = await Promise.all(Array.from({ length: 50 }, (_, i) => desk.read(`f${i}.txt`)));
    assert.deepEqual(
      texts,
      Array.from({ length: 50 }, (_, i) => `text ${i}`),
    );
  });

  it('142: an unknown session is -32002', async () => {
    desk.put('a.txt', 'x');
    assert.equal((await errorOf(desk.read('a.txt', { sessionId: 'other' }))).code, -32002);
  });

  it('177: a question that is withdrawn ends with -32800', async () => {
    const source = new CancellationSource();
    const files = desk.files as unknown as { options: { askOutside: unknown } };
    files.options.askOutside = () => new Promise(() => {});
    const reading = desk.files.readTextFile({ sessionId, path: '/etc/hostname' }, source.token);
    setImmediate(() => source.cancel());
    assert.equal((await errorOf(reading)).code, -32800);
  });
});
