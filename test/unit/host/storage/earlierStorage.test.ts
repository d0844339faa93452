import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/log';
import { StorageTrouble } from '../../../../src/host/storage/storageTrouble';
import { TranscriptStore } from '../../../../src/host/sessions/transcriptStore';
import { FakeClock } from '../../../fakes/fakeClock';
import { session, WholeWindow } from '../../../fakes/wholeWindow';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

/* The folder `earlierStorage` was written by the code of the version before changes without lines were in the ledger. */

const fixture = fileURLToPath(new URL('../../../fixtures/earlierStorage', import.meta.url));
let root: string;
let window: WholeWindow;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'earlier-'));
  cpSync(fixture, root, { recursive: true });
  for (const name of readdirSync(join(root, 'store'), { recursive: true, encoding: 'utf8' })) {
    // Only names of files say where the folder is.
    if (/(index\.json|\.ndjson)$/.test(name))
      writeFileSync(
        join(root, 'store', name),
        readFileSync(join(root, 'store', name), 'utf8').replaceAll('/earlier/', `${root}/`),
      );
  }
  chmodSync(at('run.sh'), 0o755);
  window = new WholeWindow(root);
  window.prompt = 2;
  await window.open();
});
afterEach(async () => {
  await window.close();
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(root, 'p', name);
const waiting = [
  'created new.txt',
  'created to.png',
  'deleted from.png',
  'deleted gone.txt',
  'modified a.png',
  'modified a.txt',
  'modified run.sh',
];

it('pending changes are pending, with and without lines, and undone', async () => {
  expect(window.waits()).toEqual(waiting);
  expect(
    window.ledger.get(at('a.txt'))?.hunks.map(({ baselineLines, currentLines }) => [baselineLines, currentLines]),
  ).toEqual([
    [['two'], ['2']],
    [[], ['four']],
  ]);
  expect(window.beside.renames.fromOf(at('to.png'))).toBe(at('from.png'));
  await window.undoWhole();
  expect([readFileSync(at('a.png')), readFileSync(at('from.png')), window.reported]).toEqual([
    Buffer.from([0, 1]),
    Buffer.from([0, 5]),
    [],
  ]);
  expect(window.waits()).toEqual(['created new.txt', 'deleted gone.txt', 'modified a.txt']);
});

it('they are pending after the next restart too', async () => {
  await window.close();
  window = new WholeWindow(root);
  window.prompt = 2;
  await window.open();
  expect(window.waits()).toEqual(waiting);
});

it('what was kept is not pending again, however soon the window ends', async () => {
  window.keepAll();
  window.store.flushSync();
  window.store.dispose();
  window = new WholeWindow(root);
  await window.open();
  expect(window.waits()).toEqual([]);
});

it('checkpoints are gone back to, and forth again', async () => {
  expect(await window.restoreTo(1)).toEqual([
    'changes a.png (binary file)',
    'changes a.txt',
    'changes run.sh (is no longer executable)',
    'comesBack from.png (binary file)',
    'comesBack gone.txt',
    'goes new.txt',
    'goes to.png (binary file)',
  ]);
  expect([readFileSync(at('a.txt'), 'utf8'), readFileSync(at('a.png')), readFileSync(at('gone.txt'), 'utf8')]).toEqual([
    'one\ntwo\nthree\n',
    Buffer.from([0, 1]),
    'gone\n',
  ]);
  expect(window.waits()).toEqual([]);
  expect(await window.redo()).toEqual([]);
  expect(window.waits()).toEqual(waiting);
});

it('transcripts are read', async () => {
  const transcripts = new TranscriptStore({
    folder: join(root, 'store/threads'),
    clock: new FakeClock(),
    log: silentLogger,
    trouble: new StorageTrouble(new FakeClock()),
    headerOf: () => undefined,
  });
  const thread = await transcripts.read('thread');
  expect([thread?.header?.cwd, [...thread!.thread.entries].map(({ kind }) => kind)]).toEqual([
    at(''),
    ['userMessage', 'notice', 'notice'],
  ]);
  transcripts.dispose();
  expect((await window.checkpoints.log(session)).prompts).toEqual([1, 2]);
});
