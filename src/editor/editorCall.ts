import * as l10n from '@vscode/l10n';
import { asObject, stringOf } from '../base/decode';
import { type JsonObject, parsedJson } from '../base/json';

/** The name under which agents get the editor's own MCP server. */
export const editorServerName = 'vscode';

/** A call of one of the editor's tools, as an agent tells it. */
export interface EditorCall {
  readonly tool: string;
  /** Empty where the agent does not tell them. */
  readonly args: JsonObject;
}

/** How agents name a tool of an MCP server in a call's title; arguments may follow. */
const titles = [
  /^mcp__vscode__(\w+)/,
  /^mcp_vscode_(\w+)/,
  /^(?:Tool: )?vscode[./_-](\w+)/,
  /^(\w+) \(vscode MCP Server\)/,
];

/** Characters of a title that may have the arguments. */
const maxTitle = 10_000;

/**
 * The call of the editor's own tool that a title names; undefined for every other call. An agent may name any call so:
 * it is a hint about the call, not proof.
 */
export function editorCallOf(title: string, rawInput: unknown): EditorCall | undefined {
  for (const pattern of titles) {
    const [whole, tool] = pattern.exec(title) ?? [];
    if (whole === undefined || tool === undefined || !Object.hasOwn(words, tool)) continue;
    const input = asObject(rawInput);
    // Some agents have the arguments inside, or only in the title.
    const told = [
      input['arguments'],
      input['args'],
      input,
      parsedJson(title.slice(whole.length, maxTitle).replace(/^:?\s*/, '')),
    ];
    return { tool, args: told.map(asObject).find((args) => Object.keys(args).length > 0) ?? {} };
  }
  return undefined;
}

/** What the call does, in words: "Find references of parse". */
export function editorCallWords({ tool, args }: EditorCall): string {
  return words[tool]!(args);
}

const words: Readonly<Record<string, (args: JsonObject) => string>> = {
  diagnostics: (args) =>
    args['path'] === undefined ? l10n.t('Read problems') : l10n.t('Read problems in {0}', said(args, 'path')),
  definition: (args) => l10n.t('Find the definition of {0}', placeIn(args)),
  references: (args) => l10n.t('Find references of {0}', placeIn(args)),
  implementations: (args) => l10n.t('Find implementations of {0}', placeIn(args)),
  type_definition: (args) => l10n.t('Find the type of {0}', placeIn(args)),
  hover: (args) => l10n.t('Look up {0}', placeIn(args)),
  call_hierarchy: (args) =>
    args['direction'] === 'outgoing'
      ? l10n.t('Find what {0} calls', placeIn(args))
      : l10n.t('Find callers of {0}', placeIn(args)),
  document_symbols: (args) => l10n.t('Read the outline of {0}', said(args, 'path')),
  workspace_symbols: (args) => l10n.t('Search symbols for “{0}”', said(args, 'query')),
  read_symbol: (args) => l10n.t('Read {0}', placeIn(args)),
  rename_symbol: (args) => l10n.t('Rename {0} to {1}', placeIn(args), said(args, 'new_name')),
  code_actions: (args) =>
    args['apply'] === undefined
      ? l10n.t('List code actions in {0}', placeIn(args))
      : l10n.t('Apply “{0}” in {1}', said(args, 'apply'), said(args, 'path')),
  format: (args) => l10n.t('Format {0}', said(args, 'path')),
  organize_imports: (args) => l10n.t('Organize imports in {0}', said(args, 'path')),
  open_editors: () => l10n.t('See your open editors'),
  selection: () => l10n.t('See your selection'),
};

function said(args: JsonObject, key: string): string {
  const text = stringOf(args[key])?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return text === '' ? '…' : text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function placeIn(args: JsonObject): string {
  if (stringOf(args['symbol'])) return said(args, 'symbol');
  const line = args['line'];
  return typeof line === 'number' || typeof line === 'string' ? `${said(args, 'path')}:${line}` : said(args, 'path');
}
