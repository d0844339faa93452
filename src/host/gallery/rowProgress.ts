import type { InstallProgress } from '../../node/packageManager';
import type { AgentPackage } from '../../registry/packageNames';
import { bytesWords, progressWords } from '../agents/installWords';

/** How far an installation is, for a row that names the agent already. @returns `part` from 0 to 1, in hundredths */
export function rowProgress(progress: InstallProgress, item: AgentPackage): { readonly progress: string; readonly part?: number } {
  if (progress.step !== 'download' && progress.step !== 'packages') return { progress: progressWords(progress, item) };
  const { done, total } = progress;
  const words = progress.step === 'download' ? bytesWords(progress.done, total) : `${done === undefined ? total : `${done} of ${total}`} packages`;
  const part = done === undefined || !total ? {} : { part: Math.min(100, Math.floor((done / total) * 100)) / 100 };
  return { progress: `Downloading: ${words}`, ...part };
}
