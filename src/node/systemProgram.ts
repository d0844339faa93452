import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** An answer that takes longer, ms, or is longer, bytes, is no answer. */
const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Runs a program of the system itself, from where the system has it: PATH is not asked. What ends process trees needs
 * these, so they are not watched themselves (`runProgram`).
 * @returns what it said, "" where it failed.
 */
export function systemProgram(name: 'ps' | 'taskkill', args: readonly string[]): Promise<string> {
  const windows = process.env['SystemRoot'] ?? 'C:\\Windows';
  const [file, cwd] = name === 'ps' ? ['/bin/ps', '/'] : [join(windows, 'System32', 'taskkill.exe'), windows];
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, windowsHide: true, killSignal: 'SIGKILL' },
      (_error, stdout) => resolve(stdout),
    );
  });
}
