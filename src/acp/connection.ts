import type { ContentBlock, Implementation, LoadSessionRequest, NewSessionRequest, PromptResponse, ResumeSessionRequest } from '@agentclientprotocol/sdk';
import { CancellationTokenSource, createMessageConnection, type MessageConnection, type MessageReader, type MessageWriter, ResponseError } from 'vscode-jsonrpc';
import type { CancellationToken } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { type AgentFeatures, agentFeatures } from './capabilities';
import { type ClientFeatures, clientCapabilities } from './clientFeatures';
import { type ConfigOption, decodeConfigOptions, decodeOffered, type OfferedOptions } from './decodeOptions';
import { decodeTurnUsage, type TurnUsage } from './decodeUsage';
import { wireId } from './dialect';
import { DrainingReader } from './drainingReader';
import { AcpError, ConnectionEnded, ErrorCodes } from './errors';
import { decodeSessionList, type SessionListPage } from './decodeSessions';
import { FirstAnswers } from './firstAnswers';
import type { ClientHandlers } from './handlers';
import { asObject, stringOf } from './json';
import { AgentMethods } from './methods';
import { noQuirks, quirksOf, standardUpdate } from './quirks';
import { serveClientMethods } from './serve';
import type { TraceContext } from './traceContext';

/** The one protocol version that we speak. */
export const protocolVersion = 1;

export interface ConnectionOptions {
  /** What the person calls the agent, for the log. */
  readonly name: string;
  readonly features: ClientFeatures;
  readonly clientInfo: Implementation;
  readonly log: Logger;
  /** Present when the person wants `traceparent` on requests. */
  readonly trace?: TraceContext;
}

export interface OpenedSession extends OfferedOptions {
  readonly sessionId: string;
}

/** The agent answered `initialize` with a version that we do not speak (item 27). */
export class VersionMismatch extends Error {
  constructor(readonly answered: unknown) {
    super(`The agent speaks version ${JSON.stringify(answered)} of the Agent Client Protocol, Parley speaks version ${protocolVersion}`);
    this.name = 'VersionMismatch';
  }
}

/**
 * One JSON-RPC link to one agent process. Calls go out typed and come back as values or as `AcpError`; what the agent
 * asks is decoded and given to `ClientHandlers`. Knows nothing of threads, processes or VS Code.
 *
 * Order: `initialize` first and alone (item 22); updates and responses are handled in the order of the wire, because
 * both go through the same queue of vscode-jsonrpc.
 */
export class AcpConnection extends Disposable {
  private readonly rpc: MessageConnection;
  private readonly closeEmitter = this.register(new Emitter<void>());
  private readonly answers = new FirstAnswers();
  private closed = false;
  private quirks = noQuirks;

  /** Fires once, when the reader has ended and all that came before has been handled. Pending calls have been rejected by then. */
  readonly onDidClose = this.closeEmitter.event;
  /** Resolves with `onDidClose`. */
  readonly whenClosed = new Promise<void>((resolve) => this.onDidClose(() => resolve()));

  constructor(
    reader: MessageReader,
    writer: MessageWriter,
    handlers: ClientHandlers,
    private readonly options: ConnectionOptions,
  ) {
    super();
    const { log } = options;
    const { answers } = this;
    const draining = new DrainingReader(reader, (message) => {
      const admitted = answers.admits(message);
      if (!admitted) log.debug('an answer to a call that is not open was ignored');
      return admitted;
    });
    const logger = {
      error: (message: string) => log.error(message),
      warn: (message: string) => log.warn(message),
      info: (message: string) => log.debug(message),
      log: (message: string) => log.trace(message),
    };
    this.rpc = createMessageConnection(draining, answers.noting(writer), logger, { messageStrategy: draining.strategy });
    this.register(this.rpc);
    this.register(serveClientMethods(this.rpc, handlers, options.features, log, (update) => standardUpdate(update, this.quirks)));
    this.register(this.rpc.onError(([error]) => log.warn(`connection: ${error.message}`)));
    this.register(this.rpc.onClose(() => this.handleClose()));
    this.rpc.listen();
  }

