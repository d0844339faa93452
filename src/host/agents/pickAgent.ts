import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GalleryAgentView } from '../../protocol/galleryView';
import { markedWindow } from '../platform/markedWindow';
import { plainText } from '../platform/plainText';
import { openSetting } from '../platform/settingsEditor';
import { tintOf } from '../../base/nameTint';

/** Colours of icons and charts in VS Code's own themes. */
const iconColours = { light: '#424242', dark: '#c5c5c5' };
const tints = {
  light: ['#0063d3', '#a1260d', '#855c00', '#a8511d', '#388a34', '#652d90'],
  dark: ['#59a4f9', '#f48771', '#e2c08d', '#e59866', '#89d185', '#b180d7'],
} as const;

/**
 * An agent's icon in one of VS Code's lists: its picture, as in the panel, or its first letter in its own colour.
 * @param svg base64
 */
function pickerIcon(name: string, svg: string | undefined): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const picture = svg === undefined ? undefined : Buffer.from(svg, 'base64').toString('utf8');
  const draw = (theme: 'light' | 'dark') =>
    addressOf(picture?.replaceAll('currentColor', iconColours[theme]) ?? letter(name, tints[theme][tintOf(name)]!));
  return { light: draw('light'), dark: draw('dark') };
}

function letter(name: string, colour: string): string {
  const first = [...name.trim()][0]?.toUpperCase() ?? '';
  const shown = /^[\p{L}\p{N}]$/u.test(first) ? first : '';
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">',
    `<rect width="16" height="16" rx="3" fill="${colour}" fill-opacity=".2"/>`,
    '<text x="8" y="12" text-anchor="middle" font-family="sans-serif" font-size="11" font-weight="600" ',
    `fill="${colour}">${shown}</text></svg>`,
  ].join('');
}

function addressOf(svg: string): vscode.Uri {
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}

/** The result of `pickAgent` for the gallery. No agent has this name. */
export const galleryItem = Symbol('gallery');

/** An agent with its state in the gallery. */
export interface AgentChoice {
  readonly agent: GalleryAgentView;
  /** SVG, base64. */
  readonly icon?: string | undefined;
}

interface AgentItem extends vscode.QuickPickItem {
  readonly name?: string | typeof galleryItem;
}

/**
 * Lets the user choose among the configured agents.
 * @param title of the picker
 * @returns undefined if they cancelled, or edit settings
 */
export async function pickAgent(
  choices: readonly AgentChoice[],
  current: string,
  title = l10n.t('Parley: Select Agent'),
): Promise<string | typeof galleryItem | undefined> {
  const group = (label: string, kinds: readonly GalleryAgentView['kind'][]): AgentItem[] => {
    const items = choices.filter(({ agent }) => kinds.includes(agent.kind)).map(agentItem);
    return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  };
  const edit: AgentItem = { label: l10n.t('Edit agents in settings…'), iconPath: new vscode.ThemeIcon('gear') };
  const picker = markedWindow.createQuickPick<AgentItem>();
  picker.title = title;
  picker.placeholder = l10n.t('Select an agent');
  picker.matchOnDetail = true;
  picker.items = [
    ...group(l10n.t('Built in'), ['builtIn', 'demo']),
    ...group(l10n.t('Added by you'), ['custom']),
    ...group(l10n.t('From the registry'), ['listed']),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('More agents…'), iconPath: new vscode.ThemeIcon('extensions'), name: galleryItem },
    edit,
  ];
  picker.activeItems = picker.items.filter(({ name }) => name === current);
  const chosen = await new Promise<AgentItem | undefined>((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]);
      picker.hide();
    });
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
  if (chosen === edit) await openAgentSettings();
  return chosen?.name;
}

export async function openAgentSettings(): Promise<void> {
  await openSetting('parley.agents');
}

function agentItem({ agent, icon }: AgentChoice): AgentItem {
  return {
    label: plainText(agent.name),
    description: stateWords(agent),
    detail: plainText(agent.about, 300),
    iconPath: pickerIcon(agent.name, icon),
    name: agent.name,
  };
}

/** The gallery's words for a state. */
function stateWords({ state, isCurrent }: GalleryAgentView): string {
  if (state === 'installing') return l10n.t('Installing');
  if (state === 'signIn') return l10n.t('Needs sign-in');
  if (state === 'unavailable') return l10n.t('Not available for this system');
  if (isCurrent) return l10n.t('In use');
  return state === 'notInstalled' ? l10n.t('Not installed') : '';
}
