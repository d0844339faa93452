import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/numberText';
import { shownWait } from './shownWait';

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
