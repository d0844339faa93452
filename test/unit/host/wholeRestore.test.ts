import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/log';
import { Checkpoints } from '../../../src/host/checkpoints';
import { FileRestore } from '../../../src/host/fileRestore';
import { OpaqueReview } from '../../../src/host/opaqueReview';
import { ReviewGuard } from '../../../src/host/reviewGuard';
import { Ledger } from '../../../src/review/ledger';
import { FakeClock } from '../../fakes/fakeClock';
import { contentAt, wholeFilesOnDisk } from '../../fakes/wholeFiles';

const session = 'session';
const bytes = (...values: number[]) => Buffer.from([0, ...values]);

/** A window with everything that keeps and brings back files, on a real disk and without an editor. */
class Window {
  prompt = 1;
  readonly ledger = new Ledger();
  readonly asked: string[] = [];
  readonly reported: string[] = [];
  readonly unsaved = new Set<string>();
  readonly checkpoints: Checkpoints;
  readonly opaque: OpaqueReview;
  readonly guard: ReviewGuard;
  readonly restore: FileRestore;

  constructor(readonly root: string) {
    const clock = new FakeClock();
    this.checkpoints = new Checkpoints({ folder: join(root, 'store/checkpoints'), promptOf: () => this.prompt, bytes: () => this.opaque.bytes, clock, log: silentLogger });
    this.guard = new ReviewGuard(
      { checkpoints: this.checkpoints, whole: () => this.opaque },
      {
        ledger: () => this.ledger,
        currentText: async (path) => {
          const content = contentAt(path);
          if (content.kind === 'binary') throw new Error('no text');
          return content.kind === 'text' ? content.text : undefined;
        },
        lookAgain: async () => {},
        catchUp: async () => {},
        put: async (_id, path, text) => {
          if (text === undefined) rmSync(path);
          else this.write(path, text);
          return text;
        },
        told: () => {},
      },
    );
    this.opaque = new OpaqueReview({
      recorder: this.guard,
      folder: join(root, 'store/opaque'),
      files: wholeFilesOnDisk(this.unsaved),
      waiting: () => [],
      clock,
      log: silentLogger,
      turnOf: () => undefined,
      isGuarded: () => false,
      confirm: async (message) => {
        this.asked.push(message);
        return true;
      },
      report: (message) => this.reported.push(message),
    });
    this.restore = new FileRestore(this.guard, this.checkpoints, silentLogger);
  }

  write(path: string, content: Buffer | string, mode?: number): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (mode !== undefined) chmodSync(path, mode);
  }

  /** An agent does something to files, and it is seen. */
  agent(paths: readonly string[], work: () => void): void {
    const before = paths.map((path) => contentAt(path));
    work();
    for (const [i, path] of paths.entries()) {
      const [old, now] = [before[i]!, contentAt(path)];
      if (old.kind !== 'binary' && now.kind !== 'binary' && !(old.kind === 'text' && now.kind === 'text' && old.text === now.text)) {
        const [from, to] = [old, now].map((content) => (content.kind === 'text' ? content.text : undefined));
        this.guard.changed(session, path, from, to);
        this.ledger.agentWrote(path, from, to, { origin: 'command' });
      } else this.opaque.changes.record(session, path, old, now);
    }
  }

  async restoreTo(prompt: number): Promise<string[]> {
    const { files, problems } = await this.restore.plan(session, (await this.checkpoints.log(session)).since(prompt), prompt);
    const failed = await this.restore.carryOut(session, files, 'restore', prompt);
    return [...files.map(({ path, kind, note, isEdited }) => `${kind} ${this.name(path)}${note ? ` (${note})` : ''}${isEdited ? ' edited' : ''}`), ...problems, ...failed].map((row) => row.replace(`${this.root}/p/`, '')).sort();
  }

  async redo(): Promise<string[]> {
    const { redoable } = await this.checkpoints.log(session);
    const { files, problems } = await this.restore.plan(session, redoable!.files);
    const failed = await this.restore.carryOut(session, files, 'redo');
    await this.checkpoints.redone(session, redoable!.id);
    return [...problems, ...failed];
  }

  waits(): string[] {
    return [...this.ledger.changes, ...this.opaque.changes.views(session, undefined)].map(({ kind, path }) => `${kind} ${this.name(path)}`).sort();
  }

  name(path: string): string {
    return path.slice(this.root.length + 3);
  }

  async close(): Promise<void> {
    await this.checkpoints.log(session);
    this.opaque.flushSync();
    this.opaque.dispose();
    this.checkpoints.dispose();
  }
}

