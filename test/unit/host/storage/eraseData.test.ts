import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { askToErase, erase, type StoredData } from '../../../../src/host/storage/eraseData';
import { mustErase } from '../../../../src/host/storage/windowStorage';
import { memorySecrets } from '../../../fakes/memorySecrets';
import { MemoryState } from '../../../fakes/memoryState';

const told = vi.hoisted(() => ({ shown: [] as string[], answer: '', commands: [] as string[] }));
vi.mock('vscode', () => {
  const show = (words: string) => (told.shown.push(words), Promise.resolve(told.answer || undefined));
  const uri = (fsPath: string) => ({ fsPath });
  return {
    Uri: {
      joinPath: (base: { readonly fsPath: string }, ...parts: string[]) => uri([base.fsPath, ...parts].join('/')),
    },
    window: { showWarningMessage: show, showInformationMessage: show, showErrorMessage: show },
    commands: { executeCommand: (name: string) => (told.commands.push(name), Promise.resolve()) },
  };
});
beforeEach(() => Object.assign(told, { shown: [], answer: '', commands: [] }));

/** VS Code's storage as it is on disk, with Parley's data and another extension's. */
function desk({ hasFolder = true }: { readonly hasFolder?: boolean } = {}) {
  const user = mkdtempSync(path.join(realpathSync(tmpdir()), 'parley-erase-'));
  onTestFinished(() => rmSync(user, { recursive: true, force: true }));
  const put = (file: string) => {
    mkdirSync(path.dirname(path.join(user, file)), { recursive: true });
    writeFileSync(path.join(user, file), 'x');
  };
  for (const extension of ['parley.parley', 'other.other']) {
    put(`globalStorage/${extension}/agents/claude/1.0.0/package.json`);
    for (const workspace of ['a', 'b']) put(`workspaceStorage/${workspace}/${extension}/sessions/1.ndjson`);
  }
  put('globalStorage/parley.parley/scratch/notes.txt');
  const [globalState, workspaceState] = [new MemoryState(), new MemoryState()];
  for (const state of [globalState, workspaceState]) void state.update('parley.key', 'value');
  const secrets = memorySecrets(new Map([['parley.key', 'value']]));
  const context = {
    globalStorageUri: { fsPath: path.join(user, 'globalStorage/parley.parley') },
    storageUri: hasFolder ? { fsPath: path.join(user, 'workspaceStorage/a/parley.parley') } : undefined,
    globalState,
    workspaceState,
    secrets,
  } as unknown as StoredData;
  const left = () =>
    readdirSync(user, { recursive: true, encoding: 'utf8' })
      .filter((name) => /parley\.parley[/\\]/.test(name))
      .map((name) => path.basename(name));
  const known = () => [globalState.keys().length, workspaceState.keys().length, secrets.kept.size];
  return { user, context, left, known, globalState };
}

test.each([true, false])(
  'all data of all folders goes at the next start, and only that (a folder is open: %s)',
  async (hasFolder) => {
    const { user, context, left, known } = desk({ hasFolder });
    await askToErase(context);
    expect([mustErase(context), told.commands]).toEqual([false, []]);
    told.answer = 'Erase and Reload';
    await askToErase(context);
    expect([mustErase(context), told.commands]).toEqual([true, ['workbench.action.reloadWindow']]);
    // The window that ends still saves.
    writeFileSync(path.join(user, 'workspaceStorage/a/parley.parley/state.json'), '{}');
    await erase(context);
    // Files in the scratch folder are the user's work.
    expect([left(), known(), mustErase(context)]).toEqual([['scratch', 'notes.txt'], [0, 0, 0], false]);
    expect(existsSync(path.join(user, 'globalStorage/other.other/agents/claude/1.0.0/package.json'))).toBe(true);
    expect(existsSync(path.join(user, 'workspaceStorage/b/other.other/sessions/1.ndjson'))).toBe(true);
    expect(told.shown.at(-1)).toBe('All data of Parley on this machine is erased.');
  },
);

test('an erasure that was interrupted goes on at the next start, and one part that fails costs no other', async () => {
  const { context, left, known, globalState } = desk();
  told.answer = 'Erase and Reload';
  await askToErase(context);
  const full = vi.spyOn(globalState, 'update').mockRejectedValue(new Error('no room'));
  await erase(context);
  expect([left(), known()]).toEqual([
    ['scratch', 'notes.txt'],
    [1, 0, 0],
  ]);
  expect(told.shown.at(-1)).toBe('Parley could not erase everything. parley.key: no room');
  full.mockRestore();
  await askToErase(context);
  await erase(context);
  expect(known()).toEqual([0, 0, 0]);
});
