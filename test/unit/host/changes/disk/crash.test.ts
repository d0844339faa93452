import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saves } from '../../../../fakes/diskVscode';
import { TurnWindow } from '../../../../fakes/turnWindow';
import { DyingDisk, session } from '../../../../fakes/wholeWindow';
import { killStride } from '../../../../fakes/tries';
import { sha256 } from '../../../../../src/host/storage/contentName';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

/** A file in which the agent writes at the beginning and the user near the end. */
const text = (second: string, eighth: string) =>
  ['one', second, 'three', 'four', 'five', 'six', 'seven', eighth, 'nine', ''].join('\n');

const before: Readonly<Record<string, string | Buffer>> = {
  'a.txt': text('two', 'eight'),
  'deep/b.txt': 'four\r\nfive\r\n',
  'gone.txt': 'six\n',
  'from.txt': 'seven\neight\n',
  'picture.png': Buffer.from([0, 1, 2, 3]),
  'same.txt': 'nobody touches this\n',
};

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(root: string, name: string, content: string | Buffer): void {
  const path = join(root, 'p', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function folder(name: string): string {
  const root = join(top, name);
  for (const [file, content] of Object.entries(before)) put(root, file, content);
  return root;
}

const read = (root: string, name: string) =>
  existsSync(join(root, 'p', name)) ? readFileSync(join(root, 'p', name)) : undefined;

/** What an agent does to the files by itself. */
function agent(root: string): void {
  put(root, 'a.txt', text('agent 2', 'agent 8'));
  put(root, 'deep/b.txt', 'four\r\n5\r\n');
  rmSync(join(root, 'p/gone.txt'));
  renameSync(join(root, 'p/from.txt'), join(root, 'p/to.txt'));
  put(root, 'picture.png', Buffer.from([0, 9]));
  put(root, 'new.txt', 'by the agent\n');
}

const touched = ['a.txt', 'deep/b.txt', 'gone.txt', 'from.txt', 'to.txt', 'picture.png', 'new.txt'];

const lines = (content: Buffer | string | undefined) => content?.toString().replaceAll('\r\n', '\n');

/** Undo of everything brings back what was there before the turn. */
async function expectUndone(window: TurnWindow, root: string, what: string): Promise<void> {
  for (const name of [...touched, 'same.txt'])
    expect(lines(await window.undone(name, read(root, name))), `${name} ${what}`).toBe(lines(before[name]));
}

/** All contents that the store has. */
const stored = (root: string): string =>
  readdirSync(join(root, 'store/contents'))
    .map((name) => readFileSync(join(root, 'store/contents', name), 'latin1'))
    .join();
const logs = (root: string) => readdirSync(join(root, 'store/review')).filter((name) => name.endsWith('.log'));

describe('an agent that writes to disk by itself, and a host that is killed', () => {
  it('at once: the next window finds all of it, and Undo brings everything back', async () => {
    const root = folder('once');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    agent(root);
    window.end();
    const next = new TurnWindow(root);
    expect(await next.open()).toBe(touched.length);
    expect(next.waits()).toEqual([
      'created new.txt',
      'created to.txt',
      'deleted from.txt',
      'deleted gone.txt',
      'modified a.txt',
      'modified deep/b.txt',
      'modified picture.png',
    ]);
    await expectUndone(next, root, 'in the next window');
    expect((await next.checkpoints.log(session)).prompts).toEqual([1]);
    // Once that is saved the log is gone, and what it knew is kept.
    await next.store.settled();
    expect(logs(root)).toEqual([]);
    next.end();
    const last = new TurnWindow(root);
    expect(await last.open()).toBe(0);
    await expectUndone(last, root, 'after another start');
    last.end();
  });

  it('at once, and a window that is reloaded as soon as it has found that: what it found is there, and found once', async () => {
    const root = folder('reload');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    agent(root);
    window.end();
    const next = new TurnWindow(root);
    await next.open();
    next.store.flushSync();
    next.end();
    expect(logs(root)).toEqual([]);
    const last = new TurnWindow(root);
    expect(await last.open()).toBe(0);
    await expectUndone(last, root, 'after the reload');
    last.end();
  });

  it('not, but closed while the agent works: the next window finds what it has not seen', async () => {
    const root = folder('closed');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    put(root, 'a.txt', text('agent 1', 'eight'));
    await window.seen('a.txt');
    agent(root);
    window.store.flushSync();
    window.end();
    const next = new TurnWindow(root);
    expect(await next.open()).toBe(touched.length);
    await expectUndone(next, root, 'in the next window');
    next.end();
  });

  it('after the user has kept the change: it is not pending again', async () => {
    const root = folder('kept');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    agent(root);
    await window.seen(...touched);
    window.ledger.keep(window.at('a.txt'));
    await window.store.save();
    window.end();
    const next = new TurnWindow(root);
    await next.open();
    expect(next.waits()).not.toContain('modified a.txt');
    expect(next.waits()).toContain('modified deep/b.txt');
    next.end();
  });

  it('while Undo writes: that is no change of the agent, and what was undone can come back', async () => {
    const root = folder('undo');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    put(root, 'a.txt', text('agent 2', 'eight'));
    await window.seen('a.txt');
    await window.store.save();
    await window.turns.writing(window.at('a.txt'));
    put(root, 'a.txt', text('two', 'eight'));
    window.end();
    const next = new TurnWindow(root);
    await next.open();
    next.ledger.edited(next.at('a.txt'), text('two', 'eight'));
    expect(next.waits()).toEqual([]);
    expect(next.ledger.rejected(next.at('a.txt')).map(({ agentLines }) => agentLines)).toEqual([['agent 2']]);
    next.end();
  });

  it('at once, in a repository: of what is clean only git has a copy, and Undo brings it back all the same', async () => {
    const root = folder('repository');
    put(root, 'clean.txt', 'only git has this\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
        cwd: join(root, 'p'),
        stdio: 'ignore',
      });
    git('init', '-q');
    git('add', 'clean.txt', 'a.txt');
    git('commit', '-q', '-m', 'first');
    put(root, 'a.txt', text('two', 'user 8'));
    const window = new TurnWindow(root);
    window.environment = process.env;
    await window.open();
    await window.begin();
    const known = stored(root);
    expect([known.includes('only git'), known.includes('user 8'), known.includes('seven\neight')]).toEqual([
      false,
      true,
      true,
    ]);
    agent(root);
    put(root, 'clean.txt', 'the agent was here\n');
    window.end();
    // What is committed after the crash is not what was clean before.
    git('add', '.');
    git('commit', '-q', '-m', 'second');
    put(root, 'clean.txt', 'the agent was here twice\n');
    const next = new TurnWindow(root);
    next.environment = process.env;
    await next.open();
    expect(lines(await next.undone('clean.txt', undefined))).toBe('only git has this\n');
    expect(lines(await next.undone('a.txt', undefined))).toBe(text('two', 'user 8'));
    expect(lines(await next.undone('gone.txt', undefined))).toBe('six\n');
    next.end();
  });

  it('at once, in a file of which a copy was made because it is too large', async () => {
    const root = folder('large');
    const large = Buffer.alloc(2_000_000, Buffer.from([0, 7]));
    put(root, 'large.bin', large);
    const written = Date.now();
    await vi.waitUntil(() => Date.now() > written + 50, 20_000);
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    window.turns.act(session, {
      type: 'toolCall/patched',
      at: Date.now(),
      fields: { toolCallId: 'call', kind: 'edit', locations: [{ path: window.at('large.bin') }] },
    });
    await vi.waitUntil(
      () => logs(root).some((name) => readFileSync(join(root, 'store/review', name)).includes(sha256(large))),
      5_000,
    );
    put(root, 'large.bin', Buffer.alloc(2_000_000));
    window.end();
    // A window that opens while the disk of the folder is not there.
    const without = new TurnWindow(root);
    renameSync(join(root, 'p'), join(root, 'away'));
    expect(await without.open()).toBe(0);
    without.end();
    renameSync(join(root, 'away'), join(root, 'p'));
    const next = new TurnWindow(root);
    expect(await next.open()).toBe(1);
    expect((await next.undone('large.bin', undefined))?.equals(large)).toBe(true);
    next.end();
  });

  it(
    'at any step of what Parley writes: whatever the agent has done by then is undone',
    { timeout: 120_000 },
    async () => {
      const edited = new Set<string>();
      const work = async (root: string, disk: DyingDisk, dieAt: number): Promise<TurnWindow> => {
        const window = new TurnWindow(root, disk);
        await window.open();
        await window.begin();
        disk.dieAt = disk.steps + dieAt;
        put(root, 'a.txt', text('agent 1', 'eight'));
        await window.seen('a.txt');
        // The user saves; then the agent writes again.
        disk.assertAlive();
        put(root, 'a.txt', text('agent 1', 'user 8'));
        saves(window.at('a.txt'), text('agent 1', 'user 8'));
        edited.add(root);
        // The agent and the user do not write within the same millisecond.
        await vi.waitUntil(
          () =>
            disk.steps > disk.dieAt ||
            logs(root).some((name) =>
              readFileSync(join(root, 'store/review', name)).includes(sha256(text('agent 1', 'user 8'))),
            ),
          10_000,
        );
        await window.store.save();
        disk.assertAlive();
        agent(root);
        await window.seen(...touched);
        await window.checkpoints.log(session);
        await window.store.save();
        disk.assertAlive();
        put(root, 'a.txt', text('agent 3', 'agent 9'));
        window.endTurn();
        await window.seen(...touched);
        await window.store.save();
        return window;
      };
      const whole = new DyingDisk();
      (await work(folder('whole'), whole, Infinity)).end();
      expect(whole.steps).toBeGreaterThan(30);
      let died = 0;
      await Promise.all(
        Array.from({ length: Math.ceil(whole.steps / killStride) }, async (_, round) => {
          const dieAt = round * killStride;
          const root = folder(String(dieAt));
          const disk = new DyingDisk();
          await work(root, disk, dieAt).then(
            (window) => window.end(),
            () => undefined,
          );
          if (disk.steps <= disk.dieAt) return;
          died++;
          const at = `after step ${dieAt}`;
          const now = new Map([...touched, 'same.txt'].map((name) => [name, read(root, name)]));
          const next = new TurnWindow(root);
          await next.open();
          for (const [name, content] of now) {
            const undone = lines(await next.undone(name, content));
            // What the user has saved meanwhile comes back where the agent has replaced it. Where it stands there
            // still, the host may have ended before it heard whose it is.
            if (
              name === 'a.txt' &&
              edited.has(root) &&
              (undone !== lines(before[name]) || !content!.includes('user 8'))
            )
              expect(undone, `${name} ${at}`).toBe(text('two', 'user 8'));
            else expect(undone, `${name} ${at}`).toBe(lines(before[name]));
          }
          await next.store.settled();
          next.end();
        }),
      );
      expect(died * killStride).toBeGreaterThan(20);
    },
  );

  it('not: after the turn nothing of it is left in the storage', async () => {
    const root = folder('alive');
    const window = new TurnWindow(root);
    await window.open();
    await window.begin();
    expect(logs(root)).toHaveLength(1);
    agent(root);
    window.endTurn();
    await vi.waitUntil(() => !window.turns.isFollowing, 10_000);
    await window.store.settled();
    expect(logs(root)).toEqual([]);
    window.store.flushSync();
    window.end();
    expect(existsSync(join(root, 'store/before'))).toBe(false);
  });

  it('keeps what it cannot in memory, and says so', async () => {
    const root = folder('full');
    const disk = new DyingDisk();
    const window = new TurnWindow(root, disk);
    await window.open();
    disk.files.append = async () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    await window.begin();
    expect(window.failed[0]).toContain('the disk with its storage is full');
    agent(root);
    await window.seen(...touched);
    await expectUndone(window, root, 'while it lives');
    window.end();
  });
});
