import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SaveAnnouncer } from '../../../src/host/changes/disk/saveAnnouncer';
import { AgentDesk } from './agentDesk';
import { sessionId, until } from './desk';
import { textIn } from '../../../src/host/storage/contentInHand';

describe("changes that an agent writes to disk by itself, beside the user's editors,", () => {
  let desk: AgentDesk;
  beforeEach(() => {
    desk = new AgentDesk();
  });
  afterEach(() => desk.clear());

  it("are not the agent's outside a turn, nor is a save of the user in one", async () => {
    desk.put('a.txt', 'one\n');
    desk.put('b.txt', 'one\n');
    desk.put('c.txt', 'one\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'mine\n');
    await desk.save(editor);
    desk.put('c.txt', 'agent\n');
    await desk.shows('modified c.txt +1 -1');
    desk.end();
    await until('the end of the watch', () => !desk.turns.isFollowing);
    desk.put('b.txt', 'later\n');
    await desk.begin();
    desk.put('c.txt', 'agent\nagain\n');
    await desk.shows('modified c.txt +2 -1');
  });

  it('leave alone what the user types in the same file, before and after', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'mine\n');
    await desk.save(editor);
    desk.putWhole('a.txt', 'mine\none\ntwo\nthree\nfour\nFIVE\n');
    await desk.shows('modified a.txt +1 -1');
    await until('the editor to follow', () => editor.document.getText().includes('FIVE'));
    await desk.type(editor, 1, 'mine too\n');
    await desk.save(editor);
    await until('the save to be seen', () => desk.review.textNow(desk.path('a.txt'))?.text?.includes('mine too'));
    assert.deepEqual(desk.rows(), ['modified a.txt +1 -1']);
    await desk.endAndUndo();
    assert.equal(desk.disk('a.txt'), 'mine\nmine too\none\ntwo\nthree\nfour\nfive\n');
  });

  it('are not lost when the user types on and saves at once', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    const followed = new Promise<void>((resolve) => {
      const registration = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // VS Code may read the file between its cut and its new content.
        if (document !== editor.document || !document.getText().includes('THREE')) return;
        registration.dispose();
        resolve();
      });
    });
    desk.putWhole('a.txt', 'one\ntwo\nTHREE\n');
    await followed;
    await desk.type(editor, 0, 'mine\n');
    await desk.save(editor);
    await desk.shows('modified a.txt +1 -1');
    await desk.endAndUndo();
    assert.equal(desk.disk('a.txt'), 'mine\none\ntwo\nthree\n');
  });

  it('are undone in a document that has not noticed them yet', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    for (let i = 0; i < 5; i++) {
      desk.put('a.txt', `one\n${i}\n`);
      desk.tool({ kind: 'edit', locations: [{ path: desk.path('a.txt') }], status: 'completed' });
      await until('the change', () => desk.rows().length === 1);
      desk.put('a.txt', `one\n${i}\nmore\n`);
      await desk.all.undo({ path: desk.path('a.txt') });
      assert.deepEqual([desk.disk('a.txt'), ...desk.reported], ['one\ntwo\n']);
      await until('the document', () => editor.document.getText() === 'one\ntwo\n' && !editor.document.isDirty);
      await desk.shows();
    }
  });

  it('never cost unsaved work: the file is listed, Undo waits', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    const editor = await desk.open('a.txt');
    await desk.begin();
    await desk.type(editor, 0, 'unsaved\n');
    desk.put('a.txt', 'one\n2\n');
    await desk.shows('modified a.txt +1 -1');
    desk.end();
    await desk.all.undo({ path: desk.path('a.txt') });
    assert.equal(editor.document.getText(), 'unsaved\none\ntwo\n');
    assert.equal(desk.disk('a.txt'), 'one\n2\n');
    assert.match(desk.reported.join(), /Parley did not change a\.txt: it has unsaved changes/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the file as it is on disk', () => editor.document.getText() === 'one\n2\n');
    await desk.all.undo({ path: desk.path('a.txt') });
    assert.equal(desk.disk('a.txt'), 'one\ntwo\n');
  });

  it('are recorded before a write through the editor, or a restore, takes what stands in the file for known', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\n');
    await desk.begin();
    desk.tool({ kind: 'execute', rawInput: { command: 'sed -i s/one/1/ a.txt' } });
    desk.put('a.txt', '1\ntwo\nthree\nfour\n');
    await desk.write('a.txt', '1\ntwo\n3\nfour\n');
    await desk.shows('modified a.txt +2 -2');
    desk.put('a.txt', '1\ntwo\n3\nFOUR\n');
    assert.equal(
      textIn((await desk.review.recorder.standing(sessionId, desk.path('a.txt'))).content),
      '1\ntwo\n3\nFOUR\n',
    );
    await desk.shows('modified a.txt +3 -3');
    await desk.endAndUndo();
    assert.equal(desk.disk('a.txt'), 'one\ntwo\nthree\nfour\n');
  });

  it('are not what the user saves in another window', async () => {
    desk.put('a.txt', 'one\n');
    desk.put('b.txt', 'one\n');
    const other = new SaveAnnouncer({ ...desk.saves, id: 'other' });
    try {
      await desk.begin();
      // A window tells of a save before it writes.
      await other.saved(desk.path('a.txt'), 'mine\n');
      desk.put('a.txt', 'mine\n');
      desk.put('b.txt', 'agent\n');
      await desk.shows('modified b.txt +1 -1');
      desk.put('a.txt', 'mine\nagent\n');
      await desk.shows('modified b.txt +1 -1', 'modified a.txt +1 -0');
      desk.end();
      await desk.all.undo({});
      assert.equal(desk.disk('a.txt'), 'mine\n');
    } finally {
      other.dispose();
    }
  });
});
