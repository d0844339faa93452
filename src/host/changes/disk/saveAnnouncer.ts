import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable, type IDisposable, toDisposable } from '../../../base/lifecycle';
import type { Clock } from '../../../base/scheduler';
import { pathKey } from '../../files/pathPolicy';
import { digest, sha256 } from '../../storage/contentName';

/**
 * While an agent works in one window, the other windows of this editor write down which files the user saves in them.
 * Each writes one small file, with digests of names and texts only.
 */
export interface WindowSaves {
  /** Absolute; the same for all windows. */
  readonly folder: string;
  /** Names this window. */
  readonly id: string;
  readonly clock: Clock;
}

export interface Saved {
  readonly at: number;
  readonly path: string;
  readonly text: string;
}

/** What is older says nothing any more. Milliseconds. */
const FRESH_MS = 60_000;
export const MAX_SAVES = 200;

/** Writes down what the user saves in this window while an agent works in another one. */
export class SaveAnnouncer extends Disposable {
  #saves: readonly Saved[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly window: WindowSaves) {
    super();
    this.register(
      toDisposable(
        () =>
          void (
            this.#saves.length > 0 &&
            this.#last.then(
              () => rm(this.#file, { force: true }),
              () => undefined,
            )
          ),
      ),
    );
  }

  /** The user has saved a file. @returns when that is written down */
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
    // Whoever reads sees all of it or what was before.
    await writeFile(`${this.#file}.new`, JSON.stringify(this.#saves));
    await rename(`${this.#file}.new`, this.#file);
  }

  get #file(): string {
    return nodePath.join(this.window.folder, `${this.window.id}.json`);
  }
}

export function turnsIn(folder: string): string {
  return nodePath.join(folder, 'turns');
}

/** One name for all spellings: the other window may spell the path in its own way. */
export function nameOfPath(path: string): string {
  return sha256(pathKey(path)).slice(0, 32);
}

/** How this window tells others of saves, and hears of theirs. */
export function windowSaves(context: vscode.ExtensionContext, clock: Clock): WindowSaves {
  return { folder: vscode.Uri.joinPath(context.globalStorageUri, 'saves').fsPath, id: randomUUID(), clock };
}

/**
 * Tells other windows of what is saved in this one.
 * @param isWriting whether we write a file just now: then it is an agent's.
 */
export function announceSaves(saves: WindowSaves, isWriting: (path: string) => boolean): IDisposable {
  const announcer = new SaveAnnouncer(saves);
  const tell = async (document: vscode.TextDocument) => {
    const { scheme, fsPath } = document.uri;
    if (scheme === 'file' && !isWriting(fsPath)) await announcer.saved(fsPath, document.getText());
  };
  // The other window may check the file before `onDidSave` arrives here. Formatters run later, so that is announced
  // too.
  const willSave = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(tell(event.document)));
  const saved = vscode.workspace.onDidSaveTextDocument(tell);
  return toDisposable(() => [willSave, saved, announcer].forEach((part) => part.dispose()));
}
