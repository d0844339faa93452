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
  const others = offeredTools()
    .map((tool): ToolItem => ({
      label: plainText(tool.name),
      ...(tool.owner ? { description: plainText(ownerWords(tool.owner), 300) } : {}),
      detail: plainText(tool.description, 200),
      key: relayKey(tool),
      isOptIn: true,
      picked: switches[relayKey(tool)] === true,
    }))
    .sort((one, other) => (one.key! < other.key! ? -1 : 1));
  const items: readonly ToolItem[] = [
    ...own,
    ...headed(
      l10n.t('Tools of other extensions'),
      others.filter(({ description }) => description !== undefined),
    ),
    ...headed(
      l10n.t('Other tools of VS Code’s chat'),
      others.filter(({ description }) => description === undefined),
    ),
  ];
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

function headed(label: string, items: readonly ToolItem[]): readonly ToolItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
