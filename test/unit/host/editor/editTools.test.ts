import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { neverCancelled } from '../../../../src/base/cancellation';
import { editTools } from '../../../../src/host/editor/editTools';
import { viewTools } from '../../../../src/host/editor/viewTools';
import { FakeDocument, Position, Range, resetServer, server, Uri } from '../../../fakes/languageVscode';
import { ToolDesk } from '../../../fakes/toolDesk';

vi.mock('vscode', () => import('../../../fakes/languageVscode'));
vi.mock('../../../../src/host/files/staleDocument', () => ({ followsDisk: async () => true }));
vi.mock('../../../../src/host/editor/settledProblems', () => ({ problemsSettled: async () => undefined }));
vi.mock('../../../../src/host/files/fileContent', () => ({
  shownText: async (file: string) => readFileSync(file, 'utf8'),
}));

let desk: ToolDesk;
let file: string;
beforeEach(() => {
  desk = new ToolDesk();
  resetServer();
  file = path.join(desk.folder, 'a.ts');
  writeFileSync(file, 'one two\n');
});
afterEach(() => desk.dispose());

/** An edit as VS Code gives it: only texts are in `entries`. */
function editOf(...items: readonly object[]) {
  const texts = items.flatMap((item) => ('edit' in item && 'newText' in (item.edit as object) ? [item.edit] : []));
  return {
    size: texts.length > 0 ? 1 : 0,
    entries: () => (texts.length > 0 ? [[Uri.file(file), texts]] : []),
    _allEntries: () => items,
  };
}

const text = { uri: undefined, edit: { range: new Range(0, 0, 0, 3), newText: 'four' } };
const snippet = { uri: undefined, range: new Range(0, 4, 0, 7), edit: { value: '${1:five}' } };
const cells = { uri: undefined, index: 0, count: 1, cells: [] };
const moved = { from: Uri.file('/a'), to: Uri.file('/b') };

describe('an edit of a language server', () => {
  let written: string[];
  const call = (tool: string, args: object) => {
    written = [];
    const files = {
      readTextFile: async () => ({ content: '' }),
      writeTextFile: async ({ content }: { readonly content: string }) => void written.push(content),
    };
    return editTools[tool]!({ path: 'a.ts', line: 1, ...args } as never, desk.session({ files }), neverCancelled);
  };

  it('is written if it changes text only', async () => {
    server.answers['vscode.executeDocumentRenameProvider'] = () => editOf(text);
    expect(await call('rename_symbol', { new_name: 'four' })).toMatch(/1 file changed:\n {2}a.ts: 1 edit$/);
    expect(written).toEqual(['four two\n']);
  });

  it.each([
    ['a snippet', [text, snippet], 'inserts snippets or changes cells'],
    ['nothing but a snippet', [snippet], 'inserts snippets or changes cells'],
    ['cells of a notebook', [text, { ...cells, edit: {} }], 'inserts snippets or changes cells'],
    ['files', [text, moved], 'creates, moves or deletes files'],
    ['whole cells', [text, cells], 'creates, moves or deletes files'],
  ])('is not half done: %s', async (_, items, why) => {
    server.answers['vscode.executeCodeActionProvider'] = () => [{ title: 'Fix', edit: editOf(...items) }];
    await expect(call('code_actions', { apply: 'Fix' })).rejects.toThrow(why);
    server.answers['vscode.executeDocumentRenameProvider'] = () => editOf(...items);
    await expect(call('rename_symbol', { new_name: 'four' })).rejects.toThrow(why);
    expect(written).toEqual([]);
  });
});

describe('what the user has selected', () => {
  it.each([
    ['a line of the cursor', new Position(0, 3)],
    ['a selection', new Position(0, 9_000_000)],
  ])('is given in part if it is long: %s', async (_, end) => {
    const start = new Position(0, 3);
    const document = new FakeDocument(Uri.file(file), 'x'.repeat(10_000_000));
    server.editor = { document, selection: { start, end, isEmpty: start.compareTo(end) === 0 } };
    const answer = await viewTools['selection']!({}, desk.session(), neverCancelled);
    expect(answer).toMatch(/^a\.ts:1.*\nx+\n… cut$/s);
    expect(answer.length).toBeLessThan(21_000);
  });
});
