import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText';
import { plainText } from './plainText';

/**
 * The calls of `vscode.window` that show text, with all their texts through `visibleText`. The host shows text in no
 * other way (test/unit/hostileText.test.ts), so an agent's words cannot hide a part of themselves in a notification, a
 * picker, a terminal's name or the status bar, nor become a link in a notification. `plainText` prevents icons in
 * labels.
 */
export const markedWindow = {
  showInformationMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showInformationMessage(
      plainText(message, 1_000),
      ...rest.map((item) => readable(item)),
    )) as typeof vscode.window.showInformationMessage,
  showWarningMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showWarningMessage(
      plainText(message, 1_000),
      ...rest.map((item) => readable(item)),
    )) as typeof vscode.window.showWarningMessage,
  showErrorMessage: ((message: string, ...rest: never[]) =>
    vscode.window.showErrorMessage(
      plainText(message, 1_000),
      ...rest.map((item) => readable(item)),
    )) as typeof vscode.window.showErrorMessage,
  showQuickPick: ((items: object[], options: vscode.QuickPickOptions, token?: vscode.CancellationToken) =>
    vscode.window.showQuickPick(
      items.map((item) => readable(item, itemTexts)) as never,
      readable(options),
      token,
    )) as typeof vscode.window.showQuickPick,
  showInputBox: ((options: vscode.InputBoxOptions, token?: vscode.CancellationToken) =>
    vscode.window.showInputBox(readable(options), token)) as typeof vscode.window.showInputBox,
  createQuickPick: <T extends vscode.QuickPickItem>(): vscode.QuickPick<T> =>
    readableLater(vscode.window.createQuickPick<T>()),
  createInputBox: (): vscode.InputBox => readableLater(vscode.window.createInputBox()),
  createStatusBarItem: (id: string, alignment: vscode.StatusBarAlignment, priority: number): vscode.StatusBarItem =>
    readableLater(vscode.window.createStatusBarItem(id, alignment, priority)),
  createTreeView: <T>(id: string, options: vscode.TreeViewOptions<T>): vscode.TreeView<T> =>
    readableLater(vscode.window.createTreeView(id, options)),
  createTerminal: (options: vscode.ExtensionTerminalOptions): vscode.Terminal =>
    vscode.window.createTerminal(readable(options)),
  createWebviewPanel: (type: string, title: string, column: vscode.ViewColumn): vscode.WebviewPanel =>
    readableLater(vscode.window.createWebviewPanel(type, visibleText(title), column)),
  setStatusBarMessage: (text: string, ms: number): vscode.Disposable =>
    vscode.window.setStatusBarMessage(visibleText(text), ms),
  withProgress: ((options: vscode.ProgressOptions, task: never) =>
    vscode.window.withProgress(readable(options), task)) as typeof vscode.window.withProgress,
};

/** Only these fields of a picker's item are texts; others stay unchanged. */
const itemTexts: ReadonlySet<string> = new Set(['label', 'description', 'detail', 'tooltip']);
const texts: ReadonlySet<string> = new Set([
  ...itemTexts,
  'title',
  'prompt',
  'placeHolder',
  'placeholder',
  'name',
  'text',
  'message',
]);

/** Marks the texts of an item or of options in place, so that VS Code returns the same object. */
export function readable<T>(value: T, fields: ReadonlySet<string> = texts): T {
  if (typeof value !== 'object' || value === null) return value;
  const read = value as Record<string, unknown>;
  for (const field of fields) if (typeof read[field] === 'string') read[field] = visibleText(read[field]);
  readable(read['accessibilityInformation'], itemTexts);
  return value;
}

/** The same for texts that are set on an object later. */
function readableLater<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (object, key) => {
      const value: unknown = Reflect.get(object, key);
      const isFixed = Reflect.getOwnPropertyDescriptor(object, key)?.configurable === false;
      return typeof value === 'function' && !isFixed ? (value.bind(object) as unknown) : value;
    },
    set: (object, key, value: unknown) => {
      const marked =
        typeof value === 'string' && texts.has(String(key))
          ? visibleText(value)
          : Array.isArray(value) && key === 'items'
            ? value.map((item) => readable(item as unknown, itemTexts))
            : value;
      return Reflect.set(object, key, marked);
    },
  });
}
