import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../base/numberText';
import { markedWindow } from './markedWindow';

const REPORT_MS = 100;
/** With fewer files, long work is a question to the user. */
const MANY = 20;

/**
 * Runs work over many files. If it takes long, a notification shows its progress, with a button to stop it.
 * @param title of the work ("Undoing changes").
 * @param work calls its step before each file; false: stop here.
 */
export async function longWork(
  title: string,
  files: number,
  work: (step: () => boolean) => Promise<void>,
): Promise<void> {
  if (files < MANY) return work(() => true);
  let done = 0;
  let isStopped = false;
  let report = (): void => {};
  const ended = work(() => {
    if (!isStopped) done++;
    report();
    return !isStopped;
  });
  await shownWait(title, ended, {
    stop: () => (isStopped = true),
    shown: (progress) => {
      let told = 0;
      let toldAt = 0;
      report = () => {
        if (performance.now() - toldAt < REPORT_MS) return;
        progress.report({
          increment: (100 * (done - told)) / files,
          message: l10n.t('{0} of {1} files', numberText(done), numberText(files)),
        });
        told = done;
        toldAt = performance.now();
      };
      report();
    },
  });
}

/** Longer waits show a notification. Milliseconds. */
const PATIENCE_MS = 1_000;

interface ShownWaitOptions {
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
