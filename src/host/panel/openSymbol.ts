import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isWithin } from '../../node/isWithin';
import { symbolParts } from '../../protocol/symbolName';
import { rangeInWorktree, symbolsInWorktree } from '../attachments/symbolInWorktree';
import { shownWait } from '../platform/longWork';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { LiveSession } from '../sessions/liveSession';

/** The longest wait for language servers, which may take much longer while they read a project. */
const timeLimitMs = 3_000;
/** A name such as `get` is in many files. */
const mostOffered = 100;

/** A symbol of a language server. */
type FoundSymbol = Pick<vscode.SymbolInformation, 'name' | 'containerName' | 'location'>;

/** Where the session of the agent works. */
export type SymbolPlace = Pick<LiveSession, 'roots' | 'worktree'>;

/**
 * Goes to a symbol that the agent named. If several have that name, the user chooses. The symbols of a session in a
 * worktree are there, also where language servers know only the workspace's folder.
 * @param names the names in view; if there are several, the user chooses first
 * @param say reports in the panel that there is none
 */
export async function openSymbol(
  names: readonly string[],
  { roots, worktree }: SymbolPlace,
  say: (text: string) => unknown,
): Promise<void> {
  if (names.length === 0) return void say(l10n.t('No symbol is in view.'));
  const name = names.length === 1 ? names[0]! : await pickName(names);
  if (name === undefined) return;
  const search = within(
    timeLimitMs,
    vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      symbolParts(name)?.at(-1) ?? name,
    ),
  );
  const answer = await shownWait(l10n.t('Searching for “{0}”', plainText(name)), search);
  if (answer === 'late')
    return void say(
      l10n.t('The search for “{0}” took too long. The language server may still be starting.', plainText(name)),
    );
  const known = (answer ?? []).filter(isNamed(name));
  const isNear = (uri: vscode.Uri) =>
    worktree
      ? roots.some((root) => isWithin(uri.fsPath, root))
      : vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const found = nearest(name, worktree ? await symbolsInWorktree(known, worktree) : known, isNear);
  if (found.length === 0)
    return void say(
      l10n.t('No symbol “{0}” was found in the workspace. Some languages need an open file first.', plainText(name)),
    );
  const chosen = found.length === 1 ? found[0] : await pickSymbol(name, found, worktree && roots[0]);
  if (!chosen) return;
  const { uri } = chosen.location;
  const isMoved = !known.includes(chosen);
  const range = isMoved
    ? await rangeInWorktree(chosen, await vscode.workspace.openTextDocument(uri))
    : chosen.location.range;
  if (isMoved && !range) return void say(l10n.t('“{0}” is not in this session’s worktree.', plainText(name)));
  // Some servers send the place only on a second request, for which there is no command.
  const start = (range as vscode.Range | undefined)?.start;
  await vscode.commands.executeCommand('vscode.open', uri, start ? { selection: new vscode.Range(start, start) } : {});
}

/** Whether a result of a search by the last part of a name has that name, because servers also return similar ones. */
function isNamed(name: string): (symbol: FoundSymbol) => boolean {
  const parts = symbolParts(name) ?? [name];
  // Servers write methods as `name`, `name()` or with their parameters.
  return (symbol) => bare(symbol.name) === parts.at(-1) || bare(symbol.name) === parts.join('.');
}

/**
 * The symbols with a name that are meant: those in the container that the name gives come first, then those of the
 * workspace, then those of libraries.
 */
function nearest<S extends FoundSymbol>(
  name: string,
  same: readonly S[],
  isNear: (uri: vscode.Uri) => boolean,
): readonly S[] {
  const container = symbolParts(name)?.at(-2);
  const narrowed = [
    (symbol: S) => isNear(symbol.location.uri),
    (symbol: S) =>
      container !== undefined && (symbolParts(bare(symbol.containerName ?? '')) ?? []).at(-1) === container,
  ].reduce((left, isBetter) => (left.some(isBetter) ? left.filter(isBetter) : left), same);
  return [...new Map(narrowed.map((symbol) => [placeOf(symbol), symbol])).values()];
}

function bare(name: string): string {
  return name.replace(/\(.*$/s, '').replaceAll('::', '.').replaceAll('#', '.');
}

function placeOf({ location }: FoundSymbol): string {
  const start = (location.range as vscode.Range | undefined)?.start;
  return `${location.uri.toString()} ${start?.line ?? ''}:${start?.character ?? ''}`;
}

async function pickName(names: readonly string[]): Promise<string | undefined> {
  const items = names.map((name) => ({ label: plainText(name), name }));
  return (
    await markedWindow.showQuickPick(items, {
      title: l10n.t('Parley: Go to Symbol'),
      placeHolder: l10n.t('Select a symbol in view'),
    })
  )?.name;
}

/** @param folder files in it are named from there, others as VS Code does */
async function pickSymbol<S extends FoundSymbol>(
  name: string,
  found: readonly S[],
  folder: string | undefined,
): Promise<S | undefined> {
  const items = found.slice(0, mostOffered).map((symbol) => {
    const { uri, range } = symbol.location;
    const line = (range as vscode.Range | undefined)?.start.line;
    const isThere = folder !== undefined && isWithin(uri.fsPath, folder);
    const file = isThere ? nodePath.relative(folder, uri.fsPath) : vscode.workspace.asRelativePath(uri);
    return {
      label: plainText(symbol.name),
      description: plainText(symbol.containerName ?? ''),
      detail: plainText(line === undefined ? file : `${file}:${line + 1}`),
      symbol,
    };
  });
  return (
    await markedWindow.showQuickPick(items, {
      title: l10n.t('Parley: Go to Symbol'),
      placeHolder: l10n.t('Select one of {0} symbols named “{1}”', found.length, plainText(name)),
      matchOnDetail: true,
      matchOnDescription: true,
    })
  )?.symbol;
}

async function within<T>(ms: number, work: Thenable<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
