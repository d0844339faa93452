import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contentAt } from '../../../fakes/wholeFiles';
import { session, WholeWindow } from '../../../fakes/wholeWindow';
import { storedIn } from '../../../../src/changes/content';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

const bytes = (...values: number[]) => Buffer.from([0, ...values]);

let root: string;
let window: WholeWindow;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'whole-'));
  window = new WholeWindow(root);
  await window.open();
});
afterEach(async () => {
  await window.close();
  rmSync(root, { recursive: true, force: true });
});

const at = (name: string) => join(root, 'p', name);
const modeOf = (name: string) => statSync(at(name)).mode & 0o777;

/** The next window; what was only in memory is gone. */
async function reload(prompt: number): Promise<void> {
  await window.close();
  window = new WholeWindow(root);
  window.prompt = prompt;
  await window.open();
}

it('binary files, permissions and moves go back to each prompt and forth again, also after a reload', async () => {
  window.write(at('a.png'), bytes(1), 0o640);
  window.write(at('run.sh'), 'x\n', 0o644);
  window.write(at('old/b.png'), bytes(5));
  window.agent([at('a.png'), at('run.sh')], () => {
    window.write(at('a.png'), bytes(2));
    chmodSync(at('run.sh'), 0o755);
  });
  window.prompt = 2;
  window.agent([at('a.png'), at('old/b.png'), at('new.png'), at('fresh.png')], () => {
    window.write(at('a.png'), bytes(3));
    renameSync(at('old/b.png'), at('new.png'));
    window.write(at('fresh.png'), bytes(7));
  });
  const waiting = ['created fresh.png', 'created new.png', 'deleted old/b.png', 'modified a.png', 'modified run.sh'];
  expect(window.waits()).toEqual(waiting);
  await reload(2);
  expect(window.waits()).toEqual(waiting);

  expect(await window.restoreTo(2)).toEqual([
    'changes a.png (binary file)',
    'comesBack old/b.png (binary file)',
    'goes fresh.png (binary file)',
    'goes new.png (binary file)',
  ]);
  expect([
    readFileSync(at('a.png')),
    readFileSync(at('old/b.png')),
    existsSync(at('new.png')),
    existsSync(at('fresh.png')),
  ]).toEqual([bytes(2), bytes(5), false, false]);
  // What waited then waits again, and can be undone.
  expect(window.waits()).toEqual(['modified a.png', 'modified run.sh']);
  expect(await window.redo()).toEqual([]);
  expect([readFileSync(at('a.png')), readFileSync(at('new.png')), existsSync(at('old/b.png'))]).toEqual([
    bytes(3),
    bytes(5),
    false,
  ]);
  expect(window.waits()).toEqual(waiting);

  expect((await window.restoreTo(1)).filter((row) => /a\.png|run/.test(row))).toEqual([
    'changes a.png (binary file)',
    'changes run.sh (is no longer executable)',
  ]);
  expect([readFileSync(at('a.png')), modeOf('a.png'), modeOf('run.sh') & 0o111, window.waits()]).toEqual([
    bytes(1),
    0o640,
    0,
    [],
  ]);
  await reload(2);
  expect(await window.redo()).toEqual([]);
  expect([readFileSync(at('a.png')), modeOf('run.sh'), window.waits()]).toEqual([bytes(3), 0o755, waiting]);
  await window.undoWhole();
  expect([
    readFileSync(at('a.png')),
    readFileSync(at('old/b.png')),
    existsSync(at('new.png')),
    modeOf('run.sh') & 0o111,
    window.reported,
  ]).toEqual([bytes(1), bytes(5), false, 0, []]);
});

it('what Undo takes the place of can be brought back, all of one Undo at once', async () => {
  for (const name of ['a.png', 'b.png']) window.write(at(name), bytes(1));
  window.agent([at('a.png'), at('b.png'), at('c.png')], () => {
    for (const name of ['a.png', 'b.png', 'c.png']) window.write(at(name), bytes(2));
  });
  await window.undoWhole();
  expect([readFileSync(at('a.png')), existsSync(at('c.png'))]).toEqual([bytes(1), false]);
  await reload(1);
  const { saves } = await window.checkpoints.log(session);
  expect(saves.map(({ reason, files }) => [reason, files.size])).toEqual([['undo', 3]]);
  const { files } = await window.restore.plan(session, saves[0]!.files);
  expect(await window.restore.carryOut(session, files, 'redo')).toEqual([]);
  expect([readFileSync(at('a.png')), readFileSync(at('c.png')), window.waits()]).toEqual([
    bytes(2),
    bytes(2),
    ['created c.png', 'modified a.png', 'modified b.png'],
  ]);
});

