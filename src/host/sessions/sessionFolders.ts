import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { isWithin } from '../../node/isWithin';
import { realRoot } from '../files/pathPolicy';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { sessionRoots } from './additionalDirectories';

const offKey = 'parley.foldersOff';
const workingKey = 'parley.workingFolder';
const scratchKey = 'parley.usesScratchFolder';

/**
 * In which workspace folder new sessions work, and which others they get: all of them, but for those that the user took
 * out.
 */
export class SessionFolders extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** New sessions have other folders. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly state: vscode.Memento,
    /** Where sessions work when no folder is open and the user chose that; absolute, made then. */
    private readonly scratch: string,
  ) {
    super();
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changeEmitter.fire()));
  }

  /**
   * Where a new session works and what is in its reach.
   * @param configured the folder that the agent's configuration fixes
   */
  rootsOf(configured: string | undefined): { readonly cwd: string; readonly roots: readonly string[] } {
    const found = sessionRoots(configured, this.all, this.leftOut, this.scratch);
    // Before the agent can change where they lead.
    for (const root of found.roots) realRoot(root).catch(() => undefined);
    return found;
  }

  /** Whether a folder is in none of the workspace's. */
  isElsewhere(cwd: string): boolean {
    const folders = foldersOnDisk();
    return (
      (folders.length > 0 || cwd !== this.scratch) &&
      !folders.some((folder) => isWithin(nodePath.normalize(cwd), folder))
    );
  }

  /**
   * Whether an agent may start there: not in the scratch folder before the user chose it, which is how the user learns
   * of it.
   */
  mayStartIn(cwd: string): boolean {
    return cwd !== this.scratch || this.state.get(scratchKey) === true;
  }

  /**
   * Makes the scratch folder, and remembers for this window that it was chosen.
   * @throws Error when it cannot be made
   */
  async useScratch(): Promise<void> {
    await mkdir(this.scratch, { recursive: true });
    await this.state.update(scratchKey, true);
  }

  /**
   * New sessions work in one of the folders, and get none of those that are left out.
   * @param working absent: as before
   */
  async choose(working: string | undefined, leftOut: readonly string[]): Promise<void> {
    await this.state.update(offKey, leftOut.length === 0 ? undefined : leftOut);
    if (working !== undefined) await this.state.update(workingKey, working);
    this.#changeEmitter.fire();
  }

  /** Those of the workspace, the one that new sessions work in first. */
  get all(): readonly string[] {
    const folders = foldersOnDisk();
    const working = this.state.get<unknown>(workingKey);
    return typeof working === 'string' && folders.includes(working)
      ? [working, ...folders.filter((folder) => folder !== working)]
      : folders;
  }

  /** Those that the user took out. */
  get leftOut(): readonly string[] {
    const kept = this.state.get<unknown>(offKey);
    return Array.isArray(kept) ? kept.filter((folder): folder is string => typeof folder === 'string') : [];
  }
}
