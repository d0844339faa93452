import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adoptStorage } from '../../../../src/host/storage/adoptStorage';
import { WholeWindow } from '../../../fakes/wholeWindow';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

let root: string;
let errors: string[];
const log = { trace() {}, debug() {}, info() {}, warn() {}, error: (message: string) => void errors.push(message) };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adopt-'));
  errors = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const storage = (window: string) => join(root, window, 'parley.parley');
function put(file: string, content: unknown): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}
const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
/** Every file below a window's storage, with its content. */
const all = (window: string) =>
  Object.fromEntries(
    readdirSync(storage(window), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name).slice(storage(window).length + 1),
        readFileSync(join(entry.parentPath, entry.name), 'utf8'),
      ])
      .sort(),
  );

/** What a window keeps of one session. */
function keeps(window: string, session: string): void {
  put(`${window}/parley.parley/threads/${session}.ndjson`, session);
  put(`${window}/parley.parley/checkpoints/${session}/log.ndjson`, session);
  put(`${window}/parley.parley/review/blob-${session}.json`, session);
  put(`${window}/parley.parley/review/index.json`, {
    version: 1,
    rows: [[session, '/p/a', `blob-${session}`]],
    logs: [[`log-${session}`, 3]],
  });
  put(`${window}/parley.parley/review/before-log-${session}.log`, session);
  put(`${window}/parley.parley/before/copy-${session}`, session);
  put(`${window}/parley.parley/contents/pack-${session}`, session);
  put(`${window}/parley.parley/opaque/index.json`, {
    version: 1,
    rows: [[session, '/p/b', {}]],
    moves: [],
    originals: [],
  });
  put(`${window}/parley.parley/state.json`, {
    [`parley.session.${session}`]: { title: session },
    'parley.active': session,
    'parley.history': [session, 'both'],
  });
}

it('joins what windows that have ended left with what this one has, which wins', () => {
  keeps('id', 's0');
  keeps('id-1', 's1');
  keeps('id-2', 's2');
  // It was killed: no process has that number.
  put('id-1/vscode.lock', { pid: 999_999_999, willReleaseAt: 0 });
  adoptStorage(storage('id'), log);
  const found = all('id');
  expect(Object.keys(found).filter((name) => !name.includes('.json') || name.startsWith('review/blob'))).toEqual(
    [
      ...['s0', 's1', 's2'].flatMap((session) => [
        `before/copy-${session}`,
        `checkpoints/${session}/log.ndjson`,
        `contents/pack-${session}`,
        `review/before-log-${session}.log`,
        `review/blob-${session}.json`,
        `threads/${session}.ndjson`,
      ]),
    ].sort(),
  );
  expect(
    (json('id/parley.parley/review/index.json') as { rows: unknown[][] }).rows.map(([session]) => session).sort(),
  ).toEqual(['s0', 's1', 's2']);
  expect((json('id/parley.parley/review/index.json') as { logs: unknown[][] }).logs.toSorted()).toEqual([
    ['log-s0', 3],
    ['log-s1', 3],
    ['log-s2', 3],
  ]);
  expect((json('id/parley.parley/opaque/index.json') as { rows: unknown[][] }).rows).toHaveLength(3);
  const state = json('id/parley.parley/state.json') as Record<string, unknown>;
  expect([Object.keys(state).sort(), state['parley.active']]).toEqual([
    ['parley.active', 'parley.history', 'parley.session.s0', 'parley.session.s1', 'parley.session.s2'],
    's0',
  ]);
  expect([...(state['parley.history'] as string[])].sort()).toEqual(['both', 's0', 's1', 's2']);
  expect(
    ['id-1', 'id-2', 'id'].map((window) => existsSync(join(storage(window), window === 'id' ? 'adopted' : ''))),
  ).toEqual([false, false, false]);
  expect(errors).toEqual([]);
});

it.each([
  ['lives', { pid: process.ppid, willReleaseAt: 0 }, false],
  ['is about to end', { pid: process.ppid, willReleaseAt: Date.now() + 60_000 }, false],
  ['said that it would end, and lives on', { pid: process.ppid, willReleaseAt: 1 }, true],
])('a window that %s', (_what, lock, isTaken) => {
  keeps('id', 's0');
  keeps('id-1', 's1');
  put('id-1/vscode.lock', lock);
  adoptStorage(storage('id'), log);
  expect([existsSync(join(storage('id'), 'threads/s1.ndjson')), existsSync(storage('id-1'))]).toEqual([
    isTaken,
    !isTaken,
  ]);
});

it('a second window takes over what the first one left, and goes on with what a crash interrupted there', () => {
  keeps('id', 's0');
  keeps('id-1', 's1');
  put('id/parley.parley/adopted/y/threads/s2.ndjson', 's2');
  adoptStorage(storage('id-1'), log);
  expect(Object.keys(all('id-1')).filter((name) => name.startsWith('threads'))).toEqual([
    'threads/s0.ndjson',
    'threads/s1.ndjson',
    'threads/s2.ndjson',
  ]);
  expect(existsSync(storage('id'))).toBe(false);
});

it('nothing is touched where there is one window, or where joining fails', () => {
  keeps('id', 's0');
  const before = all('id');
  adoptStorage(storage('id'), log);
  adoptStorage(storage('none'), log);
  expect(all('id')).toEqual(before);
  keeps('id-1', 's1');
  put('id/parley.parley/adopted', 'a file in the way');
  adoptStorage(storage('id'), log);
  expect(errors).toHaveLength(1);
  expect(Object.keys(all('id-1'))).toHaveLength(9);
});

it('pending changes and checkpoints of another window come with their contents', async () => {
  const [ours, theirs] = ['id', 'id-1'].map((name) => new WholeWindow(join(root, name)));
  const at = (name: string) => join(root, 'id-1/p', name);
  await ours!.open();
  await theirs!.open();
  for (const [name, old, fresh] of [
    ['a.txt', 'one\n', 'two\n'],
    ['b.bin', Buffer.from([0, 1]), Buffer.from([0, 2])],
  ] as const) {
    theirs!.write(at(name), old);
    theirs!.agent([at(name)], () => theirs!.write(at(name), fresh));
  }
  await theirs!.close();
  await ours!.close();
  adoptStorage(join(root, 'id/store'), log);
  const next = new WholeWindow(join(root, 'id'));
  await next.open();
  expect([next.ledger.count, existsSync(join(root, 'id-1/store'))]).toEqual([2, false]);
  expect((await next.restoreTo(1)).length).toBe(2);
  expect([readFileSync(at('a.txt'), 'utf8'), readFileSync(at('b.bin'))]).toEqual(['one\n', Buffer.from([0, 1])]);
  await next.close();
});
