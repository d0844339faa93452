import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable, type IDisposable, toDisposable } from '../../../base/lifecycle';
import type { Clock } from '../../../base/scheduler';
import { renameFile } from '../../../node/renameFile';
import { pathKey } from '../../files/pathPolicy';
import { digest, sha256 } from '../../storage/contentName';

/**
 * While an agent works in one window, the other windows of this editor record which files the user saves in them. Each
 * writes one small file, with digests of names and texts only.
 */
export interface WindowSaves {
  /** Absolute; the same for all windows. */
  readonly folder: string;
  /** The id of this window. */
  readonly id: string;
  readonly clock: Clock;
}

export interface Saved {
  readonly at: number;
  readonly path: string;
  readonly text: string;
}

/** Older saves explain no change. Milliseconds. */
const FRESH_MS = 60_000;
export const MAX_SAVES = 200;

/** Records the user's saves in this window while an agent works in another one. */
export class SaveAnnouncer extends Disposable {
  #saves: readonly Saved[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly window: WindowSaves) {
    super();
  }

  override dispose(): void {
    super.dispose();
    if (this.#saves.length > 0) void this.#last.then(() => rm(this.#file, { force: true })).catch(() => undefined);
  }

  /** The user has saved a file. @returns when the save is recorded */
  saved(path: string, text: string): Promise<void> {
    const at = this.window.clock.now();
    return (this.#last = this.#last.then(() => this.#tell(at, path, text)).catch(() => undefined));
  }

  async #tell(at: number, path: string, text: string): Promise<void> {
    const { folder, id, clock } = this.window;
    const working = (await readdir(turnsIn(folder)).catch(() => [])).filter((name) => name !== id);
    if (working.length === 0 || this.store.isDisposed) return;
    const save: Saved = { at, path: nameOfPath(path), text: digest(text)! };
    this.#saves = [
      ...this.#saves.filter(
        (other) => other.at > clock.now() - FRESH_MS && !(other.path === save.path && other.text === save.text),
      ),
      save,
    ].slice(-MAX_SAVES);
    // A rename, so that a reader never sees half a file.
    await writeFile(`${this.#file}.new`, JSON.stringify(this.#saves));
    await renameFile(`${this.#file}.new`, this.#file);
  }

  get #file(): string {
    return nodePath.join(this.window.folder, `${this.window.id}.json`);
  }
}

export function turnsIn(folder: string): string {
  return nodePath.join(folder, 'turns');
}

/** One name for all spellings, because the other window may spell the path differently. */
export function nameOfPath(path: string): string {
  return sha256(pathKey(path)).slice(0, 32);
}

/** The shared folder in which windows tell each other of saves. */
export function windowSaves(context: vscode.ExtensionContext, clock: Clock): WindowSaves {
  return { folder: vscode.Uri.joinPath(context.globalStorageUri, 'saves').fsPath, id: randomUUID(), clock };
}

/**
 * Records saves of this window for other windows.
 * @param isWriting true while Parley writes a file: then the save is an agent's.
 */
export function announceSaves(saves: WindowSaves, isWriting: (path: string) => boolean): IDisposable {
  const announcer = new SaveAnnouncer(saves);
  const tell = async (document: vscode.TextDocument) => {
    const { scheme, fsPath } = document.uri;
    if (scheme === 'file' && !isWriting(fsPath)) await announcer.saved(fsPath, document.getText());
  };
  // The other window may check the file before `onDidSave` arrives here, so the start of a save is recorded too.
  // Formatters run later, so the end is recorded as well.
  const willSave = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(tell(event.document)));
  const saved = vscode.workspace.onDidSaveTextDocument(tell);
  return toDisposable(() => [willSave, saved, announcer].forEach((part) => part.dispose()));
}
