import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** Limits of an answer: time in ms, and bytes. */
const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Runs a program of the system itself at the system's own path: PATH is not used. Ending process trees needs these
 * programs, so they are not watched themselves (`runProgram`).
 * @returns its output, in English; "" if it failed.
 */
export function systemProgram(name: 'ps' | 'taskkill', args: readonly string[]): Promise<string> {
  const windows = process.env['SystemRoot'] ?? 'C:\\Windows';
  const [file, cwd] = name === 'ps' ? ['/bin/ps', '/'] : [join(windows, 'System32', 'taskkill.exe'), windows];
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      {
        cwd,
        // Dates of `ps` are in the user's language otherwise.
        env: { ...process.env, LC_ALL: 'C' },
        timeout: TIMEOUT_MS,
        maxBuffer: MAX_OUTPUT,
        windowsHide: true,
        killSignal: 'SIGKILL',
      },
      (_error, stdout) => resolve(stdout),
    );
  });
}
