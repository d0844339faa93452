import * as vscode from 'vscode';
import { AcpError } from '../../acp/errors';
import type { CancellationToken } from '../../base/cancellation';
import { isRelayKey, relayedPrefix } from '../../editor/relayedTool';
import { argumentsOf, ToolError } from '../../editor/toolInput';
import { editorTools, type EditorTool } from '../../editor/toolTable';
import type { ToolAnswer } from '../../node/editorPipe';
import type { EditorServerOptions } from './editorServer';
import type { RunTool } from './languageTools';

export interface AskedCall {
  /** The session's id. */
  readonly id: string;
  readonly name: string;
  /** As the agent sent it. */
  readonly args: unknown;
}

/** The tools that agents get, in MCP's form. */
export async function listedTools(): Promise<readonly object[]> {
  const own = enabledTools().map(({ name, description, input, effect }) => ({
    name,
    description,
    inputSchema: input,
    annotations: {
      readOnlyHint: effect === 'reads',
      ...(effect === 'reads' ? {} : { destructiveHint: false }),
      openWorldHint: false,
    },
  }));
  const chosen = Object.entries(switches()).some(([key, isOn]) => isRelayKey(key) && isOn);
  return chosen ? [...own, ...(await import('./relayedTools')).listedRelayed(switches())] : own;
}

/** Does one call. Never rejects: what is wrong is an answer that the model reads. */
export async function callTool(
  { id, name, args }: AskedCall,
  { sessionOf, works, log }: Pick<EditorServerOptions, 'sessionOf' | 'works' | 'log'>,
  token: CancellationToken,
): Promise<ToolAnswer> {
  try {
    const session = sessionOf(id);
    if (!session) throw new ToolError('The session is closed.');
    if (!vscode.workspace.isTrusted) throw new ToolError('The workspace is in Restricted Mode.');
    if (name.startsWith(relayedPrefix)) {
      works(id);
      const { callRelayed } = await import('./relayedTools');
      return await callRelayed({ name, args: argumentsOf(args), switches }, session, token);
    }
    const tool = enabledTools().find((item) => item.name === name);
    if (!tool) throw new ToolError(`There is no tool ${name}, or the user switched it off.`);
    if (tool.effect !== 'reads') works(id);
    const run = await loadTool(name);
    return { text: await run(argumentsOf(args), session, token) };
  } catch (error) {
    if (error instanceof ToolError || error instanceof AcpError) return { text: error.message, isError: true };
    const reason = error instanceof Error ? error : new Error(String(error));
    log.error(`The editor's tool ${name} failed: ${reason.stack ?? reason.message}`);
    return { text: `${name} failed: ${reason.message}`, isError: true };
  }
}

function enabledTools(): readonly EditorTool[] {
  const chosen = switches();
  return editorTools.filter(({ name, isOptIn }) => chosen[name] ?? isOptIn !== true);
}

/** The user's: `true` and `false` by the tool's name or, for one of another extension, its key. No workspace has any. */
function switches(): Readonly<Record<string, boolean>> {
  return vscode.workspace.getConfiguration('parley').get('editorTools', {});
}

/** Loads no more than the first call of a tool needs. @param name of a tool in the table */
async function loadTool(name: string): Promise<RunTool> {
  switch (name) {
    case 'diagnostics':
      return (await import('./diagnosticsTool')).diagnosticsTool;
    case 'rename_symbol':
    case 'code_actions':
    case 'format':
    case 'organize_imports':
      return (await import('./editTools')).editTools[name]!;
    case 'open_editors':
    case 'selection':
      return (await import('./viewTools')).viewTools[name]!;
    case 'tasks':
    case 'run_task':
      return (await import('./taskTools')).taskTools[name]!;
    case 'review':
    case 'comment':
      return (await import('./reviewTools')).reviewTools[name]!;
    case 'notebook':
    case 'edit_notebook':
      return (await import('./notebookTools')).notebookTools[name]!;
    case 'debug':
      return (await import('./debugTool')).debugTool;
    default:
      return (await import('./languageTools')).languageTools[name]!;
  }
}
