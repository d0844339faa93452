import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { absent } from '../../../../src/changes/content';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { FakeClock } from '../../../fakes/fakeClock';
import { replaceContent } from '../../../../src/host/files/replaceContent';
import { contentOfText } from '../../../../src/host/storage/contentInHand';

const editor = vi.hoisted(() => ({ documents: [] as object[], touched: (_event: object): void => {} }));

vi.mock('vscode', async () => {
  const { plainSettings } = await import('../../../fakes/plainSettings');
  const event = () => ({ dispose: () => undefined });
  const names = [
    'onDidOpenTextDocument',
    'onDidSaveTextDocument',
    'onDidCloseTextDocument',
    'onDidRenameFiles',
    'onDidCreateFiles',
    'onDidDeleteFiles',
  ];
  return {
    workspace: {
      ...plainSettings,
      get textDocuments() {
        return editor.documents;
      },
      notebookDocuments: [],
      workspaceFolders: [],

      onDidChangeTextDocument: (listener: (change: object) => void) => {
        editor.touched = listener;
        return event();
      },
      ...Object.fromEntries(names.map((name) => [name, event])),
    },
    window: { tabGroups: { all: [] }, onDidChangeWindowState: event, onDidEndTerminalShellExecution: event },
    tasks: { onDidEndTask: event },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
  };
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-deleted-')));
  path = join(folder, 'a.txt');
  editor.documents = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The editor of the file, with text that is not saved. */
const type = (text: string) => {
  editor.documents = [
    { uri: { scheme: 'file', fsPath: path }, isClosed: false, isDirty: true, encoding: 'utf8', getText: () => text },
  ];
};
/** A review of the file. @param confirm answers whether an edited file may be deleted */
function reviewed(confirm: () => Promise<boolean>) {
  const reported: string[] = [];
  const service = new ReviewService({
    scopes: () => undefined,
    baselines: { set: () => '', add: () => '', deleteAll: () => undefined } as never,
    clock: new FakeClock(),
    log: silentLogger,
    turnOf: () => 'e0',
    dialogs: { confirm, report: (message) => void reported.push(message) },
  });
  const undo = () => service.decisions.undo([{ sessionId: 's', path, ids: undefined }]);
  return { service, undo, reported };
}

const refusal = /^it was deleted, but its editor has unsaved changes\. Save or close the editor first\.$/;

it('Restore writes no file beside the unsaved text of its editor', async () => {
  type('my one\n');
  await expect(replaceContent(path, absent, contentOfText('one\n'))).rejects.toThrow(refusal);
  expect(existsSync(path)).toBe(false);
});

it('a deletion stays under review while its editor has unsaved text, until that is saved', async () => {
  const { service, undo, reported } = reviewed(async () => true);
  service.record('s', path, contentOfText('one\n'), absent);
  type('my one\n');
  expect(await service.recorder.standing('s', path)).toMatchObject({
    content: { text: 'my one\n' },
    entry: { exists: false },
  });
  await undo();
  expect([existsSync(path), service.tracked('s').map(({ kind }) => kind)]).toEqual([false, ['deleted']]);
  expect(reported).toEqual([expect.stringMatching(/a\.txt: it was deleted, but its editor has unsaved changes/)]);
  // Closed without saving, it comes back.
  editor.documents = [];
  await undo();
  expect([readFileSync(path, 'utf8'), service.tracked('s')]).toEqual(['one\n', []]);
  // Saved, it is the user's.
  service.record('s', path, contentOfText('one\n'), absent);
  type('my one\n');
  writeFileSync(path, 'my one\n');
  await undo();
  expect([readFileSync(path, 'utf8'), service.tracked('s')]).toEqual(['my one\n', []]);
  service.dispose();
});

describe('a created file that the user has edited', () => {
  const edited = 'agent\nperson\n';
  const created = (confirm: () => Promise<boolean>) => {
    const review = reviewed(confirm);
    writeFileSync(path, 'agent\n');
    review.service.record('s', path, absent, contentOfText('agent\n'));
    writeFileSync(path, edited);
    return review;
  };

  it('is deleted once they agree', async () => {
    let agrees = false;
    const { service, undo } = created(async () => agrees);
    await undo();
    expect(existsSync(path)).toBe(true);
    agrees = true;
    await undo();
    expect([existsSync(path), service.tracked('s')]).toEqual([false, []]);
    service.dispose();
  });

  it.each(['seen', 'not seen'])('loses nothing that came into it while they were asked (%s)', async (how) => {
    const now = `${edited}agent again\n`;
    const { service, undo, reported } = created(async () => {
      writeFileSync(path, now);
      if (how === 'seen') service.record('s', path, contentOfText(edited), contentOfText(now));
      return true;
    });
    await undo();
    expect([readFileSync(path, 'utf8'), reported]).toEqual([now, [expect.stringContaining('at the same time')]]);
    expect(service.tracked('s').map(({ kind }) => kind)).toEqual(['created']);
    service.dispose();
  });
});
