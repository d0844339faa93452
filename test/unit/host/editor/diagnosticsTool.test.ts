import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { diagnosticsTool } from '../../../../src/host/editor/diagnosticsTool';
import type { ToolSession } from '../../../../src/host/editor/toolSession';
import { Diagnostic, Range, resetServer, server, Uri } from '../../../fakes/languageVscode';
import { ToolDesk } from '../../../fakes/toolDesk';

vi.mock('vscode', () => import('../../../fakes/languageVscode'));
vi.mock('../../../../src/host/files/staleDocument', () => ({ followsDisk: async () => true }));
vi.mock('../../../../src/host/files/fileContent', () => ({
  shownText: async (file: string) => readFileSync(file, 'utf8'),
}));

let desk: ToolDesk;
let other: ToolDesk;
let problems: Record<string, readonly object[]>;
beforeEach(() => {
  [desk, other] = [new ToolDesk(), new ToolDesk()];
  resetServer();
  problems = {};
  const answer = (kind: string, { file }: { readonly file: string }) => ({
    body: kind === 'semanticDiagnosticsSync' ? (problems[path.basename(file)] ?? []) : [],
  });
  server.answers['typescript.tsserverRequest'] = answer as never;
});
afterEach(() => [desk, other].forEach((item) => item.dispose()));

const call = (args: object, roots = [desk.folder], more: Partial<ToolSession> = {}) =>
  diagnosticsTool(
    args as never,
    desk.session({ scope: { sessionId: 's', agent: 'Agent', cwd: roots[0]!, roots }, ...more }),
    neverCancelled,
  );
const errorAt = (line: number) => ({ start: { line, offset: 1 }, text: 'is wrong', code: 7, category: 'error' });

it('looks at all folders of the session, not only at the one in which it works', async () => {
  writeFileSync(path.join(desk.folder, 'a.ts'), '');
  writeFileSync(path.join(other.folder, 'b.ts'), 'x');
  problems = { 'b.ts': [errorAt(1)] };
  expect(await call({}, [desk.folder, other.folder])).toBe(
    `1 error in the workspace\n${path.join(other.folder, 'b.ts')}\n  1: error TS7: is wrong`,
  );
});

it('looks at one folder if the agent names it', async () => {
  mkdirSync(path.join(desk.folder, 'in'));
  writeFileSync(path.join(desk.folder, 'z.ts'), 'x');
  writeFileSync(path.join(desk.folder, 'in/b.ts'), 'x');
  // The file that wakes the server.
  writeFileSync(path.join(desk.folder, 'in/a.ts'), 'x');
  problems = { 'b.ts': [errorAt(1)], 'z.ts': [errorAt(1)] };
  expect(await call({ path: 'in' })).toBe('1 error in in\nin/b.ts\n  1: error TS7: is wrong');
});

it.skipIf(process.platform === 'win32')('finds problems in a folder that is reached by a link', async () => {
  mkdirSync(path.join(desk.folder, 'real'));
  writeFileSync(path.join(desk.folder, 'real/a.ts'), 'x');
  symlinkSync('real', path.join(desk.folder, 'link'));
  problems = { 'a.ts': [errorAt(1)] };
  expect(await call({}, [path.join(desk.folder, 'link')])).toMatch(/^1 error in the workspace\n/);
});

it('says that it did not look at all files', async () => {
  for (let at = 0; at < 2_001; at++) writeFileSync(path.join(desk.folder, `a${at}.ts`), '');
  expect(await call({})).toBe(
    'No errors or warnings in the workspace.\n' +
      '2000 of more than 2000 TypeScript files were checked at once. Name a folder for the others.',
  );
});

it('compares nothing if there are too many errors, instead of taking those before for gone', async () => {
  const file = path.join(desk.folder, 'a.ts');
  writeFileSync(file, 'x');
  const before = { problems: [{ path: file, message: 'old', line: 0 }], open: new Set([file]) };
  const turnProblems = () => ({ before, edited: new Set([path.join(desk.folder, 'b.ts')]) });
  const range = new Range(0, 0, 0, 1);
  server.published = [[Uri.file(file), Array.from({ length: 5_001 }, () => new Diagnostic(range, 'new'))]];
  await expect(call({ since: 'edit' }, undefined, { turnProblems })).rejects.toThrow('too many errors to compare');
});
