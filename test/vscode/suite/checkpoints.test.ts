import * as assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { Checkpoints } from '../../../src/host/changes/stored/checkpoints';
import { systemClock } from '../../../src/host/platform/clock';
import { lookNow } from '../../../src/host/files/readContent';
import { FileRestore } from '../../../src/host/changes/fileRestore';
import { ReviewService } from '../../../src/host/changes/reviewService';
import { type AgentWriter, WorkspaceFiles } from '../../../src/host/files/workspaceFiles';
import { Desk, sessionId } from './desk';
import type { ReviewContents } from '../../../src/host/changes/stored/reviewContents';
import type { ContentInHand } from '../../../src/host/storage/contentInHand';

/* Going back, in the real editor: through documents, with what is unsaved in them. */
describe('checkpoints', () => {
  let desk: Desk;
  let prompt = 1;
  let checkpoints: Checkpoints;
  let review: ReviewService;
  let files: WorkspaceFiles;
  let restore: FileRestore;
  let contents: ReviewContents;
  beforeEach(() => {
    desk = new Desk();
    prompt = 1;
    const scopes = (id: string) =>
      id === sessionId ? { sessionId, agent: 'Desk', cwd: desk.folder, roots: [desk.folder] } : undefined;
    contents = desk.openContents();
    checkpoints = new Checkpoints({
      folder: desk.outside,
      contents: contents.contents,
      promptOf: () => prompt,
      clock: systemClock,
      log: silentLogger,
    });
    review = new ReviewService({
      scopes,
      baselines: desk.baselines,
      clock: systemClock,
      log: silentLogger,
      turnOf: () => undefined,
      dialogs: { confirm: async () => true, report: () => {} },
      storage: { checkpoints, contents },
    });
    files = new WorkspaceFiles({ scopes, writer: review, log: silentLogger, askOutside: async () => true });
    restore = new FileRestore(review.recorder, checkpoints, silentLogger);
  });
  afterEach(async () => {
    review.dispose();
    checkpoints.dispose();
    await desk.clear();
  });

  const write = (name: string, content: string) =>
    files.writeTextFile({ sessionId, path: desk.path(name), content }, neverCancelled);
  const pending = () =>
    review.tracked(sessionId).map(({ kind, path }) => `${kind} ${path.slice(desk.folder.length + 1)}`);

  async function restoreTo(at: number): Promise<string[]> {
    const { files: found } = await restore.plan(sessionId, (await checkpoints.log(sessionId)).since(at), at);
    assert.deepEqual(await restore.carryOut(sessionId, found, 'restore', at), []);
    return found
      .map(({ path, kind, isEdited }) => `${kind} ${path.slice(desk.folder.length + 1)}${isEdited ? ' edited' : ''}`)
      .sort();
  }

  async function redo(): Promise<void> {
    const { redoable } = await checkpoints.log(sessionId);
    const { files: found } = await restore.plan(sessionId, redoable!.files);
    assert.deepEqual(await restore.carryOut(sessionId, found, 'redo'), []);
  }

  it('modified files get their text back, created ones go, and Redo brings all of it back to review', async () => {
    desk.put('a.txt', 'one\r\ntwo\r\n');
    await write('a.txt', '1\ntwo\n');
    for (const { path } of review.tracked(sessionId)) await review.decisions.keep({ sessionId, path, ids: undefined });
    prompt = 2;
    await write('a.txt', '1\n2\n');
    await write('folder/new.txt', 'new\n');
    assert.deepEqual(await restoreTo(1), ['changes a.txt', 'goes folder/new.txt']);
    assert.deepEqual([desk.disk('a.txt'), desk.exists('folder/new.txt'), pending()], ['one\r\ntwo\r\n', false, []]);
    await redo();
    assert.deepEqual(
      [desk.disk('a.txt'), desk.disk('folder/new.txt'), pending().sort()],
      ['1\r\n2\r\n', 'new\n', ['created folder/new.txt', 'modified a.txt']],
    );
  });

  it('unsaved edits are named, go through the document, and come back by Ctrl+Z as by Redo', async () => {
    desk.put('a.txt', 'one\ntwo\n');
    await write('a.txt', 'one\n2\n');
    const editor = await desk.open('a.txt');
    await desk.type(editor, 0, 'mine ');
    assert.deepEqual(await restoreTo(1), ['changes a.txt edited']);
    assert.equal(editor.document.getText(), 'one\ntwo\n');
    assert.equal(editor.document.isDirty, true);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'mine one\n2\n');
    await vscode.commands.executeCommand('redo');
    await redo();
    assert.equal(editor.document.getText(), 'mine one\n2\n');
    assert.deepEqual(pending(), ['modified a.txt']);
  });

  it('nothing is written through a link that came since and leads out', async () => {
    desk.put('folder/a.txt', 'one\n');
    await write('folder/a.txt', '1\n');
    writeFileSync(join(desk.outside, 'a.txt'), '1\n');
    renameSync(desk.path('folder'), desk.path('aside'));
    symlinkSync(desk.outside, desk.path('folder'));
    const { files: found, problems } = await restore.plan(sessionId, (await checkpoints.log(sessionId)).since(1), 1);
    assert.deepEqual(found, []);
    assert.match(problems.join(), /a\.txt: .*folder is a link now/);
    assert.equal(readFileSync(join(desk.outside, 'a.txt'), 'utf8'), '1\n');
  });

  it('binary files, permissions and moves go back and forth as texts do, with a document open over one of them', async () => {
    const picture = (...rest: number[]) => Buffer.from([137, 80, 0, ...rest]);
    const standing = async (name: string): Promise<ContentInHand> => {
      const { value } = await lookNow(desk.path(name));
      assert.equal(value.kind, 'file');
      return value.kind === 'file' ? value.content : assert.fail();
    };
    const agent = async (names: readonly string[], work: () => void) => {
      const before = new Map<string, ContentInHand>();
      for (const name of names) before.set(name, await standing(name));
      work();
      for (const [name, content] of before) review.record(sessionId, desk.path(name), content, await standing(name));
    };
    desk.put('a.png', picture(1));
    desk.put('old.png', picture(2));
    desk.put('run.sh', 'one\n');
    chmodSync(desk.path('a.png'), 0o640);
    const editor = await desk.open('run.sh');
    await agent(['a.png', 'old.png', 'folder/new.png', 'run.sh'], () => {
      desk.put('a.png', picture(9));
      mkdirSync(desk.path('folder'));
      renameSync(desk.path('old.png'), desk.path('folder/new.png'));
      chmodSync(desk.path('run.sh'), 0o755);
    });
    await desk.type(editor, 0, 'mine\n');
    assert.deepEqual((await restoreTo(1)).sort(), [
      'changes a.png',
      'changes run.sh edited',
      'comesBack old.png',
      'goes folder/new.png',
    ]);
    const now = () => [
      desk.bytes('a.png'),
      statSync(desk.path('a.png')).mode & 0o777,
      desk.exists('old.png'),
      desk.exists('folder/new.png'),
      statSync(desk.path('run.sh')).mode & 0o111,
    ];
    assert.deepEqual(now(), [picture(1), 0o640, true, false, 0]);
    assert.deepEqual(pending(), []);
    await redo();
    assert.deepEqual(now(), [picture(9), 0o640, false, true, 0o111]);
    assert.deepEqual([editor.document.getText(), pending().length], ['mine\none\n', 4]);
  });

  it('what the user types while a write is prepared is not written over', async () => {
    desk.put('a.txt', 'one\ntwo\nthree\nfour\n');
    const editor = await desk.open('a.txt');
    await files.readTextFile({ sessionId, path: desk.path('a.txt') }, neverCancelled);
    await desk.type(editor, 0, 'my ');
    // While it is prepared, and in the moment before the document is edited.
    const words = ['so ', 'very ', ''];
    const type = async () => {
      const word = words.pop();
      if (word) await desk.type(editor, 0, word);
    };
    const writer: AgentWriter = {
      write: async (...asked) => {
        await type();
        return review.write(...asked);
      },
    };
    const prepare = review.recorder.prepare.bind(review.recorder);
    review.recorder.prepare = async (...asked) => {
      const heard = await prepare(...asked);
      await type();
      return heard;
    };
    const scopes = () => ({ sessionId, agent: 'Desk', cwd: desk.folder, roots: [desk.folder] });
    const other = new WorkspaceFiles({ scopes, writer, log: silentLogger, askOutside: async () => true });
    await other.readTextFile({ sessionId, path: desk.path('a.txt') }, neverCancelled);
    await other.writeTextFile(
      { sessionId, path: desk.path('a.txt'), content: 'my one\ntwo\nthree\n4\n' },
      neverCancelled,
    );
    assert.equal(editor.document.getText(), 'so very my one\ntwo\nthree\n4\n');
  });
});
