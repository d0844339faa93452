import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import type { JsonObject } from '../../base/json';
import { bounded, counted, type FoundLine, linesAnswer, listAnswer } from '../../editor/answers';
import { pageOf, placeOf, requiredText, ToolError, wordOf } from '../../editor/toolInput';
import { askLanguage } from './askLanguage';
import { containerOf, findPlace, outlineOf, symbolsAt, withoutLocals, workspaceSymbols } from './namedPlace';
import { implementationsElsewhere } from './otherProjects';
import { fileOf, linesOfFile, sessionFile, type SessionFile, type ToolSession } from './toolSession';
import { isTypescript } from './typescriptProblems';
import { languageDocument } from './wakeServer';

/** One call of a tool. @returns the answer for the model @throws ToolError */
export type RunTool = (args: JsonObject, session: ToolSession, token: CancellationToken) => Promise<string>;

/** Places of one answer that are looked at. */
const maxPlaces = 10_000;
/** Symbols of an outline in one answer. Their lines are short. */
const outlineLimit = 200;
/** Characters of the text of one symbol. */
const maxSymbolText = 50_000;

/** The tools that ask language servers and change nothing. */
export const languageTools: Readonly<Record<string, RunTool>> = {
  definition: (...call) => places('vscode.executeDefinitionProvider', 'definition', ...call),
  references: (...call) => places('vscode.executeReferenceProvider', 'reference', ...call),
  implementations: (...call) => places('vscode.executeImplementationProvider', 'implementation', ...call),
  type_definition: (...call) => places('vscode.executeTypeDefinitionProvider', 'type definition', ...call),
  hover,
  call_hierarchy: callHierarchy,
  document_symbols: documentSymbols,
  workspace_symbols: searchSymbols,
  read_symbol: readSymbol,
};

interface PlaceInFile {
  readonly file: SessionFile;
  readonly range: vscode.Range;
}

async function places(
  command: string,
  noun: string,
  args: JsonObject,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const page = pageOf(args);
  const { document, position, name } = await findPlace(placeOf(args), session, token);
  const [here, elsewhere, isWanted] = await Promise.all([
    askLanguage<(vscode.Location | vscode.LocationLink)[]>(command, [document.uri, position], session, token),
    noun === 'implementation' && isTypescript(document)
      ? implementationsElsewhere(document, position, session, token)
      : [],
    noun === 'reference' && args['declaration'] !== true ? unlessDeclared(document, position, session, token) : isAny,
  ]);
  const answer = [...(here ?? []), ...elsewhere];
  if (answer.length === 0) throw nothingFound(noun, name, document);
  const found: PlaceInFile[] = [];
  let outside = 0;
  for (const place of answer.slice(0, maxPlaces)) {
    const [uri, range] =
      'targetUri' in place
        ? [place.targetUri, place.targetSelectionRange ?? place.targetRange]
        : [place.uri, place.range];
    if (!isWanted(uri, range)) continue;
    const file = await fileOf(uri, session.scope);
    if (file) found.push({ file, range });
    else outside++;
  }
  const sorted = inOrder(found);
  const title = `${counted(sorted.length, noun)} of ${name} in ${counted(new Set(sorted.map(({ file }) => file.path)).size, 'file')}`;
  return linesAnswer(title, await sourceLines(sorted, page), page, outside);
}

const isAny = (): boolean => true;

/** Servers give the declaration among the references. */
async function unlessDeclared(
  document: vscode.TextDocument,
  position: vscode.Position,
  session: ToolSession,
  token: CancellationToken,
): Promise<(uri: vscode.Uri, range: vscode.Range) => boolean> {
  const declared = await askLanguage<(vscode.Location | vscode.LocationLink)[]>(
    'vscode.executeDefinitionProvider',
    [document.uri, position],
    session,
    token,
  );
  const known = (declared ?? []).map((place) =>
    'targetUri' in place
      ? placeKey(place.targetUri, (place.targetSelectionRange ?? place.targetRange).start)
      : placeKey(place.uri, place.range.start),
  );
  return (uri, range) => !known.includes(placeKey(uri, range.start));
}

function placeKey(uri: vscode.Uri, { line, character }: vscode.Position): string {
  return `${uri.toString()} ${line}:${character}`;
}

/** By file and line; each line once. */
function inOrder(found: readonly PlaceInFile[]): readonly PlaceInFile[] {
  const sorted = found.toSorted((a, b) =>
    a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.range.start.line - b.range.start.line,
  );
  return sorted.filter(
    ({ file, range }, at) =>
      at === 0 || sorted[at - 1]!.file.path !== file.path || sorted[at - 1]!.range.start.line !== range.start.line,
  );
}

