import * as assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { ChangeBadges } from '../../../src/host/review/changeBadges';
import { systemClock } from '../../../src/host/platform/clock';
import { DocumentPlaces } from '../../../src/host/review/documentPlaces';
import { HunkLenses } from '../../../src/host/review/hunkLenses';
import { HunkReview } from '../../../src/host/review/hunkReview';
import type { Review } from '../../../src/host/review/review';
import { Desk, sessionId, until } from './desk';
import { contentOfText } from '../../../src/host/storage/contentInHand';

const numbered = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, i) => `${changed[i] ?? `line ${i}`}\n`).join('');
/** Puts the cursor into a line, once VS Code has told of all cursors before it: one of them would come in its place. */
const place = async (editor: vscode.TextEditor, line: number) => {
  editor.selection = new vscode.Selection(line, 0, line, 0);
  await vscode.commands.executeCommand('setContext', 'parley.test', line);
  assert.equal(editor.selection.active.line, line);
};

describe('review of hunks in the editor', () => {
  let desk: Desk;
  let review: Review;
  let hunks: HunkReview;
  let lenses: HunkLenses;
  let documents: DocumentPlaces;
  beforeEach(() => {
    desk = new Desk();
    review = desk.shownReview;
    documents = new DocumentPlaces(review, systemClock);
    hunks = new HunkReview(review, documents);
    lenses = new HunkLenses(review, documents, ({ hunk }) =>
      hunk?.agentLines.includes('twelve') ? 'subagent “Read it”' : '',
    );
  });
  afterEach(async () => {
    for (const part of [lenses, hunks, documents]) part.dispose();
    await desk.clear();
  });

  const titles = (editor: vscode.TextEditor) =>
    (lenses.provideCodeLenses(editor.document) as vscode.CodeLens[]).map(
      ({ range, command }) => `${range.start.line} ${command!.title.replace(/^\$\([^)]*\) ?/, '')}`,
    );
  const states = () =>
    review
      .places()
      .map(
        ({ hunk }) => `${hunk?.state} ${hunk?.current.start}-${hunk?.current.end}${hunk?.isEdited ? ' edited' : ''}`,
      );

  /** Lines 2 and 12 changed by the agent, and line 7 deleted. */
  async function three(name = 'a.txt', eol = '\n'): Promise<vscode.TextEditor> {
    const before = numbered(20).replaceAll('\n', eol);
    desk.put(name, before);
    await desk.write(name, numbered(20, { 2: 'two', 12: 'twelve' }).replace('line 7\n', '').replaceAll('\n', eol));
    return desk.open(name);
  }

  it('lenses stand over each hunk, with its place among all', async () => {
    const editor = await three();
    assert.deepEqual(states(), ['pending 2-3', 'pending 7-7', 'pending 11-12']);
    assert.deepEqual(titles(editor), [
      '2 Keep',
      '2 Undo',
      '2 Comment',
      '2 1 of 3',
      '2 Show original line',
      '7 Keep',
      '7 Undo',
      '7 Comment',
      '7 2 of 3',
      '7 Show original line',
      '11 Keep',
      '11 Undo',
      '11 Comment',
      '11 3 of 3 · subagent “Read it”',
      '11 Show original line',
    ]);
    const settings = vscode.workspace.getConfiguration('parley');
    await settings.update('review.codeLens', false, vscode.ConfigurationTarget.Global);
    assert.deepEqual(titles(editor), []);
    await settings.update('review.codeLens', undefined, vscode.ConfigurationTarget.Global);
    await review.keep({});
    assert.deepEqual(titles(editor), []);
  });

  it('Undo takes one hunk out of a document with unsaved text, changes nothing else and does not save', async () => {
    const editor = await three();
    await desk.type(editor, 15, 'mine\n');
    await place(editor, 2);
    await hunks.undo();
    assert.equal(
      editor.document.getText(),
      numbered(20, { 12: 'twelve', 15: 'line 15', 16: 'mine\nline 16' }).replace('line 7\n', ''),
    );
    assert.ok(editor.document.isDirty);
    assert.deepEqual(states(), ['pending 7-7', 'pending 11-12']);
    assert.equal(editor.selection.active.line, 7);
  });

  it('after Ctrl+Z of an Undo the hunk waits again, after redo it is gone again', async () => {
    const editor = await three();
    await place(editor, 11);
    await hunks.undo();
    assert.deepEqual(states(), ['pending 2-3', 'pending 7-7']);
    await vscode.commands.executeCommand('undo');
    await until('the hunk', () => states().length === 3);
    assert.equal(review.places()[2]!.hunk!.currentLines[0], 'twelve');
    await vscode.commands.executeCommand('redo');
    await until('no hunk', () => states().length === 2);
    assert.equal(await review.restore(desk.path('a.txt')), true);
    assert.equal(states().length, 3);
  });

  it('Keep agrees to what is selected, and leads on to the next hunk', async () => {
    const editor = await three();
    const text = editor.document.getText();
    editor.selection = new vscode.Selection(0, 0, 8, 0);
    await hunks.keep();
    assert.deepEqual(states(), ['pending 11-12']);
    assert.equal(editor.selection.active.line, 11);
    assert.equal(editor.document.getText(), text);
    await desk.undoAll();
    assert.equal(desk.disk('a.txt'), numbered(20, { 2: 'two' }).replace('line 7\n', ''));
  });

  it('an Undo of lines that the user has edited changes nothing and waits for a choice', async () => {
    const editor = await three();
    await desk.type(editor, 2, 'my ');
    await place(editor, 2);
    void hunks.undo();
    await until('the conflict', () => states()[0] === 'conflicted 2-3 edited');
    assert.equal(editor.document.lineAt(2).text, 'my two');
    assert.deepEqual(titles(editor).slice(0, 5), [
      '2 You and the agent edited this: Keep mine',
      '2 Keep agent’s version',
      '2 Undo both',
      '2 Show both',
      '2 1 of 3',
    ]);
    assert.equal(desk.shownReview.changes(sessionId)[0]!.conflicts, 1);
    await hunks.showBoth();
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.match((await vscode.workspace.openTextDocument(input.original)).getText(), /\ntwo\n/);
    const again = await desk.open('a.txt');
    await place(again, 2);
    await hunks.resolve('before');
    assert.equal(again.document.lineAt(2).text, 'line 2');
    await vscode.commands.executeCommand('undo');
    await until(
      'the user’s text',
      () => again.document.lineAt(2).text === 'my two' && review.places()[0]!.hunk!.isEdited,
    );
    await place(again, 2);
    await hunks.resolve('agents');
    assert.equal(again.document.lineAt(2).text, 'two');
    assert.deepEqual(states(), ['pending 7-7', 'pending 11-12']);
  });

  it('Undo in a file with CRLF changes no byte outside the hunk', async () => {
    await three('crlf.txt', '\r\n');
    await place(vscode.window.activeTextEditor!, 7);
    await hunks.undo();
    assert.equal(desk.disk('crlf.txt'), numbered(20, { 2: 'two', 12: 'twelve' }).replaceAll('\n', '\r\n'));
  });

  it('next and previous go through all files, round and round', async () => {
    const editor = await three();
    desk.put('b.txt', 'one\ntwo\n');
    await desk.write('b.txt', 'one\n2\n');
    await place(editor, 0);
    const seen: string[] = [];
    for (const direction of [1, 1, 1, 1, 1, -1, -1] as const) {
      await hunks.go(direction);
      const { document, selection } = vscode.window.activeTextEditor!;
      seen.push(`${document.fileName.slice(-5)}:${selection.active.line}`);
    }
    assert.deepEqual(seen, ['a.txt:2', 'a.txt:7', 'a.txt:11', 'b.txt:1', 'a.txt:2', 'b.txt:1', 'a.txt:11']);
  });

  it('keys that follow typing at once find the lines where they are now', async () => {
    const editor = await three();
    await desk.type(editor, 0, 'mine\nmine\n');
    await place(editor, 0);
    await hunks.go(1);
    assert.equal(editor.selection.active.line, 4);
    await desk.type(editor, 0, 'mine\n');
    await hunks.keep();
    assert.deepEqual(states(), ['pending 10-10', 'pending 14-15']);
  });

  it('Undo of hundreds of hunks in an open file is one step, and leaves the cursor and the line ends', async () => {
    const text = (word: string) =>
      numbered(
        2_400,
        Object.fromEntries(Array.from({ length: 600 }, (_, i) => [i * 4 + 1, `${word} ${i}`])),
      ).replaceAll('\n', '\r\n');
    desk.put('many.txt', text('before'));
    const editor = await desk.open('many.txt');
    await desk.write('many.txt', text('after'));
    assert.equal(review.places().length, 600);
    await place(editor, 1_202);
    await review.undo({});
    assert.equal(desk.disk('many.txt'), text('before'));
    assert.deepEqual(
      [editor.selection.active.line, editor.document.isDirty, review.places().length],
      [1_202, false, 0],
    );
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), text('after'));
    await until('they are back', () => review.places().length === 600);
  });

  it('a change that came to disk by itself is reviewed in the same way, a deletion too', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    desk.put('gone.txt', 'x\ny\n');
    desk.put('a.txt', 'one\n2\n');
    desk.review.record(sessionId, desk.path('a.txt'), contentOfText('one\ntwo\n'), contentOfText('one\n2\n'));
    rmSync(desk.path('gone.txt'));
    desk.review.record(sessionId, desk.path('gone.txt'), contentOfText('x\ny\n'), contentOfText(undefined));
    assert.deepEqual(desk.changes(), ['modified a.txt +1 -1', 'deleted gone.txt +0 -2']);
    const editor = await desk.open('a.txt');
    await place(editor, 1);
    await hunks.undo();
    assert.equal(desk.disk('a.txt'), 'one\ntwo\n');
    await desk.undoAll();
    assert.equal(desk.disk('gone.txt'), 'x\ny\n');
    assert.deepEqual(desk.changes(), []);
  });

  it('a renamed file takes its hunks along', async () => {
    await three();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(desk.path('a.txt')), vscode.Uri.file(desk.path('b.txt')));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until(
      'the new name',
      () => review.places().every(({ path }) => path === desk.path('b.txt')) && states().length === 3,
    );
    await desk.undoAll();
    assert.equal(desk.disk('b.txt'), numbered(20));
  });

  it('hunks are still there when an editor replaces the file by another of the same name', async () => {
    await three();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const ids = review.places().map(({ hunk }) => hunk!.id);
    desk.put('new.txt', `first\n${desk.disk('a.txt')}`);
    renameSync(desk.path('new.txt'), desk.path('a.txt'));
    await until('the new line', () => states()[0] === 'pending 3-4');
    assert.deepEqual(
      review.places().map(({ hunk }) => hunk!.id),
      ids,
    );
  });

  it('badges count the hunks of a file, and go with the last of them', async () => {
    const badges = new ChangeBadges(review);
    const editor = await three();
    assert.equal(badges.provideFileDecoration(editor.document.uri)?.badge, '3');
    await review.keep({});
    assert.equal(badges.provideFileDecoration(editor.document.uri), undefined);
    badges.dispose();
  });
});
