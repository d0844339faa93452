import { spawn as spawnChild } from 'node:child_process';
import { existsSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { IPty } from 'node-pty';
import { messageOf } from '../base/errorText';
import { Emitter, type Event } from '../base/event';
import { ProgramError, runProgram } from './runProgram';
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

/** The end of a command: an exit code, or the name of the signal that ended it ("SIGKILL"). */
export interface PtyExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A running command, on a pseudo-terminal or on pipes. It needs no dispose: it is over when `onExit` has fired. */
export interface PtyProcess {
  /** 0 during `starting`. */
  readonly pid: number;
  /** Resolves once the pid is known, or the process could not be started; undefined if it is known at once. */
  readonly starting?: Promise<void> | undefined;
  /** Text; split characters are already joined. */
  readonly onData: Event<string>;
  /** Fires once, after the last `onData`. */
  readonly onExit: Event<PtyExit>;
  write(data: string): void;
  resize(cols: number, rows: number): void;
}

/** A way to run commands. `isPty` is false if the native module cannot be loaded; `problem` is the reason. */
export interface PtyBackend {
  readonly isPty: boolean;
  readonly problem?: string;
  /** @throws Error if the command cannot be started. */
  spawn(file: string, args: readonly string[], options: PtyOptions): PtyProcess;
}

/**
 * Loads node-pty on first need; if it is missing, as in the package for Alpine, or damaged, pipes replace it behind the
 * same interface.
 * @param folder the extension's, absolute: another process tries the module first, since a damaged one ends its
 * process. Without it nothing is tried.
 */
export async function loadPtyBackend(
  folder?: string,
  load: () => Promise<typeof import('node-pty')> = () => import('node-pty'),
): Promise<PtyBackend> {
  try {
    if (folder !== undefined) {
      if (!existsSync(join(folder, 'node_modules/node-pty')))
        throw new Error(`this package of Parley has none for ${process.platform}-${process.arch}`);
      await tryElsewhere(folder);
    }
    const module = await load();
    const { spawn } = 'spawn' in module ? module : (module as { default: typeof import('node-pty') }).default;
    return {
      isPty: true,
      spawn: (file, args, options) =>
        new NativePty(
          spawn(file, options.verbatim ? args.join(' ') : [...args], {
            cols: options.cols,
            rows: options.rows,
            cwd: options.cwd,
            env: { ...options.env },
            encoding: null,
          }),
        ),
    };
  } catch (error) {
    return { ...pipeBackend, problem: messageOf(error) };
  }
}

/** @throws Error if the module cannot be loaded, or ends the process that loads it */
async function tryElsewhere(folder: string): Promise<void> {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  try {
    await runProgram(process.execPath, ['-e', 'require("node-pty")'], {
      cwd: folder,
      env,
      timeoutMs: TRY_MS,
      maxBytes: 64 * 1024,
    });
  } catch (error) {
    // A slow machine, or one that cannot start the process, does not prove that the module is damaged.
    if (error instanceof ProgramError && error.reason === 'failed') throw error;
  }
}

/** Runs commands on pipes: no colours, no input from a user, but the same output and exit. */
export const pipeBackend: PtyBackend = {
  isPty: false,
  spawn: (file, args, options) => new PipedProcess(file, args, options),
};

/** Loading takes a fraction of this. */
const TRY_MS = 10_000;

/** More than a pseudo-terminal ever buffers; a background process that keeps writing is cut off there. Bytes. */
const MAX_REST = 1024 * 1024;

class NativePty implements PtyProcess {
  readonly #data = new Emitter<string>();
  readonly #exit = new Emitter<PtyExit>();
  readonly #decoder = new StringDecoder('utf8');
  readonly onData = this.#data.event;
  readonly onExit = this.#exit.event;
  readonly starting: Promise<void> | undefined;

  constructor(private readonly pty: IPty) {
    if (!(pty.pid > 0)) this.starting = this.#start();
    if (process.platform !== 'win32') this.#readRestBeforeClose();
    pty.onData((data) => this.#take(data));
    pty.onExit(({ exitCode, signal }) => {
      this.#fire(this.#decoder.end());
      this.#exit.fire(signal ? { signal: signalName(signal) } : { exitCode: exitCode < 0 ? exitCode >>> 0 : exitCode });
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  /** On Windows node-pty starts the process once a thread of its own is ready. The event is an internal of it. */
  #start(): Promise<void> {
    const { _socket: socket } = this.pty as unknown as { _socket?: { once?(event: string, ready: () => void): void } };
    return new Promise((resolve) => {
      socket?.once?.('ready_datapipe', resolve);
      this.pty.onData(() => resolve());
      this.pty.onExit(() => resolve());
    });
  }

  /** On Windows node-pty decodes by itself. */
  #take(data: string | Buffer): void {
    this.#fire(typeof data === 'string' ? data : this.#decoder.write(data));
  }

  #fire(text: string): void {
    if (text !== '') this.#data.fire(text);
  }

  /**
   * Without this, the end of the output is lost whenever the host is slower than the command: libuv takes a read of
   * less than its buffer together with a hang-up for the end, although a pseudo-terminal gives at most 4 KB per read
   * and still has more; and node-pty destroys its socket 200 ms after the exit, read or not. So the rest is read right
   * before the socket closes. This uses internals of node-pty: if they are missing, its own behaviour stays.
   */
  #readRestBeforeClose(): void {
    const { _socket: socket, fd } = this.pty as unknown as {
      _socket?: { destroy(error?: Error): unknown };
      fd?: number;
    };
    if (typeof socket?.destroy !== 'function' || typeof fd !== 'number') return;
    const destroy = socket.destroy.bind(socket);
    let open = true;
    socket.destroy = (error?: Error) => {
      if (open) {
        open = false;
        this.#readRest(fd);
      }
      return destroy(error);
    };
  }

  /**
   * The descriptor does not block: reading ends with EAGAIN while another process has the terminal open, else with EIO.
   */
  #readRest(fd: number): void {
    const buffer = Buffer.alloc(64 * 1024);
    try {
      for (let total = 0; total < MAX_REST;) {
        const count = readSync(fd, buffer);
        if (count === 0) return;
        total += count;
        this.#take(Buffer.from(buffer.subarray(0, count)));
      }
    } catch {
      // There is no more output.
    }
  }

  write(data: string): void {
    this.pty.write(data);
  }

  resize(cols: number, rows: number): void {
    try {
      this.pty.resize(Math.max(2, Math.floor(cols)), Math.max(1, Math.floor(rows)));
    } catch {
      // The process may have ended between the event and this call.
    }
  }
}

