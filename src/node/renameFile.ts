import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';

/** Pauses before each further try. Milliseconds. */
const PAUSES_MS = [10, 20, 40, 80, 160];

export interface RenameOptions {
  readonly platform?: NodeJS.Platform;
  readonly pause?: (ms: number) => unknown;
}

/**
 * Renames a file, also over an existing one. Windows refuses that while another program, such as a virus scanner or a
 * second window, has one of them open; most often only for a moment.
 * @throws what the file system throws at last
 */
export async function renameFile(
  from: string,
  to: string,
  call: (from: string, to: string) => unknown = rename,
  { platform = process.platform, pause = wait }: RenameOptions = {},
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await call(from, to);
      return;
    } catch (error) {
      if (!isBusy(error, platform) || attempt === PAUSES_MS.length) throw error;
      await pause(PAUSES_MS[attempt]!);
    }
  }
}

/** The same at once, for the end of a window. */
export function renameFileSync(
  from: string,
  to: string,
  call: (from: string, to: string) => void = renameSync,
  { platform = process.platform, pause = waitSync }: RenameOptions = {},
): void {
  for (let attempt = 0; ; attempt++) {
    try {
      call(from, to);
      return;
    } catch (error) {
      if (!isBusy(error, platform) || attempt === PAUSES_MS.length) throw error;
      pause(PAUSES_MS[attempt]!);
    }
  }
}

function isBusy(error: unknown, platform: NodeJS.Platform): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return platform === 'win32' && (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY');
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function waitSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
