import * as assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { BASELINE_SCHEME } from '../../../src/host/changes/baselineDocuments';
import { Desk, sessionId, until } from './desk';
import { contentOfText } from '../../../src/host/storage/contentInHand';

const activeInput = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();

describe('review of what the agent changed', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.clear());

  it('143: lists created and modified files with counts, one row per file', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    await desk.write('a.txt', 'one\n2\n');
    await desk.write('a.txt', 'one\n2\n3\n');
    await desk.write('folder/new.txt', 'x\ny\n');
    assert.deepEqual(desk.changes(), ['modified a.txt +2 -1', 'created folder/new.txt +2 -0']);
    assert.deepEqual(
      desk.shownReview.changes(sessionId).map((change) => change.label),
      ['a.txt', 'folder/new.txt'],
    );
  });

  it('tells of each change, and a write that changes nothing is none', async () => {
    const seen: number[] = [];
    const listener = desk.review.onDidChangeChanges(({ sessionId: id }) => {
      assert.equal(id, sessionId);
      seen.push(desk.review.tracked(id).length);
    });
    desk.put('a.txt', 'one\n');
    await desk.write('a.txt', 'one\n');
    await desk.write('a.txt', 'two\n');
    await desk.keepAll();
    listener.dispose();
    assert.deepEqual(seen, [0, 1, 0]);
  });

  it('opens the diff of a file against its baseline, whatever its name', async () => {
    const name = 'ünï #1 %20 [x]?.txt';
    desk.put(name, 'before\n');
    await desk.write(name, 'after\n');
    await (await desk.review.diffs()).openChanges([sessionId], desk.path(name));
    const input = activeInput();
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.scheme, BASELINE_SCHEME);
    assert.equal(await textOf(input.original), 'before\n');
    assert.equal(input.modified.fsPath, desk.path(name));
    // The baseline follows what the user does elsewhere in the file.
    await desk.write(name, 'after\nmore\n');
    assert.equal(await textOf(input.original), 'before\n');
  });

  it('opens all changes in one editor', async () => {
    desk.put('a.txt', 'before\n');
    await desk.write('a.txt', 'after\n');
    await desk.write('b.txt', 'new\n');
    await (await desk.review.diffs()).openAll([sessionId], 'Agent changes', () => undefined);
    await until('the editor', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Agent changes'),
    );
  });

  it('opens what several sessions have changed in one editor, each file once', async () => {
    desk.put('a.txt', 'before\n');
    await desk.write('a.txt', 'after\n');
    desk.put('b.txt', 'b\n');
    for (const name of ['a.txt', 'b.txt'])
      desk.review.record('other', desk.path(name), contentOfText('was\n'), contentOfText(desk.disk(name)));
    await desk.shownReview.open(undefined);
    await until('the editor', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith('Agent changes (2 files)'),
    );
  });

  it("opens a tool call's diff: of a tracked file the change, else the two texts", async () => {
    await (
      await desk.review.diffs()
    ).openToolDiff(sessionId, { path: desk.path('other #.ts'), title: 'Edit other', oldText: 'old', newText: 'new' });
    const adHoc = activeInput();
    assert.ok(adHoc instanceof vscode.TabInputTextDiff);
    assert.deepEqual([await textOf(adHoc.original), await textOf(adHoc.modified)], ['old', 'new']);
    desk.put('a.txt', 'before\n');
    await desk.write('a.txt', 'after\n');
    await (
      await desk.review.diffs()
    ).openToolDiff(sessionId, { path: desk.path('a.txt'), title: 'Edit a', oldText: 'fore', newText: 'ter' });
    const tracked = activeInput();
    assert.ok(tracked instanceof vscode.TabInputTextDiff);
    assert.equal(tracked.modified.fsPath, desk.path('a.txt'));
    assert.equal(await textOf(tracked.original), 'before\n');
  });

  it('Keep closes a change and leaves the file', async () => {
    desk.put('a.txt', 'one\n');
    await desk.write('a.txt', 'two\n');
    await desk.write('b.txt', 'new\n');
    await desk.keep('a.txt');
    assert.deepEqual(desk.changes(), ['created b.txt +1 -0']);
    assert.equal(desk.disk('a.txt'), 'two\n');
    await desk.write('a.txt', 'three\n');
    assert.deepEqual(desk.changes(), ['created b.txt +1 -0', 'modified a.txt +1 -1']);
  });

  it('a question about all changes is not about what the agent does while it waits', async () => {
    desk.put('a.txt', 'one\n');
    await desk.write('a.txt', 'two\n');
    await desk.write('b.txt', 'new\n');
    const chosen = await desk.shownReview.chosen({});
    await desk.write('a.txt', 'three\n');
    await desk.write('c.txt', 'new\n');
    await desk.shownReview.keepMany(await chosen());
    assert.deepEqual(desk.changes().sort(), ['created c.txt +1 -0', 'modified a.txt +1 -1']);
  });

  it('Undo restores the text and saves it, and Ctrl+Z takes that back', async () => {
    desk.put('a.txt', 'one\r\ntwo\r\n');
    const editor = await desk.open('a.txt');
    await desk.write('a.txt', '1\ntwo\n2\n');
    await desk.undo('a.txt');
    assert.equal(desk.disk('a.txt'), 'one\r\ntwo\r\n');
    assert.deepEqual(desk.changes(), []);
    assert.equal(editor.document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), '1\r\ntwo\r\n2\r\n');
  });

  it('Undo keeps what the user has edited elsewhere since, unsaved too', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    await desk.write('a.txt', 'one\n2\nthree\nfour\nfive\nsix\n');
    const editor = await desk.open('a.txt');
    await desk.type(editor, 3, 'my ');
    await until('the edit to be seen', () => desk.changes()[0] === 'modified a.txt +2 -1');
    await desk.undoAll();
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\nmy four\nfive\n');
    assert.equal(editor.document.isDirty, true);
    assert.deepEqual(desk.changes(), []);
    assert.deepEqual(desk.reported, []);
  });

  it('Undo leaves a place that the user has edited since, and says so', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\n');
    await desk.write('a.txt', '1\ntwo\nthree\n4\n');
    const editor = await desk.open('a.txt');
    await desk.type(editor, 0, 'my ');
    await desk.save(editor);
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), 'my 1\ntwo\nthree\nfour\n');
    assert.equal(desk.reported.length, 1);
    assert.match(desk.reported[0]!, /One change in a\.txt was not undone/);
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1']);
  });

  it('Undo of a created file deletes it; after an edit of the user it asks first', async () => {
    await desk.write('a.txt', 'new\n');
    await desk.write('b.txt', 'new\n');
    const editor = await desk.open('b.txt');
    await desk.type(editor, 0, 'mine\n');
    await desk.save(editor);
    desk.confirm = false;
    await desk.undoAll();
    assert.deepEqual([desk.exists('a.txt'), desk.exists('b.txt')], [false, true]);
    assert.equal(desk.confirmed.length, 1);
    assert.deepEqual(desk.changes(), ['created b.txt +1 -0']);
    desk.confirm = true;
    await desk.undoAll();
    assert.equal(desk.exists('b.txt'), false);
    assert.deepEqual(desk.changes(), []);
  });

  it('follows a file that is changed or deleted by something else, as soon as somebody looks', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    await desk.write('a.txt', 'one\n2\nthree\n');
    desk.put('a.txt', 'one\n2\nthree\nfrom a command\n');
    await desk.review.lookAgain();
    assert.equal(desk.review.tracked(sessionId)[0]?.added, 1);
    rmSync(desk.path('a.txt'));
    await desk.review.lookAgain();
    assert.deepEqual(desk.changes(), []);
    desk.put('a.txt', 'one\n2\nthree\nfrom a command\n');
    await desk.review.lookAgain();
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), 'one\ntwo\nthree\nfrom a command\n');
  });

  it('Undo of a deletion leaves what was typed since into its editor, which can be saved', async () => {
    desk.put('a.txt', 'one\n');
    const editor = await desk.open('a.txt');
    rmSync(desk.path('a.txt'));
    desk.review.record(sessionId, desk.path('a.txt'), contentOfText('one\n'), contentOfText(undefined));
    await desk.type(editor, 0, 'my ');
    await desk.undoAll();
    assert.deepEqual(
      [desk.exists('a.txt'), editor.document.getText(), editor.document.isDirty],
      [false, 'my one\n', true],
    );
    assert.deepEqual(desk.changes(), ['deleted a.txt +0 -1']);
    assert.match(desk.reported.join(), /its editor has unsaved changes/);
    await desk.save(editor);
    await until('the user’s file', () => desk.changes().length === 0);
    assert.equal(desk.disk('a.txt'), 'my one\n');
  });

  it('goes on when the file is closed and opened again', async () => {
    desk.put('a.txt', 'one\n');
    await desk.open('a.txt');
    await desk.write('a.txt', 'two\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await desk.open('a.txt');
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1']);
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), 'one\n');
  });

  it('a change that the user takes back by hand is none', async () => {
    desk.put('a.txt', 'one\n');
    const editor = await desk.open('a.txt');
    await desk.write('a.txt', 'two\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\n');
    await until('the list to be empty', () => desk.changes().length === 0);
  });
});
