import * as vscode from 'vscode';
import { fileInWorktree } from '../worktrees/fileInWorktree';
import type { Worktree } from '../worktrees/worktree';

/** A symbol of a language server. Some servers send the range only on a second request. */
export type FoundSymbol = Pick<vscode.SymbolInformation, 'name' | 'location'>;

/**
 * A symbol of the repository in the same file of a worktree, because language servers may know only the folders of the
 * workspace. Its line is not known yet; see `rangeInWorktree`.
 */
export async function symbolInWorktree<S extends FoundSymbol>(symbol: S, worktree: Worktree): Promise<S> {
  const { uri, range } = symbol.location;
  if (uri.scheme !== 'file') return symbol;
  const path = await fileInWorktree(uri.fsPath, worktree);
  return path === uri.fsPath ? symbol : { ...symbol, location: { uri: vscode.Uri.file(path), range } };
}

/** The same for several symbols. Where a server knows the file in the worktree, too, what it says of that is taken. */
export async function symbolsInWorktree<S extends FoundSymbol>(
  symbols: readonly S[],
  worktree: Worktree,
): Promise<readonly S[]> {
  const known = new Set(symbols.map(({ location }) => location.uri.toString()));
  const moved = await Promise.all(symbols.map((symbol) => symbolInWorktree(symbol, worktree)));
  return moved.filter((symbol, i) => symbol === symbols[i] || !known.has(symbol.location.uri.toString()));
}

/**
 * Where a symbol is in its file in a worktree, whose text may be another than in the repository's folder: the symbol of
 * the file's outline with its name, else a line with that name. The nearest to its line in the folder is meant.
 * @param document the file in the worktree
 * @returns undefined if the file does not have the name
 */
export async function rangeInWorktree(
  symbol: FoundSymbol,
  document: vscode.TextDocument,
): Promise<vscode.Range | undefined> {
  const name = wordOf(symbol.name);
  const near = (symbol.location.range as vscode.Range | undefined)?.start.line ?? 0;
  const outline = await outlineOf(document.uri);
  const inOutline = namesIn(outline).flatMap((found) => (wordOf(found.name) === name ? found.range : []));
  const [nearest] = (inOutline.length > 0 ? inOutline : linesWith(name, document)).toSorted(
    (a, b) => Math.abs(a.start.line - near) - Math.abs(b.start.line - near),
  );
  return nearest;
}

/** The symbols of a file, as its language server has them. */
export async function outlineOf(
  uri: vscode.Uri,
): Promise<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]> {
  return (
    (await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    )) ?? []
  );
}

function namesIn(
  outline: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
): readonly { readonly name: string; readonly range: vscode.Range }[] {
  return outline.flatMap((symbol) =>
    'children' in symbol
      ? [{ name: symbol.name, range: symbol.selectionRange }, ...namesIn(symbol.children)]
      : [{ name: symbol.name, range: symbol.location.range }],
  );
}

function linesWith(name: string, document: vscode.TextDocument): readonly vscode.Range[] {
  return document
    .getText()
    .split('\n')
    .flatMap((text, line) => {
      const at = findWord(text, name);
      return at < 0 ? [] : new vscode.Range(line, at, line, at + name.length);
    });
}

/** The last word of a symbol's name: servers write methods as `name`, `name()`, `Class.name` or with parameters. */
function wordOf(name: string): string {
  return (
    name
      .replace(/\(.*$/s, '')
      .match(/[\p{L}\p{N}_$]+/gu)
      ?.at(-1) ?? name
  );
}

/** The position of a whole word in a line; -1 if it is not there. */
function findWord(line: string, word: string): number {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
    if (!isPart(line[at - 1]) && !isPart(line[at + word.length])) return at;
  }
  return -1;
}
