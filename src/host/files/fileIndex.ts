import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, waitAtMost } from '../../base/scheduler';
import type { FoundFile } from '../../protocol/messages';
import type { PathList } from './fileMatch';

/** A query waits this long for a newer listing, and then uses the older one. */
const WAIT_MS = 150;
const RECENT = 50;
/** How long a listing counts as new. Milliseconds. */
const FRESH_MS = 1_000;
/** Multiplied with the time of a listing: in a large workspace, listings cost more and are made less often. */
const FRESH_TIMES = 20;
/** Entries that are prepared before the host may do other work. */
const SLICE = 20_000;

interface Listing {
  readonly list: PathList;
  readonly absolute: (index: number) => string;
  readonly indexOf: (absolute: string) => number | undefined;
}

/**
 * Finds workspace files and folders while a user types `@…`. Lists on first need (or `warm`), answers from memory, and
 * lists again when a query comes and the listing is old. An answer may be one listing behind. Nothing is watched: most
 * of the time nobody types `@`, and a watch of the whole workspace costs all the time.
 */
export class FileIndex extends Disposable {
  #listing: Listing | undefined;
  #loading: Promise<void> | undefined;
  #stale = true;
  /** The time after which a query makes a new listing, even without a known change. */
  #freshUntil = 0;
  #recent: string[] = [];

  /** @param folders whose files it finds; those of the workspace without them */
  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
    private readonly folders?: readonly vscode.WorkspaceFolder[],
  ) {
    super();
    const { workspace, window } = vscode;
    this.#recent = window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap((tab) =>
        tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === 'file' ? [tab.input.uri.fsPath] : [],
      );
    this.register(window.onDidChangeActiveTextEditor((editor) => this.#used(editor)));
    this.register(workspace.onDidChangeWorkspaceFolders(() => this.#forget()));
    this.register(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude')) this.#forget();
      }),
    );
  }

  /** Begins to list in the background, so that the first query need not wait. */
  warm(): void {
    void this.#load();
  }

  /** Files and folders for the text after `@`, best first; for "" the recently used ones. */
  async query(text: string, limit: number): Promise<FoundFile[]> {
    const loaded = this.#load();
    if (this.#listing) await waitAtMost(this.clock, WAIT_MS, loaded);
    else await loaded;
    const listing = this.#listing;
    if (!listing || limit <= 0) return [];
    const recent = this.#recentIndexes(listing);
    const { matchPaths } = await import('./fileMatch');
    const found =
      text.trim() === ''
        ? recent
        : matchPaths(listing.list, text, limit, new Map(recent.map((index, place) => [index, RECENT * 4 - place * 2])));
    if (text.trim() === '')
      for (let i = 0; found.length < limit && i < listing.list.paths.length; i++)
        if (!recent.includes(i)) found.push(i);
    return found.slice(0, limit).map((index) => foundFile(listing, index));
  }

  #used(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme !== 'file') return;
    const path = editor.document.uri.fsPath;
    this.#recent = [path, ...this.#recent.filter((other) => other !== path)].slice(0, RECENT);
  }

  /** Visible files first, then used ones, newest first. */
  #recentIndexes(listing: Listing): number[] {
    const visible = vscode.window.visibleTextEditors.map((editor) => editor.document.uri.fsPath);
    const indexes = [...new Set([...visible, ...this.#recent])].map((path) => listing.indexOf(path));
    return indexes.filter((index) => index !== undefined);
  }

  #forget(): void {
    this.#stale = true;
  }

  #load(): Promise<void> {
    if (this.#loading) return this.#loading;
    const { clock } = this;
    const started = clock.now();
    if (!this.#stale && started < this.#freshUntil) return Promise.resolve();
    this.#stale = false;
    this.#loading = this.#list()
      .catch((error: unknown) => this.log.error(`The workspace's files could not be listed: ${String(error)}`))
      .finally(() => {
        this.#loading = undefined;
        const ended = clock.now();
        this.#freshUntil = Math.max(started + FRESH_MS, ended + (ended - started) * FRESH_TIMES);
      });
    return this.#loading;
  }

  async #list(): Promise<void> {
    const opened = this.folders ?? vscode.workspace.workspaceFolders ?? [];
    const roots = opened.filter((folder) => folder.uri.scheme === 'file');
    const several = roots.length > 1;
    const started = this.clock.now();
    const shown: string[] = [];
    const byPath = new Map<string, number>();
    const owners: { readonly from: number; readonly root: string; readonly cut: number }[] = [];
    const folders: string[] = [];
    const folderOwners: typeof owners = [];
    const [{ listFiles }, { pathList }] = await Promise.all([import('./fileListing'), import('./fileMatch')]);
    const listed = await Promise.all(roots.map((root) => listFiles(root, this.log)));
    for (const [i, root] of roots.entries()) {
      const prefix = several ? `${root.name}/` : '';
      const owner = { root: root.uri.fsPath, cut: prefix.length };
      owners.push({ from: shown.length, ...owner });
      folderOwners.push({ from: folders.length, ...owner });
      const seen = new Set<string>();
      for (const [n, path] of listed[i]!.entries()) {
        if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
        byPath.set(prefix + path, shown.length);
        shown.push(prefix + path);
        for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
          const folder = path.slice(0, end);
          if (seen.has(folder)) break;
          seen.add(folder);
          folders.push(prefix + folder);
        }
      }
    }
    const all = shown.concat(folders);
    const ownerOf = (index: number) =>
      (index < shown.length
        ? owners.findLast(({ from }) => from <= index)
        : folderOwners.findLast(({ from }) => from <= index - shown.length))!;
    const absolute = (index: number) => {
      const { root, cut } = ownerOf(index);
      return nodePath.join(root, all[index]!.slice(cut));
    };
    const indexOf = (path: string) => {
      const owner = owners.find(({ root }) => path.startsWith(root + nodePath.sep));
      if (!owner) return undefined;
      const relative = path
        .slice(owner.root.length + 1)
        .split(nodePath.sep)
        .join('/');
      return byPath.get(`${several ? all[owner.from]?.slice(0, owner.cut) : ''}${relative}`);
    };
    this.#listing = { list: pathList(all, shown.length), absolute, indexOf };
    this.log.debug(`Listed ${shown.length} files in ${this.clock.now() - started} ms`);
  }
}

