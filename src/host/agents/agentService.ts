import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentConnection, ProtocolVersion } from '../../acp/agentConnection';
import type { AgentFeatures } from '../../acp/capabilities';
import type { ConnectionClass } from '../../acp/connect';
import { ConnectionEnded } from '../../acp/errors';
import type { ClientHandlers } from '../../acp/handlers';
import { type Quirks, quirksOf } from '../../acp/quirks';
import { type CancellationToken, rejectsWhenCancelled } from '../../base/cancellation';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { AgentExit, AgentProcess } from '../../node/agentProcess';
import { TextTail } from '../../node/textTail';
import type { Watchdog } from '../../node/watchdog';
import type { NoticeWords } from '../../thread/words';
import type { SecretlessLog } from '../platform/secretlessLog';
import type { AgentConfiguration } from './agentSettings';
import type { AgentPrograms, Launch } from './agentPrograms';
import { ProtocolVersions, VersionRefused } from './protocolVersion';
import { NoAnswer, StartFailure, usual } from './startFailure';
import type { StartEvidence } from './startWords';

/** A process that has answered `initialize`. */
export interface RunningAgent {
  readonly configuration: AgentConfiguration;
  /** The configuration as started: its command is the absolute path of a program. */
  readonly started: AgentConfiguration;
  readonly features: AgentFeatures;
  readonly quirks: Quirks;
  readonly connection: AgentConnection;
  /** Identifies this process among all that were ever started; session ids belong to it. */
  readonly routeKey: string;
  /** The number of unreadable lines in its output since its last message. */
  readonly unread?: () => number;
}

interface Live extends RunningAgent {
  readonly process: AgentProcess;
  /** Why the link broke, if the process was ended for that. */
  linkProblem?: string;
}

/** The current step of an agent's start, in words. */
export interface StartProgress {
  readonly name: string;
  readonly detail: string;
  /** A dialog waits for the user. */
  readonly asks?: boolean;
}

export interface AgentEnd {
  readonly agent: RunningAgent;
  readonly exit: AgentExit;
  /** True if Parley ended it, so that no error is shown. */
  readonly expected: boolean;
  /** Why the link broke, if that ended the process. */
  readonly linkProblem?: string;
}

type Link = typeof import('./linkAgent');

/** The time for the answer to `initialize`. A package runner may download the agent first. */
export const answerMs = 5 * 60_000;
/** The time to handle the last messages of an ended agent; the rest is lost. */
const lastWordsMs = 5_000;
/** The number of lines that are shown of an agent's output during its start. */
const printedLines = 20;

/**
 * Starts configured agents and ends them. One process per configured name; it may serve many sessions. Starts nothing
 * by itself, and nothing at all in Restricted Mode.
 */
export class AgentService extends Disposable {
  readonly #live = new Map<string, Live>();
  readonly #stopping = new Set<AgentProcess>();
  /** Processes that are ending, by name: the next one of that name waits, so that two never overlap. */
  readonly #ending = new Map<string, Promise<unknown>>();
  /** Starts in progress, by name: sessions with the same agent wait for the same process. */
  readonly #starting = new Map<string, Promise<RunningAgent>>();
  readonly #versions = new ProtocolVersions();
  /** Remarks about an agent that the user has not seen yet. */
  readonly #remarks = new WeakMap<RunningAgent, NoticeWords>();
  #started = 0;
  /** The output of the last process of each name: its stderr, and lines on stdout that are not messages. */
  readonly #printed = new Map<string, TextTail>();
  /** The number of unreadable stdout lines since the last message, for the last process of each name. */
  readonly #unread = new Map<string, number>();
  readonly #processes = new Set<AgentProcess>();
  readonly #endEmitter = this.register(new Emitter<AgentEnd>());
  readonly #progressEmitter = this.register(new Emitter<StartProgress>());

  readonly onDidProgress = this.#progressEmitter.event;
  /** Fires once for each agent that had answered `initialize`. */
  readonly onDidEnd = this.#endEmitter.event;

  /** @param branchAt the branch of Parley's worktree that a folder is in */
  constructor(
    private readonly handlersFor: (routeKey: string, name: string) => ClientHandlers,
    private readonly version: string,
    private readonly log: SecretlessLog,
    private readonly programs: () => Promise<Pick<AgentPrograms, 'prepare'> & Partial<Pick<AgentPrograms, 'worked'>>>,
    private readonly watchdog?: Watchdog,
    private readonly branchAt: (folder: string) => string | undefined = () => undefined,
  ) {
    super();
  }

  running(name: string): RunningAgent | undefined {
    return this.#live.get(name);
  }

  /** The number of unreadable lines in the agent's output since its last message. */
  unread(name: string): number {
    return this.#unread.get(name) ?? 0;
  }

  /** The last lines of the agent's last process; undefined if there are none. */
  printed(name: string): string | undefined {
    return this.#printed.get(name)?.text.split('\n').slice(-printedLines).join('\n') || undefined;
  }

