import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import { bounded, counted } from '../../editor/answers';
import type { RunTool } from './languageTools';
import { fileOf, type ToolSession } from './toolSession';

/** Characters of a selection. */
const maxSelection = 20_000;

/** The tools that tell what the user looks at. Off unless the user switched them on. */
export const viewTools: Readonly<Record<string, RunTool>> = { open_editors: openEditors, selection };

async function openEditors(_args: JsonObject, { scope }: ToolSession): Promise<string> {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    );
  const labels = new Set<string>();
  for (const uri of uris.toSorted((a, b) => Number(b.toString() === active) - Number(a.toString() === active))) {
    const file = await fileOf(uri, scope);
    if (file) labels.add(uri.toString() === active ? `${file.label} (active)` : file.label);
  }
  return bounded([`${counted(labels.size, 'file')} open`, ...[...labels].map((label) => `  ${label}`)].join('\n'));
}

async function selection(_args: JsonObject, { scope }: ToolSession): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  const file = editor && (await fileOf(editor.document.uri, scope));
  if (!file) return 'No file of the session is in the active editor.';
  const { document, selection: chosen } = editor;
  const { start, end } = chosen;
  // The line of the cursor may be a whole file.
  const text = chosen.isEmpty ? document.lineAt(start.line).text : document.getText(chosen);
  const shown = text.length > maxSelection ? `${text.slice(0, maxSelection)}\n… cut` : text;
  const place = chosen.isEmpty ? `${start.line + 1} (cursor)` : `${start.line + 1}-${end.line + 1}`;
  return `${file.label}:${place}\n${shown}`;
}
