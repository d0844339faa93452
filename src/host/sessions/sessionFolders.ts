import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { isWithin } from '../../node/isWithin';
import { realRoot } from '../files/pathPolicy';
import { markedWindow } from '../platform/markedWindow';
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
    const found = sessionRoots(configured, this.#folders(), this.#off(), this.scratch);
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
   * Lets the user choose.
   * @param cwd of the shown session, which always belongs to it
   * @returns false when nothing changed.
   */
  async pick(cwd: string): Promise<boolean> {
    const all = this.#folders();
    if (all.every((folder) => folder === cwd)) {
      void markedWindow.showInformationMessage(
        l10n.t('This workspace has no other folders. Add one with “File > Add Folder to Workspace…”.'),
      );
      return false;
    }
    // Another one is fixed by the agent's settings.
    const working = all.includes(cwd) ? await pickWorking(all) : cwd;
    if (working === undefined) return false;
    const folders = all.filter((folder) => folder !== working);
    const off = this.#off();
    const items = folders.map((folder) => ({
      label: nodePath.basename(folder),
      description: folder,
      picked: !off.includes(folder),
      folder,
    }));
    const chosen = await markedWindow.showQuickPick(items, {
      title: l10n.t('Parley: Folders for the Next Session'),
      placeHolder: l10n.t('Select additional folders for the agent, besides {0}', nodePath.basename(working)),
      canPickMany: true,
      matchOnDescription: true,
    });
    if (!chosen) return false;
    const left = folders.filter((folder) => !chosen.some((item) => item.folder === folder));
    const isSame = left.length === off.length && left.every((folder) => off.includes(folder));
    if (isSame && (working === all[0] || !all.includes(working))) return false;
    await this.state.update(offKey, left.length === 0 ? undefined : left);
    if (all.includes(working)) await this.state.update(workingKey, working);
    this.#changeEmitter.fire();
    return true;
  }

  /** Those of the workspace, the one that new sessions work in first. */
  #folders(): readonly string[] {
    const folders = foldersOnDisk();
    const working = this.state.get<unknown>(workingKey);
    return typeof working === 'string' && folders.includes(working)
      ? [working, ...folders.filter((folder) => folder !== working)]
      : folders;
  }

  #off(): readonly string[] {
    const kept = this.state.get<unknown>(offKey);
    return Array.isArray(kept) ? kept.filter((folder): folder is string => typeof folder === 'string') : [];
  }
}

/** @param folders the current one first */
async function pickWorking(folders: readonly string[]): Promise<string | undefined> {
  const items = folders.map((folder, i) => ({
    label: nodePath.basename(folder),
    description: i === 0 ? l10n.t('{0} (current)', folder) : folder,
    folder,
  }));
  const chosen = await markedWindow.showQuickPick(items, {
    title: l10n.t('Parley: Folders for the Next Session'),
    placeHolder: l10n.t('Select the folder that the agent works in'),
    matchOnDescription: true,
  });
  return chosen?.folder;
}
