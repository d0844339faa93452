import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { type NamedPlace, nameParts, ToolError } from '../../editor/toolInput';
import { askLanguage } from './askLanguage';
import { fileOf, sessionFile, type SessionFile, type ToolSession } from './toolSession';
import { languageDocument, wakeServers } from './wakeServer';

/** A place that was found for what an agent named. */
export interface FoundPlace {
  readonly file: SessionFile;
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
  /** What is there: the symbol's name. */
  readonly name: string;
}

/** A symbol in the outline of a file. */
export interface OutlineSymbol {
  readonly name: string;
  /** The name as the server gives it, such as `describe("parse") callback`. */
  readonly title: string;
  readonly kind: vscode.SymbolKind;
  /** From the outermost symbol around it. */
  readonly parents: readonly string[];
  /** Its name path: what is around it and its own name, which has several parts in some languages. */
  readonly path: readonly string[];
  readonly range: vscode.Range;
  readonly selectionRange: vscode.Range;
}

/** Candidates that an error lists. */
const maxListed = 10;
/** Symbols of a workspace that are looked at for one name. */
const maxSymbols = 5_000;
/** How often an outline is asked for while the document changes. */
const maxAsked = 3;
/** Lines below the beginning of a symbol on which its name may be: attributes and comments come before it. */
const maxNameLines = 10;

/** Finds the place. @throws ToolError if there is none, or more than one */
export async function findPlace(
  place: NamedPlace,
  session: ToolSession,
  token: CancellationToken,
): Promise<FoundPlace> {
  if (place.path === undefined) return findSymbol(place.symbol!, session, token);
  const file = await sessionFile(place.path, session.scope);
  const document = await languageDocument(file, session, token);
  return place.line === undefined
    ? findIn(place.symbol!, file, document, session, token)
    : atLine(place, place.line, file, document);
}

