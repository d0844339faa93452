import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applyDecision } from '../../../../src/host/changes/applyDecision';
import { Ledger } from '../../../../src/changes/ledger';

vi.mock('vscode', () => {
  const nothing = class {
    readonly uri = undefined;
  };
  const workspace = {
    textDocuments: [],
    notebookDocuments: [],
    getConfiguration: () => ({ get: (_key: string, standard: unknown) => standard, inspect: () => undefined }),
    getWorkspaceFolder: () => undefined,
    onDidChangeConfiguration: () => ({ dispose: () => {} }),
    fs: { delete: async ({ fsPath }: { readonly fsPath: string }) => rmSync(fsPath) },
  };
  return {
    workspace,
    window: { tabGroups: { all: [] } },
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    TabInputCustom: nothing,
    TabInputNotebook: nothing,
  };
});

let folder: string;
let path: string;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carry-'));
  path = join(folder, 'new.txt');
  ledger = new Ledger();
  ledger.agentWrote(path, undefined, 'agent\n');
  ledger.edited(path, 'agent\nperson\n');
  writeFileSync(path, 'agent\nperson\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const undo = (confirmDelete: () => Promise<boolean>) =>
  applyDecision(
    ledger,
    path,
    'undo',
    {},
    { confirmDelete, originalOf: async () => undefined, keepOriginal: () => {}, wrote: () => {} },
  );

it('deletes a created file that the user has edited once they agree', async () => {
  await undo(async () => false);
  expect(existsSync(path)).toBe(true);
  await undo(async () => true);
  expect([existsSync(path), ledger.has(path)]).toEqual([false, false]);
});

it.each(['seen', 'not seen'])('deletes nothing that came into the file while it was asked (%s)', async (how) => {
  const agree = async () => {
    writeFileSync(path, 'agent\nperson\nagent again\n');
    if (how === 'seen') ledger.agentWrote(path, 'agent\nperson\n', 'agent\nperson\nagent again\n');
    return true;
  };
  await expect(undo(agree)).rejects.toThrow('at the same time');
  expect(readFileSync(path, 'utf8')).toBe('agent\nperson\nagent again\n');
  expect(ledger.get(path)?.kind).toBe('created');
});
