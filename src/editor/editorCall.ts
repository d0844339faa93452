import * as l10n from '@vscode/l10n';
import { asObject, stringOf } from '../base/decode';
import { type JsonObject, parsedJson } from '../base/json';
import { clip } from '../base/oneLine';

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
  /^(?:Tool: |mcp\.)?vscode[./_-](\w+)/,
  /^(\w+) \(vscode MCP Server\)/,
];

/** Characters of a title that may have the arguments. */
const maxTitle = 10_000;

/**
 * The call of the editor's own tool that a title names; undefined for every other call. An agent may name any call so:
 * it is a hint about the call, not proof. A call that says that it deletes or moves something keeps its own title.
 * @param kind of the tool call
 */
export function editorCallOf(title: string, rawInput: unknown, kind?: string): EditorCall | undefined {
  if (kind === 'delete' || kind === 'move') return undefined;
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

/** For each tool the words with what is asked for, and without it where an agent does not tell. */
const words: Readonly<Record<string, (args: JsonObject) => string>> = {
  diagnostics: (args) =>
    about(said(args, 'path'), l10n.t('Read problems'), (path) => l10n.t('Read problems in {0}', path)),
  definition: (args) =>
    about(placeIn(args), l10n.t('Find a definition'), (name) => l10n.t('Find the definition of {0}', name)),
  references: (args) =>
    about(placeIn(args), l10n.t('Find references'), (name) => l10n.t('Find references of {0}', name)),
  implementations: (args) =>
    about(placeIn(args), l10n.t('Find implementations'), (name) => l10n.t('Find implementations of {0}', name)),
  type_definition: (args) =>
    about(placeIn(args), l10n.t('Find a type'), (name) => l10n.t('Find the type of {0}', name)),
  hover: (args) => about(placeIn(args), l10n.t('Look up a symbol'), (name) => l10n.t('Look up {0}', name)),
  call_hierarchy: (args) =>
    about(placeIn(args), l10n.t('Find calls'), (name) =>
      args['direction'] === 'outgoing' ? l10n.t('Find what {0} calls', name) : l10n.t('Find callers of {0}', name),
    ),
  document_symbols: (args) =>
    about(said(args, 'path'), l10n.t('Read an outline'), (path) => l10n.t('Read the outline of {0}', path)),
  workspace_symbols: (args) =>
    about(said(args, 'query'), l10n.t('Search symbols'), (query) => l10n.t('Search symbols for “{0}”', query)),
  read_symbol: (args) => about(placeIn(args), l10n.t('Read a symbol'), (name) => l10n.t('Read {0}', name)),
  rename_symbol: (args) =>
    about(placeIn(args), l10n.t('Rename a symbol'), (name) =>
      l10n.t('Rename {0} to {1}', name, said(args, 'new_name') ?? '…'),
    ),
  code_actions: (args) =>
    about(said(args, 'apply'), l10n.t('List code actions'), (action) => l10n.t('Apply “{0}”', action)),
  format: (args) => about(said(args, 'path'), l10n.t('Format a file'), (path) => l10n.t('Format {0}', path)),
  organize_imports: (args) =>
    about(said(args, 'path'), l10n.t('Organize imports'), (path) => l10n.t('Organize imports in {0}', path)),
  tasks: () => l10n.t('List tasks'),
  run_task: (args) => about(said(args, 'task'), l10n.t('Run a task'), (name) => l10n.t('Run the task “{0}”', name)),
  review: () => l10n.t('Read the changes under review'),
  comment: (args) =>
    about(said(args, 'path'), l10n.t('Leave a remark'), (path) => l10n.t('Leave a remark in {0}', path)),
  notebook: (args) => about(said(args, 'path'), l10n.t('Read a notebook'), (path) => l10n.t('Read {0}', path)),
  edit_notebook: (args) => about(said(args, 'path'), l10n.t('Edit a notebook'), (path) => l10n.t('Edit {0}', path)),
  debug: (args) =>
    about(said(args, 'action'), l10n.t('Debug'), (action) => l10n.t('Debug: {0}', action.replaceAll('_', ' '))),
  open_editors: () => l10n.t('See your open editors'),
  selection: () => l10n.t('See your selection'),
};

function about(what: string | undefined, bare: string, whole: (what: string) => string): string {
  return what === undefined ? bare : whole(what);
}

function said(args: JsonObject, key: string): string | undefined {
  const text = stringOf(args[key])?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return text === '' ? undefined : clip(text, 99);
}

function placeIn(args: JsonObject): string | undefined {
  const [path, line] = [said(args, 'path'), args['line']];
  if (path === undefined || stringOf(args['symbol'])) return said(args, 'symbol');
  return typeof line === 'number' || typeof line === 'string' ? `${path}:${line}` : path;
}
