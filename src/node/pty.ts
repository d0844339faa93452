import { spawn as spawnChild } from 'node:child_process';
import type { IPty } from 'node-pty';
import { Emitter, type Event } from '../base/event';
import { signalName } from './signals';

export interface PtyOptions {
  readonly cwd: string;
  /** The whole environment, not an overlay. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  /** `args` is one element of already quoted command line (Windows `cmd.exe /d /s /c "…"`). */
  readonly verbatim?: boolean;
}

/** How a command ended: an exit code, or the name of the signal that ended it ("SIGKILL"). */
export interface PtyExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A running command, on a pseudo-terminal or on pipes. Dispose nothing: it is over when `onExit` has fired. */
export interface PtyProcess {
  readonly pid: number;
  /** Text, with split characters already put together. */
  readonly onData: Event<string>;
  /** Fires once, after the last `onData`. */
  readonly onExit: Event<PtyExit>;
  write(data: string): void;
  resize(cols: number, rows: number): void;
}

/** A way to run commands. `isPty` is false where the native module cannot be loaded; `problem` then says why. */
export interface PtyBackend {
  readonly isPty: boolean;
  readonly problem?: string;
  /** @throws Error when the command cannot be started. */
  spawn(file: string, args: readonly string[], options: PtyOptions): PtyProcess;
}

/** Loads node-pty on first need; where its native module is missing, pipes serve behind the same interface. */
export async function loadPtyBackend(load: () => Promise<typeof import('node-pty')> = () => import('node-pty')): Promise<PtyBackend> {
  try {
    const module = await load();
    const { spawn } = 'spawn' in module ? module : (module as { default: typeof import('node-pty') }).default;
    return {
      isPty: true,
      spawn: (file, args, options) =>
        new NativePty(
          spawn(file, options.verbatim ? args.join(' ') : [...args], { cols: options.cols, rows: options.rows, cwd: options.cwd, env: { ...options.env } }),
        ),
    };
  } catch (error) {
    return { ...pipeBackend, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs commands on pipes: no colours, no input from a person, but the same output and exit. */
export const pipeBackend: PtyBackend = {
  isPty: false,
  spawn: (file, args, options) => new PipedProcess(file, args, options),
};

/** After the exit, the wait for output that the pseudo-terminal still holds ends at the first quiet moment … */
const QUIET_MS = 60;
/** … or here, when a process in the background keeps writing. */
const DRAIN_MS = 5_000;

class NativePty implements PtyProcess {
  private readonly data = new Emitter<string>();
  private readonly exit = new Emitter<PtyExit>();
  private lastData = 0;
  readonly onData = this.data.event;
  readonly onExit = this.exit.event;

  constructor(private readonly pty: IPty) {
    if (process.platform !== 'win32') this.drainBeforeClose();
    pty.onData((data) => {
      this.lastData++;
      this.data.fire(data);
    });
    pty.onExit(({ exitCode, signal }) => {
      this.exit.fire(signal ? { signal: signalName(signal) } : { exitCode: exitCode < 0 ? exitCode >>> 0 : exitCode });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /**
   * node-pty destroys its socket 200 ms after the process ended, whether or not everything has been read; a host that is
   * busy for a moment loses the end of the output. So the destruction waits for a quiet moment. This touches a private
   * field: where it is not there, node-pty's own rule stays.
   */
  private drainBeforeClose(): void {
    const socket = (this.pty as unknown as { _socket?: { destroy(): unknown } })._socket;
    if (typeof socket?.destroy !== 'function') return;
    const destroy = socket.destroy.bind(socket);
    let deadline = 0;
    const whenQuiet = (seen: number) => {
      if (this.lastData === seen || Date.now() > deadline) destroy();
      else wait();
    };
    // The poll phase of the event loop, where data is read, runs between a timer and `setImmediate`.
    const wait = () => {
      const seen = this.lastData;
      setTimeout(() => setImmediate(() => setImmediate(() => whenQuiet(seen))), QUIET_MS);
    };
    socket.destroy = () => {
      if (deadline === 0) {
        deadline = Date.now() + DRAIN_MS;
        wait();
      }
      return socket;
    };
  }

  write(data: string): void {
    this.pty.write(data);
  }

  resize(cols: number, rows: number): void {
    try {
      this.pty.resize(Math.max(2, Math.floor(cols)), Math.max(1, Math.floor(rows)));
    } catch {
      // The process may have ended between the event and this call; there is nothing left to resize.
    }
  }
}

class PipedProcess implements PtyProcess {
  private readonly data = new Emitter<string>();
  private readonly exit = new Emitter<PtyExit>();
  private readonly child;
  readonly onData = this.data.event;
  readonly onExit = this.exit.event;

  constructor(file: string, args: readonly string[], options: PtyOptions) {
    // Its own process group, so that it can be killed whole. Nobody can type: a program that reads gets the end of input.
    this.child = spawnChild(file, [...args], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim ?? false,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (data: string) => this.data.fire(data));
    }
    let over = false;
    const end = (exit: PtyExit) => {
      if (over) return;
      over = true;
      this.exit.fire(exit);
    };
    this.child.once('error', (error) => {
      this.data.fire(`${error.message}\n`);
      end({ exitCode: 127 });
    });
    const endAs = (code: number | null, signal: string | null) => end(signal ? { signal } : { exitCode: (code ?? 0) < 0 ? (code ?? 0) >>> 0 : (code ?? 0) });
    this.child.once('close', endAs);
    // A process in the background may hold the pipes open for ever.
    this.child.once('exit', (code, signal) => setTimeout(() => endAs(code, signal), QUIET_MS * 4).unref());
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  write(): void {
    // There is no input.
  }

  resize(): void {
    // Pipes have no size.
  }
}
