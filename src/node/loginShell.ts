import { homedir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from './environment';
import { ProgramError, runProgram } from './runProgram';

const shellTimeoutMs = 5_000;
const maxShellBytes = 1024 * 1024;

/** Asks the shell in `env` for its PATH as a login shell; `undefined` when it does not answer. */
export async function shellPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['SHELL'] ?? '';
  const shell = path.isAbsolute(named) ? named : '/bin/sh';
  // Profiles print banners, so the value stands between marks.
  const mark = `parley-${process.pid}`;
  // printf repeats its format for each argument; so written, it means the same in every shell.
  const args = ['-ilc', `printf '%s' '${mark}' "$PATH" '${mark}'`];
  // Tools that act on entering a folder (direnv, mise) find no repository in the home folder.
  const answer = runProgram(shell, args, { cwd: homedir(), env: childEnvironment(env) as NodeJS.ProcessEnv, timeoutMs: shellTimeoutMs, maxBytes: maxShellBytes, leavesDaemons: true });
  // A profile may fail, or leave something running, after the answer was given.
  const stdout = await answer.catch((error: unknown) => (error instanceof ProgramError ? error.stdout : Buffer.alloc(0)));
  const parts = stdout.toString('utf8').split(mark);
  return parts.length === 3 && parts[1] ? parts[1] : undefined;
}
