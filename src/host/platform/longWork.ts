import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { markedWindow } from './markedWindow';

/** Work that takes longer is shown, and can be stopped. Milliseconds. */
const PATIENCE_MS = 1_000;
const REPORT_MS = 100;
/** With fewer files it is a question to the user that takes long. */
const MANY = 20;

/**
 * Runs work over many files. Where it takes long a notification tells how far it is, with a button to stop it.
 * @param title what is being done ("Undoing changes").
 * @param work calls its step before each file; false: stop here.
 */
export async function longWork(title: string, files: number, work: (step: () => boolean) => Promise<void>): Promise<void> {
  if (files < MANY) return work(() => true);
  let done = 0;
  let isStopped = false;
  let report = (): void => {};
  const ended = work(() => {
    if (!isStopped) done++;
    report();
    return !isStopped;
  });
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void markedWindow.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => (isStopped = true));
      let told = 0;
      let toldAt = 0;
      report = () => {
        if (performance.now() - toldAt < REPORT_MS) return;
        progress.report({ increment: (100 * (done - told)) / files, message: l10n.t('{0} of {1} files', done.toLocaleString('en'), files.toLocaleString('en')) });
        told = done;
        toldAt = performance.now();
      };
      report();
      // How it ended is told to whoever asked for the work.
      await ended.catch(() => undefined);
    });
  }, PATIENCE_MS);
  try {
    await ended;
  } finally {
    clearTimeout(timer);
  }
}
