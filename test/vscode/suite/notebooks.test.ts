import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Review } from '../../../src/host/review/review';
import { Desk, until } from './desk';

const notebook = (source: string) =>
  `${JSON.stringify({ cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [source] }], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 2 }, undefined, 1)}\n`;
const activeInput = () => vscode.window.tabGroups.activeTabGroup.activeTab?.input;

describe('changes that an agent made in a notebook', () => {
  let desk: Desk;
  let review: Review;
  beforeEach(async () => {
    desk = new Desk();
    review = desk.shownReview;
    desk.put('book.ipynb', notebook('one'));
    await desk.write('book.ipynb', notebook('two'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await desk.clear();
  });

  async function openBook(): Promise<vscode.NotebookEditor> {
    const editor = await vscode.window.showNotebookDocument(
      await vscode.workspace.openNotebookDocument(vscode.Uri.file(desk.path('book.ipynb'))),
    );
    return editor;
  }

  async function type(editor: vscode.NotebookEditor): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.set(editor.notebook.uri, [
      vscode.NotebookEdit.insertCells(1, [new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'mine', 'python')]),
    ]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(editor.notebook.isDirty, true);
  }

  const cells = (editor: vscode.NotebookEditor) => editor.notebook.getCells().map((cell) => cell.document.getText());

  it('are one row and one place, and undone while it is closed', async () => {
    assert.deepEqual(
      [review.changes().map(({ label }) => label), review.places().length, review.rows[0]!.changes[0]!.hunks],
      [['book.ipynb'], 1, []],
    );
    await review.undo({});
    assert.deepEqual([desk.disk('book.ipynb'), desk.reported, review.changes()], [notebook('one'), [], []]);
  });

  it('are undone in its editor, too', async () => {
    const editor = await openBook();
    assert.deepEqual(cells(editor), ['two']);
    await review.undo({});
    assert.deepEqual([desk.disk('book.ipynb'), desk.reported], [notebook('one'), []]);
    await until('the cells, saved', () => cells(editor).join() === 'one' && !editor.notebook.isDirty);
  });

  it('stay where cells are not saved, which is said', async () => {
    const editor = await openBook();
    await type(editor);
    await review.undo({});
    assert.match(desk.reported.join(), /book\.ipynb: .*unsaved changes/);
    assert.deepEqual(
      [desk.disk('book.ipynb'), cells(editor), review.changes().length],
      [notebook('two'), ['two', 'mine'], 1],
    );
  });

  it('are shown cell by cell beside what it was', async () => {
    await review.open(desk.path('book.ipynb'));
    await until('the diff', () => activeInput() instanceof vscode.TabInputNotebookDiff);
    const { original, modified } = activeInput() as vscode.TabInputNotebookDiff;
    assert.equal(modified.fsPath, desk.path('book.ipynb'));
    // Read by the editor itself.
    await until(
      'both sides',
      () =>
        vscode.workspace.notebookDocuments.filter(
          ({ uri }) => uri.toString() === original.toString() || uri.toString() === modified.toString(),
        ).length === 2,
    );
    const left = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === original.toString())!;
    assert.deepEqual(
      left.getCells().map((cell) => cell.document.getText()),
      ['one'],
    );
    assert.equal(review.pathOf(undefined), desk.path('book.ipynb'));
  });
});
