import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Disposable } from '../../../base/lifecycle';
import { type Clock, Coalescer } from '../../../base/scheduler';
import { stampOf, TICK_MS } from '../../../node/settledFiles';

/** Typing is looked at this often; a diff per key would be felt in a large file. */
const SETTLE_MS = 150;
const GONE = 'gone';

/**
 * Files with pending changes, and when they are read again. There is no watcher and no timer: documents tell of edits
 * by the user, and what other programs did is found when it matters.
 */
export class FollowedFiles extends Disposable {
  /** What each file looked like on disk; undefined if it changed at that very moment. */
  readonly #stamps = new Map<string, Promise<string | undefined>>();
  readonly #touched = new Set<string>();
  readonly #settle: Coalescer;
  #looking: Promise<void> = Promise.resolve();

  /** @param read takes over what has become of some files */
  constructor(
    clock: Clock,
    private readonly read: (paths: readonly string[]) => Promise<void>,
  ) {
    super();
    this.#settle = this.register(new Coalescer(clock, SETTLE_MS, () => void this.readTouched()));
    // Most of what happens behind the editor's back has happened when one of these comes.
    this.register(vscode.workspace.onDidCreateFiles(() => void this.lookAgain()));
    this.register(vscode.workspace.onDidDeleteFiles(() => void this.lookAgain()));
    this.register(vscode.window.onDidEndTerminalShellExecution(() => void this.lookAgain()));
    this.register(vscode.tasks.onDidEndTask(() => void this.lookAgain()));
    this.register(vscode.window.onDidChangeWindowState(({ focused }) => focused && void this.lookAgain()));
  }

  /** Follows a file from now on, of which Parley knows what it contains. @param isThere whether there is such a file */
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

  /** Something happened to a file; it is read a moment later. */
  touch(path: string): void {
    this.#touched.add(path);
    this.#settle.schedule();
  }

  /** Reads what was touched, without the usual wait. */
  async readTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    await this.read(paths);
  }

  /**
   * Reads what has changed on disk since the last look.
   * @param paths all where absent; those that are not followed are left out
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