  /**
   * Starts an agent, or returns the running one. Cancelling the token ends the start and its process.
   * @param folder of the process, unless the configuration has another one; absolute.
   * @throws StartFailure with words for the user.
   */
  async start(configuration: AgentConfiguration, folder: string, token: CancellationToken): Promise<RunningAgent> {
    const { name } = configuration;
    // The output of an earlier process does not apply to this start.
    if (!this.#starting.has(name) && !this.#live.has(name)) this.#printed.delete(name);
    await Promise.race([this.#ending.get(name), rejectsWhenCancelled(token, StartFailure.cancelled)]);
    // Another session may have cancelled its start: then this one begins a new one.
    while (this.#starting.has(name))
      await Promise.race([
        this.#starting.get(name)!.catch(() => undefined),
        rejectsWhenCancelled(token, StartFailure.cancelled),
      ]);
    // A session needs its folder even if the agent already runs.
    if (!(await areFolders([configuration.cwd ?? folder, folder])))
      await (await import('./missingFolder')).refuseMissingFolder(configuration, folder, this.branchAt);
    const known = this.#live.get(name);
    if (known) return known;
    const start = this.#startNew(configuration, folder, token);
    this.#starting.set(name, start);
    try {
      return await start;
    } finally {
      this.#starting.delete(name);
    }
  }

  async #startNew(configuration: AgentConfiguration, folder: string, token: CancellationToken): Promise<RunningAgent> {
    if (!vscode.workspace.isTrusted)
      throw new StartFailure(
        l10n.t('This workspace is in Restricted Mode'),
        l10n.t('Parley does not start agents until you trust the folder.'),
        [],
      );
    const [prepared, link] = await Promise.all([
      Promise.race([this.#prepare(configuration, folder, token), rejectsWhenCancelled(token, StartFailure.cancelled)]),
      import('./linkAgent'),
    ]);
    if (token.isCancellationRequested) throw StartFailure.cancelled();
    const launch = async (version: ProtocolVersion) => {
      const [speaks, spawn] = await Promise.all([link.connectionFor(version), link.spawner()]);
      let started: AgentProcess;
      try {
        started = link.spawnAgent(prepared, folder, this.watchdog, spawn);
      } catch (error) {
        throw await failureOf(configuration, { error });
      }
      return this.#initialize(
        link,
        configuration,
        prepared.configuration,
        { version, speaks },
        this.#follow(started, prepared.configuration),
        token,
      );
    };
    try {
      return await launch(this.#versions.of(configuration));
    } catch (error) {
      if (!(error instanceof VersionRefused)) throw error;
      this.log.warn(
        `${configuration.name}: does not speak version 2 of the protocol (${error.said}); ` +
          'it is started anew with version 1',
      );
      const remark = this.#versions.refuse(configuration, error.said);
      if (token.isCancellationRequested) throw StartFailure.cancelled();
      const agent = await launch(1);
      this.#remarks.set(agent, remark);
      return agent;
    }
  }

  /** Finds the agent's program, and installs it if needed. @throws StartFailure */
  async #prepare(configuration: AgentConfiguration, folder: string, token: CancellationToken): Promise<Launch> {
    const { name } = configuration;
    const prepared = await (
      await this.programs()
    ).prepare(configuration, folder, token, (detail, asks) =>
      this.#progressEmitter.fire({ name, detail, ...(asks ? { asks } : {}) }),
    );
    if ('cancelled' in prepared) throw StartFailure.cancelled();
    if ('missing' in prepared) throw await failureOf(configuration, { missing: true });
    if ('failure' in prepared) {
      const { title, detail, stderr, kind } = prepared.failure;
      // Another start would find the same PATH.
      const lacksProgram = kind === 'noNode' || kind === 'noNpm' || kind === 'noUv' || kind === 'oldNode';
      throw new StartFailure(title, detail, lacksProgram ? ['selectAgent', 'editSettings', 'showLog'] : usual, stderr);
    }
    return prepared;
  }

  /** @returns a remark about an agent for the user; only for the first caller. */
  takeRemark(agent: RunningAgent): NoticeWords | undefined {
    const remark = this.#remarks.get(agent);
    this.#remarks.delete(agent);
    return remark;
  }

  #follow(process_: AgentProcess, { name, command }: AgentConfiguration): AgentProcess {
    this.#processes.add(process_);
    process_.onDidExit(() => this.#processes.delete(process_));
    this.log.info(`${name}: started ${command} (pid ${process_.pid ?? 'none'})`);
    return process_;
  }

  async #initialize(
    { linkAgent, versionRefusal }: Link,
    configuration: AgentConfiguration,
    started: AgentConfiguration,
    { version, speaks }: { readonly version: ProtocolVersion; readonly speaks: ConnectionClass },
    process_: AgentProcess,
    token: CancellationToken,
  ): Promise<RunningAgent> {
    const { name } = configuration;
    const printed = new TextTail(8 * 1024);
    this.#printed.set(name, printed);
    const read = () => void this.#unread.delete(name);
    const skipped = (line: string): void => {
      printed.write(`${line}\n`);
      this.#unread.set(name, this.unread(name) + 1);
    };
    read();
    process_.onDidWriteStderr((text) => {
      printed.write(text);
      this.log.debug(`${name} stderr: ${text.trimEnd()}`);
    });
    let agent: Live | undefined;
    const routeKey = `${name}#${++this.#started}`;
    let readError: string | undefined;
    const failed = (message: string, isOurs: boolean): void => {
      if (!isOurs) readError = message;
      if (agent) agent.linkProblem = message;
    };
    const handlers = this.handlersFor(routeKey, name);
    const connection = linkAgent(
      process_,
      { configuration, speaks, handlers, clientVersion: this.version, log: this.log },
      { failed, skipped, read },
    );
    const exited = new Promise<AgentExit>((resolve) => process_.onDidExit(resolve));
    // A link without a process, or a process without a link, is useless: the end of one ends the other.
    const leave = () => {
      const ended = this.#end(process_);
      if (!agent || this.#live.get(name) !== agent) return;
      this.#live.delete(name);
      void this.#holdNext(name, Promise.all([ended, told]));
    };
    connection.onDidClose(leave);
    const told = exited.then((exit) => {
      leave();
      return this.#handleExit(process_, connection, agent, exit);
    });
    const cancelled = new Promise<never>((_, reject) => {
      token.onCancellationRequested(() => reject(StartFailure.cancelled()));
      if (token.isCancellationRequested) reject(StartFailure.cancelled());
    });
    let limit: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new NoAnswer(answerMs / 1_000)), answerMs);
    });
    try {
      const features = await Promise.race([
        connection.initialize(),
        cancelled,
        silent,
        exited.then(() => Promise.reject(new ConnectionEnded())),
      ]);
      agent = {
        configuration,
        started,
        features,
        quirks: quirksOf(features),
        connection,
        process: process_,
        routeKey,
        unread: () => this.unread(name),
      };
      this.#live.set(name, agent);
      const { title, name: ownName = 'agent', version: ownVersion = '' } = features.info ?? {};
      this.log.info(
        `${name}: ${title ?? ownName} ${ownVersion} answered initialize` +
          (version === 1 ? '' : ` in version ${version} of the protocol, a draft`),
      );
      void this.programs().then((programs) => programs.worked?.(configuration));
      return agent;
    } catch (error) {
      const said = version === 1 ? undefined : versionRefusal(error);
      if (said !== undefined) {
        this.#stopping.add(process_);
        connection.dispose();
        await process_.terminate();
        throw new VersionRefused(said);
      }
      // The connection often breaks just before the process is seen to end; the exit has more information.
      const exit =
        process_.exit ??
        (await Promise.race([exited, new Promise<undefined>((resolve) => setTimeout(resolve, 400, undefined))]));
      this.#stopping.add(process_);
      void process_.terminate();
      connection.dispose();
      if (error instanceof StartFailure) throw error;
      throw await failureOf(configuration, {
        ...(exit ? { exit } : {}),
        error,
        ...(readError ? { readError } : {}),
        stderr: process_.stderrTail,
      });
    } finally {
      clearTimeout(limit);
    }
  }

