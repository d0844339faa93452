import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TurnWindow } from '../../../../fakes/turnWindow';

vi.mock('vscode', () => import('../../../../fakes/diskVscode'));

/** The disk's spelling of files, where case does not count. A second name stands for the other spelling. */
const disk = vi.hoisted(() => ({ spellings: new Map<string, string>() }));
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return { ...fs, realpath: async (path: string) => disk.spellings.get(path) ?? (await fs.realpath(path)) };
});

const system = process.platform;
let top: string;
let window: TurnWindow;
beforeEach(() => {
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  top = mkdtempSync(join(tmpdir(), 'parley-letters-'));
  window = new TurnWindow(join(top, 'window'));
});
afterEach(() => {
  window.end();
  Object.defineProperty(process, 'platform', { value: system });
  disk.spellings.clear();
  rmSync(top, { recursive: true, force: true });
});

/** As a rename does it where case does not count: both names lead to the file. */
function respell(from: string, to: string): void {
  linkSync(window.at(from), window.at(to));
  disk.spellings.set(window.at(from), window.at(to));
}

it('a file whose name only changes its case is neither new nor gone, so Undo does not delete it', async () => {
  writeFileSync(window.at('a.txt'), 'one\ntwo\n');
  await window.open();
  await window.begin();
  respell('a.txt', 'A.txt');
  await window.seen('a.txt', 'A.txt');
  expect(window.waits()).toEqual([]);
  writeFileSync(window.at('A.txt'), 'ONE\ntwo\n');
  await window.seen('a.txt', 'A.txt');
  expect(window.waits()).toEqual(['modified A.txt']);
  expect((await window.undone('A.txt', undefined))?.toString()).toBe('one\ntwo\n');
});

it('a file that an agent names in other letters is listed once, and is the agent’s', async () => {
  writeFileSync(window.at('App.ts'), 'one\n');
  linkSync(window.at('App.ts'), window.at('app.ts'));
  disk.spellings.set(window.at('app.ts'), window.at('App.ts'));
  await window.open();
  await window.begin('nothing');
  window.tool({ kind: 'edit', status: 'in_progress', locations: [{ path: window.at('app.ts') }] });
  writeFileSync(window.at('App.ts'), 'two\n');
  window.tool({ status: 'completed' });
  await window.seen('App.ts', 'app.ts');
  expect([window.waits(), window.apart()]).toEqual([['modified App.ts'], []]);
});
