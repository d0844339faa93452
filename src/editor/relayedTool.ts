import { boundedDepth, isObject, type JsonObject, parsedJson } from '../base/json';
import { hashOf } from '../base/stringMap';
import { clip } from '../base/oneLine';

/** A tool of another extension, as the editor lists it. All texts are the extension's. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Undefined if the editor does not tell whose it is: its own, an MCP server's, an extension's elsewhere. */
  readonly owner?: ToolOwner;
}

/** An extension. */
export interface ToolOwner {
  /** Publisher and name. */
  readonly id: string;
  readonly name: string;
}

/** How agents recognize these tools. No tool of Parley's begins with it, so neither names nor rules are mixed up. */
export const relayedPrefix = 'ext_';

/** Agents add the server's name, and models take names of at most 64 characters. */
const maxName = 48;
/** Characters of what an extension says about its tool, and of its schema as JSON: models read it with each prompt. */
const maxDescription = 4_000;
const maxSchema = 20_000;

/**
 * The tool's key in the user's choice. It has the extension's id, so that no other extension takes over the choice with
 * a tool of the same name. Ids have a dot.
 */
export function relayKey({ name, owner }: Pick<ForeignTool, 'name' | 'owner'>): string {
  return `${owner?.id ?? 'unknown'}/${name}`;
}

/** True for the key of a tool of another extension. */
export function isRelayKey(key: string): boolean {
  return key.includes('/');
}

/** The tool's name for agents, as MCP and models allow it: the same in each session. */
export function relayedName(tool: Pick<ForeignTool, 'name' | 'owner'>): string {
  const name = relayedPrefix + tool.name.replaceAll(/[^\w-]/g, '_');
  if (name.length <= maxName && name === relayedPrefix + tool.name) return name;
  const mark = `_${hashOf(relayKey(tool)).toString(36)}`;
  return name.slice(0, maxName - mark.length) + mark;
}

/** The chosen tools by their name for agents. Of two with the same name, only the first counts. */
export function relayedTools(
  offered: readonly ForeignTool[],
  switches: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, ForeignTool> {
  const chosen = new Map<string, ForeignTool>();
  for (const tool of offered) {
    const name = relayedName(tool);
    if (switches[relayKey(tool)] === true && !chosen.has(name)) chosen.set(name, tool);
  }
  return chosen;
}

/** The tool in MCP's form. */
export function relayedListing(name: string, { description, inputSchema, owner }: ForeignTool): JsonObject {
  const whose = owner ? `Tool of the extension ${owner.name.slice(0, 100)}` : 'Tool of another extension';
  const schema = schemaOf(inputSchema);
  return {
    name,
    description: [
      clip(description, maxDescription),
      `(${whose}. The user is asked each time.)`,
      ...(schema ? [] : ['The schema of its input is not known.']),
    ].join('\n'),
    inputSchema: schema ?? { type: 'object' },
    // These are MCP's defaults. What the extension does is not known.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  };
}

/** Nobody here reads it: it is data for the agent. @returns undefined if it is no schema of an object, or too large */
function schemaOf(raw: unknown): JsonObject | undefined {
  if (raw === undefined) return { type: 'object', properties: {} };
  const json = jsonOf(raw);
  const schema = json.length > maxSchema ? undefined : boundedDepth(parsedJson(json));
  return isObject(schema) && (schema['type'] ?? 'object') === 'object' ? { ...schema, type: 'object' } : undefined;
}

/** Empty for what is not JSON. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
