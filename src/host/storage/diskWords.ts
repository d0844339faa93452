import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/errorText';

/**
 * Why the disk cannot write or read, in words that follow a colon.
 * @param error the error of the file system
 */
export function wordsFor(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
      return l10n.t('the disk is full');
    case 'EDQUOT':
      return l10n.t('your disk quota is used up');
    case 'EROFS':
      return l10n.t('the disk is read-only');
    case 'EACCES':
    case 'EPERM':
      return l10n.t('permission denied');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return l10n.t('its folder is gone');
    case 'EISDIR':
      return l10n.t('a folder is in its place');
    case 'EIO':
    case 'ENXIO':
    case 'ENODEV':
      return l10n.t('the disk reports an error');
    case 'EMFILE':
    case 'ENFILE':
      return l10n.t('too many files are open');
    default:
      return messageOf(error);
  }
}

/** Advice for the user. @param path of the folder or file, absolute */
export function remedyFor(error: unknown, path: string): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('Make room on the disk of {0}.', path);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return l10n.t('Check the permissions of {0}.', path);
    case 'EMFILE':
    case 'ENFILE':
      return l10n.t('Close other windows or programs.');
    default:
      return l10n.t('Check {0}.', path);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
