import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';

/** Parley could not back up a file before changing it, so the file stays unchanged. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';

  /** @param folder of the backup. @param cause the error of the file system. */
  constructor(folder: string, cause: unknown) {
    super(wordsFor(folder, cause), { cause });
  }
}

/** The same error, or that of the file system in words. */
export function notStored(folder: string, cause: unknown): NotStoredError {
  return cause instanceof NotStoredError ? cause : new NotStoredError(folder, cause);
}

function wordsFor(folder: string, cause: unknown): string {
  switch ((cause as NodeJS.ErrnoException | undefined)?.code) {
    case 'ENOSPC':
      return l10n.t(
        'Parley can’t back up the current content: the disk with its storage is full. Make room on the disk of ' +
          '{0}, then try again.',
        folder,
      );
    case 'EDQUOT':
      return l10n.t(
        'Parley can’t back up the current content: your disk quota is used up. Make room on the disk of {0}, then ' +
          'try again.',
        folder,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return l10n.t(
        'Parley can’t back up the current content: no permission to write to its storage. Check the permissions of ' +
          '{0}, then try again.',
        folder,
      );
    default:
      return l10n.t(
        'Parley can’t back up the current content: {0}. Check {1}, then try again.',
        messageOf(cause),
        folder,
      );
  }
}
