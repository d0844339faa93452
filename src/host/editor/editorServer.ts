import type { McpServer } from '@agentclientprotocol/sdk';
import * as vscode from 'vscode';
import { AcpError } from '../../acp/errors';
import type { CancellationToken } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { argumentsOf, ToolError } from '../../editor/toolInput';
import { editorServerName, editorTools, type EditorTool } from '../../editor/toolTable';
import { EditorPipe, pipeVariables, type ToolAnswer } from '../../node/editorPipe';
import type { RunTool } from './languageTools';
import type { ToolSession } from './toolSession';

/** What the user sees of the editor's server in one session. */
export interface EditorServerUse {
  /** What has connected, in its own words: "claude-code 2.1". */
  readonly clients: ReadonlySet<string>;
  /** Calls by tool. */
  readonly calls: ReadonlyMap<string, number>;
}

export interface EditorServerOptions {
  /** The built `editorServerMain.ts`, which `process.execPath` can run. */
  readonly program: string;
  /** What the tools work with; undefined for a session that is gone. */
  readonly sessionOf: (id: string) => ToolSession | undefined;
  /** Something of the session begins, also where no turn runs. */
  readonly works: (id: string) => void;
  readonly log: Logger;
}

interface OpenServer {
  readonly pipe: EditorPipe;
  readonly clients: Set<string>;
  readonly calls: Map<string, number>;
}

/**
 * The MCP server `vscode` of each session: a pipe of its own, served by the tools. The program between the agent and
 * the pipe is started by the agent. Tools are loaded with the first call.
 */
export class EditorServer extends Disposable {
  readonly #open = new Map<string, OpenServer>();
  readonly #changeEmitter = this.register(new Emitter<string>());

  /** What has connected to a session's server, or which tools were used, has changed. Gives the session's id. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: EditorServerOptions) {
    super();
  }

  /**
   * Opens the server of a session, instead of the one that it had, and describes it for the agent. The description has
   * the token: never show or log it.
   */
  async open(id: string): Promise<McpServer> {
    this.end(id);
    const { log, program } = this.options;
    const clients = new Set<string>();
    const calls = new Map<string, number>();
    const pipe = await EditorPipe.open(
      {
        connected: (client) => {
          clients.add(client ?? '?');
          this.#changeEmitter.fire(id);
        },
        tools: () => enabledTools().map(inMcp),
        call: async (name, args, token) => {
          calls.set(name, (calls.get(name) ?? 0) + 1);
          this.#changeEmitter.fire(id);
          return this.#call(id, name, args, token);
        },
      },
      log,
    );
    // The session may have been opened again meanwhile.
    this.end(id);
    this.#open.set(id, { pipe, clients, calls });
    return {
      name: editorServerName,
      command: process.execPath,
      args: [program],
      env: [
        { name: 'ELECTRON_RUN_AS_NODE', value: '1' },
        { name: pipeVariables.path, value: pipe.path },
        { name: pipeVariables.token, value: pipe.token },
      ],
    };
  }

  /** The session has parted from its agent. */
  end(id: string): void {
    this.#open.get(id)?.pipe.dispose();
    this.#open.delete(id);
  }

  /** Undefined if the session has no such server. */
  useOf(id: string): EditorServerUse | undefined {
    return this.#open.get(id);
  }

  override dispose(): void {
    super.dispose();
    for (const id of [...this.#open.keys()]) this.end(id);
  }

  async #call(id: string, name: string, args: unknown, token: CancellationToken): Promise<ToolAnswer> {
    const { sessionOf, works, log } = this.options;
    try {
      const session = sessionOf(id);
      if (!session) throw new ToolError('The session is closed.');
      if (!vscode.workspace.isTrusted) throw new ToolError('The workspace is in Restricted Mode.');
      const tool = enabledTools().find((item) => item.name === name);
      if (!tool) throw new ToolError(`There is no tool ${name}, or the user switched it off.`);
      if (tool.effect !== 'reads') works(id);
      const run = (await loadTools())[name]!;
      return { text: await run(argumentsOf(args), session, token) };
    } catch (error) {
      if (error instanceof ToolError || error instanceof AcpError) return { text: error.message, isError: true };
      log.error(
        `The editor's tool ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      return { text: `${name} failed: ${error instanceof Error ? error.message : String(error)}`, isError: true };
    }
  }
}

/** The user's switches: `true` and `false` by the tool's name. A workspace cannot set them. */
function enabledTools(): readonly EditorTool[] {
  const switches = vscode.workspace
    .getConfiguration('parley')
    .get<Readonly<Record<string, boolean>>>('editorTools', {});
  return editorTools.filter(({ name, isOptIn }) => switches[name] ?? isOptIn !== true);
}

function inMcp({ name, description, input, effect }: EditorTool): object {
  return {
    name,
    description,
    inputSchema: input,
    annotations: {
      readOnlyHint: effect === 'reads',
      ...(effect === 'reads' ? {} : { destructiveHint: false }),
      openWorldHint: false,
    },
  };
}

async function loadTools(): Promise<Readonly<Record<string, RunTool>>> {
  const [
    { languageTools },
    { diagnosticsTool },
    { editTools },
    { viewTools },
    { taskTools },
    { reviewTools },
    { notebookTools },
    { debugTool },
  ] = await Promise.all([
    import('./languageTools'),
    import('./diagnosticsTool'),
    import('./editTools'),
    import('./viewTools'),
    import('./taskTools'),
    import('./reviewTools'),
    import('./notebookTools'),
    import('./debugTool'),
  ]);
  return {
    ...languageTools,
    diagnostics: diagnosticsTool,
    ...editTools,
    ...viewTools,
    ...taskTools,
    ...reviewTools,
    ...notebookTools,
    debug: debugTool,
  };
}
