import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpaqueReview } from '../../../../src/host/changes/opaqueReview';
import { FakeClock } from '../../../fakes/fakeClock';
import { contentAt, wholeFilesOnDisk } from '../../../fakes/wholeFiles';

const session = 'session';
const old = Buffer.from([1, 0, 2]);
const fresh = Buffer.from([3, 0, 4, 5]);

let root: string;
let asked: string[];
let reported: string[];
let warnings: string[];
let agrees: boolean;
let maxTotal: number;
let whileAsked: () => void;
const unsaved = new Set<string>();
let opened: OpaqueReview[];
const log = { trace() {}, debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error: (message: string) => void warnings.push(message) };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'opaque-'));
  [asked, reported, warnings, agrees, maxTotal] = [[], [], [], true, 1_000];
  unsaved.clear();
  opened = [];
  whileAsked = () => {};
});
afterEach(async () => {
  for (const review of opened) {
    review.dispose();
    await review.bytes.settled();
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
async function open(waiting: string[] = []): Promise<OpaqueReview> {
  const review = new OpaqueReview({
    folder: join(root, 'store'),
    files: wholeFilesOnDisk(unsaved),
    waiting: () => waiting.map((path) => ({ path: at(path) })),
    clock: new FakeClock(),
    log,
    turnOf: () => 'e5',
    isGuarded: (path) => path.endsWith('.env'),
    confirm: async (message) => {
      asked.push(message);
      whileAsked();
      return agrees;
    },
    report: (message) => reported.push(...message.split('\n')),
    maxTotal,
  });
  opened.push(review);
  await review.open();
  return review;
}

/** An agent makes another file of one. */
function change(review: OpaqueReview, name: string, after: Buffer | string | undefined, mode?: number): void {
  const before = contentAt(at(name));
  if (after === undefined) rmSync(at(name));
  else put(name, after, mode);
  review.changes.record(session, at(name), before, contentAt(at(name)));
}

const rows = (review: OpaqueReview) => review.changes.views(session, join(root, 'p')).map(({ kind, label, note, cannotUndo, guarded }) => `${kind} ${label}: ${note}${cannotUndo ? ', no undo' : ''}${guarded ? ', guarded' : ''}`);

/** The window is reloaded, in order or by a crash after the last save. */
async function reload(review: OpaqueReview, how: 'flush' | 'save'): Promise<OpaqueReview> {
  if (how === 'flush') review.flushSync();
  else await review.save();
  review.dispose();
  return open();
}

describe.each(['flush', 'save'] as const)('changes without lines after a reload (%s)', (how) => {
  it('are listed as before, with their turn, and undone byte by byte with permissions', async () => {
    put('a.png', old, 0o640);
    put('gone.bin', old, 0o755);
    put('run.sh', 'x\n', 0o755);
    put('.env', 'A=1\n');
    let review = await open();
    change(review, 'a.png', fresh, 0o644);
    change(review, 'gone.bin', undefined);
    change(review, 'new/b.png', fresh);
    change(review, 'run.sh', 'x\n', 0o644);
    review.changes.record(session, at('.env'), undefined, contentAt(at('.env')));
    const before = rows(review);
    expect(before).toEqual(['modified a.png: Binary file', 'deleted gone.bin: Binary file', 'created new/b.png: Binary file', 'modified run.sh: No longer executable', 'modified .env: What was before is not known, no undo, guarded']);
    review = await reload(review, how);
    expect(rows(review)).toEqual(before);
    expect(review.changes.changes(session).every(({ turn }) => turn === 'e5')).toBe(true);
    await review.changes.undo(session);
    expect([readFileSync(at('a.png')), readFileSync(at('gone.bin')), existsSync(at('new/b.png'))]).toEqual([old, old, false]);
    expect(['a.png', 'gone.bin', 'run.sh'].map((name) => statSync(at(name)).mode & 0o777)).toEqual([0o640, 0o755, 0o755]);
    expect([asked, reported]).toEqual([[], ['.env: what was before is not known, so it stayed']]);
    review.changes.keep(session);
    review = await reload(review, how);
    expect(rows(review)).toEqual([]);
    await review.save();
    expect(readdirSync(join(root, 'store'))).toEqual(['index.json']);
  });

  it('are replaced only after a question where the file was changed since, and never where it changes during it', async () => {
    put('a.png', old);
    let review = await open();
    change(review, 'a.png', fresh);
    review = await reload(review, how);
    put('a.png', Buffer.from([9, 0]));
    agrees = false;
    await review.changes.undo(session);
    expect([readFileSync(at('a.png')), asked.length, rows(review).length]).toEqual([Buffer.from([9, 0]), 1, 1]);
    agrees = true;
    await review.changes.undo(session);
    expect([readFileSync(at('a.png')), asked.length, rows(review).length]).toEqual([old, 2, 0]);
  });

  it('have beside them text files byte by byte, of each path several texts', async () => {
    const bytes = Buffer.from('\uFEFFone\r\ntwo\r\n', 'utf16le');
    const review = await open();
    const mixed = Buffer.from('1\r\n2\n');
    review.originals.keep(at('a.txt'), 'one\ntwo\n', { bytes, mode: 0o755 });
    await review.originals.keepNow(at('a.txt'), '1\n2\n', { bytes: mixed, mode: undefined });
    const next = await reload(review, how);
    expect(await next.originals.get(at('a.txt'), 'one\ntwo\n')).toEqual({ bytes, mode: 0o755 });
    expect(await next.originals.get(at('a.txt'), '1\n2\n')).toEqual({ bytes: mixed, mode: undefined });
    expect(await next.originals.get(at('a.txt'), 'another text\n')).toBeUndefined();
  });

  it('keep the moves of files that wait, and no others', async () => {
    const review = await open(['to.png']);
    review.renames.note(at('from.png'), 'x', undefined);
    review.renames.note(at('to.png'), undefined, 'x');
    review.renames.note(at('decided.png'), 'y', undefined);
    review.renames.note(at('there.png'), undefined, 'y');
    const next = await reload(review, how);
    // Who shows the files is told, although none of them waits here.
    let told = 0;
    next.changes.onDidChange(() => told++);
    next.changes.restore(new Map());
    expect(told).toBe(1);
    expect([...next.renames.moves]).toEqual([[at('to.png'), at('from.png')]]);
    next.moved(at('to.png'), at('else.png'));
    expect(next.renames.fromOf(at('else.png'))).toBe(at('from.png'));
  });
});

it('what changes while the question stands is not overwritten', async () => {
  put('a.png', old);
  const review = await open();
  change(review, 'a.png', fresh);
  put('a.png', Buffer.from([9, 0]));
  whileAsked = () => put('a.png', Buffer.from([10, 0]));
  await review.changes.undo(session);
  expect([readFileSync(at('a.png')), reported]).toEqual([Buffer.from([10, 0]), ['a.png: it was being changed at the same moment, so it stayed as it is']]);
});

it('unsaved work in an editor stays', async () => {
  put('a.png', old);
  const review = await open();
  change(review, 'a.png', fresh);
  unsaved.add(at('a.png'));
  await review.changes.undo(session);
  expect([readFileSync(at('a.png')), reported, rows(review).length]).toEqual([fresh, ['a.png: it has unsaved changes'], 1]);
});

it('of permissions alone Undo leaves what the file holds now', async () => {
  put('run.sh', 'x\n');
  const review = await open();
  change(review, 'run.sh', 'x\n', 0o755);
  put('run.sh', 'mine\n', 0o755);
  await review.changes.undo(session);
  expect([readFileSync(at('run.sh'), 'utf8'), statSync(at('run.sh')).mode & 0o777, asked]).toEqual(['mine\n', 0o644, []]);
});

it('what is too much to be kept is listed, and it is said that it cannot be undone', async () => {
  maxTotal = 4;
  put('a.png', old);
  put('b.png', old);
  put('c.png', Buffer.from([7, 0]));
  const review = await open();
  // The same bytes are kept once.
  for (const name of ['a.png', 'c.png']) change(review, name, fresh);
  expect(rows(review)).toEqual(['modified a.png: Binary file', 'modified c.png: Too large to undo, no undo']);
  await review.changes.undo(session);
  expect(reported.join()).toMatch(/^c\.png: .*too large to be kept/);
  change(review, 'c.png', Buffer.from([7, 0, 7]));
  expect(rows(review)).toEqual(['modified c.png: Too large to undo, no undo']);
});

it('a file that was moved and is too large to be kept is moved back, unless something else stands in one of both places', async () => {
  maxTotal = 1;
  const moved = async (review: OpaqueReview, from: string, to: string) => {
    put(from, old);
    const before = contentAt(at(from));
    renameSync(at(from), at(to));
    for (const path of [from, to]) review.renames.note(at(path), path === from ? from : undefined, path === to ? from : undefined);
    review.changes.record(session, at(from), before, { kind: 'absent' });
    review.changes.record(session, at(to), { kind: 'absent' }, contentAt(at(to)));
  };
  const review = await open();
  await moved(review, 'a.bin', 'b.bin');
  await moved(review, 'c.bin', 'd.bin');
  await moved(review, 'e.bin', 'f.bin');
  put('d.bin', fresh);
  put('e.bin', fresh);
  await review.changes.undo(session);
  expect([readFileSync(at('a.bin')), existsSync(at('b.bin')), existsSync(at('c.bin')), readFileSync(at('d.bin')), readFileSync(at('e.bin')), readFileSync(at('f.bin'))]).toEqual([old, false, false, fresh, fresh, old]);
  expect(reported).toHaveLength(2);
  expect(rows(review)).toHaveLength(4);
  await moved(review, 'g.bin', 'h.bin');
  await review.changes.undo(session, [at('h.bin')]);
  expect([readFileSync(at('g.bin')), existsSync(at('h.bin'))]).toEqual([old, false]);
});

it('a file that is as it was again is no change, and the first state before counts', async () => {
  put('a.png', old);
  const review = await open();
  change(review, 'a.png', fresh);
  change(review, 'a.png', Buffer.from([8, 0]));
  await review.changes.undo(session);
  expect(readFileSync(at('a.png'))).toEqual(old);
  change(review, 'a.png', fresh);
  change(review, 'a.png', old);
  expect(rows(review)).toEqual([]);
});

it('damaged parts are left out and told of, the others are there', async () => {
  put('a.png', old);
  const review = await open();
  change(review, 'a.png', fresh);
  await review.save();
  const index = join(root, 'store/index.json');
  const saved = JSON.parse(readFileSync(index, 'utf8')) as { rows: unknown[] };
  saved.rows.push([session, at('b.png'), { before: { kind: 'binary', digest: 'x', kept: { name: '../../etc/passwd', size: 1 } }, after: { kind: 'absent' } }], [session, 5], null, [session, at('c.png'), { before: { kind: 'fifo' }, after: { kind: 'absent' } }]);
  writeFileSync(index, JSON.stringify(saved));
  const next = await open();
  // A name that leads out of the folder is none.
  expect(rows(next)).toEqual(['modified a.png: Binary file', 'deleted b.png: Too large to undo, no undo']);
  expect(warnings).toHaveLength(3);
  writeFileSync(index, '{"rows":');
  expect(rows(await open())).toEqual([]);
});

it('the bytes are on disk before the index names them', async () => {
  put('a.png', old);
  const review = await open();
  change(review, 'a.png', fresh);
  // A crash here: the window was never told to save.
  await review.bytes.settled();
  expect(readdirSync(join(root, 'store')).filter((name) => /^[\da-f]{64}$/.test(name))).toHaveLength(1);
  const lost = await open();
  expect(rows(lost)).toEqual([]);
});
