import nodePath from 'node:path';
import * as vscode from 'vscode';
import { asObject } from '../../base/decode';
import { Emitter } from '../../base/event';
import { Disposable, DisposableStore } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { readRepositoryFile } from '../../node/readRepositoryFile';
import { type Decision, describeSource, type KnownServer, type ServerSource } from './knownServer';
import type { FoundServers } from './readServers';

const decisionsKey = 'parley.mcp.decisions';
/** Files of a workspace folder. VS Code writes the first and prefers the second, which agents share. */
const workspaceFiles = ['.vscode/mcp.json', '.mcp.json'];
/** Bytes; no user's list of servers is longer. */
const maxFile = 256_000;

export interface ServerSourcesOptions {
  /** Lists of the user's servers in order of precedence; they need not exist. */
  readonly userFiles: readonly string[];
  /** Stores decisions on a workspace's servers. */
  readonly workspaceState: vscode.Memento;
  /** Stores decisions on the user's own. */
  readonly globalState: vscode.Memento;
  readonly log: Logger;
}

/**
 * Knows every MCP server that is defined for this window: those of `parley.mcpServers`, of the user's own files and of
 * each workspace folder's, in this order, with the user's decisions. In Restricted Mode no workspace's file is read.
 */
export class ServerSources extends Disposable {
  #servers: readonly KnownServer[] = [];
  /** One read after the other, so that the last to begin is the last to report. */
  #reading: Promise<unknown> = Promise.resolve();
  readonly #watchers = this.register(new DisposableStore());
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** `current` has changed. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: ServerSourcesOptions) {
    super();
    const read = () => void this.read();
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('parley.mcpServers') && read()),
    );
    this.register(vscode.workspace.onDidGrantWorkspaceTrust(read));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()));
    this.#watch();
  }

  /** The result of the last read of settings and files. */
  get current(): readonly KnownServer[] {
    return this.#servers;
  }

  /** Reads settings and files now. Never throws. */
  read(): Promise<readonly KnownServer[]> {
    const read = this.#reading
      .then(() => this.#readNow())
      .catch((error: unknown) => {
        this.options.log.error(`MCP servers could not be read: ${String(error)}`);
        return this.#servers;
      });
    this.#reading = read;
    return read;
  }

  /** Stores the user's decision on exactly this definition. */
  async decide({ source, key, fingerprint }: KnownServer, choice: Decision['choice']): Promise<void> {
    const state = this.#stateFor(source);
    await state.update(decisionsKey, { ...asObject(state.get(decisionsKey)), [key]: { fingerprint, choice } });
    await this.read();
  }

  async #readNow(): Promise<readonly KnownServer[]> {
    const { userFiles, log } = this.options;
    // The setting's workspace values are ignored: a workspace's servers belong in its mcp.json, which needs consent.
    const setting = vscode.workspace.getConfiguration('parley').inspect<unknown>('mcpServers')?.globalValue;
    const found: FoundServers[] = setting === undefined ? [] : [{ source: { kind: 'settings' }, value: setting }];
    for (const source of [...userFiles.map((file) => ({ kind: 'user', file }) as const), ...this.#workspaceSources()]) {
      const text = await this.#textOf(source);
      if (text !== undefined) found.push({ source, text });
    }
    const servers =
      found.length === 0
        ? []
        : (await import('./readServers')).readServers(
            found,
            (source, key) => asObject(this.#stateFor(source).get(decisionsKey))[key],
          );
    if (JSON.stringify(servers) !== JSON.stringify(this.#servers)) {
      for (const { name, source, problem } of servers)
        if (problem !== undefined) log.warn(`MCP server “${name}” (${describeSource(source)}): ${problem}`);
      this.#servers = servers;
      this.#changeEmitter.fire();
    }
    return this.#servers;
  }

  #stateFor(source: ServerSource): vscode.Memento {
    return source.kind === 'workspace' ? this.options.workspaceState : this.options.globalState;
  }

  #workspaceSources(): (ServerSource & { readonly kind: 'workspace' })[] {
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    return folders
      .filter(({ uri }) => uri.scheme === 'file')
      .flatMap(({ uri }) =>
        workspaceFiles.map(
          (name) => ({ kind: 'workspace', folder: uri.fsPath, file: nodePath.join(uri.fsPath, name) }) as const,
        ),
      );
  }

  /** @returns undefined if there is none */
  async #textOf(source: ServerSource & { readonly file: string }): Promise<string | undefined> {
    // The user's own file may be a link to the folder of their settings.
    const folder = source.kind === 'workspace' ? source.folder : nodePath.parse(source.file).root;
    return (await readRepositoryFile(folder, source.file, maxFile, this.options.log))?.toString('utf8');
  }

  #watch(): void {
    this.#watchers.clear();
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const inFolders = folders.flatMap((folder) =>
      workspaceFiles.map((name) => new vscode.RelativePattern(folder, name)),
    );
    const patterns = [
      ...inFolders,
      ...this.options.userFiles.map(
        (file) => new vscode.RelativePattern(vscode.Uri.file(nodePath.dirname(file)), nodePath.basename(file)),
      ),
    ];
    for (const pattern of patterns) {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        this.#watchers.add(event(() => void this.read()));
      this.#watchers.add(watcher);
    }
    void this.read();
  }
}
