import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { putFile } from '../../../../src/host/changes/writableFile';
import { applyDecision } from '../../../../src/host/changes/applyDecision';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { Ledger } from '../../../../src/changes/ledger';
import { FakeClock } from '../../../fakes/fakeClock';

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
const disk = {
  confirmDelete: async () => true,
  originalOf: async () => undefined,
  keepOriginal: () => {},
  wrote: () => {},
};
const refusal = /^it was deleted, but its editor has unsaved changes\. Save or close the editor first\.$/;

it('Undo of a deletion writes no file beside the unsaved text of its editor', async () => {
  const ledger = new Ledger();
  ledger.agentWrote(path, 'one\n', undefined);
  type('my one\n');
  await expect(applyDecision(ledger, path, 'undo', {}, disk)).rejects.toThrow(refusal);
  expect([existsSync(path), ledger.get(path)?.kind]).toEqual([false, 'deleted']);
  editor.documents = [];
  await applyDecision(ledger, path, 'undo', {}, disk);
  expect([readFileSync(path, 'utf8'), ledger.get(path)]).toEqual(['one\n', undefined]);
});

it('Restore writes no file beside the unsaved text of its editor', async () => {
  type('my one\n');
  await expect(putFile(path, 'one\n', disk)).rejects.toThrow(refusal);
  expect(existsSync(path)).toBe(false);
});

it('a deletion stays under review while its editor has unsaved text, until that is saved', async () => {
  const reported: string[] = [];
  const baselines = { set: () => '', add: () => '', deleteAll: () => undefined } as never;
  const clock = new FakeClock();
  const service = new ReviewService({
    scopes: () => undefined,
    baselines,
    clock,
    log: silentLogger,
    turnOf: () => 'e0',
    isGuarded: () => false,
    confirm: async () => true,
    report: (message) => void reported.push(message),
  });
  const undo = () => service.decisions.undo([{ sessionId: 's', path, ids: undefined }]);
  service.recordChange('s', path, 'one\n', undefined);
  type('my one\n');
  expect(await service.recorder.standing('s', path)).toMatchObject({ text: 'my one\n', entry: { exists: false } });
  await undo();
  expect([existsSync(path), service.changes('s').map(({ kind }) => kind)]).toEqual([false, ['deleted']]);
  expect(reported).toEqual([expect.stringMatching(/a\.txt: it was deleted, but its editor has unsaved changes/)]);
  // Closed without saving, it comes back.
  editor.documents = [];
  await undo();
  expect([readFileSync(path, 'utf8'), service.changes('s')]).toEqual(['one\n', []]);
  // Saved, it is the user's.
  service.recordChange('s', path, 'one\n', undefined);
  type('my one\n');
  writeFileSync(path, 'my one\n');
  await undo();
  expect([readFileSync(path, 'utf8'), service.changes('s')]).toEqual(['my one\n', []]);
  service.dispose();
});
