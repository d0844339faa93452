import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import * as vscode from 'vscode';
import { Disposable, type IDisposable, toDisposable } from '../../../base/lifecycle';
import type { Clock } from '../../../base/scheduler';
import { isWithin, pathKey } from '../../files/pathPolicy';

/** VS Code's watcher drops an event now and then when several fall together; a look at this pace finds what it missed. Milliseconds. */
const LOOK_MS = 2_000;
/** Files of one such look. With more, each is looked at less often. */
const LOOKS_AT_ONCE = 100;

interface Followed {
  readonly path: string;
  readonly base: string;
  users: number;
  /** When it began, ms since the epoch. */
  readonly since: number;
  /** Size and time of the last look; undefined before the first one. */
  stamp: string | undefined;
}

interface Watcher {
  readonly watcher: IDisposable;
  files: number;
}

/**
 * Tells of changes on disk of any number of files, wherever they lie: one watcher for each folder of the workspace, one for
 * each other folder with such files, and one slow look for all that these miss.
 */
export class FollowedFiles extends Disposable {
  private readonly files = new Map<string, Followed>();
  private readonly watchers = new Map<string, Watcher>();
  private timer: IDisposable | undefined;
  /** Files that are still to be looked at in this round. */
  private round: Followed[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly changed: (path: string) => void,
  ) {
    super();
    this.register(toDisposable(() => this.timer?.dispose()));
    this.register(toDisposable(() => this.watchers.forEach(({ watcher }) => watcher.dispose())));
  }

  /** Follows a file until the result is disposed. */
  follow(path: string): IDisposable {
    const key = pathKey(path);
    let file = this.files.get(key);
    if (!file) {
      this.files.set(key, (file = { path, base: baseOf(path), users: 0, since: Date.now(), stamp: undefined }));
      this.watch(file.base);
      this.timer ??= this.clock.setTimeout(() => void this.look(), LOOK_MS);
    }
    file.users++;
    return toDisposable(() => {
      if (--file.users > 0) return;
      this.files.delete(key);
      this.unwatch(file.base);
    });
  }

  private watch(base: string): void {
    const known = this.watchers.get(base);
    if (known) {
      known.files++;
      return;
    }
    const pattern = new vscode.RelativePattern(vscode.Uri.file(base), isInWorkspace(base) ? '**/*' : '*');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    watcher.onDidCreate((uri) => this.tell(uri));
    watcher.onDidChange((uri) => this.tell(uri));
    watcher.onDidDelete((uri) => this.gone(uri));
    this.watchers.set(base, { watcher, files: 1 });
  }

  private unwatch(base: string): void {
    const known = this.watchers.get(base);
    if (!known || --known.files > 0) return;
    known.watcher.dispose();
    this.watchers.delete(base);
  }

  private tell(uri: vscode.Uri): boolean {
    const file = this.files.get(pathKey(uri.fsPath));
    if (file) this.changed(file.path);
    return file !== undefined;
  }

  /** A folder that is gone is told of alone. */
  private gone(uri: vscode.Uri): void {
    if (this.tell(uri)) return;
    for (const { path } of this.files.values()) if (isWithin(path, uri.fsPath)) this.changed(path);
  }

  private async look(): Promise<void> {
    if (this.round.length === 0) this.round = [...this.files.values()];
    await Promise.all(
      this.round.splice(0, LOOKS_AT_ONCE).map(async (file) => {
        const stats = await stat(file.path).catch(() => undefined);
        const stamp = stats ? `${stats.mtimeMs} ${stats.size}` : 'gone';
        // Before the first look only its time tells whether it has changed since.
        const isChanged = file.stamp === undefined ? !stats || stats.mtimeMs >= file.since : file.stamp !== stamp;
        file.stamp = stamp;
        if (isChanged && file.users > 0) this.changed(file.path);
      }),
    );
    this.timer = undefined;
    if (this.files.size > 0 && !this.store.isDisposed) this.timer = this.clock.setTimeout(() => void this.look(), LOOK_MS);
  }
}

/** The folder that is watched for a file. */
function baseOf(path: string): string {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' && isWithin(path, uri.fsPath))?.uri.fsPath ?? nodePath.dirname(path);
}

function isInWorkspace(folder: string): boolean {
  return vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file' && uri.fsPath === folder) === true;
}
