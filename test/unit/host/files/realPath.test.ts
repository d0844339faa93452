import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { realOf, spelled, spelledFolder } from '../../../../src/host/files/realPath';

const window = vi.hoisted(() => ({ folders: [] as string[] }));

vi.mock('vscode', () => ({
  workspace: {
    get workspaceFolders() {
      return window.folders.map((fsPath) => ({ uri: { scheme: 'file', fsPath } }));
    },
  },
}));

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-real-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'data/app/sub'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  symlinkSync(join(base, 'data/app'), join(base, 'app'));
});

test('files of a workspace behind a link are named by the link and opened without it', async () => {
  window.folders = [join(base, 'app')];
  expect(await spelled(join(base, 'data/app/sub/a.txt'))).toBe(join(base, 'app/sub/a.txt'));
  expect(await realOf(join(base, 'app/sub/a.txt'))).toBe(join(base, 'data/app/sub/a.txt'));
  expect(spelledFolder(join(base, 'app/sub'))).toBe(join(base, 'app/sub'));
});

test('a link below the workspace folder is not followed, whenever it was made', async () => {
  window.folders = [join(base, 'app')];
  symlinkSync(join(base, 'outside'), join(base, 'data/app/linked'));
  expect(await realOf(join(base, 'app/linked/a.txt'))).toBe(join(base, 'data/app/linked/a.txt'));
});

test('a file outside has its real name alone, and of folders in one another the inner one counts', async () => {
  window.folders = [join(base, 'data'), join(base, 'data/app')];
  expect(await realOf(join(base, 'outside/a.txt'))).toBe(join(base, 'outside/a.txt'));
  expect(await spelled(join(base, 'outside/a.txt'))).toBe(join(base, 'outside/a.txt'));
  expect(await spelled(join(base, 'data/app/a.txt'))).toBe(join(base, 'data/app/a.txt'));
  expect(spelledFolder(join(base, 'app'))).toBe(join(base, 'data/app'));
});

test('macOS may store an accent apart; VS Code names the file with one letter', async () => {
  window.folders = [join(base, 'app')];
  const stored = 'sub/e\u0301.txt';
  const system = process.platform;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: system }));
  expect(await spelled(join(base, 'data/app', stored))).toBe(join(base, 'app/sub/\u00e9.txt'));
  expect(await spelled(join(base, 'outside/e\u0301.txt'))).toBe(join(base, 'outside/\u00e9.txt'));
  Object.defineProperty(process, 'platform', { value: 'linux' });
  expect(await spelled(join(base, 'data/app', stored))).toBe(join(base, 'app', stored));
});
