import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TurnWindow } from '../../../fakes/turnWindow';

vi.mock('vscode', () => import('../../../fakes/diskVscode'));

/*
 * The folder `crashedStorage` was written by the code of 27 November 2026 that had a store for each use, and whose window
 * was killed while an agent worked.
 */

const fixture = fileURLToPath(new URL('../../../fixtures/crashedStorage', import.meta.url));
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'crashed-')));
  cpSync(fixture, root, { recursive: true });
  for (const name of readdirSync(join(root, 'store'), { recursive: true, encoding: 'utf8' }))
    if (/(index\.json|\.ndjson|\.log)$/.test(name)) {
      const file = join(root, 'store', name);
      writeFileSync(file, readFileSync(file, 'latin1').replaceAll('/earlier/', `${root}/`), 'latin1');
    }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('what an agent changed before and after the last save is pending, undone and restored', async () => {
  const window = new TurnWindow(root);
  await window.open();
  expect(window.waits()).toEqual([
    'deleted gone.txt',
    'modified bin',
    'modified crlf.txt',
    'modified late.bin',
    'modified late.txt',
    'modified saved.txt',
  ]);
  const undone = async (name: string) => (await window.undone(name, undefined))?.toString('latin1');
  expect([await undone('saved.txt'), await undone('bin'), await undone('late.txt'), await undone('late.bin')]).toEqual([
    'one\ntwo\n',
    '\0\x01\x02',
    'late\n',
    '\0\x09',
  ]);
  expect(await undone('gone.txt')).toBe('gone\n');
  await window.checkpoints.log('session');
  await window.store.save();
  expect(await window.restoreTo(1)).toHaveLength(6);
  expect(['bin', 'gone.txt'].map((name) => readFileSync(window.at(name), 'latin1'))).toEqual(['\0\x01\x02', 'gone\n']);
  expect(await window.redo()).toEqual([]);
  expect(window.waits()).toHaveLength(6);
  window.end();
});
