import { homedir } from 'node:os';
import path from 'node:path';
import { type Clock, waitAtMost } from '../base/scheduler';
import { childEnvironment, type PathMemory } from './environment';
import { ProgramError, runProgram } from './runProgram';

/** A slow profile is only awaited this long if the PATH of the last time is known. Milliseconds. */
const PATIENCE_MS = 1_000;

const shellTimeoutMs = 5_000;
const maxShellBytes = 1024 * 1024;

/** Asks the shell in `env` for its PATH as a login shell; `undefined` if it does not answer. */
export async function shellPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['SHELL'] ?? '';
  const shell = path.isAbsolute(named) ? named : '/bin/sh';
  // Profiles print banners, so the value is between marks.
  const mark = `parley-${process.pid}`;
  const args = questionFor(path.basename(shell), mark);
  // Tools that act on entering a folder (direnv, mise) find no repository in the home folder.
  const answer = runProgram(shell, args, {
    cwd: homedir(),
    env: childEnvironment(env) as NodeJS.ProcessEnv,
    timeoutMs: shellTimeoutMs,
    maxBytes: maxShellBytes,
    leavesDaemons: true,
  });
  // A profile may fail, or leave a process running, after the answer.
  const stdout = await answer.catch((error: unknown) =>
    error instanceof ProgramError ? error.stdout : Buffer.alloc(0),
  );
  const parts = stdout.toString('utf8').split(mark);
  const [, found = ''] = parts.length === 3 ? parts : [];
  // A shell that reads another language may answer something else.
  return found.split(':').some((folder) => folder.startsWith('/')) ? found : undefined;
}

/** The arguments for a login shell to write its PATH between two marks. */
function questionFor(shell: string, mark: string): readonly string[] {
  if (shell.startsWith('pwsh')) return ['-Login', '-Command', `'${mark}' + $env:PATH + '${mark}'`];
  if (shell === 'nu') return ['-i', '-l', '-c', `'${mark}' + ($env.PATH | str join ':') + '${mark}'`];
  // printf repeats its format for each argument; this form means the same in every other shell.
  const line = `printf '%s' '${mark}' "$PATH" '${mark}'`;
  // These refuse `-l` beside other options, and read the PATH of a login shell anyway.
  return /^t?csh$/.test(shell) ? ['-ic', line] : ['-i', '-l', '-c', line];
}

/** The shell's answer, or the stored one if that takes long; a late answer is stored for the next window. */
export async function soonOrKnown(
  asked: Promise<string | undefined>,
  { known, keep }: PathMemory,
  clock: Clock,
): Promise<string | undefined> {
  void asked.then((found) => found !== undefined && found !== known && keep(found));
  if (known === undefined) return asked;
  return (await waitAtMost(clock, PATIENCE_MS, asked)) ? ((await asked) ?? known) : known;
}
