import { Deferred } from '../base/deferred';
import { Emitter } from '../base/event';
import type { IDisposable } from '../base/lifecycle';
import { launchOf, shellFor } from '../thread/shellLine';
import { TerminalOutput } from '../thread/terminalOutput';
import { findExecutable } from './findProgram';
import { killGroupNow, killProcessTree } from './processTree';
import type { PtyBackend, PtyExit, PtyProcess } from './pty';
import { TREE_VARIABLE } from './processTag';
import type { Watchdog, WatchedTree } from './watchdog';

export interface CommandOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute, exists. */
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** UTF-8 bytes of clean text to retain. */
  readonly byteLimit?: number;
  readonly size: { readonly cols: number; readonly rows: number };
  /** Without it only the command itself ends. */
  readonly tree?: CommandTree;
}

/** How all that a command starts is found and ended. */
export interface CommandTree {
  /** From `processTag`: daemons end with the command, too. */
  readonly mark: string;
  /** Ends the command if the host cannot. */
  readonly watchdog?: Watchdog | undefined;
}

/** Raw output kept so that a terminal opened later shows the earlier output. Characters. */
const REPLAY = 256 * 1024;
const RELEASED_REPLAY = 32 * 1024;
/** Waiters are answered after this time even if a process cannot be killed (stuck in the kernel). */
const GIVE_UP_MS = 5_000;

/**
 * One command that runs for an agent: its process, its clean text for the agent, and its raw output for a terminal. A
 * command that cannot start is a terminal with the reason that has ended with 127 or 126, as in a shell: agents
 * understand that better than an error of the protocol.
 */
export class CommandTerminal implements IDisposable {
  readonly #dataEmitter = new Emitter<string>();
  readonly #exitDeferred = new Deferred<PtyExit>();
  #text: TerminalOutput | undefined;
  readonly #process: PtyProcess | undefined;
  #replayed: string[] = [];
  #replayLength = 0;
  #replayCut = false;
  #replayLimit = REPLAY;
  #ended: PtyExit | undefined;
  #endedAt: number | undefined;
  #killing: Promise<void> | undefined;
  #watched: WatchedTree | undefined;
  #disposed = false;

  /** Raw output as it comes; line feeds without returns where `isPty` is false. */
  readonly onDidWrite = this.#dataEmitter.event;
  readonly isPty: boolean;

