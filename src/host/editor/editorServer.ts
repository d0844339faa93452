import type { McpServer } from '@agentclientprotocol/sdk';
import { Emitter, type Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { editorServerName } from '../../editor/editorCall';
import { EditorPipe, pipeVariables } from '../../node/editorPipe';
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
  /** Agents may get other tools than before. */
  readonly onDidChangeTools: Event<void>;
  readonly log: Logger;
}

/** Tools of which calls are counted, and names of clients. */
const maxNames = 100;

interface OpenServer {
  readonly pipe: EditorPipe;
  readonly clients: Set<string>;
  readonly calls: Map<string, number>;
  isDebugging: boolean;
}

/**
 * The MCP server `vscode` of each session: a pipe of its own, served by the tools. The program between the agent and
 * the pipe is started by the agent. Tools are loaded when they are listed.
 */
export class EditorServer extends Disposable {
  readonly #open = new Map<string, OpenServer>();
  /** The latest opening of each session's server. */
  readonly #opening = new Map<string, object>();
  readonly #changeEmitter = this.register(new Emitter<string>());

  /** What has connected to a session's server, or which tools were used, has changed. Gives the session's id. */
  readonly onDidChange = this.#changeEmitter.event;

  /** The tools as they were listed last. */
  #listed: string | undefined;

  constructor(private readonly options: EditorServerOptions) {
    super();
    this.register(options.onDidChangeTools(() => this.#listed !== undefined && this.#list()));
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
    const use = { clients, calls, isDebugging: false };
    this.#opening.set(id, use);
    const pipe = await EditorPipe.open(
      {
        connected: (client) => {
          // A program may say its name any number of times.
          if (clients.size < maxNames) clients.add(client ?? '?');
          this.#changeEmitter.fire(id);
        },
        tools: () => this.#list(),
        call: async (name, args, token) => {
          // Names that an agent makes up are not kept.
          if (calls.has(name) || calls.size < maxNames) calls.set(name.slice(0, 64), (calls.get(name) ?? 0) + 1);
          use.isDebugging ||= name === 'debug';
          this.#changeEmitter.fire(id);
          return (await import('./callTool')).callTool({ id, name, args }, this.options, token);
        },
      },
      log,
    );
    // The session may have parted from its agent meanwhile, or have been opened again.
    if (this.#opening.get(id) === use) {
      this.#opening.delete(id);
      this.#open.set(id, Object.assign(use, { pipe }));
    } else pipe.dispose();
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

  /** Lists the tools, and tells all agents if they are others than the last time. */
  async #list(): Promise<readonly object[]> {
    const tools = await (await import('./callTool')).listedTools();
    const before = this.#listed;
    this.#listed = JSON.stringify(tools);
    if (before !== undefined && before !== this.#listed)
      for (const { pipe } of this.#open.values()) pipe.toolsChanged();
    return tools;
  }

  /** The session has parted from its agent. */
  end(id: string): void {
    const { pipe, isDebugging } = this.#open.get(id) ?? {};
    this.#open.delete(id);
    this.#opening.delete(id);
    pipe?.dispose();
    if (isDebugging)
      void import('./debugTool')
        .then(({ endDebugging }) => endDebugging(id))
        .catch((error: unknown) => this.options.log.warn(`What an agent debugged may go on: ${String(error)}`));
  }

  /** Undefined if the session has no such server. */
  useOf(id: string): EditorServerUse | undefined {
    return this.#open.get(id);
  }

  override dispose(): void {
    super.dispose();
    for (const id of [...this.#open.keys(), ...this.#opening.keys()]) this.end(id);
  }
}