it('what Redo makes pending again can be undone, even where the review was saved meanwhile', async () => {
  window.write(at('a.png'), bytes(1));
  window.agent([at('a.png')], () => window.write(at('a.png'), bytes(2)));
  await window.restoreTo(1);
  // A sweep comes between the look at the file and its write.
  const { replace } = window.files;
  Object.assign(window.files, {
    replace: async (...asked: Parameters<typeof replace>) => {
      for (let i = 0; i < 3; i++) await window.contents.sweep();
      return replace(...asked);
    },
  });
  expect(await window.redo()).toEqual([]);
  expect(window.waits()).toEqual(['modified a.png']);
  const [stored] = storedIn(window.ledger.whole(at('a.png'))!.before);
  expect(await window.contents.read(stored!)).toEqual(bytes(1));
});

it("the user's later change of a binary file is named, kept and brought back by Redo", async () => {
  window.write(at('a.png'), bytes(1));
  window.agent([at('a.png')], () => window.write(at('a.png'), bytes(2)));
  window.write(at('a.png'), bytes(9));
  expect(await window.restoreTo(1)).toEqual(['changes a.png (binary file) edited']);
  expect(readFileSync(at('a.png'))).toEqual(bytes(1));
  await window.redo();
  expect(readFileSync(at('a.png'))).toEqual(bytes(9));
});

it('a text that became binary, and a binary file that became text, go back', async () => {
  window.write(at('a'), 'one\n');
  window.write(at('b'), bytes(1));
  window.agent([at('a'), at('b')], () => {
    window.write(at('a'), bytes(2));
    window.write(at('b'), 'two\n');
  });
  expect(await window.restoreTo(1)).toEqual(['changes a (binary file)', 'changes b (binary file)']);
  expect([readFileSync(at('a'), 'utf8'), readFileSync(at('b'))]).toEqual(['one\n', bytes(1)]);
  await window.redo();
  expect([readFileSync(at('a')), readFileSync(at('b'), 'utf8')]).toEqual([bytes(2), 'two\n']);
});

it('permissions that were changed after the text of the same prompt go back with it', async () => {
  window.write(at('run.sh'), 'one\n', 0o644);
  window.agent([at('run.sh')], () => window.write(at('run.sh'), 'two\n'));
  window.agent([at('run.sh')], () => chmodSync(at('run.sh'), 0o755));
  await window.restoreTo(1);
  expect([readFileSync(at('run.sh'), 'utf8'), modeOf('run.sh') & 0o111]).toEqual(['one\n', 0]);
});

it('what was not known before is named and left alone', async () => {
  window.write(at('x'), bytes(2));
  window.record(at('x'), undefined, contentAt(at('x')));
  expect(await window.restoreTo(1)).toEqual(['x: its original content is unknown']);
});

it('a file with unsaved work stays, and the others are restored', async () => {
  for (const name of ['a.png', 'b.png']) window.write(at(name), bytes(1));
  window.agent([at('a.png'), at('b.png')], () =>
    ['a.png', 'b.png'].forEach((name) => window.write(at(name), bytes(2))),
  );
  window.unsaved.add(at('a.png'));
  expect(await window.restoreTo(1)).toEqual([
    'a.png: it has unsaved changes',
    'changes a.png (binary file)',
    'changes b.png (binary file)',
  ]);
  expect([readFileSync(at('a.png')), readFileSync(at('b.png'))]).toEqual([bytes(2), bytes(1)]);
});

it('the bytes of a checkpoint outlive the review, and go with their session', async () => {
  window.write(at('a.png'), bytes(1));
  window.agent([at('a.png')], () => window.write(at('a.png'), bytes(2)));
  window.keepAll();
  await window.checkpoints.log(session);
  await window.store.save();
  expect(await window.restoreTo(1)).toEqual(['changes a.png (binary file)']);
  expect(readFileSync(at('a.png'))).toEqual(bytes(1));
  await window.store.save();
  await window.checkpoints.forget(session);
  expect(existsSync(join(root, 'store/checkpoints', `${session}.ndjson`))).toBe(false);
  expect(readdirSync(join(root, 'store/contents'))).toEqual([]);
});
