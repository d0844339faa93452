/** What Parley has to keep before it changes a file could not be written, so the file stays as it is. */
export class NotKeptError extends Error {
  override readonly name = 'NotKeptError';

  /** @param folder where it should have been kept. @param cause what the file system threw. */
  constructor(folder: string, cause: unknown) {
    super(`Parley cannot keep a copy of what is there: ${reasonOf(cause)}. ${adviceOn(cause, folder)}, then try again.`, { cause });
  }
}

/** The same error, or that of the file system in words. */
export function notKept(folder: string, cause: unknown): NotKeptError {
  return cause instanceof NotKeptError ? cause : new NotKeptError(folder, cause);
}

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code === 'ENOSPC') return 'the disk with its storage is full';
  if (code === 'EDQUOT') return 'your disk quota is used up';
  if (isRefusal(code)) return 'it may not write to its storage';
  return cause instanceof Error ? cause.message : String(cause);
}

function adviceOn(cause: unknown, folder: string): string {
  const code = codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') return `Make room on the disk of ${folder}`;
  return isRefusal(code) ? `Check the permissions of ${folder}` : `Check ${folder}`;
}

function isRefusal(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
}

function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | undefined)?.code;
}
