import { type ChildProcess, spawn } from 'node:child_process';
import { Emitter } from '../base/event';
import type { IDisposable } from '../base/lifecycle';
import { killGroupNow, killProcessTree } from './processTree';
import { TextTail } from './textTail';
import { TREE_VARIABLE, processTag } from './processTag';
import type { Watchdog, WatchedTree } from './watchdog';

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From `programSpawner`; Node's own when left out. */
  readonly spawn?: typeof spawn;
  /** Ends what it started when the host cannot. */
  readonly watchdog?: Watchdog | undefined;
}

export interface AgentExit {
  /** Set when the process could not be started at all (`ENOENT`, `EACCES`). */
  readonly spawnError?: NodeJS.ErrnoException;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Last lines that the agent wrote to stderr; "" when there were none. */
  readonly stderr: string;
}

/** How long what is left in the pipes may take after the process itself has gone; descendants can hold them open. */
const drainMs = 250;
/** From closed stdin to SIGTERM. Agents need up to 5 s to end by themselves; the user should not wait that long. */
const politeMs = 2_000;
const terminateMs = 2_000;
/** Characters of a line on stderr that are held back until it ends. */
const maxLine = 16_384;

/**
 * One running agent. Started in a process group of its own, so that `npx → node → cli` goes as a whole. stderr is free
 * text: kept for error messages, never parsed (item 12).
 */
export class AgentProcess implements IDisposable {
  readonly #child: ChildProcess;
  readonly #tail = new TextTail(8 * 1024);
  readonly #exitEmitter = new Emitter<AgentExit>();
  readonly #stderrEmitter = new Emitter<string>();
  #unfinishedLine = '';
  #ended: AgentExit | undefined;
  /** The end of what the agent started and left behind, however the agent itself came to its end. */
  #leftovers: Promise<void> | undefined;
  /** Finds also what its tools have made daemons of themselves. */
  readonly #mark = processTag();
  readonly #watched: WatchedTree | undefined;

  /** Fires once. A listener that comes too late reads `exit`. */
  readonly onDidExit = this.#exitEmitter.event;
  /** What it writes to stderr, decoded, in whole lines; for the log, which looks for secrets in them. */
  readonly onDidWriteStderr = this.#stderrEmitter.event;

  constructor(readonly command: AgentCommand) {
    this.#child = (command.spawn ?? spawn)(command.command, [...command.args], {
      cwd: command.cwd,
      env: { ...command.env, [TREE_VARIABLE]: this.#mark } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (this.#child.pid !== undefined) this.#watched = command.watchdog?.watch(this.#child.pid);
    this.#child.on('error', (error) => this.#finish({ spawnError: error, code: null, signal: null }));
    this.#child.on('close', (code, signal) => this.#finish({ code, signal }));
    this.#child.on('exit', (code, signal) => {
      const timer = setTimeout(() => this.#finish({ code, signal }), drainMs);
      timer.unref();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#hearStderr(this.#tail.write(chunk)));
    this.#child.stderr?.on('error', () => undefined);
    this.#child.stdin?.on('error', () => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get exit(): AgentExit | undefined {
    return this.#ended;
  }

  get stdin(): NonNullable<ChildProcess['stdin']> {
    return this.#child.stdin!;
  }

  get stdout(): NonNullable<ChildProcess['stdout']> {
    return this.#child.stdout!;
  }

  get stderrTail(): string {
    return this.#tail.text;
  }

  /**
   * Ends it in stages: closed stdin, then SIGTERM, then SIGKILL to the whole tree (item 180). Resolves when all of it
   * is gone.
   */
  async stop(): Promise<void> {
    if (!this.#ended) {
      const gone = new Promise<void>((resolve) => this.onDidExit(() => resolve()));
      this.#child.stdin?.end();
      const timer = setTimeout(() => void this.terminate(), politeMs);
      await gone;
      clearTimeout(timer);
    }
    await this.#leftovers;
  }

  /** SIGTERM to the whole tree now, SIGKILL soon after: for an agent that does not listen. */
  async terminate(): Promise<void> {
    if (this.pid !== undefined) await killProcessTree(this.pid, { graceMs: terminateMs, mark: this.#mark });
  }

  /** For the moment when the host itself ends and nothing asynchronous runs any more. */
  dispose(): void {
    this.#child.stdin?.end();
    if (!this.#ended && this.pid !== undefined) killGroupNow(this.pid);
  }

  #hearStderr(text: string): void {
    const heard = this.#unfinishedLine + text;
    const end = heard.length > maxLine ? heard.length : heard.lastIndexOf('\n') + 1;
    this.#unfinishedLine = heard.slice(end);
    if (end > 0) this.#stderrEmitter.fire(heard.slice(0, end));
  }

  #finish(exit: Omit<AgentExit, 'stderr'>): void {
    if (this.#ended) return;
    if (this.#unfinishedLine !== '') this.#stderrEmitter.fire(this.#unfinishedLine);
    this.#unfinishedLine = '';
    this.#ended = { ...exit, stderr: this.#tail.text };
    // Descendants that hold the pipes must not keep feeding a connection whose agent has gone.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#watched?.leaderGone();
    if (this.pid !== undefined)
      this.#leftovers = killProcessTree(this.pid, {
        graceMs: terminateMs,
        leaderEndedAt: Date.now(),
        mark: this.#mark,
      }).finally(() => this.#watched?.dispose());
    this.#exitEmitter.fire(this.#ended);
  }
}
