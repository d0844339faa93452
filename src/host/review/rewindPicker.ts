import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { RestoredFile } from '../changes/fileRestore';

/** The parts that a rewind restores. */
export type RewindScope = 'both' | 'conversation' | 'files';

/** The effects of each choice, as far as they are known beforehand. */
export interface RewindForecast {
  /** A description of the action, with the prompt's words. */
  readonly title: string;
  readonly agent: string;
  /** A turn runs and will be stopped first. */
  readonly isRunning: boolean;
  /** Number of prompts that are removed from the conversation. */
  readonly prompts: number;
  readonly files: number;
  /** Names of files in which edits of the user would be lost, and of files with unsaved text. */
  readonly edited: readonly string[];
  readonly unsaved: readonly string[];
  /** Files cannot be restored alone, because a message follows. */
  readonly isForMessage: boolean;
}

interface Row extends vscode.QuickPickItem {
  readonly scope: RewindScope;
}

/** A file that a restore would change, with its path as shown. */
export interface FileItem extends RestoredFile {
  readonly label: string;
}

const maxNamed = 3;
const fileIcons = { changes: 'diff-modified', goes: 'diff-removed', comesBack: 'diff-added' } as const;

/**
 * Shows the effects and lets the user choose.
 * @param preview shows the files in a diff
 * @returns undefined if the user cancels
 */
export function pickScope(forecast: RewindForecast, preview: () => Promise<void>): Promise<RewindScope | undefined> {
  const picker = markedWindow.createQuickPick<Row>();
  picker.title = forecast.title;
  picker.placeholder = forecast.isRunning
    ? l10n.t('{0} is working. Parley stops it first.', plainText(forecast.agent))
    : l10n.t('Select what to restore. Redo brings back the current state.');
  picker.ignoreFocusOut = true;
  const showAll = showAllButton();
  picker.items = rowsFor(forecast).map((row) => (row.scope === 'conversation' ? row : { ...row, buttons: [showAll] }));
  picker.onDidTriggerItemButton(() => void preview());
  return answerOf(picker, () => picker.selectedItems[0]?.scope);
}

/** The available choices, each with its effects. */
export function rowsFor(forecast: RewindForecast): Row[] {
  const { agent, files, isForMessage } = forecast;
  const restored = files === 1 ? l10n.t('Restores 1 file') : l10n.t('Restores {0} files', files);
  const next = l10n.t('{0} starts a new session.', plainText(agent));
  const leaving =
    forecast.prompts === 1 ? l10n.t('Removes 1 prompt.') : l10n.t('Removes {0} prompts.', forecast.prompts);
  const conversation: Row = {
    scope: 'conversation',
    label: `$(comment-discussion) ${l10n.t('Conversation only')}`,
    description: l10n.t('Does not change files'),
    detail: `${leaving} ${next}`,
  };
  if (files === 0) return [conversation];
  const yours = editsOf(forecast);
  const both: Row = {
    scope: 'both',
    label: `$(history) ${l10n.t('Conversation and files')}`,
    description: restored,
    detail: [yours, leaving, next].filter(Boolean).join(' '),
  };
  const only: Row = {
    scope: 'files',
    label: `$(files) ${l10n.t('Files only')}`,
    description: restored,
    detail: [yours, l10n.t('The conversation stays as it is.')].filter(Boolean).join(' '),
  };
  return isForMessage ? [both, conversation] : [both, conversation, only];
}

function editsOf({ edited, unsaved }: RewindForecast): string {
  const named = (names: readonly string[]) =>
    namedTogether(
      names.map((name) => plainText(name)),
      maxNamed,
    );
  const told = [
    edited.length > 0 ? l10n.t('$(warning) You have edited {0} since.', named(edited)) : '',
    unsaved.length > 0 ? l10n.t('$(warning) Unsaved: {0}.', named(unsaved)) : '',
  ];
  return told.filter(Boolean).join(' ');
}

/**
 * Lists the files that a restore would change, all selected. The list stays open during a preview.
 * @param preview shows files in a diff.
 * @returns the selected files; none if the user closes the list.
 */
export async function pickFiles(
  items: readonly FileItem[],
  title: string,
  preview: (items: readonly FileItem[]) => Promise<void>,
): Promise<readonly FileItem[]> {
  const picker = markedWindow.createQuickPick<vscode.QuickPickItem & { readonly item: FileItem }>();
  const showOne = { iconPath: new vscode.ThemeIcon('diff'), tooltip: l10n.t('Preview Changes') };
  picker.title = title;
  picker.placeholder = l10n.t('Select files to restore. Redo brings back the current versions.');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  if (items.some(({ note }) => note === undefined)) picker.buttons = [showAllButton()];
  picker.items = items.map((item) => ({ ...rowFor(item), buttons: item.note === undefined ? [showOne] : [], item }));
  picker.selectedItems = picker.items;
  picker.onDidTriggerButton(() => void preview(items));
  picker.onDidTriggerItemButton(({ item }) => void preview([item.item]));
  return (await answerOf(picker, () => picker.selectedItems.map(({ item }) => item))) ?? [];
}

function rowFor({ label, kind, added, removed, note, isEdited }: FileItem): vscode.QuickPickItem {
  const slash = label.lastIndexOf('/');
  const folder = slash > 0 ? `${label.slice(0, slash)} ` : '';
  const outcome =
    kind === 'goes'
      ? l10n.t('will be deleted')
      : kind === 'comesBack'
        ? l10n.t('will be created again')
        : (note ?? [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].join(' ').trim());
  return {
    label: `$(${fileIcons[kind]}) ${plainText(label.slice(slash + 1))}`,
    description: folder + outcome,
    ...(isEdited ? { detail: `$(warning) ${l10n.t('You have edited it since')}` } : {}),
  };
}

function showAllButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: l10n.t('Preview All Changes') };
}

/** Shows a list. @returns the result of `chosen` if the user accepts it; undefined if the user closes it */
function answerOf<T>(picker: vscode.QuickPick<vscode.QuickPickItem>, chosen: () => T): Promise<T | undefined> {
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(chosen());
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
