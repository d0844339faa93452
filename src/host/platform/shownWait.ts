import * as vscode from 'vscode';
import { markedWindow } from './markedWindow';

/** Longer waits show a notification. Milliseconds. */
const PATIENCE_MS = 1_000;

export interface ShownWaitOptions {
  /** Called when the user cancels. Without it there is no button. */
  readonly stop?: () => void;
  /** Called with the notification's progress, once it is shown. */
  readonly shown?: (progress: vscode.Progress<{ readonly message?: string; readonly increment?: number }>) => void;
}

/**
 * Waits for work that the user requested. If it takes long, a notification shows what Parley is doing.
 * @param title of the work ("Undoing changes").
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
