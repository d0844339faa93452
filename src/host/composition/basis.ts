import path from 'node:path';
import type * as vscode from 'vscode';
import type { Clock } from '../../base/scheduler';
import type { Watchdog } from '../../node/watchdog';
import type { WindowSaves } from '../changes/disk/saveAnnouncer';
import type { FileState } from '../storage/fileState';
import type { StorageTrouble } from '../storage/storageTrouble';

/** What every part of the window is made with. */
export interface Basis {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** Folder of what this window keeps, absolute. */
  readonly storage: string;
  readonly state: FileState;
  /** What cannot be written to that folder now. */
  readonly trouble: StorageTrouble;
  readonly watchdog: Watchdog;
  readonly saves: WindowSaves;
  /** Disposes something with the window. */
  own<T extends vscode.Disposable>(item: T): T;
}

/** Where sessions work when no folder is open; absolute. */
export function scratchFolder({ globalStorageUri }: vscode.ExtensionContext): string {
  return path.join(globalStorageUri.fsPath, 'scratch');
}
