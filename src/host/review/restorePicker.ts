import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import type { RestoredFile } from '../changes/checkpoints/fileRestore';

export interface FileItem {
  readonly file: RestoredFile;
  readonly label: string;
}

interface Row extends vscode.QuickPickItem {
  readonly item: FileItem;
}

const ICONS = { changes: 'diff-modified', goes: 'diff-removed', comesBack: 'diff-added' } as const;

/**
 * Lists what a restore would change, all of it chosen; the list stays while the user looks at the changes.
 * @param preview shows files side by side.
 * @returns the files that the user wants; none where they leave the list.
 */
export function pickFiles(items: readonly FileItem[], title: string, preview: (items: readonly FileItem[]) => Promise<void>): Promise<readonly FileItem[]> {
  const picker = markedWindow.createQuickPick<Row>();
  const showOne = { iconPath: new vscode.ThemeIcon('diff'), tooltip: l10n.t('Show What Would Change') };
  const showAll = { iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: l10n.t('Show All That Would Change') };
  picker.title = title;
  picker.placeholder = l10n.t('Select files to restore. Redo brings back the current versions.');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  if (items.some(({ file }) => file.note === undefined)) picker.buttons = [showAll];
  picker.items = items.map((item) => ({ ...wordsFor(item), buttons: item.file.note === undefined ? [showOne] : [], item }));
  picker.selectedItems = picker.items;
  return new Promise((resolve) => {
    picker.onDidTriggerButton(() => void preview(items));
    picker.onDidTriggerItemButton(({ item }) => void preview([item.item]));
    picker.onDidAccept(() => {
      resolve(picker.selectedItems.map(({ item }) => item));
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve([]);
      picker.dispose();
    });
    picker.show();
  });
}

function wordsFor({ file, label }: FileItem): vscode.QuickPickItem {
  const { kind, added, removed, note, isEdited } = file;
  const slash = label.lastIndexOf('/');
  const folder = slash > 0 ? `${label.slice(0, slash)} ` : '';
  const outcome = kind === 'goes' ? l10n.t('will be deleted') : kind === 'comesBack' ? l10n.t('will be created again') : (note ?? [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].join(' ').trim());
  return {
    label: `$(${ICONS[kind]}) ${plainText(label.slice(slash + 1))}`,
    description: folder + outcome,
    ...(isEdited ? { detail: `$(warning) ${l10n.t('You have changed it since')}` } : {}),
  };
}