let root: string;
let window: Window;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'whole-'));
  window = new Window(root);
  await window.opaque.open();
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
  window = new Window(root);
  window.prompt = prompt;
  await window.opaque.open();
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

  expect(await window.restoreTo(2)).toEqual(['changes a.png (binary file)', 'comesBack old/b.png (binary file)', 'goes fresh.png (binary file)', 'goes new.png (binary file)']);
  expect([readFileSync(at('a.png')), readFileSync(at('old/b.png')), existsSync(at('new.png')), existsSync(at('fresh.png'))]).toEqual([bytes(2), bytes(5), false, false]);
  // What waited then waits again, and can be undone.
  expect(window.waits()).toEqual(['modified a.png', 'modified run.sh']);
  expect(await window.redo()).toEqual([]);
  expect([readFileSync(at('a.png')), readFileSync(at('new.png')), existsSync(at('old/b.png'))]).toEqual([bytes(3), bytes(5), false]);
  expect(window.waits()).toEqual(waiting);

  expect((await window.restoreTo(1)).filter((row) => /a\.png|run/.test(row))).toEqual(['changes a.png (binary file)', 'changes run.sh (is no longer executable)']);
  expect([readFileSync(at('a.png')), modeOf('a.png'), modeOf('run.sh') & 0o111, window.waits()]).toEqual([bytes(1), 0o640, 0, []]);
  await reload(2);
  expect(await window.redo()).toEqual([]);
  expect([readFileSync(at('a.png')), modeOf('run.sh'), window.waits()]).toEqual([bytes(3), 0o755, waiting]);
  await window.opaque.changes.undo(session);
  expect([readFileSync(at('a.png')), readFileSync(at('old/b.png')), existsSync(at('new.png')), modeOf('run.sh') & 0o111, window.reported]).toEqual([bytes(1), bytes(5), false, 0, []]);
});

it('what Undo takes the place of can be brought back, all of one Undo at once', async () => {
  for (const name of ['a.png', 'b.png']) window.write(at(name), bytes(1));
  window.agent([at('a.png'), at('b.png'), at('c.png')], () => {
    for (const name of ['a.png', 'b.png', 'c.png']) window.write(at(name), bytes(2));
  });
  await window.opaque.changes.undo(session);
  expect([readFileSync(at('a.png')), existsSync(at('c.png'))]).toEqual([bytes(1), false]);
  await reload(1);
  const { kept } = await window.checkpoints.log(session);
  expect(kept.map(({ reason, files }) => [reason, files.size])).toEqual([['undo', 3]]);
  const { files } = await window.restore.plan(session, kept[0]!.files);
  expect(await window.restore.carryOut(session, files, 'redo')).toEqual([]);
  expect([readFileSync(at('a.png')), readFileSync(at('c.png')), window.waits()]).toEqual([bytes(2), bytes(2), ['created c.png', 'modified a.png', 'modified b.png']]);
});

it('the person\'s later change of a binary file is named, kept and brought back by Redo', async () => {
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
  window.opaque.changes.record(session, at('x'), undefined, contentAt(at('x')));
  expect(await window.restoreTo(1)).toEqual(['x: what it was before is not known']);
});

it('a file with unsaved work stays, and the others are restored', async () => {
  for (const name of ['a.png', 'b.png']) window.write(at(name), bytes(1));
  window.agent([at('a.png'), at('b.png')], () => ['a.png', 'b.png'].forEach((name) => window.write(at(name), bytes(2))));
  window.unsaved.add(at('a.png'));
  expect(await window.restoreTo(1)).toEqual(['a.png: it has unsaved changes', 'changes a.png (binary file)', 'changes b.png (binary file)']);
  expect([readFileSync(at('a.png')), readFileSync(at('b.png'))]).toEqual([bytes(2), bytes(1)]);
});

it('the bytes of a checkpoint outlive the review, and go with their session', async () => {
  window.write(at('a.png'), bytes(1));
  window.agent([at('a.png')], () => window.write(at('a.png'), bytes(2)));
  window.opaque.changes.keep(session);
  await window.checkpoints.log(session);
  await window.opaque.save();
  expect(readdirSync(join(root, 'store/opaque'))).toEqual(['index.json']);
  expect(await window.restoreTo(1)).toEqual(['changes a.png (binary file)']);
  expect(readFileSync(at('a.png'))).toEqual(bytes(1));
  await window.checkpoints.forget(session);
  expect(existsSync(join(root, 'store/checkpoints', session))).toBe(false);
});
