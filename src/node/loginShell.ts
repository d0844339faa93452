import { homedir } from 'node:os';
import path from 'node:path';
import { type Clock, waitAtMost } from '../base/scheduler';
import { childEnvironment, type PathMemory } from './environment';
import { ProgramError, runProgram } from './runProgram';

/** A profile that takes longer than this is not waited for where the PATH of last time is known. Milliseconds. */
const PATIENCE_MS = 1_000;

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
  const answer = runProgram(shell, args, {
    cwd: homedir(),
    env: childEnvironment(env) as NodeJS.ProcessEnv,
    timeoutMs: shellTimeoutMs,
    maxBytes: maxShellBytes,
    leavesDaemons: true,
  });
  // A profile may fail, or leave something running, after the answer was given.
  const stdout = await answer.catch((error: unknown) =>
    error instanceof ProgramError ? error.stdout : Buffer.alloc(0),
  );
  const parts = stdout.toString('utf8').split(mark);
  return parts.length === 3 && parts[1] ? parts[1] : undefined;
}

/** The answer of a shell, or what it said last time if that takes long; what is new is kept for the next window. */
export async function soonOrKnown(
  asked: Promise<string | undefined>,
  { known, keep }: PathMemory,
  clock: Clock,
): Promise<string | undefined> {
  void asked.then((found) => found !== undefined && found !== known && keep(found));
  if (known === undefined) return asked;
  return (await waitAtMost(clock, PATIENCE_MS, asked)) ? ((await asked) ?? known) : known;
}
