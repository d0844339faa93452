import * as vscode from 'vscode';

/** A colour in dark and in light themes, those of high contrast included: a picture in the gutter knows no theme colours. */
export interface GutterColor {
  readonly dark: string;
  readonly light: string;
}

/** The defaults of VS Code's own `editorGutter.*Background` and of its warnings. */
export const GUTTER_COLORS = {
  added: { dark: '#2ea043', light: '#2ea043' },
  changed: { dark: '#0078d4', light: '#005fb8' },
  deleted: { dark: '#f85149', light: '#e51400' },
  conflicted: { dark: '#cca700', light: '#bf8803' },
} as const satisfies Readonly<Record<string, GutterColor>>;

const SHAPES = {
  /** A bar as high as the line, so that those of several lines are one. */
  bar: '<rect x="11" width="3" height="16" fill="COLOR"/>',
  /** Lines are gone above this one. */
  gap: '<path d="M14 0 L14 5 L8 0 Z" fill="COLOR"/>',
} as const;

/** A mark left of the line numbers: git has its own on their right side, and the text begins right of that. */
export function gutterMark(shape: keyof typeof SHAPES, { dark, light }: GutterColor): vscode.DecorationRenderOptions {
  const picture = (color: string) => ({ gutterIconPath: vscode.Uri.parse(`data:image/svg+xml,${encodeURIComponent(svg(SHAPES[shape].replace('COLOR', color)))}`), gutterIconSize: '100% 100%' });
  return { dark: picture(dark), light: picture(light) };
}

function svg(shape: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" preserveAspectRatio="none">${shape}</svg>`;
}
