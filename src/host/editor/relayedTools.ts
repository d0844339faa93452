import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CancellationToken, rejectsWhenCancelled } from '../../base/cancellation';
import { asObject, stringOf } from '../../base/decode';
import { boundedDepth, type JsonObject } from '../../base/json';
import { type Clock, waitAtMost } from '../../base/scheduler';
import { visibleLine } from '../../base/visibleText';
import { type ForeignTool, relayedListing, relayedTools, relayKey, type ToolOwner } from '../../editor/relayedTool';
import { ToolError } from '../../editor/toolInput';
import type { ToolAnswer } from '../../node/editorPipe';
import { relayedAnswer } from './relayedAnswer';
import type { ToolSession } from './toolSession';

/** Characters of an input. The user could not judge a longer one. */
const maxInput = 8_000;
/** Characters of an extension's error. */
const maxError = 2_000;
/** Characters of a tool's name. VS Code sets no limit. */
const maxName = 200;

/** How long an answer may take. Some tools never answer outside of VS Code's chat. */
const maxMs = 600_000;

/** VS Code's tools for language models, where the editor has them. */
type Tools = Pick<typeof vscode.lm, 'tools' | 'invokeTool'>;

/* The only place that uses them. Editors of the family may leave out the API, or parts of it. */
function toolsOfEditor(): Tools | undefined {
  const { lm } = vscode as { readonly lm?: Partial<Tools> };
  return Array.isArray(lm?.tools) && typeof lm.invokeTool === 'function' ? (lm as Tools) : undefined;
}

/** All tools that other extensions offer. None in Restricted Mode. */
export function offeredTools(): readonly ForeignTool[] {
  if (!vscode.workspace.isTrusted) return [];
  const owners = ownersOfTools();
  return (toolsOfEditor()?.tools ?? [])
    .filter(({ name }) => name !== '' && name.length <= maxName)
    .map(({ name, description, inputSchema }) => {
      const owner = owners.get(name);
      return { name, description: stringOf(description) ?? '', inputSchema, ...(owner ? { owner } : {}) };
    });
}

/** Those that the user has chosen, in MCP's form. @param switches the user's, by key */
export function listedRelayed(switches: Readonly<Record<string, unknown>>): readonly object[] {
  return [...relayedTools(offeredTools(), switches)].map(([name, tool]) => relayedListing(name, tool));
}

/** A call of a tool of another extension. */
export interface RelayedCall {
  readonly name: string;
  readonly args: JsonObject;
  /** The user's, by key, as they are now. */
  readonly switches: () => Readonly<Record<string, boolean>>;
}

/**
 * Asks the user, and then calls the tool. VS Code asks once more only if the tool or an organization wants that.
 * @throws ToolError
 */
export async function callRelayed(
  { name, args, switches }: RelayedCall,
  session: ToolSession,
  token: CancellationToken,
): Promise<ToolAnswer> {
  const find = () => relayedTools(offeredTools(), switches()).get(name);
  const tool = find();
  if (!tool) throw new ToolError(`There is no tool ${name}, or the user switched it off.`);
  // The user sees exactly what the tool gets.
  const input = boundedDepth(args) as JsonObject;
  if (JSON.stringify(input).length > maxInput)
    throw new ToolError(`The input is too long to be shown to the user. At most ${maxInput} characters.`);
  if (!(await session.ask({ title: titleOf(tool), kind: 'other', input }, token)))
    throw new ToolError('The user did not allow this call. Do not ask again; go on without it.');
  if (token.isCancellationRequested) throw new ToolError('The call was withdrawn.');
  const now = find();
  if (!now || relayKey(now) !== relayKey(tool)) throw new ToolError('The tool is gone. List the tools again.');
  return relayedAnswer(await invoke(tool.name, input, session.clock, token));
}

function titleOf({ name, owner }: ForeignTool): string {
  const shown = visibleLine(name);
  return owner
    ? l10n.t('Run the tool “{0}” of {1}', shown, ownerWords(owner))
    : l10n.t('Run the tool “{0}” of an unknown extension', shown);
}

/** "GitHub Pull Requests (GitHub.vscode-pull-request-github)": anybody may have the name, but not the id. */
export function ownerWords({ id, name }: ToolOwner): string {
  return `${visibleLine(name, 100)} (${visibleLine(id, 200)})`;
}

async function invoke(
  name: string,
  input: JsonObject,
  clock: Clock,
  token: CancellationToken,
): Promise<readonly unknown[]> {
  const source = new vscode.CancellationTokenSource();
  const listener = token.onCancellationRequested(() => source.cancel());
  try {
    let content: readonly unknown[] = [];
    const work = Promise.resolve(
      toolsOfEditor()!.invokeTool(name, { input, toolInvocationToken: undefined }, source.token),
    ).then((result) => void (content = result.content));
    // VS Code's dialog outlives a withdrawn call. Then the tool does not run any more.
    const withdrawn = rejectsWhenCancelled(token, () => new Error());
    if (await waitAtMost(clock, maxMs, Promise.race([work, withdrawn]))) return content;
    source.cancel();
    throw new Error(`no answer within ${maxMs / 60_000} minutes`);
  } catch (error) {
    const { name: kind, message } = error instanceof Error ? error : new Error(String(error));
    if (token.isCancellationRequested) throw new ToolError('The call was withdrawn.');
    if (kind === 'Canceled') throw new ToolError('The user or the extension cancelled the call.');
    throw new ToolError(`The tool failed: ${message.slice(0, maxError)}`);
  } finally {
    listener.dispose();
    source.dispose();
  }
}

/**
 * The extensions whose manifests name a tool. VS Code keeps to itself whose a tool is, so a name in the manifests of two
 * extensions has no owner.
 */
function ownersOfTools(): ReadonlyMap<string, ToolOwner> {
  const owners = new Map<string, ToolOwner>();
  const shared = new Set<string>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    const { displayName, contributes } = asObject(packageJSON);
    const tools = asObject(contributes)['languageModelTools'];
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
      const name = stringOf(asObject(tool)['name']);
      if (name === undefined) continue;
      if ((owners.get(name)?.id ?? id) !== id) shared.add(name);
      owners.set(name, { id, name: stringOf(displayName) || id });
    }
  }
  for (const name of shared) owners.delete(name);
  return owners;
}
