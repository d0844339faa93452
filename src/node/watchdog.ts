import { type ChildProcess, spawn } from 'node:child_process';
import type { IDisposable } from '../base/lifecycle';
import { hostTag } from './processTag';

/**
 * A shell script that follows the lines of `Watchdog.tell`, and becomes the program that ends trees once the pipe is
 * closed for any reason. So a window pays for one small shell, not for a second Node.
 */
export const FOLLOW = `trap '' HUP INT TERM
live=' '
while read -r op tree; do
  case $op in
    +) live="$live$tree " ;;
    -) case $live in *" $tree "*) live=\${live%%" $tree "*}' '\${live#*" $tree "} ;; esac ;;
  esac
done
exec "$0" "$1" "$2" $live`;

/** A tree that the watchdog knows; disposed once all of it has ended. */
export interface WatchedTree extends IDisposable {
  /** Its leader has ended and may have left processes behind: from now on its pid alone proves nothing. */
  leaderGone(): void;
}

/**
 * Ends the processes of agents and their commands when this process no longer can: after SIGKILL, a crash, or an end
 * without enough time. It is a separate process, started with the first tree, that notices when its pipe is closed.
 */
export class Watchdog implements IDisposable {
  #child: ChildProcess | undefined;
  readonly #live = new Set<string>();
  #disposed = false;

  /** @param program the built `watchdogMain.ts`, which `process.execPath` can run */
  constructor(private readonly program: string) {}

  /** The watchdog's own process, for tests. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** @param pid the leader of its own process group (or terminal session) */
  watch(pid: number): WatchedTree {
    let token = String(pid);
    this.#add(token);
    return {
      leaderGone: () => {
        if (!this.#live.has(token)) return;
        this.#remove(token);
        token = `${pid}~${Date.now()}`;
        this.#add(token);
      },
      dispose: () => this.#remove(token),
    };
  }

  /** Ends all watched trees. */
  dispose(): void {
    this.#disposed = true;
    this.#child?.stdin?.end();
  }

  #add(token: string): void {
    if (this.#disposed) return;
    this.#live.add(token);
    if (this.#child) this.#tell(`+ ${token}`);
    else this.#start();
  }

  #remove(token: string): void {
    if (this.#live.delete(token)) this.#tell(`- ${token}`);
  }

  #tell(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }

  #start(): void {
    const windows = process.platform === 'win32';
    // Only necessary variables: it must have no mark itself, or one watchdog would end another.
    const inherited = ['PATH', 'Path', 'SystemRoot', 'windir', 'TEMP', 'TMP'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
    );
    const child = spawn(
      windows ? process.execPath : '/bin/sh',
      windows ? [this.program, hostTag] : ['-c', FOLLOW, process.execPath, this.program, hostTag],
      {
        cwd: windows ? undefined : '/',
        env: { ...Object.fromEntries(inherited), ELECTRON_RUN_AS_NODE: '1' },
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
        windowsHide: true,
      },
    );
    this.#child = child;
    const gone = () => {
      // The next tree starts a new one, which gets all trees.
      if (this.#child === child) this.#child = undefined;
    };
    child.once('error', gone);
    child.once('exit', gone);
    child.stdin.on('error', () => undefined);
    child.unref();
    for (const token of this.#live) this.#tell(`+ ${token}`);
  }
}
