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
  /** Ends the agent if the host cannot. */
  readonly watchdog?: Watchdog | undefined;
}

export interface AgentExit {
  /** Set when the process could not be started at all (`ENOENT`, `EACCES`). */
  readonly spawnError?: NodeJS.ErrnoException;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Last lines of stderr; "" if there were none. */
  readonly stderr: string;
}

/** The time to read the rest of the pipes after the process has ended; descendants can keep them open. */
const drainMs = 250;
/** From closed stdin to SIGTERM. Agents need up to 5 s to end by themselves, but the user should not wait that long. */
const politeMs = 2_000;
const terminateMs = 2_000;
/** Characters of a line on stderr that are held back until it ends. */
const maxLine = 16_384;

/**
 * One running agent. It has its own process group, so that `npx → node → cli` is ended as a whole. stderr is free text:
 * kept for error messages, never parsed (item 12).
 */
export class AgentProcess implements IDisposable {
  readonly #child: ChildProcess;
  readonly #tail = new TextTail(8 * 1024);
  readonly #exitEmitter = new Emitter<AgentExit>();
  readonly #stderrEmitter = new Emitter<string>();
  #unfinishedLine = '';
  #ended: AgentExit | undefined;
  /** Ends the processes that the agent left behind, after any kind of exit. */
  #leftovers: Promise<void> | undefined;
  /** Also finds daemons that its tools have started. */
  readonly #mark = processTag();
  readonly #watched: WatchedTree | undefined;

  /** Fires once. A late listener reads `exit` instead. */
  readonly onDidExit = this.#exitEmitter.event;
  /** Its stderr, decoded, in whole lines, since the log searches them for secrets. */
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
   * Ends it in stages: closed stdin, then SIGTERM, then SIGKILL to the whole tree (item 180). Resolves when the whole
   * tree has ended.
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

  /** SIGTERM to the whole tree now, SIGKILL soon after: for an agent that does not react. */
  async terminate(): Promise<void> {
    if (this.pid === undefined) return;
    await killProcessTree(this.pid, { graceMs: terminateMs, mark: this.#mark });
    // `taskkill` may fail. Node knows whether this is still its process.
    this.#child.kill('SIGKILL');
  }

  /** Synchronous, for the end of the host itself. */
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
    // Descendants must not feed the connection after the agent has ended.
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
