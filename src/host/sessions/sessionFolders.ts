import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import { realRoot } from '../files/pathPolicy';
import { markedWindow } from '../platform/markedWindow';
import { foldersOnDisk } from '../platform/workspaceFolders';
import { sessionRoots } from './additionalDirectories';

const offKey = 'parley.foldersOff';
const scratchKey = 'parley.usesScratchFolder';

/** Which workspace folders new sessions have in their reach: all of them, but for those that the user took out. */
export class SessionFolders extends Disposable {
  private readonly changeEmitter = this.register(new Emitter<void>());

  /** New sessions have other folders. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly state: vscode.Memento,
    /** Where sessions work when no folder is open and the user chose that; absolute, made then. */
    private readonly scratch: string,
  ) {
    super();
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.changeEmitter.fire()));
  }

  /** Where a new session works and what is in its reach. @param configured the folder that the agent's configuration fixes */
  rootsOf(configured: string | undefined): { readonly cwd: string; readonly roots: readonly string[] } {
    const found = sessionRoots(configured, foldersOnDisk(), this.off(), this.scratch);
    // Before the agent can change where they lead.
    for (const root of found.roots) realRoot(root).catch(() => undefined);
    return found;
  }

  /** Whether an agent may start there: not in the scratch folder before the user chose it, which is how the user learns of it. */
  mayStartIn(cwd: string): boolean {
    return cwd !== this.scratch || this.state.get(scratchKey) === true;
  }

  /** Makes the scratch folder, and remembers for this window that it was chosen. @throws Error when it cannot be made */
  async useScratch(): Promise<void> {
    await mkdir(this.scratch, { recursive: true });
    await this.state.update(scratchKey, true);
  }

  /** Lets the user choose. @param cwd of the shown session, which always belongs to it @returns false when nothing changed. */
  async pick(cwd: string): Promise<boolean> {
    const folders = foldersOnDisk().filter((folder) => folder !== cwd);
    if (folders.length === 0) {
      void markedWindow.showInformationMessage(l10n.t('This workspace has no other folders. Add one with “File > Add Folder to Workspace…”.'));
      return false;
    }
    const off = this.off();
    const items = folders.map((folder) => ({ label: nodePath.basename(folder), description: folder, picked: !off.includes(folder), folder }));
    const chosen = await markedWindow.showQuickPick(items, { title: l10n.t('Parley: Folders of the Next Session'), placeHolder: l10n.t('Select additional folders for the agent, besides {0}', nodePath.basename(cwd)), canPickMany: true, matchOnDescription: true });
    if (!chosen) return false;
    const left = folders.filter((folder) => !chosen.some((item) => item.folder === folder));
    if (left.length === off.length && left.every((folder) => off.includes(folder))) return false;
    await this.state.update(offKey, left.length === 0 ? undefined : left);
    this.changeEmitter.fire();
    return true;
  }

  private off(): readonly string[] {
    const kept = this.state.get<unknown>(offKey);
    return Array.isArray(kept) ? kept.filter((folder): folder is string => typeof folder === 'string') : [];
  }
}
