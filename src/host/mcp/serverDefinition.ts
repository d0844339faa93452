import * as l10n from '@vscode/l10n';
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser';
import { stringOf } from '../../base/decode';
import { isObject, type JsonObject } from '../../base/json';
import { decodeInputs, type InputDefinition } from './serverInputs';
import { mapTexts } from './variables';

/** A program that the agent runs. Texts may contain variables (`variables.ts`). */
export interface StdioDefinition {
  readonly transport: 'stdio';
  /** A name on PATH, or a path; a relative one begins in the folder of the definition. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A server that the agent reaches over the network. Texts may contain variables. */
export interface RemoteDefinition {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerDefinition = StdioDefinition | RemoteDefinition;

/** One entry of a list of servers: its definition, or why it is unusable. */
export interface ServerEntry {
  readonly name: string;
  readonly definition: ServerDefinition | undefined;
  /** In words, with advice; set if there is no definition. */
  readonly problem?: string;
}

export interface ServerFile {
  readonly servers: readonly ServerEntry[];
  readonly inputs: readonly InputDefinition[];
  /** Why the whole file is unusable. */
  readonly problem?: string;
}

/**
 * Reads an `mcp.json` in VS Code's format: `servers` by name and `inputs`, as JSON with comments and trailing commas.
 * Files that agents share (`.mcp.json`) name the servers `mcpServers`, and write an environment variable as `${NAME}`.
 * Never throws; one invalid entry does not affect the others.
 */
export function decodeServerFile(text: string): ServerFile {
  const raw = parsedWithComments(text);
  if (raw === undefined) return { servers: [], inputs: [], problem: l10n.t('it is not valid JSON') };
  if (!isObject(raw)) return { servers: [], inputs: [], problem: l10n.t('it must be an object with “servers”') };
  const shared = decodeServers(raw['mcpServers']).map((entry) =>
    entry.definition ? { ...entry, definition: withEnvironmentNamed(entry.definition) } : entry,
  );
  return { servers: [...decodeServers(raw['servers'] ?? {}), ...shared], inputs: decodeInputs(raw['inputs']) };
}

/** Rewrites `${NAME}` and `${NAME:-default}` in VS Code's form. */
function withEnvironmentNamed(definition: ServerDefinition): ServerDefinition {
  return mapTexts(definition, (text) =>
    text.replaceAll(
      /\$\{(?!(?:workspaceFolder(?:Basename)?|userHome|pathSeparator)\})([A-Za-z_]\w*)(:-[^{}]*)?\}/g,
      (_, name: string, fallback = '') => `\${env:${name}${fallback as string}}`,
    ),
  );
}

/** Reads servers by name, from an `mcp.json` or from `parley.mcpServers`. `null` removes an entry. */
export function decodeServers(raw: unknown): readonly ServerEntry[] {
  return Object.entries(isObject(raw) ? raw : {}).flatMap(([name, value]): ServerEntry[] => {
    if (value === null) return [];
    const decoded = decodeServer(value);
    return [
      typeof decoded === 'string' ? { name, definition: undefined, problem: decoded } : { name, definition: decoded },
    ];
  });
}

/** @returns the problem, in words, for an unusable entry. */
function decodeServer(raw: unknown): ServerDefinition | string {
  if (!isObject(raw)) return l10n.t('it must be an object with a command or a url');
  if (raw['disabled'] === true || raw['enabled'] === false) return l10n.t('it is disabled in its definition');
  const said = raw['type'] ?? raw['transport'] ?? (addressOf(raw) === undefined ? 'stdio' : 'http');
  const type = stringOf(said)
    ?.toLowerCase()
    .replace(/[^a-z]/g, '');
  // Other clients' words: `local` is Copilot's, `streamable-http` Claude's, `remote` OpenCode's.
  if (type === 'stdio' || type === 'local') return decodeStdio(raw);
  if (type === 'sse') return decodeRemote(raw, type);
  if (type === 'http' || type === 'streamablehttp' || type === 'remote') return decodeRemote(raw, 'http');
  return l10n.t('type must be “stdio”, “http” or “sse”');
}

function decodeStdio(raw: JsonObject): StdioDefinition | string {
  // Some clients have the command and its arguments in one list.
  const [first, ...rest] = [raw['command']].flat() as unknown[];
  const command = stringOf(first)?.trim();
  if (!command) return l10n.t('it has no command');
  const said = raw['args'] ?? [];
  const args = Array.isArray(said) ? [...rest, ...said].map(textOf) : [undefined];
  if (!args.every((item) => item !== undefined)) return l10n.t('args must be a list of strings');
  const env = textsOf(raw['env']);
  if (!env) return l10n.t('env must map names to strings');
  if (raw['envFile'] !== undefined)
    return l10n.t('Parley does not read envFile: put its variables into env, and use ${input:…} for secrets');
  return { transport: 'stdio', command, args, env };
}

function decodeRemote(raw: JsonObject, transport: 'http' | 'sse'): RemoteDefinition | string {
  const url = addressOf(raw)?.trim();
  if (!url) return l10n.t('it has no url');
  const headers = textsOf(raw['headers']);
  if (!headers) return l10n.t('headers must map names to strings');
  return { transport, url, headers };
}

/** The address, also under the names that other clients have for it. */
function addressOf(raw: JsonObject): string | undefined {
  return stringOf(raw['url'] ?? raw['httpUrl'] ?? raw['serverUrl']);
}

/** A text; numbers and `true` become texts. `undefined` for anything else. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : stringOf(value);
}

/** Names with texts (`textOf`); `null` is left out. `undefined` for anything else. */
function textsOf(raw: unknown): Readonly<Record<string, string>> | undefined {
  if (raw === undefined || raw === null) return {};
  if (!isObject(raw)) return undefined;
  const entries = Object.entries(raw).filter(([, value]) => value !== null);
  if (!entries.every(([name, value]) => name !== '' && textOf(value) !== undefined)) return undefined;
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

/** The value of JSON with comments and trailing commas; undefined if it is none. */
function parsedWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    // Not `parse`, which would take a key `__proto__` for the prototype.
    const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
    return tree && errors.length === 0 ? (getNodeValue(tree) as unknown) : undefined;
  } catch {
    // It is nested deeper than the stack.
    return undefined;
  }
}
