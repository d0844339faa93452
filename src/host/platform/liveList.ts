import type * as vscode from 'vscode';
import type { IDisposable } from '../../base/lifecycle';
import { markedWindow } from './markedWindow';

/** A row that is known again when the list is redrawn. */
export interface LiveRow extends vscode.QuickPickItem {
  readonly key: string;
}

/**
 * Lets the user pick from a list whose rows change while it is open. The active row stays.
 * @param rows as they are now
 * @param follow begins with the list and calls `redraw` when rows have changed; what it returns ends with the list
 * @returns undefined if the user leaves it
 */
export async function pickLive<Row extends LiveRow>(
  { title, ...options }: Pick<vscode.QuickPickOptions, 'title' | 'matchOnDescription' | 'matchOnDetail'>,
  rows: () => readonly Row[],
  follow: (redraw: () => void) => IDisposable,
): Promise<Row | undefined> {
  const picker = markedWindow.createQuickPick<Row>();
  Object.assign(picker, options);
  picker.title = title;
  picker.keepScrollPosition = true;
  let drawn = '';
  const redraw = () => {
    const next = rows();
    const texts = JSON.stringify(next.map(({ key, label, description, detail }) => [key, label, description, detail]));
    // Redrawing costs what the user has typed a look at all rows.
    if (texts === drawn) return;
    const active = drawn === '' ? undefined : picker.activeItems[0]?.key;
    drawn = texts;
    picker.items = next;
    if (active !== undefined) picker.activeItems = next.filter(({ key }) => key === active);
  };
  redraw();
  const following = follow(redraw);
  try {
    return await new Promise<Row | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    following.dispose();
    picker.dispose();
  }
}
