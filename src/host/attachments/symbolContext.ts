import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewAttachment } from './attachment';
import { selectionContext } from './editorContext';
import { outlineOf, rangeInWorktree, symbolInWorktree } from './symbolInWorktree';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { Worktree } from '../worktrees/worktree';

/** The most symbols in the list. */
const maxShown = 200;

/** Lets the user search the symbols that the language tools know. @returns undefined if they cancel */
export async function pickSymbol(): Promise<vscode.SymbolInformation | undefined> {
  const picker = markedWindow.createQuickPick<vscode.QuickPickItem & { readonly symbol: vscode.SymbolInformation }>();
  picker.title = l10n.t('Add a Symbol to the Message');
  picker.placeholder = l10n.t('Type the name of a function, class or variable');
  picker.matchOnDescription = true;
  let latest = 0;
  const search = async (query: string): Promise<void> => {
    const number = ++latest;
    picker.busy = true;
    const symbols = await symbolsNamed(query);
    // An answer to an earlier query.
    if (number !== latest) return;
    picker.busy = false;
    picker.items = symbols.slice(0, maxShown).map((symbol) => ({
      label: `$(symbol-${iconOf(symbol.kind)}) ${plainText(symbol.name)}`,
      description: [symbol.containerName, placeOf(symbol)].filter(Boolean).join(' · '),
      // The language tools have matched it, perhaps in another way than the picker does.
      alwaysShow: true,
      symbol,
    }));
  };
  const chosen = new Promise<vscode.SymbolInformation | undefined>((resolve) => {
    picker.onDidChangeValue((value) => void search(value));
    picker.onDidAccept(() => {
      resolve(picker.activeItems[0]?.symbol);
      picker.hide();
    });
    picker.onDidHide(() => resolve(undefined));
  });
  picker.show();
  void search('');
  return chosen.finally(() => {
    latest++;
    picker.dispose();
  });
}

/** Some servers tell the line only when they are asked again. */
function placeOf({ location: { uri, range } }: vscode.SymbolInformation): string {
  const path = vscode.workspace.asRelativePath(uri);
  return (range as vscode.Range | undefined) ? `${path}:${range.start.line + 1}` : path;
}

async function symbolsNamed(query: string): Promise<readonly vscode.SymbolInformation[]> {
  try {
    return (
      (await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
        'vscode.executeWorkspaceSymbolProvider',
        query,
      )) ?? []
    );
  } catch {
    // A provider failed; the list stays empty.
    return [];
  }
}

/**
 * The source text of a symbol.
 * @param worktree where the session works; the text is the one there
 * @returns a string if the worktree does not have the symbol
 * @throws if its file cannot be read
 */
export async function symbolContext(
  symbol: vscode.SymbolInformation,
  worktree?: Worktree,
): Promise<NewAttachment[] | string> {
  const moved = worktree && (await symbolInWorktree(symbol, worktree));
  const { uri } = (moved ?? symbol).location;
  const document = await vscode.workspace.openTextDocument(uri);
  const isMoved = moved !== undefined && moved !== symbol;
  const told = symbol.location.range as vscode.Range | undefined;
  const range = isMoved || !told ? await rangeInWorktree(symbol, document) : told;
  if (!range)
    return isMoved
      ? l10n.t('“{0}” is not in this session’s worktree.', plainText(symbol.name))
      : l10n.t('{0} could not be read.', plainText(symbol.name));
  const outline = await outlineOf(uri);
  const whole = wholeRange(outline, range) ?? range;
  const lines = new vscode.Range(whole.start.line, 0, whole.end.line, document.lineAt(whole.end.line).text.length);
  return selectionContext({ document, selections: [new vscode.Selection(lines.start, lines.end)] }).map((made) => ({
    ...made,
    detail: `${symbol.name} · ${made.detail}`,
    fileName: nodePath.posix.basename(uri.path),
  }));
}

/**
 * The lines of the smallest symbol of an outline whose name begins where the symbol was found, or that contains it.
 * Many language servers find only the name of a symbol.
 */
export function wholeRange(
  outline: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  found: vscode.Range,
): vscode.Range | undefined {
  for (const symbol of outline) {
    const range = 'range' in symbol ? symbol.range : symbol.location.range;
    if (range.start.line > found.start.line || range.end.line < found.end.line) continue;
    return ('children' in symbol ? wholeRange(symbol.children, found) : undefined) ?? range;
  }
  return undefined;
}

function iconOf(kind: vscode.SymbolKind): string {
  const name = vscode.SymbolKind[kind] ?? 'misc';
  return name.replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);
}
