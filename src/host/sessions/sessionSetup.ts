import type { McpServer, NewSessionRequest } from '@agentclientprotocol/sdk';
import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { Emitter, type Event } from '../../base/event';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { editorServerName } from '../../editor/editorCall';
import { joinPaths, loginShellPath } from '../../node/environment';
import type { SetupView } from '../../protocol/setupView';
import { additionalDirectories } from './additionalDirectories';
import type { RunningAgent } from '../agents/agentService';
import type { AgentConfiguration } from '../agents/agentSettings';
import type { InputAnswers } from '../mcp/inputAnswers';
import type { ServerSource } from '../mcp/knownServer';
import type { ServerSources } from '../mcp/serverSources';
import type { SessionFolders } from './sessionFolders';
import { inWorktree } from '../worktrees/worktree';
import type { Worktrees } from '../worktrees/worktrees';
import { type EditorUse, type OpenedSetup, setupView } from './openedSetup';

/** Where a session works. */
export interface SessionPlace {
  readonly id: string;
  /** Absolute. */
  readonly cwd: string;
  readonly roots: readonly string[];
}

export interface PreparedSetup {
  /** For `session/new`, load and resume. Holds secrets: for the wire only. */
  readonly params: NewSessionRequest;
  readonly setup: OpenedSetup;
}

/** The editor's own server of each session. */
export interface EditorTools {
  /** Undefined where the agent gets none. */
  serverFor(id: string, agent: AgentConfiguration): Promise<McpServer | undefined>;
  useOf(id: string): EditorUse | undefined;
  /** Somebody has connected, or a tool was used. */
  readonly onDidUse: Event<unknown>;
}

export interface SessionSetupOptions {
  readonly servers: ServerSources;
  readonly answers: () => Promise<InputAnswers>;
  readonly folders: SessionFolders;
  readonly worktrees: Pick<Worktrees, 'at' | 'reach'>;
  readonly editor: EditorTools;
  readonly userHome: string;
  readonly log: Logger;
}

/** Gathers what sessions are opened with beside their folder: MCP servers and additional directories. */
export class SessionSetup extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #projected = new WeakMap<
    object,
    { readonly opened: OpenedSetup | undefined; readonly cwd: string; readonly view: SetupView | undefined }
  >();

  /** What the next session is opened with has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: SessionSetupOptions) {
    super();
    this.register(options.servers.onDidChange(() => this.#handleChange()));
    this.register(options.folders.onDidChange(() => this.#handleChange()));
    this.register(options.editor.onDidUse(() => this.#handleChange()));
  }

  /**
   * Looks at what is defined now, and asks the user for what it lacks. Opens without what it does not get.
   * @param waitFor as `Session.waitFor`
   */
  async prepare(
    { configuration, features }: RunningAgent,
    { id, cwd, roots }: SessionPlace,
    token: CancellationToken,
    waitFor: (title: string) => IDisposable,
  ): Promise<PreparedSetup> {
    const { servers, answers, worktrees, userHome, log } = this.options;
    const worktree = worktrees.at(cwd);
    const inPlace = (folder: string) => (worktree ? inWorktree(folder, worktree) : folder);
    const PATH = joinPaths(await loginShellPath(), process.env['PATH']);
    const known = await servers.read();
    const { mcpServers, outcomes } =
      known.length === 0
        ? { mcpServers: [], outcomes: [] }
        : await (
            await import('../mcp/passServers')
          ).passServers({
            known,
            agent: configuration.name,
            only: configuration.mcpServers,
            takes: features.mcp,
            valuesFor: (source: ServerSource) => ({
              env: (name) => process.env[name],
              // In a worktree, a server must not work on the folder that the user sees.
              folder: source.kind === 'workspace' ? inPlace(source.folder) : cwd,
              folderNamed: (name) => {
                const folder = folderNamed(name);
                return folder === undefined ? undefined : inPlace(folder);
              },
              userHome,
            }),
            answer: async (server, input) => (await answers()).answer(server, input, token, waitFor),
            findProgram: async (command, folder) =>
              (await import('../../node/findProgram')).findProgram(command, folder, {
                PATH,
                PATHEXT: process.env['PATHEXT'],
              }),
          });
    for (const { name, state, why } of outcomes)
      log.info(
        `${configuration.name}: MCP server “${name}” ${state === 'passed' ? 'passed on' : `left out: ${why ?? ''}`}`,
      );
    const editor = await this.#editorServer(id, configuration, mcpServers);
    const folders = additionalDirectories(roots, cwd);
    const takesFolders = features.additionalDirectories && folders.length > 0;
    return {
      params: {
        cwd,
        mcpServers: [...mcpServers, ...(editor ? [editor] : [])],
        ...(takesFolders ? { additionalDirectories: [...folders] } : {}),
      },
      setup: {
        servers: outcomes,
        ...(editor ? { editor: true } : {}),
        folders: takesFolders ? folders : [],
        foldersLeft: takesFolders ? [] : folders,
      },
    };
  }

  /** A session opens without it rather than not at all. A user's own server of the same name takes precedence. */
  async #editorServer(
    id: string,
    agent: AgentConfiguration,
    others: readonly McpServer[],
  ): Promise<McpServer | undefined> {
    const { editor, log } = this.options;
    if (others.some(({ name }) => name === editorServerName)) return undefined;
    return editor.serverFor(id, agent).catch((error: unknown) => {
      log.error(`The editor's tools are not there for ${agent.name}: ${String(error)}`);
      return undefined;
    });
  }

  /** For a session that is shown; the same object until something in it changes. */
  view(live: {
    readonly id: string;
    readonly setup: OpenedSetup | undefined;
    readonly agent: string;
    readonly cwd: string;
  }): SetupView | undefined {
    const { id, setup: opened, agent, cwd } = live;
    const projected = this.#projected.get(live);
    if (projected && projected.opened === opened && projected.cwd === cwd) return projected.view;
    const { servers, folders, worktrees, editor } = this.options;
    const view = setupView({
      opened,
      known: servers.current,
      agent,
      cwd,
      editorUse: editor.useOf(id),
      rootsNow: worktrees.reach(cwd, folders.rootsOf(cwd).roots),
      branch: worktrees.at(cwd)?.branch,
      isElsewhere: folders.isElsewhere(cwd),
    });
    this.#projected.set(live, { opened, cwd, view });
    return view;
  }

  #handleChange(): void {
    this.#projected = new WeakMap();
    this.#changeEmitter.fire();
  }
}

function folderNamed(name: string): string | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => folder.name === name && folder.uri.scheme === 'file')?.uri
    .fsPath;
}
