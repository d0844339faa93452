import type { CancellationToken } from '../base/cancellation';
import type { LookupEnvironment } from './findProgram';
import { InstallFailure } from './installFailure';
import { killProcessTree } from './processTree';
import { programSpawner } from './programSpawner';
import { TextTail } from './textTail';
import { TREE_VARIABLE } from './processTag';
import type { Watchdog } from './watchdog';

/** The program of a package manager. */
export interface ManagerProgram {
  /** Absolute. */
  readonly command: string;
  /** Before those of a run. */
  readonly args: readonly string[];
  /** The whole environment, without variables by which a project could configure the manager. */
  readonly env: LookupEnvironment;
}

/** Ends a package manager and all processes that it starts. */
export interface ManagerTree {
  /** From `processTag()`; a new one for each run. */
  readonly mark: () => string;
  readonly watchdog?: Watchdog | undefined;
}

export interface ManagerRun {
  /** A folder of ours without a project's configuration. */
  readonly cwd: string;
  readonly token: CancellationToken;
  readonly tree: ManagerTree;
  /** Gets each line of stderr, which has its log. */
  readonly onLine?: (line: string) => void;
}

/** The end of a run. `exit` is a code, or the signal if there is none. */
export interface ManagerEnd {
  readonly exit: number | string | null;
  readonly stdout: string;
  /** The end of stderr. */
  readonly stderr: string;
}

/**
 * Runs a package manager to its end, successful or not; cancelling ends it and all processes that it started.
 * @throws InstallFailure `cancelled`; the system's error if it cannot be started.
 */
export async function runManager(
  { command, args: first, env }: ManagerProgram,
  args: readonly string[],
  { cwd, token, tree, onLine }: ManagerRun,
): Promise<ManagerEnd> {
  const spawn = await programSpawner();
  if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
  const mark = tree.mark();
  const child = spawn(command, [...first, ...args], {
    cwd,
    env: { ...env, [TREE_VARIABLE]: mark } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const watched = child.pid === undefined ? undefined : tree.watchdog?.watch(child.pid);
  const tail = new TextTail(8 * 1024);
  let [stdout, rest] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => {
    const lines = (rest + tail.write(chunk)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine?.(line);
  });
  let killed: Promise<void> | undefined;
  const listener = token.onCancellationRequested(
    () => (killed = killProcessTree(child.pid ?? 0, { graceMs: 500, mark })),
  );
  try {
    const exit = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    onLine?.(rest);
    await killed;
    if (token.isCancellationRequested) throw new InstallFailure({ kind: 'cancelled' });
    return { exit, stdout, stderr: tail.text };
  } finally {
    listener.dispose();
    watched?.dispose();
  }
}
