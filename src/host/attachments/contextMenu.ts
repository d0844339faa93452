import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lineLabel } from './attachment';
import { editorInFront, selectedLines } from './currentFile';
import { countProblems } from './problemsContext';
import type { TerminalCommand, TerminalCommands } from './terminalCommands';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';

/** The user's choice of context. */
export type ContextChoice =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  | { readonly kind: 'document'; readonly uri: vscode.Uri }
  | { readonly kind: 'selection' }
  | { readonly kind: 'problems'; readonly uri: vscode.Uri | undefined }
  | { readonly kind: 'terminal'; readonly command: TerminalCommand }
  | { readonly kind: 'changes' | AskedKind };

/** Kinds that ask for more, or add several things. */
type AskedKind = 'symbol' | 'open' | 'search' | 'commit' | 'branch' | 'session';

const asked: readonly {
  readonly kind: AskedKind;
  readonly icon: string;
  readonly label: () => string;
  readonly description: () => string;
}[] = [
  {
    kind: 'branch',
    icon: 'git-branch',
    label: () => l10n.t('Branch'),
    description: () => l10n.t('committed since it left its base'),
  },
  { kind: 'commit', icon: 'git-commit', label: () => l10n.t('Commit…'), description: () => l10n.t('one of the last') },
  {
    kind: 'symbol',
    icon: 'symbol-method',
    label: () => l10n.t('Symbol…'),
    description: () => l10n.t('its source text'),
  },
  { kind: 'open', icon: 'files', label: () => l10n.t('Open Editors'), description: () => l10n.t('all their files') },
  {
    kind: 'search',
    icon: 'search',
    label: () => l10n.t('Search Results…'),
    description: () => l10n.t('lines with a text'),
  },
  {
    kind: 'session',
    icon: 'comment-discussion',
    label: () => l10n.t('Session…'),
    description: () => l10n.t('an earlier one, short or whole'),
  },
];

interface Item extends vscode.QuickPickItem {
  readonly choose: () => Promise<ContextChoice | undefined> | ContextChoice;
}

/** Lets the user choose context, and offers only available kinds. @returns undefined if they cancel. */
export async function pickContext(terminals: TerminalCommands): Promise<ContextChoice | undefined> {
  const items: Item[] = [
    {
      label: `$(file) ${l10n.t('Files and Images…')}`,
      description: l10n.t('or type @, paste, or drop while holding Shift'),
      choose: () => pickFiles('file'),
    },
    {
      label: `$(folder) ${l10n.t('Folders…')}`,
      choose: () => pickFiles('folder'),
    },
    ...openFileItem(),
    ...selectionItem(),
    ...problemItems(),
    ...terminals.latest().map(terminalItem),
    {
      label: `$(git-compare) ${l10n.t('Changes')}`,
      description: `@changes · ${l10n.t('since the last commit')}`,
      choose: () => ({ kind: 'changes' }),
    },
    ...asked.map(({ kind, icon, label, description }) => ({
      label: `$(${icon}) ${label()}`,
      description: `@${kind} · ${description()}`,
      choose: () => ({ kind }),
    })),
  ];
  const chosen = await markedWindow.showQuickPick(items, {
    title: l10n.t('Parley: Add Context'),
    placeHolder: l10n.t('Add files, code or output to the message'),
    matchOnDescription: true,
  });
  return chosen?.choose();
}

function openFileItem(): Item[] {
  const uri = editorInFront()?.document.uri;
  if (!uri) return [];
  return [
    {
      label: `$(file-code) ${plainText(nodePath.posix.basename(uri.path))}`,
      description: l10n.t('open file'),
      choose: () => ({ kind: 'document', uri }),
    },
  ];
}

function selectionItem(): Item[] {
  const editor = editorInFront();
  if (!editor) return [];
  const { document, selection } = editor;
  const name = nodePath.posix.basename(document.uri.path);
  const where = selection.isEmpty
    ? l10n.t('line {0} of {1}', selection.start.line + 1, name)
    : lineLabel(name, ...selectedLines(selection));
  return [
    {
      label: `$(list-selection) ${l10n.t('Selection')}`,
      description: `@selection · ${where}`,
      choose: () => ({ kind: 'selection' }),
    },
  ];
}

function problemItems(): Item[] {
  const uri = editorInFront()?.document.uri;
  const here = uri ? countProblems(uri) : 0;
  const all = countProblems();
  const item = (label: string, count: number, of: vscode.Uri | undefined): Item => ({
    label: `$(warning) ${plainText(label)}`,
    description: `@problems · ${count}`,
    choose: () => ({ kind: 'problems', uri: of }),
  });
  return [
    ...(uri && here > 0 ? [item(l10n.t('Problems in {0}', nodePath.posix.basename(uri.path)), here, uri)] : []),
    ...(all > here ? [item(l10n.t('Problems in All Files'), all, undefined)] : []),
  ];
}

function terminalItem(command: TerminalCommand): Item {
  const state = command.running
    ? l10n.t('still running')
    : command.exitCode === undefined
      ? ''
      : l10n.t('exit code {0}', command.exitCode);
  return {
    label: `$(terminal) ${l10n.t('Output of {0}', plainText(command.commandLine.split('\n')[0]!, 60))}`,
    description: ['@terminal', command.terminal.name, state].filter(Boolean).join(' · '),
    choose: () => ({ kind: 'terminal', command }),
  };
}

/** Lets the user choose files or folders. @returns undefined if they cancel */
export async function pickFiles(
  kind: 'file' | 'folder',
): Promise<Extract<ContextChoice, { kind: 'files' }> | undefined> {
  const uris = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: l10n.t('Add'),
    ...(kind === 'file'
      ? { canSelectFiles: true, title: l10n.t('Add Files to the Message') }
      : { canSelectFiles: false, canSelectFolders: true, title: l10n.t('Add Folders to the Message') }),
  });
  return uris && { kind: 'files', files: uris.flatMap((uri) => (uri.scheme === 'file' ? [uri.fsPath] : [])) };
}
