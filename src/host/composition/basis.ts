import type * as vscode from 'vscode';
import type { Clock } from '../../base/scheduler';
import type { Watchdog } from '../../node/watchdog';
import type { FileState } from '../storage/fileState';
import type { StorageTrouble } from '../storage/storageTrouble';

/** Where the window keeps what outlives it. */
export interface OwnStorage {
  /** Absolute. */
  readonly folder: string;
  readonly state: FileState;
  /** What cannot be written to the folder now. */
  readonly trouble: StorageTrouble;
}

/** What every part of the window is made with. */
export interface Basis {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  readonly storage: OwnStorage;
  readonly watchdog: Watchdog;
  /** Disposes something with the window. */
  own<T extends vscode.Disposable>(item: T): T;
}
