import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { digest, sha256 } from '../../../../src/host/storage/contentName';
import { contentAt } from '../../../fakes/wholeFiles';
import { session, WholeWindow } from '../../../fakes/wholeWindow';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

const old = Buffer.from([1, 0, 2]);
const fresh = Buffer.from([3, 0, 4, 5]);

let root: string;
let maxTotal: number;
let opened: WholeWindow[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'whole-'));
  maxTotal = 1_000;
  opened = [];
});
afterEach(async () => {
  for (const window of opened) {
    window.store.dispose();
    window.checkpoints.dispose();
    await window.contents.settled();
    await window.checkpoints.log(session);
  }
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(root, 'p', name);
const put = (name: string, bytes: Buffer | string, mode = 0o644): void => {
  mkdirSync(join(at(name), '..'), { recursive: true });
  writeFileSync(at(name), bytes);
  chmodSync(at(name), mode);
};

/** A window: what an earlier one has kept is there once it is open. */
async function open(): Promise<WholeWindow> {
  const window = new WholeWindow(root, undefined, { maxTotal });
  opened.push(window);
  await window.open();
  return window;
}

/** An agent makes another file of one. */
function change(window: WholeWindow, name: string, after: Buffer | string | undefined, mode?: number): void {
  const before = contentAt(at(name));
  if (after === undefined) rmSync(at(name));
  else put(name, after, mode);
  window.record(at(name), before, contentAt(at(name)));
}

const rows = (window: WholeWindow) =>
  window.ledger.changes.map(
    ({ kind, path, note, cannotUndo }) => `${kind} ${window.name(path)}: ${note}${cannotUndo ? ', no undo' : ''}`,
  );
const stored = (folder: string) => readdirSync(join(root, 'store', folder));

/** The window is reloaded, in order or by a crash after the last save. */
async function reload(window: WholeWindow, how: 'flush' | 'save'): Promise<WholeWindow> {
  if (how === 'flush') window.store.flushSync();
  else await window.store.save();
  window.store.dispose();
  return open();
}

describe.each(['flush', 'save'] as const)('changes without lines after a reload (%s)', (how) => {
  it('are listed as before, with their turn, and undone byte by byte with permissions', async () => {
    put('a.png', old, 0o640);
    put('gone.bin', old, 0o755);
    put('run.sh', 'x\n', 0o755);
    put('.env', 'A=1\n');
    let window = await open();
    change(window, 'a.png', fresh, 0o644);
    change(window, 'gone.bin', undefined);
    change(window, 'new/b.png', fresh);
    change(window, 'run.sh', 'x\n', 0o644);
    window.record(at('.env'), undefined, contentAt(at('.env')));
    const before = rows(window);
    expect(before).toEqual([
      'modified a.png: Binary file',
      'deleted gone.bin: Binary file',
      'created new/b.png: Binary file',
      'modified run.sh: Removed execute permission',
      'modified .env: Original unknown, no undo',
    ]);
    window = await reload(window, how);
    expect(rows(window)).toEqual(before);
    expect(window.ledger.changes.every(({ turn }) => turn === 'e5')).toBe(true);
    await window.undoWhole();
    expect([readFileSync(at('a.png')), readFileSync(at('gone.bin')), existsSync(at('new/b.png'))]).toEqual([
      old,
      old,
      false,
    ]);
    expect(['a.png', 'gone.bin', 'run.sh'].map((name) => statSync(at(name)).mode & 0o777)).toEqual([
      0o640, 0o755, 0o755,
    ]);
    expect([window.asked, window.reported]).toEqual([
      [],
      ['.env: its original content is unknown, so Parley left it unchanged'],
    ]);
    window.keepAll();
    window = await reload(window, how);
    expect(rows(window)).toEqual([]);
    await window.store.save();
  });

  it('are replaced only after a question where the file was changed since, and never where it changes during it', async () => {
    put('a.png', old);
    let window = await open();
    change(window, 'a.png', fresh);
    window = await reload(window, how);
    put('a.png', Buffer.from([9, 0]));
    window.agrees = false;
    await window.undoWhole();
    expect([readFileSync(at('a.png')), window.asked.length, rows(window).length]).toEqual([Buffer.from([9, 0]), 1, 1]);
    window.agrees = true;
    await window.undoWhole();
    expect([readFileSync(at('a.png')), window.asked.length, rows(window).length]).toEqual([old, 2, 0]);
  });

  it('have beside them text files byte by byte, of each path several texts', async () => {
    const bytes = Buffer.from('\uFEFFone\r\ntwo\r\n', 'utf16le');
    const window = await open();
    const mixed = Buffer.from('1\r\n2\n');
    window.beside.originals.store(at('a.txt'), 'one\ntwo\n', { bytes, mode: 0o755 });
    await window.beside.originals.storeNow(at('a.txt'), '1\n2\n', { bytes: mixed, mode: undefined });
    const next = await reload(window, how);
    expect(await next.beside.originals.get(at('a.txt'), 'one\ntwo\n')).toEqual({ bytes, mode: 0o755 });
    expect(await next.beside.originals.get(at('a.txt'), '1\n2\n')).toEqual({ bytes: mixed, mode: undefined });
    expect(await next.beside.originals.get(at('a.txt'), 'another text\n')).toBeUndefined();
  });

  it('keep the moves of files that wait, and no others', async () => {
    const window = await open();
    put('to.png', fresh);
    window.record(at('to.png'), { kind: 'absent' }, contentAt(at('to.png')));
    window.beside.renames.note(at('from.png'), 'x', undefined);
    window.beside.renames.note(at('to.png'), undefined, 'x');
    window.beside.renames.note(at('decided.png'), 'y', undefined);
    window.beside.renames.note(at('there.png'), undefined, 'y');
    const next = await reload(window, how);
    expect([...next.beside.renames.moves]).toEqual([[at('to.png'), at('from.png')]]);
    next.beside.renames.moved(at('to.png'), at('else.png'));
    expect(next.beside.renames.fromOf(at('else.png'))).toBe(at('from.png'));
  });
});

it('what changes while the question stands is not overwritten', async () => {
  put('a.png', old);
  const window = await open();
  change(window, 'a.png', fresh);
  put('a.png', Buffer.from([9, 0]));
  window.whileAsked = () => put('a.png', Buffer.from([10, 0]));
  await window.undoWhole();
  expect([readFileSync(at('a.png')), window.reported]).toEqual([
    Buffer.from([10, 0]),
    ['a.png: it was changed at the same time, so Parley left it unchanged'],
  ]);
});

it('unsaved work in an editor stays', async () => {
  put('a.png', old);
  const window = await open();
  change(window, 'a.png', fresh);
  window.unsaved.add(at('a.png'));
  await window.undoWhole();
  expect([readFileSync(at('a.png')), window.reported, rows(window).length]).toEqual([
    fresh,
    ['a.png: it has unsaved changes'],
    1,
  ]);
});

it('of permissions alone Undo leaves what the file holds now', async () => {
  put('run.sh', 'x\n');
  const window = await open();
  change(window, 'run.sh', 'x\n', 0o755);
  put('run.sh', 'mine\n', 0o755);
  await window.undoWhole();
  expect([readFileSync(at('run.sh'), 'utf8'), statSync(at('run.sh')).mode & 0o777, window.asked]).toEqual([
    'mine\n',
    0o644,
    [],
  ]);
});

it('of permissions leaves the hunks of a text in sight, and both are decided on', async () => {
  put('run.sh', 'x\ny\n');
  const window = await open();
  window.ledger.agentWrote(at('run.sh'), 'x\ny\n', 'X\ny\n');
  put('run.sh', 'X\ny\n');
  change(window, 'run.sh', 'X\ny\n', 0o755);
  const pending = () => window.ledger.get(at('run.sh'));
  expect([pending()?.hunks.length, pending()?.beside]).toEqual([1, 'Added execute permission']);
  window.ledger.keep(at('run.sh'), [pending()!.hunks[0]!.id]);
  expect(rows(window)).toEqual(['modified run.sh: Added execute permission']);
  change(window, 'run.sh', 'X\ny\n', 0o644);
  expect(rows(window)).toEqual([]);
});

it('what is too much to be kept is listed, and it is said that it cannot be undone', async () => {
  maxTotal = 4;
  put('a.png', old);
  put('b.png', old);
  put('c.png', Buffer.from([7, 0]));
  const window = await open();
  // The same bytes are kept once.
  for (const name of ['a.png', 'c.png']) change(window, name, fresh);
  expect(rows(window)).toEqual(['modified a.png: Binary file', 'modified c.png: Too large to undo, no undo']);
  await window.undoWhole();
  expect(window.reported.join()).toMatch(/^c\.png: .*too large to back up/);
  change(window, 'c.png', Buffer.from([7, 0, 7]));
  expect(rows(window)).toEqual(['modified c.png: Too large to undo, no undo']);
});

it('a file that was moved and is too large to back up is moved back, unless something else stands in one of both places', async () => {
  maxTotal = 1;
  const moved = async (window: WholeWindow, from: string, to: string) => {
    put(from, old);
    const before = contentAt(at(from));
    renameSync(at(from), at(to));
    for (const path of [from, to])
      window.beside.renames.note(at(path), path === from ? from : undefined, path === to ? from : undefined);
    window.record(at(from), before, { kind: 'absent' });
    window.record(at(to), { kind: 'absent' }, contentAt(at(to)));
  };
  const window = await open();
  await moved(window, 'a.bin', 'b.bin');
  await moved(window, 'c.bin', 'd.bin');
  await moved(window, 'e.bin', 'f.bin');
  put('d.bin', fresh);
  put('e.bin', fresh);
  await window.undoWhole();
  expect([
    readFileSync(at('a.bin')),
    existsSync(at('b.bin')),
    existsSync(at('c.bin')),
    readFileSync(at('d.bin')),
    readFileSync(at('e.bin')),
    readFileSync(at('f.bin')),
  ]).toEqual([old, false, false, fresh, fresh, old]);
  expect(window.reported).toHaveLength(2);
  expect(rows(window)).toHaveLength(4);
  await moved(window, 'g.bin', 'h.bin');
  await window.undoWhole([at('h.bin')]);
  expect([readFileSync(at('g.bin')), existsSync(at('h.bin'))]).toEqual([old, false]);
});

it('a file that is as it was again is no change, and the first state before counts', async () => {
  put('a.png', old);
  const window = await open();
  change(window, 'a.png', fresh);
  change(window, 'a.png', Buffer.from([8, 0]));
  await window.undoWhole();
  expect(readFileSync(at('a.png'))).toEqual(old);
  change(window, 'a.png', fresh);
  change(window, 'a.png', old);
  expect(rows(window)).toEqual([]);
});

it('what an earlier version has kept is there, without its damaged parts, and is kept in the new way', async () => {
  mkdirSync(join(root, 'store/opaque'), { recursive: true });
  put('a.png', fresh);
  put('both.txt', 'two\n', 0o755);
  const name = sha256(old);
  writeFileSync(join(root, 'store/opaque', name), old);
  const before = { kind: 'binary', digest: name, kept: { name, size: old.length }, mode: 0o640 };
  const after = { kind: 'binary', digest: sha256(fresh) };
  const rows4 = [
    [session, at('a.png'), { before, after, turn: 'e3' }],
    // A name that leads out of the folder is none.
    [
      session,
      at('b.png'),
      {
        before: { kind: 'binary', digest: 'x', kept: { name: '../../etc/passwd', size: 1 } },
        after: { kind: 'absent' },
      },
    ],
    [session, 5],
    null,
    [session, at('c.png'), { before: { kind: 'fifo' }, after: { kind: 'absent' } }],
  ];
  const originals = [[at('d.txt'), { digest: digest('one\n'), kept: { name, size: old.length } }]];
  writeFileSync(
    join(root, 'store/opaque/index.json'),
    JSON.stringify({ version: 1, rows: rows4, moves: [[at('a.png'), at('from.png')]], originals }),
  );
  let window = await open();
  for (const how of ['earlier', 'save', 'flush'] as const) {
    if (how !== 'earlier') window = await reload(window, how);
    expect(rows(window), how).toEqual(['modified a.png: Binary file', 'deleted b.png: Too large to undo, no undo']);
    expect(window.beside.renames.fromOf(at('a.png'))).toBe(at('from.png'));
    expect((await window.beside.originals.get(at('d.txt'), 'one\n'))?.bytes).toEqual(old);
  }
  expect([stored('opaque'), stored('contents').includes(name)]).toEqual([[], true]);
  expect(opened[0]!.warnings).toHaveLength(3);
  await window.undoWhole();
  expect([readFileSync(at('a.png')), statSync(at('a.png')).mode & 0o777]).toEqual([old, 0o640]);
});

it('damaged parts are left out and told of, the others are there', async () => {
  for (const name of ['a.png', 'b.png']) put(name, old);
  const window = await open();
  change(window, 'a.png', fresh);
  change(window, 'b.png', undefined);
  await window.store.save();
  const index = join(root, 'store/review/index.json');
  const saved = JSON.parse(readFileSync(index, 'utf8')) as {
    rows: [string, string, { at: string }][];
    moves: unknown[];
    originals: unknown[];
  };
  const [pack, offset] = saved.rows[1]![2].at.split(':');
  const bytes = readFileSync(join(root, 'store/contents', `${pack}.pack`));
  bytes.fill('x', Number(offset), Number(offset) + 5);
  writeFileSync(join(root, 'store/contents', `${pack}.pack`), bytes);
  saved.moves.push([1, 2], 'x');
  saved.originals.push(['x', { digest: 'd', kept: { name: '../x', size: 1 } }], null);
  writeFileSync(index, JSON.stringify(saved));
  const next = await open();
  expect([rows(next), next.warnings.length]).toEqual([['modified a.png: Binary file'], 1]);
  writeFileSync(index, '{"rows":');
  expect(rows(await open())).toEqual([]);
});

it('below a change as a whole the lines wait, and come to light when it is undone', async () => {
  put('a', 'one\ntwo\n');
  const window = await open();
  window.ledger.agentWrote(at('a'), 'one\ntwo\n', 'one\n2\n');
  put('a', 'one\n2\n');
  change(window, 'a', fresh);
  expect(rows(window)).toEqual(['modified a: Binary file']);
  expect(window.ledger.count).toBe(1);
  const next = await reload(window, 'save');
  expect(rows(next)).toEqual(['modified a: Binary file']);
  await next.undoWhole();
  expect([readFileSync(at('a'), 'utf8'), next.ledger.get(at('a'))?.hunks.length, next.ledger.count]).toEqual([
    'one\n2\n',
    1,
    1,
  ]);
  // Who agrees to the whole agrees to what it replaced.
  change(next, 'a', fresh);
  next.ledger.keep(at('a'));
  expect([next.ledger.count, next.ledger.paths]).toEqual([0, []]);
});

it('the bytes are on disk before the index names them', async () => {
  put('a.png', old);
  const window = await open();
  change(window, 'a.png', fresh);
  // A crash here: the window was never told to save.
  await window.contents.settled();
  expect(stored('contents')).toHaveLength(1);
  const lost = await open();
  expect(rows(lost)).toEqual([]);
});
