import * as l10n from '@vscode/l10n';
import type { InstallProgress } from '../../node/packageManager';
import type { AgentPackage } from '../../registry/packageNames';
import { bytesWords, progressWords } from '../agents/installWords';

/**
 * The progress of an installation, for a row that already names the agent. @returns `part` from 0 to 1, in hundredths
 */
export function rowProgress(
  progress: InstallProgress,
  item: AgentPackage,
): { readonly progress: string; readonly part?: number } {
  if (progress.step !== 'download' && progress.step !== 'packages') return { progress: progressWords(progress, item) };
  const { done, total } = progress;
  const part = done === undefined || !total ? {} : { part: Math.min(100, Math.floor((done / total) * 100)) / 100 };
  return {
    progress:
      progress.step === 'download'
        ? l10n.t('Downloading: {0}', bytesWords(progress.done, total))
        : packagesWords(progress.total, done),
    ...part,
  };
}

function packagesWords(total: number, done: number | undefined): string {
  if (done !== undefined) return l10n.t('Downloading: {0} of {1} packages', done, total);
  return total === 1 ? l10n.t('Downloading: 1 package') : l10n.t('Downloading: {0} packages', total);
}
