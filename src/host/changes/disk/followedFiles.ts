import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/lifecycle';
import { type Clock, Coalescer } from '../../../base/scheduler';
import { stampOf, TICK_MS } from '../../../node/settledFiles';

/** Typed text is read this often. A diff per key press would be slow in a large file. */
const SETTLE_MS = 150;
const GONE = 'gone';

/**
 * Files with pending changes; decides when they are read again. There is no watcher and no timer: documents report
 * edits of the user, and changes of other programs are found when a decision needs them.
 */
export class FollowedFiles extends Disposable {
  /** The file's state on disk; undefined if it had changed just before. */
  readonly #stamps = new Map<string, Promise<string | undefined>>();
  readonly #touched = new Set<string>();
  readonly #settle: Coalescer;
  #looking: Promise<void> = Promise.resolve();

  /** @param read reads the present content of some files */
  constructor(
    clock: Clock,
    private readonly read: (paths: readonly string[]) => Promise<void>,
  ) {
    super();
    this.#settle = this.register(new Coalescer(clock, SETTLE_MS, () => void this.readTouched()));
    // Most changes outside the editor have happened before one of these events.
    this.register(vscode.workspace.onDidCreateFiles(() => void this.lookAgain()));
    this.register(vscode.workspace.onDidDeleteFiles(() => void this.lookAgain()));
    this.register(vscode.window.onDidEndTerminalShellExecution(() => void this.lookAgain()));
    this.register(vscode.tasks.onDidEndTask(() => void this.lookAgain()));
    this.register(vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.lookAgain()));
  }

  /** Follows a file whose content is known to Parley. @param isThere true if the file exists */
  follow(path: string, isThere: boolean): void {
    if (!this.#stamps.has(path))
      this.#stamps.set(
        path,
        stampAt(path).then((stamp) => ((stamp !== GONE) === isThere ? stamp : undefined)),
      );
  }

  forget(path: string): void {
    this.#stamps.delete(path);
  }

  /** A file may have changed; it is read a moment later. */
  touch(path: string): void {
    this.#touched.add(path);
    this.#settle.schedule();
  }

  /** Reads the touched files without the usual wait. */
  async readTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    await this.read(paths);
  }

  /**
   * Reads files that have changed on disk since the last check.
   * @param paths all followed files if absent; files that are not followed are skipped
   */
  lookAgain(paths?: readonly string[]): Promise<void> {
    const look = async () => {
      for (const path of await this.#changed(paths ?? [...this.#stamps.keys()])) this.#touched.add(path);
      await this.readTouched();
    };
    return (this.#looking = this.#looking.then(look, look));
  }

  async #changed(paths: readonly string[]): Promise<string[]> {
    const changed: string[] = [];
    const look = async (path: string) => {
      const before = this.#stamps.get(path);
      if (before === undefined) return;
      const now = stampAt(path);
      const [seen, found] = await Promise.all([before, now]);
      if (seen !== undefined && seen === found) return;
      changed.push(path);
      if (this.#stamps.has(path)) this.#stamps.set(path, now);
    };
    await Promise.all(Array.from(new Set(paths), look));
    return changed;
  }
}

async function stampAt(path: string): Promise<string | undefined> {
  const since = Date.now() - TICK_MS;
  return lstat(path).then(
    (stats) => (stats.ctimeMs < since ? stampOf(stats) : undefined),
    () => GONE,
  );
}