  /**
   * Sends `initialize`. No time limit: `npx` may download for a minute (item 31); the token is the person's Cancel.
   * @throws VersionMismatch, AcpError
   */
  async initialize(token?: CancellationToken): Promise<AgentFeatures> {
    const result = await this.call(
      AgentMethods.initialize,
      { protocolVersion, clientCapabilities: clientCapabilities(this.options.features), clientInfo: this.options.clientInfo },
      token,
    );
    const answered = asObject(result)['protocolVersion'];
    if (answered !== protocolVersion) throw new VersionMismatch(answered);
    const features = agentFeatures(result);
    this.quirks = quirksOf(features);
    return features;
  }

  async newSession(params: NewSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.call(AgentMethods.sessionNew, params, token));
    const sessionId = stringOf(result['sessionId']);
    if (sessionId === undefined) throw new AcpError(ErrorCodes.internalError, 'The agent opened a session without telling its id');
    return { sessionId, ...this.offeredBy(result) };
  }

  /** Only where the agent advertised `sessionCapabilities.resume`. */
  async resumeSession(params: ResumeSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.call(AgentMethods.sessionResume, params, token));
    return { sessionId: params.sessionId, ...this.offeredBy(result) };
  }

  /**
   * Only where the agent advertised `loadSession`. What was said comes as updates, from most agents before this
   * resolves, from some after it (items 59, 60).
   */
  async loadSession(params: LoadSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.call(AgentMethods.sessionLoad, params, token));
    return { sessionId: params.sessionId, ...this.offeredBy(result) };
  }

  /**
   * One page of the agent's sessions; only where it advertised `sessionCapabilities.list`.
   * @param cwd absolute; only sessions of that folder.
   * @param cursor of the page before, verbatim (item 68).
   */
  async listSessions(cwd: string, cursor?: string): Promise<SessionListPage> {
    const result = await this.call(AgentMethods.sessionList, { cwd, ...(cursor === undefined ? {} : { cursor }) });
    return decodeSessionList(result, (issue) => this.options.log.debug(`session/list: ${issue}`));
  }

  /** Only where the agent advertised `sessionCapabilities.delete`. A session that is gone already counts as deleted (item 70). */
  async deleteSession(sessionId: string): Promise<void> {
    await this.callUnlessGone(AgentMethods.sessionDelete, sessionId);
  }

  /** Only where the agent advertised `sessionCapabilities.close`. A session that is gone already counts as closed (item 70). */
  async closeSession(sessionId: string): Promise<void> {
    await this.callUnlessGone(AgentMethods.sessionClose, sessionId);
  }

  /**
   * Runs one turn. There is no time limit (item 79).
   * @returns the stop reason as the agent spelled it; an unknown one ends the turn all the same (item 80).
   */
  async prompt(sessionId: string, prompt: ContentBlock[]): Promise<{ stopReason: PromptResponse['stopReason'] | string; usage?: TurnUsage }> {
    const result = asObject(await this.call(AgentMethods.sessionPrompt, { sessionId, prompt }));
    const usage = decodeTurnUsage(result['usage']);
    return { stopReason: stringOf(result['stopReason']) ?? 'end_turn', ...(usage ? { usage } : {}) };
  }

  /** A notification; the turn ends only with the answer to its prompt (item 173). */
  async cancel(sessionId: string): Promise<void> {
    await this.rpc.sendNotification(AgentMethods.sessionCancel, { sessionId });
  }

  /** @param modeId one of the modes that the agent offered. */
  async setMode(sessionId: string, modeId: string): Promise<void> {
    await this.call(AgentMethods.sessionSetMode, { sessionId, modeId });
  }

  /**
   * @param configId one of the config options that the agent offered
   * @param value one of its choices; true or false for a boolean option (item 161)
   * @returns the whole list as it is now, or undefined where the agent did not tell it.
   */
  async setConfigOption(sessionId: string, configId: string, value: string | boolean): Promise<readonly ConfigOption[] | undefined> {
    const params = typeof value === 'boolean' ? { sessionId, configId, type: 'boolean', value } : { sessionId, configId, value };
    const result = asObject(await this.call(AgentMethods.sessionSetConfigOption, params));
    return decodeConfigOptions(result['configOptions'], (issue) => this.options.log.debug(`${AgentMethods.sessionSetConfigOption}: ${issue}`));
  }

  /** Only where the session was opened with `models`; not in the schema. */
  async setModel(sessionId: string, modelId: string): Promise<void> {
    await this.call(AgentMethods.sessionSetModel, { sessionId, modelId });
  }

  private async callUnlessGone(method: string, sessionId: string): Promise<void> {
    try {
      await this.call(method, { sessionId });
    } catch (error) {
      if (!(error instanceof AcpError && error.code === ErrorCodes.resourceNotFound)) throw error;
    }
  }

  private async call(method: string, params: object, token?: CancellationToken): Promise<unknown> {
    if (this.closed) throw new ConnectionEnded();
    if (token?.isCancellationRequested) throw AcpError.cancelled();
    const traced = this.options.trace ? { ...params, _meta: this.options.trace.next() } : params;
    const source = new CancellationTokenSource();
    const subscription = token?.onCancellationRequested(() => source.cancel());
    let onClose: { dispose(): void } | undefined;
    const ended = new Promise<never>((_, reject) => {
      onClose = this.onDidClose(() => reject(new ConnectionEnded()));
    });
    let requestId: unknown;
    try {
      const answer = this.rpc.sendRequest(method, traced, source.token);
      // The request has been handed to the writer by now.
      requestId = wireId(this.answers.lastCall);
      return await Promise.race([answer, ended]);
    } catch (cause) {
      const error = toAcpError(cause, method);
      this.logFailure(method, stringOf(asObject(params)['sessionId']), requestId, error);
      throw error;
    } finally {
      subscription?.dispose();
      onClose?.dispose();
      source.dispose();
    }
  }

  /** One line that joins what the person sees with the agent's own log and with the traffic. */
  private logFailure(method: string, sessionId: string | undefined, requestId: unknown, error: AcpError): void {
    const kind = stringOf(asObject(error.data)['errorKind']);
    const facts = [...(sessionId === undefined ? [] : [`session ${sessionId}`]), `request ${String(requestId ?? 'not sent')}`, `code ${error.code}${kind === undefined ? '' : ` (${kind})`}`];
    const line = `${this.options.name}: ${method} failed: ${facts.join(', ')}: ${shortReason(error.message)}`;
    const isNews = error.code !== ErrorCodes.requestCancelled && !(error instanceof ConnectionEnded);
    this.options.log[isNews ? 'warn' : 'debug'](line);
  }

  private offeredBy(result: unknown): OfferedOptions {
    return decodeOffered(result, (issue) => this.options.log.debug(`session response: ${issue}`));
  }

  private handleClose(): void {
    if (this.closed) return;
    this.closed = true;
    this.closeEmitter.fire();
  }

  override dispose(): void {
    // Pending calls hear of the end before the link below them goes.
    this.handleClose();
    super.dispose();
  }
}

function toAcpError(error: unknown, method: string): AcpError {
  if (error instanceof AcpError) return error;
  if (error instanceof ResponseError) return new AcpError(error.code, error.message, error.data);
  return new AcpError(ErrorCodes.internalError, `${method} could not be sent: ${error instanceof Error ? error.message : String(error)}`);
}

/** An agent's message on one line, without what could be a key or a token. */
function shortReason(message: string): string {
  const line = message.replace(/\s+/g, ' ').replace(/[\w+/=-]{24,}/g, '…');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
