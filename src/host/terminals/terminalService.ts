import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  ReleaseTerminalRequest,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
} from '@agentclientprotocol/sdk';
import { AcpError } from '../../acp/errors';
import type { TerminalHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { usualPath } from '../../base/fileNames';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { CommandTerminal } from '../../node/commandTerminal';
import type { PtyBackend, PtyExit } from '../../node/pty';
import { processTag } from '../../node/processTag';
import type { Watchdog } from '../../node/watchdog';
import type { ViewPatch } from '../../protocol/patch';
import type { TerminalView } from '../../protocol/terminalView';
import type { RunningTerminal } from '../../view/backgroundWork';
import type { AgentTerminalEvent } from '../../thread/agentTerminals';
import { commandLineOf } from '../../permission/commandLine';
import { displayCommand } from '../../thread/shellLine';
import type { ScopeLookup } from '../platform/sessionScope';
import type { TerminalMirror } from './agentTerminal';
import { TerminalCard, type TerminalCardOptions } from './terminalCard';

/** Of a terminal that is not open. */
const usualSize = { cols: 100, rows: 30 };

export interface TerminalServiceOptions {
  readonly scopes: ScopeLookup;
  readonly clock: Clock;
  readonly log: Logger;
  /** The environment of commands: the host's, with the login shell's PATH if needed. */
  readonly environment: () => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv;
  /** `parley.terminal.env`, and what a worktree adds. @param cwd of the session */
  readonly variables?: (cwd: string) => Readonly<Record<string, string | null>>;
  /** Ends commands if this process no longer can. */
  readonly watchdog?: Watchdog;
  /** For tests. */
  readonly backend?: () => Promise<PtyBackend>;
}

export interface TerminalPatch {
  readonly sessionId: string;
  readonly patch: Extract<ViewPatch, { op: 'terminal/set' | 'terminal/rows' }>;
}

/** A command of an agent began or ended. `at`: epoch ms, never later than the beginning. */
export interface CommandRun {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly isRunning: boolean;
  readonly at: number;
}

interface Served {
  readonly command: CommandTerminal;
  released: boolean;
}

/**
 * Serves `terminal/*` (items 144 to 158) and shows every terminal of a thread: Parley's, and those that an agent runs
 * itself and reports in `_meta`. Cards outlive the release of their terminal (item 152) and end with `disposeSession`.
 */
export class TerminalService extends Disposable implements TerminalHandlers {
  readonly #patchEmitter = this.register(new Emitter<TerminalPatch>());
  readonly #runEmitter = this.register(new Emitter<CommandRun>());
  readonly #seeEmitter = this.register(new Emitter<TerminalMirror>());
  readonly #served = new Map<string, Served>();
  readonly #cards = new Map<string, TerminalCard>();
  readonly #backend = new Later(async () => {
    const { backend: load, log } = this.options;
    const backend = await (load ? load() : (await import('../../node/pty')).loadPtyBackend());
    if (backend.problem) log.warn(`node-pty cannot be loaded, commands run on pipes: ${backend.problem}`);
    return backend;
  });
  #created = 0;

  /** A patch for the panel, at most ten times per second and terminal. `views` always includes the last patch. */
  readonly onDidPatch = this.#patchEmitter.event;
  readonly onDidRun = this.#runEmitter.event;
  /** The user wants to see a terminal natively, also one that is open. */
  readonly onDidWantToSee = this.#seeEmitter.event;

  constructor(private readonly options: TerminalServiceOptions) {
    super();
  }

  async createTerminal(params: CreateTerminalRequest, token: CancellationToken): Promise<CreateTerminalResponse> {
    const scope = this.options.scopes(params.sessionId);
    if (!scope) throw unknownSession(params.sessionId);
    // A shell of Windows refuses the long form of a folder.
    const cwd = usualPath(params.cwd ?? scope.cwd);
    if (!isAbsolute(cwd)) throw AcpError.invalidParams(`cwd must be an absolute path: ${cwd}`, { cwd });
    if (!(await isFolder(cwd))) throw AcpError.invalidParams(`cwd is not a folder: ${cwd}`, { cwd });
    const [{ CommandTerminal }, { terminalEnvironment }, backend, inherited] = await Promise.all([
      import('../../node/commandTerminal'),
      import('../../node/terminalEnvironment'),
      this.#backend.get(),
      this.options.environment(),
    ]);
    if (token.isCancellationRequested) throw AcpError.cancelled();
    // The session may have been closed meanwhile; nothing would ever end this terminal.
    if (!this.options.scopes(params.sessionId)) throw unknownSession(params.sessionId);
    const args = params.args ?? [];
    const startedAt = this.options.clock.now();
    const command = new CommandTerminal(
      {
        command: params.command,
        args,
        cwd,
        env: terminalEnvironment(inherited, params.env ?? [], { settings: this.options.variables?.(scope.cwd) ?? {} }),
        size: usualSize,
        tree: { mark: processTag(), watchdog: this.options.watchdog },
        ...(params.outputByteLimit == null ? {} : { byteLimit: params.outputByteLimit }),
      },
      backend,
    );
    const terminalId = `term-${++this.#created}-${randomBytes(4).toString('hex')}`;
    this.#served.set(keyOf(params.sessionId, terminalId), { command, released: false });
    const card = this.#addCard(params.sessionId, terminalId, {
      command: commandLineOf({ command: params.command, args })?.text ?? displayCommand(params.command, args),
      screen: { ...usualSize, newlineReturns: !command.isPty },
      ...(command.isPty ? {} : { remark: l10n.t('No pseudo-terminal: colors and input may be missing.') }),
      canOpen: true,
      canType: command.isPty,
      canCancel: true,
    });
    card.write(command.replay);
    command.onDidWrite((data) => card.write(data));
    const { sessionId } = params;
    this.#runEmitter.fire({ sessionId, terminalId, isRunning: true, at: startedAt });
    void command.whenEnded().then((exit) => {
      card.end(exit);
      this.#runEmitter.fire({ sessionId, terminalId, isRunning: false, at: this.options.clock.now() });
    });
    return { terminalId };
  }

  async terminalOutput(params: TerminalOutputRequest): Promise<TerminalOutputResponse> {
    const { command } = this.#require(params.sessionId, params.terminalId);
    const { exit } = command;
    return { ...command.read(), ...(exit ? { exitStatus: exitStatus(exit) } : {}) };
  }

  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    token: CancellationToken,
  ): Promise<WaitForTerminalExitResponse> {
    return new Promise((resolve, reject) => {
      const { command } = this.#require(params.sessionId, params.terminalId);
      if (token.isCancellationRequested) throw AcpError.cancelled();
      const cancel = token.onCancellationRequested(() => reject(AcpError.cancelled()));
      void command.whenEnded().then((exit) => {
        cancel.dispose();
        resolve(exitStatus(exit));
      });
    });
  }

  async killTerminal(params: KillTerminalRequest): Promise<void> {
    await this.#require(params.sessionId, params.terminalId).command.kill();
  }

  async releaseTerminal(params: ReleaseTerminalRequest): Promise<void> {
    const served = this.#require(params.sessionId, params.terminalId);
    served.released = true;
    served.command.dispose();
  }

  /** Applies an agent's report about its own terminal. Output may come before `started`. */
  applyAgentEvent(sessionId: string, event: AgentTerminalEvent): void {
    const key = keyOf(sessionId, event.terminalId);
    // An agent may also report a terminal that we run; our own data is better.
    if (this.#served.has(key)) return;
    const card =
      this.#cards.get(key) ??
      this.#addCard(sessionId, event.terminalId, {
        screen: { ...usualSize, newlineReturns: true },
        canOpen: false,
      });
    if (event.type === 'output') card.write(event.data);
    else if (event.type === 'bytes') card.writeBytes(event.data);
    else if (event.type === 'patched') card.patch(event.fields);
    else if (event.type === 'exited') {
      card.end({
        ...(event.exitCode === null ? {} : { exitCode: event.exitCode }),
        ...(event.signal === null ? {} : { signal: event.signal }),
      });
    }
  }

  /** All terminals of a session, in the order of their creation, including the last patch. */
  views(sessionId: string): TerminalView[] {
    return [...this.#cards].filter(([key]) => key.startsWith(keyOf(sessionId, ''))).map(([, card]) => card.view);
  }

  /** The commands of a session that have not ended. */
  running(sessionId: string): RunningTerminal[] {
    return [...this.#cards].flatMap(([key, card]) =>
      card.isRunning && key.startsWith(keyOf(sessionId, ''))
        ? { ...card.view, startedAt: card.startedAt, tellsEnd: card.tellsEnd || this.#served.has(key) }
        : [],
    );
  }

  /** One terminal of a session, including the last patch. */
  view(sessionId: string, terminalId: string): TerminalView | undefined {
    return this.#cards.get(keyOf(sessionId, terminalId))?.view;
  }

  /** Opens a terminal natively, in which the user can type. False if it cannot be opened. */
  open(sessionId: string, terminalId: string, { keepsFocus = false } = {}): boolean {
    const key = keyOf(sessionId, terminalId);
    const served = this.#served.get(key);
    const card = this.#cards.get(key);
    if (!served || !card) return false;
    const { command } = served;
    this.#seeEmitter.fire({
      key,
      title: card.view.command ?? l10n.t('Agent'),
      isPty: command.isPty,
      ...(keepsFocus ? { keepsFocus } : {}),
      replay: () => command.replay,
      exit: () => command.exit,
      onDidWrite: command.onDidWrite,
      whenEnded: () => command.whenEnded(),
      write: (data) => {
        command.write(data);
        card.answered();
      },
      stop: () => void this.stop(sessionId, terminalId),
      resize: (cols, rows) => {
        if (!command.isPty || command.exit) return;
        command.resize(cols, rows);
        card.resize(cols, rows);
      },
    });
    return true;
  }

  /** Ends a command that runs here for the user; the agent learns of its end as of any. False if there is none. */
  stop(sessionId: string, terminalId: string): boolean {
    const key = keyOf(sessionId, terminalId);
    const served = this.#served.get(key);
    if (served) {
      this.#cards.get(key)?.stop();
      void served.command.kill();
    }
    return served !== undefined;
  }

  /**
   * Ends and forgets all terminals of a session: when it is closed, and when its agent's process has ended (item 154).
   */
  disposeSession(sessionId: string): void {
    this.endSession(sessionId);
    for (const [key, card] of this.#cards) {
      if (!key.startsWith(keyOf(sessionId, ''))) continue;
      this.#cards.delete(key);
      this.#served.delete(key);
      card.dispose();
    }
  }

  /** Ends the terminals of a session whose agent's process has ended, and keeps their cards. */
  endSession(sessionId: string): void {
    for (const [key, served] of this.#served) {
      if (served.released || !key.startsWith(keyOf(sessionId, ''))) continue;
      served.released = true;
      served.command.dispose();
    }
    // The agent's own commands ended with it, and it can no longer report that.
    for (const [key, card] of this.#cards) {
      if (key.startsWith(keyOf(sessionId, '')) && !this.#served.has(key) && card.view.running) card.end({});
    }
  }

  override dispose(): void {
    for (const { command } of this.#served.values()) command.dispose();
    for (const card of this.#cards.values()) card.dispose();
    this.#served.clear();
    this.#cards.clear();
    super.dispose();
  }

  #addCard(sessionId: string, terminalId: string, options: Omit<TerminalCardOptions, 'terminalId'>): TerminalCard {
    const card = new TerminalCard({ terminalId, ...options }, this.options.clock);
    this.#cards.set(keyOf(sessionId, terminalId), card);
    card.onDidPatch((patch) => this.#patchEmitter.fire({ sessionId, patch }));
    this.#patchEmitter.fire({ sessionId, patch: { op: 'terminal/set', terminal: card.view } });
    return card;
  }

  #require(sessionId: string, terminalId: string): Served {
    if (!this.options.scopes(sessionId)) throw unknownSession(sessionId);
    const served = this.#served.get(keyOf(sessionId, terminalId));
    if (!served || served.released) throw AcpError.notFound(`Unknown terminal: ${terminalId}`, { terminalId });
    return served;
  }
}

function keyOf(sessionId: string, terminalId: string): string {
  return `${JSON.stringify(sessionId)} ${terminalId}`;
}

function unknownSession(sessionId: string): AcpError {
  return AcpError.notFound(`Unknown session: ${sessionId}`, { sessionId });
}

/** Schema v1 `TerminalExitStatus`: the code is null for a command that a signal ended. */
function exitStatus(exit: PtyExit): { exitCode: number | null; signal: string | null } {
  return { exitCode: exit.exitCode ?? null, signal: exit.signal ?? null };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
