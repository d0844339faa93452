import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/**
 * Renames a file, also over an existing one. Windows refuses that while another program, such as a virus scanner or a
 * second window, has one of them open; most often only for a moment.
 * @throws what the file system throws at last
 */
export async function renameFile(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') return (await import('./untilFree')).untilFree(() => rename(from, to));
  return rename(from, to);
}

/** The same at once, for the end of a window. */
export function renameFileSync(from: string, to: string, call: typeof renameSync = renameSync): void {
  for (const ms of pausesMs)
    try {
      return call(from, to);
    } catch (error) {
      if (!isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  call(from, to);
}

/** Before each further try. */
export const pausesMs = [10, 20, 40, 80, 160];

/** True for an error of Windows that may pass. */
export function isBusy(error: unknown): boolean {
  return process.platform === 'win32' && /^E(?:PERM|ACCES|BUSY)$/.test((error as NodeJS.ErrnoException).code!);
}