  /** Ends an agent politely. Resolves when its process is gone. */
  async stop(name: string, how: 'politely' | 'now' = 'politely'): Promise<void> {
    const agent = this.#live.get(name);
    if (!agent) return;
    this.#stopping.add(agent.process);
    this.#live.delete(name);
    if (how === 'now') void agent.process.terminate();
    await this.#holdNext(
      name,
      agent.process.stop().then(() => agent.connection.whenClosed),
    );
  }

  /** The next start of this agent waits until the last process has ended and all listeners know why. */
  async #holdNext(name: string, ended: Promise<unknown>): Promise<void> {
    this.#ending.set(name, ended);
    await ended;
    if (this.#ending.get(name) === ended) this.#ending.delete(name);
  }

  /** Ends all of them politely. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.#live.keys()].map((name) => this.stop(name)));
  }

  async #end(process_: AgentProcess): Promise<void> {
    if (process_.exit) return;
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (!process_.exit) await process_.stop();
  }

  async #handleExit(
    process_: AgentProcess,
    connection: AgentConnection,
    agent: Live | undefined,
    exit: AgentExit,
  ): Promise<void> {
    const expected = this.#stopping.delete(process_);
    // The last messages may still be queued.
    await Promise.race([connection.whenClosed, new Promise((resolve) => setTimeout(resolve, lastWordsMs))]);
    connection.dispose();
    if (!agent) return;
    this.log.info(`${agent.configuration.name}: ended with ${exit.signal ?? `exit code ${exit.code ?? 'unknown'}`}`);
    this.#endEmitter.fire({ agent, exit, expected, ...(agent.linkProblem ? { linkProblem: agent.linkProblem } : {}) });
  }

  override dispose(): void {
    // The host ends now, so the processes are killed.
    for (const process_ of this.#processes) process_.dispose();
    super.dispose();
  }
}

/** Why an agent did not start. */
/** False if one of these paths is certainly or perhaps no folder. */
async function areFolders(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return found.every((entry) => entry?.isDirectory());
}

async function failureOf(configuration: AgentConfiguration, evidence: StartEvidence): Promise<StartFailure> {
  const { startFailure } = await import('./startWords');
  return startFailure(configuration, evidence);
}
