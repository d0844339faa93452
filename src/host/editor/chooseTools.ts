import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { editorCallWords } from '../../editor/editorCall';
import { relayKey } from '../../editor/relayedTool';
import { editorTools } from '../../editor/toolTable';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { offeredTools, ownerWords } from './relayedTools';

interface ToolItem extends vscode.QuickPickItem {
  /** In the setting; none for a heading. */
  readonly key?: string;
  readonly isOptIn?: boolean;
}

/** Lets the user choose the tools that agents get. Their answer is in the settings of this machine. */
export async function chooseTools(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('parley');
  const switches = settings.get<Readonly<Record<string, boolean>>>('editorTools', {});
  const own = editorTools.map(({ name, isOptIn }) => ({
    label: editorCallWords({ tool: name, args: {} }),
    description: name,
    key: name,
    isOptIn: isOptIn === true,
    picked: switches[name] ?? isOptIn !== true,
  }));
  const others = offeredTools().map((tool) => ({
    label: plainText(tool.name),
    description: tool.owner ? plainText(ownerWords(tool.owner), 300) : l10n.t('extension not known'),
    detail: plainText(tool.description, 200),
    key: relayKey(tool),
    isOptIn: true,
    picked: switches[relayKey(tool)] === true,
  }));
  const heading = { label: l10n.t('Tools of other extensions'), kind: vscode.QuickPickItemKind.Separator };
  const items: readonly ToolItem[] = others.length > 0 ? [...own, heading, ...others] : own;
  const chosen = await markedWindow.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Parley: Tools of VS Code'),
    placeHolder: l10n.t('Select what agents get. Changes apply when an agent lists its tools.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  const shown = new Set(items.map(({ key }) => key));
  const changed = items.flatMap((item) => {
    const isOn = chosen.includes(item);
    return item.key === undefined || isOn === !item.isOptIn ? [] : [[item.key, isOn] as const];
  });
  // Other entries stay, such as those of tools whose extension is not there now.
  const rest = Object.entries(switches).filter(([key]) => !shown.has(key));
  await settings.update('editorTools', Object.fromEntries([...rest, ...changed]), vscode.ConfigurationTarget.Global);
}
