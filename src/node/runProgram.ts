import { spawn } from 'node:child_process';
import { killProcessTree } from './processTree';
import { programWatch } from './programWatch';
import { TREE_VARIABLE, processTag } from './processTag';

/** Bytes of the end of stderr for an error. */
const MAX_STDERR = 4_096;

export interface ProgramOptions {
  /** Absolute; never a folder of a repository, whose files could influence the program. */
  readonly cwd: string;
  /** The whole environment, not an overlay. */
  readonly env: NodeJS.ProcessEnv;
  /** The program is ended after this, ms. */
  readonly timeoutMs: number;
  /** The program is ended once its stdout is longer. Bytes. */
  readonly maxBytes: number;
  /** Private memory of the program, if the system has such a limit (Linux). MiB. */
  readonly maxMemory?: number;
  /** Written to its stdin, which then ends. */
  readonly input?: string | Buffer;
  /** Processes that the program leaves on purpose stay, such as the agents that a login shell starts for the user. */
  readonly leavesDaemons?: boolean;
}

/** Why a program gave no answer. `failed`: by an exit code, or by a signal if there is none. */
export type ProgramFailure = 'notFound' | 'timedOut' | 'tooMuchOutput' | 'failed';

/** A helper program gave no reliable answer. `stdout` is its output so far. */
export class ProgramError extends Error {
  constructor(
    readonly reason: ProgramFailure,
    message: string,
    readonly stdout: Buffer,
    readonly exitCode?: number,
  ) {
    super(message);
    this.name = 'ProgramError';
  }
}

/**
 * Runs a helper program to its end and returns its stdout. This is the only way in which Parley runs programs of its
 * own choice (git, ripgrep, a login shell): from an absolute path, in its own process group, within limits of time,
 * output and memory.
 * @param file absolute; see `findProgram`.
 * @throws ProgramError
 */
export async function runProgram(file: string, args: readonly string[], options: ProgramOptions): Promise<Buffer> {
  const windows = process.platform === 'win32';
  const mark = options.leavesDaemons === true ? undefined : (programWatch()?.mark ?? processTag)();
  const [command, ...words] = withMemoryLimit(file, args, options.maxMemory);
  const child = spawn(command!, words, {
    cwd: options.cwd,
    env: { ...options.env, [TREE_VARIABLE]: mark },
    stdio: 'pipe',
    detached: !windows,
    windowsHide: true,
  });
  const { pid } = child;
  const watched = pid === undefined ? undefined : programWatch()?.watchdog.watch(pid);
  const chunks: Buffer[] = [];
  let length = 0;
  let stderr = '';
  return new Promise<Buffer>((resolve, reject) => {
    let isOver = false;
    const end = (reason?: ProgramFailure, why = '', exitCode?: number) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const stdout = Buffer.concat(chunks);
      if (reason === undefined) resolve(stdout);
      else reject(new ProgramError(reason, `${file} ${why}`, stdout, exitCode));
    };
    const stop = (reason: ProgramFailure, why: string) => {
      end(reason, why);
      for (const stream of child.stdio) stream?.destroy();
      void (pid === undefined ? undefined : killProcessTree(pid, { graceMs: 0, mark }))?.finally(() =>
        watched?.dispose(),
      );
    };
    const timer = setTimeout(
      () => stop('timedOut', `gave no answer in ${options.timeoutMs / 1_000} s and was ended`),
      options.timeoutMs,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      if (isOver) return;
      length += chunk.length;
      if (length > options.maxBytes) stop('tooMuchOutput', `said more than ${options.maxBytes} bytes and was ended`);
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR)));
    child.once('error', (error: NodeJS.ErrnoException) => {
      end(
        error.code === 'ENOENT' || error.code === 'EACCES' ? 'notFound' : 'failed',
        `could not be started: ${error.message}`,
      );
      watched?.dispose();
    });
    child.once('close', (code, signal) => {
      if (!isOver) watched?.dispose();
      const said = stderr.trim() === '' ? '' : `: ${stderr.trim()}`;
      if (code === 0) end();
      // The exit codes of a shell for a program that it cannot run.
      else if (code === 127 || code === 126) end('notFound', `could not be started${said}`, code);
      else
        end(
          'failed',
          `${code === null ? `was ended by ${signal}` : `ended with code ${code}`}${said}`,
          code ?? undefined,
        );
    });
    // A program that ends before it has read everything gives its reason by its exit.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
}

/** Only Linux counts a program's private memory against such a limit. */
function withMemoryLimit(file: string, args: readonly string[], mebibytes: number | undefined): readonly string[] {
  if (process.platform !== 'linux' || mebibytes === undefined) return [file, ...args];
  return ['/bin/sh', '-c', `ulimit -d ${mebibytes * 1024} 2>/dev/null; exec "$0" "$@"`, file, ...args];
}