const QUIET_MS = 200;
const MAX_DRAIN_MS = 3_000;

class PipedProcess implements PtyProcess {
  readonly #data = new Emitter<string>();
  readonly #exit = new Emitter<PtyExit>();
  readonly #child;
  #pieces = 0;
  readonly onData = this.#data.event;
  readonly onExit = this.#exit.event;

  constructor(file: string, args: readonly string[], options: PtyOptions) {
    // Its own process group, so that it can be killed whole. It has no input: a program that reads gets the end of
    // input.
    this.#child = spawnChild(file, [...args], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim ?? false,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (data: string) => {
        this.#pieces++;
        this.#data.fire(data);
      });
    }
    let over = false;
    const end = (exit: PtyExit) => {
      if (over) return;
      over = true;
      this.#exit.fire(exit);
    };
    this.#child.once('error', (error) => {
      this.#data.fire(`${error.message}\n`);
      end({ exitCode: 127 });
    });
    const endAs = (code: number | null, signal: string | null) =>
      end(signal ? { signal } : { exitCode: (code ?? 0) < 0 ? (code ?? 0) >>> 0 : (code ?? 0) });
    this.#child.once('close', endAs);
    this.#child.once('exit', (code, signal) => this.#whenQuiet(() => endAs(code, signal)));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** A background process may keep the pipes open for ever: then the first quiet moment after the exit is the end. */
  #whenQuiet(end: () => void, deadline = Date.now() + MAX_DRAIN_MS): void {
    const seen = this.#pieces;
    // The event loop reads between a timer and `setImmediate`, so a busy host is not mistaken for a quiet command.
    const look = () =>
      setImmediate(() => (this.#pieces === seen || Date.now() > deadline ? end() : this.#whenQuiet(end, deadline)));
    setTimeout(() => setImmediate(look), QUIET_MS);
  }

  write(): void {
    // There is no input.
  }

  resize(): void {
    // Pipes have no size.
  }
}