/** Reads the source lines of a page only: files of other pages stay closed. */
async function sourceLines(
  found: readonly PlaceInFile[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly FoundLine[]> {
  const texts = new Map<string, readonly string[] | undefined>();
  const lines: FoundLine[] = [];
  for (const [at, { file, range }] of found.entries()) {
    const { line } = range.start;
    const isShown = at >= offset && at < offset + limit;
    if (isShown && !texts.has(file.path)) texts.set(file.path, await linesOfFile(file));
    lines.push({ path: file.label, line: line + 1, text: (isShown && texts.get(file.path)?.[line]) || '' });
  }
  return lines;
}

async function hover(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const { document, position, name } = await findPlace(placeOf(args), session, token);
  const found = await askLanguage<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    [document.uri, position],
    session,
    token,
  );
  const texts = (found ?? []).flatMap(({ contents }) =>
    contents.map((part) => (typeof part === 'string' ? part : part.value).trim()),
  );
  const said = texts.filter((text) => text !== '');
  return said.length === 0 ? `No language server knows ${name}.` : bounded(said.join('\n\n'));
}

async function callHierarchy(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const page = pageOf(args);
  const direction = wordOf(args, 'direction', 'incoming', 'outgoing');
  const { document, position, name } = await findPlace(placeOf(args), session, token);
  const items = await askLanguage<vscode.CallHierarchyItem[]>(
    'vscode.prepareCallHierarchy',
    [document.uri, position],
    session,
    token,
  );
  if (!items || items.length === 0) throw new ToolError(`${name} is no function that the language server knows.`);
  const found: FoundLine[] = [];
  let outside = 0;
  for (const item of items) {
    const calls =
      direction === 'incoming'
        ? (
            await askLanguage<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', [item], session, token)
          )?.map(({ from, fromRanges }) => ({ item: from, in: from.uri, ranges: fromRanges }))
        : (
            await askLanguage<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', [item], session, token)
          )?.map(({ to }) => ({ item: to, in: to.uri, ranges: [to.selectionRange] }));
    for (const call of (calls ?? []).slice(0, maxPlaces)) {
      const file = await fileOf(call.in, session.scope);
      if (!file) outside++;
      else
        for (const { start } of call.ranges.slice(0, 1))
          found.push({
            path: file.label,
            line: start.line + 1,
            text: call.ranges.length > 1 ? `${call.item.name} (${call.ranges.length} calls)` : call.item.name,
          });
    }
  }
  const sorted = found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  const title = direction === 'incoming' ? counted(sorted.length, 'caller') : counted(sorted.length, 'callee');
  return linesAnswer(`${title} of ${name}`, sorted, page, outside);
}

async function documentSymbols(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const page = pageOf(args, outlineLimit);
  const file = await sessionFile(requiredText(args, 'path'), session.scope);
  const document = await languageDocument(file, session, token);
  const outline = await outlineOf(document, session, token);
  if (outline.length === 0) return `No language server gives symbols of ${file.label}.`;
  const lines = withoutLocals(outline).map(
    ({ title, kind, parents, range: { start, end } }) =>
      `${'  '.repeat(parents.length)}${start.line + 1}${end.line > start.line ? `-${end.line + 1}` : ''} ` +
      `${kindName(kind)} ${title}`,
  );
  return listAnswer(`${counted(lines.length, 'symbol')} in ${file.label}`, lines, page);
}

async function searchSymbols(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const page = pageOf(args);
  const query = requiredText(args, 'query');
  const found = await workspaceSymbols(query, session, token);
  const lines = found.map(({ file, symbol, line }): FoundLine => {
    const container = containerOf(symbol);
    const name = container === '' ? symbol.name : `${container}/${symbol.name}`;
    return { path: file.label, line: line ?? 1, text: `${kindName(symbol.kind)} ${name}` };
  });
  return linesAnswer(`${counted(found.length, 'symbol')} for ${query}`, lines, page);
}

async function readSymbol(args: JsonObject, session: ToolSession, token: CancellationToken): Promise<string> {
  const { file, document, position, name } = await findPlace(placeOf(args), session, token);
  const outline = await outlineOf(document, session, token);
  // The innermost symbol around the place with this name, else the innermost of all.
  const around = outline.filter(({ range }) => range.contains(position)).toReversed();
  const symbol = symbolsAt([name], around)[0] ?? around.find((item) => item.name === name) ?? around[0];
  if (!symbol)
    throw new ToolError(`${file.label}:${position.line + 1} is in no symbol that the language server knows.`);
  const { start, end } = symbol.range;
  const text = document.getText(new vscode.Range(new vscode.Position(start.line, 0), end));
  const shown = text.length > maxSymbolText ? `${text.slice(0, maxSymbolText)}\n… cut` : text;
  return `${file.label}:${start.line + 1}-${end.line + 1}\n${shown}`;
}

function kindName(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind]?.toLowerCase() ?? 'symbol';
}

/** Servers that are not there answer like those that find nothing. */
function nothingFound(noun: string, name: string, { languageId }: vscode.TextDocument): ToolError {
  return new ToolError(
    `No ${noun} of ${name} was found. If that cannot be, no language server may be there for ${languageId}: search the text.`,
  );
}