  constructor(
    private readonly options: CommandOptions,
    backend: PtyBackend,
  ) {
    this.isPty = backend.isPty;
    this.#text = new TerminalOutput({
      ...options.size,
      newlineReturns: !backend.isPty,
      ...(options.byteLimit === undefined ? {} : { byteLimit: options.byteLimit }),
    });
    this.#process = this.#start(options, backend);
  }

  /** Set once the command has ended and all of its output was read. */
  get exit(): PtyExit | undefined {
    return this.#ended;
  }

  /** Raw output so far; of long output only the end, from the beginning of a line. */
  get replay(): string {
    const all = this.#replayed.join('');
    return this.#replayCut ? `\x1b[0m${all.slice(all.indexOf('\n') + 1)}` : all;
  }

  get canType(): boolean {
    return this.isPty && this.#process !== undefined && this.#ended === undefined;
  }

  /** The output for the agent: the newest `byteLimit` bytes of clean text. */
  read(): { output: string; truncated: boolean } {
    return this.#text?.read() ?? { output: '', truncated: true };
  }

  /** Any number of callers may wait. */
  whenEnded(): Promise<PtyExit> {
    return this.#exitDeferred.promise;
  }

  write(data: string): void {
    if (this.canType) this.#process?.write(data);
  }

  resize(cols: number, rows: number): void {
    if (this.#ended) return;
    this.#process?.resize(cols, rows);
    this.#text?.resize(cols, rows);
  }

  /**
   * Ends the whole process tree, or the processes that an ended command left behind. Resolves when the end is known.
   */
  async kill(): Promise<void> {
    if (!this.#process) return;
    this.#killing ??= this.#killTree(this.#process).finally(() => {
      this.#killing = undefined;
    });
    await this.#killing;
    if (this.#ended) return;
    const timer = setTimeout(() => this.#finish({ signal: 'SIGKILL' }), GIVE_UP_MS);
    await this.#exitDeferred.promise;
    clearTimeout(timer);
  }

  /**
   * Kills without waiting, and frees the agent's text. The end of the raw output stays readable. Only once: later the
   * pid may belong to another process.
   */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#text = undefined;
    this.#replayLimit = RELEASED_REPLAY;
    this.#trimReplay();
    if (this.#process && !this.#ended) {
      // The first signal goes out at once: nothing asynchronous may run any more when the host itself ends.
      killGroupNow(this.#process.pid, 'SIGTERM');
    }
    void this.kill()
      .catch(() => undefined)
      .finally(() => this.#watched?.dispose());
  }

  async #killTree(of: PtyProcess): Promise<void> {
    if (of.starting) await of.starting;
    await killProcessTree(of.pid, { leaderEndedAt: this.#endedAt, mark: this.options.tree?.mark });
  }

  #start(options: CommandOptions, backend: PtyBackend): PtyProcess | undefined {
    const { cwd } = options;
    const mark = options.tree?.mark;
    const env = mark === undefined ? options.env : { ...options.env, [TREE_VARIABLE]: mark };
    const windows = process.platform === 'win32';
    const launch = launchOf(options.command, options.args, {
      platform: windows ? 'win32' : 'posix',
      shell: (line) =>
        shellFor(line, {
          platform: process.platform,
          shell: env['SHELL'],
          comSpec: env['ComSpec'] ?? env['COMSPEC'],
          find: (program) => findExecutable(program, cwd, env),
        }),
      exists: (command) => findExecutable(command, cwd, env) !== undefined,
    });
    const file = findExecutable(launch.file, cwd, env);
    if (file === undefined) {
      this.#fail(`${launch.file}: command not found\n`, 127);
      return undefined;
    }
    // The system would cut it off there, so another command would run than the one that was shown.
    if ([...launch.args, ...Object.entries(env).flat()].some((word) => word.includes('\0'))) {
      this.#fail(`${launch.file}: an argument or a variable has a null byte\n`, 126);
      return undefined;
    }
    const batch = windows && /\.(cmd|bat)$/i.test(file);
    // cmd would drop the rest without a word.
    if (batch && launch.args.some((word) => /[\r\n]/.test(word))) {
      this.#fail(`${launch.file}: a batch file cannot take an argument with a line break\n`, 126);
      return undefined;
    }
    const [program, args] = batch
      ? [env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${[file, ...launch.args].map(quoteForCmd).join(' ')}"`]]
      : [file, launch.args];
    try {
      const started = backend.spawn(program, args, {
        cwd,
        env,
        ...options.size,
        verbatim: batch || launch.verbatim === true,
      });
      const watch = () => (this.#watched = options.tree?.watchdog?.watch(started.pid));
      if (started.starting) void started.starting.then(() => this.#ended ?? watch());
      else watch();
      started.onData((data) => this.#take(data));
      started.onExit((exit) => this.#finish(exit));
      return started;
    } catch (error) {
      this.#fail(`${launch.file}: ${error instanceof Error ? error.message : 'cannot be started'}\n`, 126);
      return undefined;
    }
  }

  #take(data: string): void {
    this.#text?.write(data);
    this.#replayed.push(data);
    this.#replayLength += data.length;
    this.#trimReplay();
    this.#dataEmitter.fire(data);
  }

  #trimReplay(): void {
    while (this.#replayed.length > 1 && this.#replayLength - this.#replayed[0]!.length >= this.#replayLimit) {
      this.#replayLength -= this.#replayed.shift()!.length;
      this.#replayCut = true;
    }
  }

  #fail(message: string, exitCode: number): void {
    this.#take(this.isPty ? message.replaceAll('\n', '\r\n') : message);
    this.#finish({ exitCode });
  }

  #finish(exit: PtyExit): void {
    if (this.#ended) return;
    this.#ended = exit;
    this.#endedAt = Date.now();
    this.#watched?.leaderGone();
    this.#exitDeferred.resolve(exit);
  }
}

/**
 * For `cmd.exe /s /c "…"`: doubles quotes, and encloses in quotes any character that cmd would expand or interpret.
 * Backslashes before a quote are doubled: else the program behind the batch file takes it for text.
 */
export function quoteForCmd(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  const text = word.replaceAll(/(?<!\\)(\\*)("|$)/g, '$1$1$2$2');
  return `"${text.replaceAll('%', '"^%"')}"`;
}
