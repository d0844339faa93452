import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentConnection } from '../../acp/agentConnection';
import type { ConnectionClass } from '../../acp/connect';
import type { PermissionParams } from '../../acp/decodeRequest';
import type { SessionState } from '../../acp/decodeUpdate';
import { AcpError, ConnectionEnded } from '../../acp/errors';
import type { ClientHandlers } from '../../acp/handlers';
import type { CancellationToken } from '../../base/cancellation';
import { Deferred } from '../../base/deferred';
import type { IDisposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { AgentExit, AgentProcess } from '../../node/agentProcess';
import type { Watchdog } from '../../node/watchdog';
import type { SecretlessLog } from '../platform/secretlessLog';
import type { AgentConfiguration } from './agentSettings';
import type { Launch } from './agentPrograms';
import { linkAgent, type Spawn, spawnAgent } from './linkAgent';
import { NoAnswer, StartFailure } from './startFailure';

/** The process has ended before it answered. */
export class ProcessEnded extends Error {
  constructor(readonly exit: AgentExit) {
    super();
    this.name = 'ProcessEnded';
  }
}

/** The agent sent unreadable data, and the link is closed. */
export class UnreadableOutput extends Error {
  override readonly name = 'UnreadableOutput';
}

export interface SeparateProcessOptions {
  readonly clientVersion: string;
  readonly clock: Clock;
  readonly log: SecretlessLog;
  readonly watchdog?: Watchdog;
}

/** What the process is for. */
export interface SeparatePurpose {
  /** One word for the log: "check". */
  readonly name: string;
  /** Why its requests are refused, for the agent. */
  readonly refusal: string;
  /** The rest of a longer answer is dropped. Characters. */
  readonly maxAnswer: number;
}

/** From a broken connection to the end of the process, which has more information. */
const exitMs = 400;

/**
 * A process of an agent for one check or one answer, separate from those of sessions. Through Parley it can read, write
 * and run nothing. Its creator ends it.
 */
export class SeparateProcess {
  readonly connection: AgentConnection;
  /** The first line on stdout that is not a message. */
  strayLine: string | undefined;
  #answer = '';
  readonly #full = new Deferred<void>();
  /** Why the turn ended, if a state of the session reports it. */
  #turn: Deferred<string> | undefined;
  readonly #exited: Promise<AgentExit>;
  readonly #process: AgentProcess;
  #readError: string | undefined;

  /** @throws Error if the system refuses the program at once */
  constructor(
    launch: Launch,
    configuration: AgentConfiguration,
    folder: string,
    { speaks, spawn }: { readonly speaks: ConnectionClass; readonly spawn: Spawn },
    private readonly options: SeparateProcessOptions,
    { name, refusal, maxAnswer }: SeparatePurpose,
  ) {
    const { clientVersion, log, watchdog } = options;
    this.#process = spawnAgent(launch, folder, watchdog, spawn);
    log.info(
      `${configuration.name}: ${name} started ${launch.configuration.command} (pid ${this.#process.pid ?? 'none'})`,
    );
    this.#process.onDidWriteStderr((text) => log.debug(`${configuration.name} stderr: ${text.trimEnd()}`));
    this.#exited = new Promise((resolve) => this.#process.onDidExit(resolve));
    const handlers = refusingHandlers({
      reason: refusal,
      said: (text) => {
        if (this.#answer.length < maxAnswer) this.#answer = (this.#answer + text).slice(0, maxAnswer);
        if (this.#answer.length >= maxAnswer) this.#full.resolve();
      },
      acted: () => void (this.#answer = ''),
      ended: ({ error, stopReason }) =>
        void (error
          ? this.#turn?.reject(new AcpError(error.code, error.message, error.data))
          : this.#turn?.resolve(stopReason ?? 'end_turn')),
    });
    const failed = (message: string, isOurs: boolean) => void (isOurs || (this.#readError = message));
    const skipped = (line: string) => void (this.strayLine ??= line);
    this.connection = linkAgent(
      this.#process,
      { configuration, speaks, handlers, clientVersion, log },
      { failed, skipped },
    );
  }

  /** The agent's text in a turn. */
  get said(): string {
    return this.#answer;
  }

  /** Resolves when the answer has reached its limit. */
  get full(): Promise<void> {
    return this.#full.promise;
  }

  /** The last lines of its error output. */
  get stderr(): string {
    return this.#process.stderrTail;
  }

  /** Sends a prompt. Resolves with the stop reason of its turn. @throws AcpError */
  async prompt(sessionId: string, text: string): Promise<string> {
    const turn = (this.#turn = new Deferred<string>());
    turn.promise.catch(() => undefined);
    const end = await this.connection.prompt(sessionId, [{ type: 'text', text }]);
    return 'stopReason' in end ? end.stopReason : turn.promise;
  }

  /**
   * Waits for an answer.
   * @throws ProcessEnded, UnreadableOutput, NoAnswer, StartFailure when cancelled, and the call's error
   */
  async during<T>(call: Promise<T>, limitMs: number, token: CancellationToken): Promise<T> {
    const { clock } = this.options;
    if (token.isCancellationRequested) {
      call.catch(() => undefined);
      throw StartFailure.cancelled();
    }
    const waits: IDisposable[] = [];
    const stopped = new Promise<never>((_, reject) => {
      waits.push(clock.setTimeout(() => reject(new NoAnswer(limitMs / 1_000)), limitMs));
      waits.push(token.onCancellationRequested(() => reject(StartFailure.cancelled())));
    });
    const gone = this.#exited.then((exit) => Promise.reject(new ProcessEnded(exit)));
    try {
      return await Promise.race([call, gone, stopped]);
    } catch (error) {
      if (!(error instanceof ConnectionEnded) && this.#readError === undefined) throw error;
      if (error instanceof ProcessEnded || error instanceof NoAnswer || error instanceof StartFailure) throw error;
      // The connection often breaks just before the process is seen to end.
      const exit =
        this.#process.exit ??
        (await Promise.race([
          this.#exited,
          new Promise<undefined>((resolve) => clock.setTimeout(() => resolve(undefined), exitMs)),
        ]));
      if (this.#readError !== undefined) throw new UnreadableOutput(this.#readError);
      throw exit ? new ProcessEnded(exit) : error;
    } finally {
      for (const wait of waits) wait.dispose();
    }
  }

  /** Ends it, and resolves when it has ended. @param isHurried kills it at once */
  async end(isHurried: boolean): Promise<void> {
    if (isHurried) void this.#process.terminate();
    await this.#process.stop();
    this.connection.dispose();
  }

  /** Synchronous, for the end of the window. */
  dispose(): void {
    this.#process.dispose();
  }
}

/** The parts of an agent's turn that its reader needs. */
interface RefusedTurn {
  /** Why nothing is possible, for the agent. */
  readonly reason: string;
  /** Text of the answer. */
  said(text: string): void;
  /** A tool call began: text before it is not the answer. */
  acted?(): void;
  /** The turn has ended with a state of the session (v2). */
  ended(state: SessionState): void;
}

/** Handlers for a process apart from all sessions: they refuse or reject every request of the agent. */
function refusingHandlers(turn: RefusedTurn): ClientHandlers {
  const refuse = () => Promise.reject(AcpError.invalidParams(turn.reason));
  return {
    sessionUpdate: (_, update) => {
      if (update.type === 'state' && update.state === 'idle') turn.ended(update);
      if (update.type === 'toolCall' && update.announces) turn.acted?.();
      if (update.type !== 'chunk' && update.type !== 'messageChunk' && update.type !== 'message') return;
      const blocks = Array.isArray(update.content) ? update.content : update.content ? [update.content] : [];
      if (update.role === 'agent') for (const block of blocks) if (block.type === 'text') turn.said(block.text);
    },
    requestPermission: (params) => Promise.resolve(rejected(params)),
    readTextFile: refuse,
    writeTextFile: refuse,
    createTerminal: refuse,
    terminalOutput: refuse,
    waitForTerminalExit: refuse,
    killTerminal: refuse,
    releaseTerminal: refuse,
    createElicitation: () => Promise.resolve({ action: 'cancel' }),
    completeElicitation: () => undefined,
  };
}

/** The agent's own way to say no, so that the turn goes on; without one, as if it was stopped. */
function rejected({ options }: PermissionParams): RequestPermissionResponse {
  const option = options.find(({ kind }) => kind === 'reject_once');
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } };
}
