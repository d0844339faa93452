import * as vscode from 'vscode';
import { markedWindow } from './markedWindow';

/** A wait that takes longer is shown. Milliseconds. */
const PATIENCE_MS = 1_000;

export interface ShownWaitOptions {
  /** The user does not want to wait any longer. Without it there is no button. */
  readonly stop?: () => void;
  /** The notification is there, and can be told how far the work is. */
  readonly shown?: (progress: vscode.Progress<{ readonly message?: string; readonly increment?: number }>) => void;
}

/**
 * Waits for work that the user has asked for. Where it takes long, a notification says what Parley is doing.
 * @param title what is being done ("Undoing changes").
 */
export async function shownWait<T>(
  title: string,
  work: Promise<T>,
  { stop, shown }: ShownWaitOptions = {},
): Promise<T> {
  const timer = setTimeout(() => {
    void markedWindow.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: stop !== undefined },
      async (progress, token) => {
        if (stop) token.onCancellationRequested(stop);
        shown?.(progress);
        // The caller handles the failure.
        await work.catch(() => undefined);
      },
    );
  }, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