/** The outline of a file, in its order. Empty if no language server knows the file. */
export async function outlineOf(
  document: vscode.TextDocument,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly OutlineSymbol[]> {
  let found: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined;
  for (let asked = 1; ; asked++) {
    const { version } = document;
    found = await askLanguage('vscode.executeDocumentSymbolProvider', [document.uri], session, token);
    // Places in an older text would name other symbols.
    if (document.version === version || asked === maxAsked) break;
  }
  const all = (found ?? []).flatMap((symbol) => flattened(symbol, []));
  return all.toSorted((a, b) => a.range.start.compareTo(b.range.start) || a.parents.length - b.parents.length);
}

/**
 * An outline without what is local to a function: servers list each variable and callback. Of the callbacks outside of
 * functions with a name, those with a text stay: they are tests.
 * @param outline in the order of the file
 */
export function withoutLocals(outline: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  const kept: OutlineSymbol[] = [];
  /** The symbols around the present one. */
  let around: readonly (OutlineSymbol & { readonly isTest: boolean })[] = [];
  for (const symbol of outline) {
    around = around.slice(0, symbol.parents.length);
    const isCallback = symbol.title.endsWith(' callback');
    const isTest = isCallback && /\(["'`]/.test(symbol.title);
    const isLocal = around.some(({ kind, isTest }) => isFunction(kind) && !isTest);
    const isOfTest = around.at(-1)?.isTest === true && isValue(symbol.kind);
    around = [...around, { ...symbol, isTest }];
    if (!isLocal && !isOfTest && (isTest || !isCallback)) kept.push(symbol);
  }
  return kept;
}

function isFunction(kind: vscode.SymbolKind): boolean {
  const { Function: ofModule, Method, Constructor } = vscode.SymbolKind;
  return kind === ofModule || kind === Method || kind === Constructor;
}

function isValue(kind: vscode.SymbolKind): boolean {
  return kind === vscode.SymbolKind.Variable || kind === vscode.SymbolKind.Constant;
}

function flattened(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  parents: readonly string[],
): readonly OutlineSymbol[] {
  const { name: title, kind } = symbol;
  const own = nameParts(title);
  const name = own.at(-1) ?? title.trim();
  if (!('selectionRange' in symbol)) {
    const { range } = symbol.location;
    const container = containerOf(symbol);
    const outer = container === '' ? [] : [container];
    const path = [...outer.flatMap(nameParts), ...own];
    return [{ name, title, kind, parents: outer, path, range, selectionRange: range }];
  }
  const { range, selectionRange, children } = symbol;
  return [
    { name, title, kind, parents, path: [...parents.flatMap(nameParts), ...own], range, selectionRange },
    ...children.flatMap((child) => flattened(child, [...parents, title])),
  ];
}

/** The symbols of an outline with a name path. */
export function symbolsAt(path: readonly string[], outline: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  const exact = outline.filter((symbol) => endsWith(symbol.path, path));
  // Without a container the outermost is meant.
  const outermost = path.length === 1 ? exact.filter((symbol) => symbol.path.length === 1) : [];
  return outermost.length > 0 ? outermost : exact;
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  return end.length <= path.length && end.every((part, at) => part === path[path.length - end.length + at]);
}

function atLine(
  { symbol, column }: NamedPlace,
  line: number,
  file: SessionFile,
  document: vscode.TextDocument,
): FoundPlace {
  if (line > document.lineCount) throw new ToolError(`${file.label} has ${document.lineCount} lines.`);
  const { text } = document.lineAt(line - 1);
  const name = symbol?.at(-1);
  const at =
    column === undefined
      ? name === undefined
        ? text.search(/[\p{L}_$]/u)
        : wordAt(text, name)
      : Math.min(column - 1, text.length);
  if (at < 0)
    throw new ToolError(
      `Line ${line} of ${file.label} has no ${name === undefined ? 'symbol' : `“${name}”`}. It is: ${text.trim()}`,
    );
  const position = new vscode.Position(line - 1, at);
  const word = document.getWordRangeAtPosition(position);
  return { file, document, position, name: name ?? (word ? document.getText(word) : `${file.label}:${line}`) };
}

async function findIn(
  path: readonly string[],
  file: SessionFile,
  document: vscode.TextDocument,
  session: ToolSession,
  token: CancellationToken,
): Promise<FoundPlace> {
  const name = path.at(-1)!;
  const outline = await outlineOf(document, session, token);
  const found = symbolsAt(path, outline);
  if (found.length === 1) return { file, document, position: nameIn(document, found[0]!.selectionRange, name), name };
  if (found.length > 1)
    throw new ToolError(
      `${file.label} has ${found.length} symbols ${path.join('/')}. Add line: ` +
        found
          .slice(0, maxListed)
          .map(({ selectionRange }) => selectionRange.start.line + 1)
          .join(', '),
    );
  // A parameter, a local variable or an imported name is in no outline.
  const offset = path.length === 1 ? wordAt(document.getText(), name) : -1;
  if (offset < 0) {
    const known = outline.filter(({ parents }) => parents.length === 0).map((symbol) => symbol.path.join('/'));
    throw new ToolError(
      `${file.label} has no symbol ${path.join('/')}.` +
        (known.length > 0 ? ` It has: ${known.slice(0, 4 * maxListed).join(', ')}` : ''),
    );
  }
  return { file, document, position: document.positionAt(offset), name };
}

async function findSymbol(
  path: readonly string[],
  session: ToolSession,
  token: CancellationToken,
): Promise<FoundPlace> {
  const name = path.at(-1)!;
  const found = await symbolsNamed(path, session, token);
  if (found.length === 0)
    throw new ToolError(
      `No symbol ${path.join('/')} was found. Add the path of a file that has it, or search with workspace_symbols.`,
    );
  if (found.length > 1)
    throw new ToolError(
      `${found.length} symbols are named ${path.join('/')}. Add path, and line if it is needed:\n` +
        found
          .slice(0, maxListed)
          .map(({ file, line }) => `  ${file.label}${line === undefined ? '' : `:${line}`}`)
          .join('\n'),
    );
  const { file, line } = found[0]!;
  const document = await languageDocument(file, session, token);
  if (line === undefined) return findIn(path, file, document, session, token);
  const from = new vscode.Position(line - 1, 0);
  return { file, document, position: nameIn(document, new vscode.Range(from, from), name), name };
}

async function symbolsNamed(
  path: readonly string[],
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly FileSymbol[]> {
  const name = path.at(-1)!;
  const named = (await workspaceSymbols(name, session, token)).filter(({ symbol }) => isAt(pathOf(symbol), path));
  const places = new Map(named.map((found) => [`${found.file.path}:${found.line}`, found]));
  const found = [...places.values()];
  // Without a container the outermost is meant.
  const outermost = path.length > 1 ? [] : found.filter(({ symbol }) => pathOf(symbol).length === 1);
  return outermost.length === 1 ? outermost : found;
}

function pathOf(symbol: vscode.SymbolInformation): readonly string[] {
  return [...nameParts(containerOf(symbol)), ...nameParts(symbol.name)];
}

/** Servers may tell no more than the nearest symbol around one. */
function isAt(known: readonly string[], path: readonly string[]): boolean {
  return known.length >= Math.min(2, path.length) && endsWith(known, path.slice(-known.length));
}

/** The name of the symbol around another one; some servers name none, or the module in quotes. */
export function containerOf(symbol: vscode.SymbolInformation): string {
  const name = (symbol.containerName as string | undefined) ?? '';
  return /^["']/.test(name) ? '' : name;
}

/** A symbol in one of the session's files. */
export interface FileSymbol {
  readonly file: SessionFile;
  readonly symbol: vscode.SymbolInformation;
  /** From 1; undefined if the server does not tell. */
  readonly line: number | undefined;
}

/**
 * All symbols of the session's files that match a query. Some servers know a project only once one of its files was
 * opened.
 */
export async function workspaceSymbols(
  query: string,
  session: ToolSession,
  token: CancellationToken,
): Promise<readonly FileSymbol[]> {
  const ask = async () => {
    const all = await askLanguage<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      [query],
      session,
      token,
    );
    const found: FileSymbol[] = [];
    for (const symbol of (all ?? []).slice(0, maxSymbols)) {
      const file = await fileOf(symbol.location.uri, session.scope);
      const start = (symbol.location.range as vscode.Range | undefined)?.start;
      if (file) found.push({ file, symbol, line: start && start.line + 1 });
    }
    return found;
  };
  const first = await ask().catch((error: unknown) => {
    if (error instanceof ToolError && !token.isCancellationRequested) return [];
    throw error;
  });
  return first.length === 0 && (await wakeServers(session, token)) ? ask() : first;
}

/** Where a name begins in a text, as a whole word; -1 if it is not there. */
function wordAt(text: string, name: string): number {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u'));
}

/** The name of a symbol within its range, which may begin with a comment, an attribute or `export`. */
function nameIn(document: vscode.TextDocument, range: vscode.Range, name: string): vscode.Position {
  for (let line = range.start.line; line < Math.min(document.lineCount, range.start.line + maxNameLines); line++) {
    const from = line === range.start.line ? range.start.character : 0;
    const at = wordAt(document.lineAt(line).text.slice(from), name);
    if (at >= 0) return new vscode.Position(line, from + at);
  }
  return range.start;
}
