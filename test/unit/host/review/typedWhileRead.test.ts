import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { ReviewService } from '../../../../src/host/changes/reviewService';
import { FakeClock } from '../../../fakes/fakeClock';
import { contentOfText } from '../../../../src/host/storage/contentInHand';

const editor = vi.hoisted(() => ({ documents: [] as object[] }));

vi.mock('vscode', async () => {
  const { plainSettings } = await import('../../../fakes/plainSettings');
  const event = () => ({ dispose: () => undefined });
  const names = [
    'onDidChangeTextDocument',
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
      ...Object.fromEntries(names.map((name) => [name, event])),
    },
    window: { tabGroups: { all: [] }, onDidChangeWindowState: event, onDidEndTerminalShellExecution: event },
    tasks: { onDidEndTask: event },
    Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
  };
});

it('a read of the file that ends after the user has typed does not replace what was typed', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-typed-')));
  const path = join(folder, 'a.txt');
  const uri = { scheme: 'file', fsPath: path } as never;
  const baselines = { set: () => '', add: () => '', deleteAll: () => undefined } as never;
  const service = new ReviewService({
    scopes: () => undefined,
    baselines,
    clock: new FakeClock(),
    log: silentLogger,
    turnOf: () => 'e0',
    dialogs: { confirm: async () => true, report: () => undefined },
  });
  // A file that has just changed is read again until it rests, so that read takes a while.
  writeFileSync(path, 'one\nTWO\n');
  service.record('s', path, contentOfText('one\ntwo\n'), contentOfText('one\nTWO\n'));
  const early = service.catchUp(uri);
  await new Promise((resolve) => setImmediate(resolve));
  const typed = 'mine\none\nTWO\n';
  editor.documents = [{ uri, isClosed: false, isDirty: true, encoding: 'utf8', getText: () => typed }];
  await service.catchUp(uri);
  await early;
  const [change] = service.tracked('s');
  expect([change?.current, change?.hunks.map(({ current }) => current.start)]).toEqual([typed, [2]]);
  service.dispose();
  rmSync(folder, { recursive: true, force: true });
});
