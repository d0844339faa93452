import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CancellationSource, neverCancelled } from '../../../../src/base/cancellation';
import { languageTools } from '../../../../src/host/editor/languageTools';
import { Location, type Position, Range, resetServer, server, SymbolKind, Uri } from '../../../fakes/languageVscode';
import { ToolDesk } from '../../../fakes/toolDesk';

vi.mock('vscode', () => import('../../../fakes/languageVscode'));
vi.mock('../../../../src/host/files/staleDocument', () => ({ followsDisk: async () => true }));
vi.mock('../../../../src/host/files/fileContent', () => ({
  shownText: async (file: string) => readFileSync(file, 'utf8'),
}));

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  resetServer();
});
afterEach(() => desk.dispose());

const call = (tool: string, args: object, token = neverCancelled) =>
  languageTools[tool]!(args as never, desk.session(), token);
const write = (name: string, text: string) => writeFileSync(path.join(desk.folder, name), text);
const uriOf = (name: string) => Uri.file(path.join(desk.folder, name));

/** A symbol of an outline: its whole range is one line. */
const symbol = (name: string, line: number, children: readonly object[] = []) => ({
  name,
  kind: SymbolKind.Method,
  range: new Range(line, 0, line, 200),
  selectionRange: new Range(line, 0, line, 200),
  children,
});
/** A symbol that a search of the workspace finds. */
const found = (name: string, containerName: string | undefined, line?: number) => ({
  name,
  containerName,
  kind: SymbolKind.Method,
  location: new Location(uriOf('a.go'), line === undefined ? undefined : new Range(line, 0, line, 0)),
});

describe('a symbol by its name path', () => {
  const lines = ['type Server struct{}', 'func (s *Server) Serve() {}', 'func Serve() {}', 'class A { #secret() {} }'];
  beforeEach(() => {
    write('a.go', lines.join('\n'));
    server.answers['vscode.executeHoverProvider'] = (_: unknown, { line, character }: Position) => [
      { contents: [`${line}:${character}`] },
    ];
  });

  it.each([
    ['a method of Go', '(*Server).Serve', 'Server/Serve'],
    ['a method of Go, as an outline has it', '(*Server).Serve', '(*Server).Serve'],
    ['a method of Go by its value', '(Server).Serve', 'Server.Serve'],
    ['a generic type of Go', '(*Server[T]).Serve', 'Server/Serve'],
    ['a definition outside of its class in C++', 'Server::Serve(int)', 'Server::Serve'],
  ])('%s', async (_, name, asked) => {
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [
      symbol('Server', 0),
      symbol(name, 1),
      symbol('Serve', 2),
    ];
    expect(await call('hover', { path: 'a.go', symbol: asked })).toBe('1:17');
    expect(await call('hover', { path: 'a.go', symbol: 'Serve' })).toBe('2:5');
  });

  it('of a type that an impl block of Rust is for', async () => {
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [
      symbol('impl<T> Listen<T> for Server<T>', 0, [symbol('Serve', 1)]),
      symbol('impl Other', 0, [symbol('Serve', 2)]),
    ];
    expect(await call('hover', { path: 'a.go', symbol: 'Server::Serve' })).toBe('1:17');
    expect(await call('hover', { path: 'a.go', symbol: 'Other::Serve' })).toBe('2:5');
  });

  it.each(['A/#secret', 'A.secret', 'A#secret'])('that is private: %s', async (asked) => {
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [symbol('A', 3, [symbol('#secret', 3)])];
    expect(await call('hover', { path: 'a.go', symbol: asked })).toBe('3:11');
  });

  it('that is not there: lists those that are, as they can be named', async () => {
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [symbol('(*Server).Serve', 1), symbol('Serve', 2)];
    await expect(call('hover', { path: 'a.go', symbol: 'Server/stop' })).rejects.toThrow('It has: Server/Serve, Serve');
  });

  it.each([
    ['with its type in the name', () => found('Server.Serve', 'example.com/server', 1), 'Server/Serve', '1:17'],
    ['with more around it than the server tells', () => found('Serve', 'Server', 1), 'pkg/Server/Serve', '1:17'],
    ['with nothing around it', () => found('Serve', undefined, 1), 'Serve', '1:17'],
    ['without a place', () => found('(*Server).Serve', ''), 'Server/Serve', '1:17'],
  ])('in the workspace, %s', async (_, item, asked, place) => {
    server.answers['vscode.executeWorkspaceSymbolProvider'] = () => [item(), found('Serve', 'Client', 2)];
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [symbol('(*Server).Serve', 1), symbol('Serve', 2)];
    expect(await call('hover', { symbol: asked })).toBe(place);
  });

  it('in an outline that is a list, with the module around it or nothing', async () => {
    server.answers['vscode.executeDocumentSymbolProvider'] = () => [
      found('Server', '"a.go"', 0),
      found('Serve', undefined, 2),
      found('Serve', 'Server', 1),
    ];
    expect(await call('hover', { path: 'a.go', symbol: 'Server/Serve' })).toBe('1:17');
    expect(await call('hover', { path: 'a.go', symbol: 'Serve' })).toBe('2:5');
  });

  it('in a file that changes while its outline is made', async () => {
    let isFirst = true;
    server.answers['vscode.executeDocumentSymbolProvider'] = () => {
      const line = isFirst ? 1 : 2;
      if (isFirst) server.documents.get(uriOf('a.go').fsPath)!.change(['', ...lines].join('\n'));
      isFirst = false;
      return [symbol('(*Server).Serve', line)];
    };
    expect(await call('hover', { path: 'a.go', symbol: 'Server/Serve' })).toBe('2:17');
  });
});

describe('a language server that knows a project only once a file of it is open', () => {
  beforeEach(() => {
    write('a.go', 'func Serve() {}\n');
    server.answers['vscode.executeWorkspaceSymbolProvider'] = () =>
      server.documents.size > 0 ? [found('Serve', '', 0)] : [];
  });

  it('answers all that are asked at once', async () => {
    const asked = [call('workspace_symbols', { query: 'Serve' }), call('workspace_symbols', { query: 'Serve' })];
    expect((await Promise.all(asked)).map((answer) => answer.split('\n')[0])).toEqual([
      '1 symbol for Serve',
      '1 symbol for Serve',
    ]);
  });

  it('answers after a first call that the agent has withdrawn', async () => {
    write('b.ts', '');
    const source = new CancellationSource();
    const { answers } = server;
    answers['typescript.tsserverRequest'] = () => source.cancel();
    await expect(call('workspace_symbols', { query: 'Serve' }, source.token)).rejects.toThrow('withdrawn');
    // As if it had been withdrawn before the file was open.
    server.documents.clear();
    expect(await call('workspace_symbols', { query: 'Serve' })).toMatch(/^1 symbol for Serve/);
  });
});
