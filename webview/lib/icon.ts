import type { TemplateResult } from 'lit-html';
import { html } from './html';

/** A codicon that is hidden from assistive technology: the text next to it is enough. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}

/** The icon of a running activity. */
export function spinner(): TemplateResult {
  return icon('loading', 'codicon-modifier-spin');
}

const kinds: Readonly<Record<string, RegExp>> = {
  markdown: /\.(md|mdx|markdown)$/i,
  json: /\.(json|jsonc|json5|jsonl)$/i,
  notebook: /\.ipynb$/i,
  'file-media': /\.(png|jpe?g|gif|webp|svg|ico|bmp|mp3|mp4|wav|webm)$/i,
  'file-pdf': /\.pdf$/i,
  'file-zip': /\.(zip|tar|t?gz|bz2|xz|7z|jar|vsix)$/i,
  'file-text': /\.(txt|log|csv|tsv)$/i,
  'file-code': /\.\w{1,5}$/,
};

/** An icon for a kind of file, by its name: a webview cannot use the file icons of the user's theme. */
export function fileIcon(name: string): string {
  return Object.keys(kinds).find((kind) => kinds[kind]!.test(name)) ?? 'file';
}
