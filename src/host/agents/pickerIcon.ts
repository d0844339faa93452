import * as vscode from 'vscode';
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
export function pickerIcon(
  name: string,
  svg: string | undefined,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const picture = svg === undefined ? undefined : Buffer.from(svg, 'base64').toString('utf8');
  const draw = (theme: 'light' | 'dark') =>
    addressOf(picture?.replaceAll('currentColor', iconColours[theme]) ?? letter(name, tints[theme][tintOf(name)]!));
  return { light: draw('light'), dark: draw('dark') };
}

function letter(name: string, colour: string): string {
  const first = [...name.trim()][0]?.toUpperCase() ?? '';
  const shown = /^[\p{L}\p{N}]$/u.test(first) ? first : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="${colour}" fill-opacity=".2"/><text x="8" y="12" text-anchor="middle" font-family="sans-serif" font-size="11" font-weight="600" fill="${colour}">${shown}</text></svg>`;
}

function addressOf(svg: string): vscode.Uri {
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