/** The files behind `@`: of the workspace, and of the worktree in which `@` was used last. */
export class FileIndexes extends Disposable {
  readonly #workspace: FileIndex;
  #worktree: { readonly folder: string; readonly index: FileIndex } | undefined;

  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {
    super();
    this.#workspace = this.register(new FileIndex(log, clock));
  }

  /** See `FileIndex.warm`; of the workspace. */
  warm(): void {
    this.#workspace.warm();
  }

  /** @param worktree the folder of a session that does not work in the workspace's */
  of(worktree: string | undefined): FileIndex {
    if (worktree === undefined) return this.#workspace;
    if (this.#worktree?.folder !== worktree) {
      this.#worktree?.index.dispose();
      const folder = { uri: vscode.Uri.file(worktree), name: nodePath.basename(worktree), index: 0 };
      this.#worktree = { folder: worktree, index: new FileIndex(this.log, this.clock, [folder]) };
    }
    return this.#worktree.index;
  }

  override dispose(): void {
    this.#worktree?.index.dispose();
    super.dispose();
  }
}

function foundFile(listing: Listing, index: number): FoundFile {
  const path = listing.list.paths[index]!;
  const start = listing.list.nameStart[index]!;
  return {
    path: listing.absolute(index),
    name: path.slice(start),
    folder: path.slice(0, Math.max(0, start - 1)),
    isFolder: listing.list.isFolder(index),
  };
}
