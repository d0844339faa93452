import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { editorCallWords } from '../../editor/editorCall';
import { editorTools } from '../../editor/toolTable';
import { markedWindow } from '../platform/markedWindow';

/** Lets the user choose the tools that agents get. Their answer is in the settings of this machine. */
export async function chooseTools(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('parley');
  const switches = settings.get<Readonly<Record<string, boolean>>>('editorTools', {});
  const items = editorTools.map(({ name, isOptIn }) => ({
    label: editorCallWords({ tool: name, args: {} }),
    description: name,
    isOptIn: isOptIn === true,
    picked: switches[name] ?? isOptIn !== true,
  }));
  const chosen = await markedWindow.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Parley: Tools of VS Code'),
    placeHolder: l10n.t('Select what agents get. Changes apply when an agent lists its tools.'),
    matchOnDescription: true,
  });
  if (!chosen) return;
  const own = new Set(items.map(({ description }) => description));
  const changed = items.flatMap((item) => {
    const isOn = chosen.includes(item);
    return isOn === !item.isOptIn ? [] : [[item.description, isOn] as const];
  });
  // Entries that are no tool stay as they are.
  const others = Object.entries(switches).filter(([name]) => !own.has(name));
  await settings.update('editorTools', Object.fromEntries([...others, ...changed]), vscode.ConfigurationTarget.Global);
}
