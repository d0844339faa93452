import * as l10n from '@vscode/l10n';
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  type Message,
} from 'vscode-jsonrpc';
import { messageOf } from '../base/errorText';
import type { CancellationToken } from '../base/cancellation';
import { Emitter } from '../base/event';
import { Disposable, type IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { AgentReader, AgentWriter } from './agentLink';
import { AnswerRoom } from './answerRoom';
import { wireId } from './dialect';
import { DrainingReader } from './drainingReader';
import { AcpError, ConnectionEnded, ErrorCodes } from './errors';
import { asObject, stringOf } from '../base/decode';
import { OpenRequests } from './openRequests';
import { clip } from '../base/oneLine';

/**
 * Lets only the first answer to each of our calls through (item 16). vscode-jsonrpc stores queued messages by id, so a
 * second answer that comes immediately would replace the first.
 */
class FirstAnswers {
  readonly #outstanding = new Set<unknown>();
  /** Id of the latest call, as vscode-jsonrpc counts. */
  lastCall: unknown;

  /** Wraps the writer to note which calls go out. */
  noting(writer: AgentWriter): AgentWriter {
    return {
      onError: writer.onError,
      onClose: writer.onClose,
      write: (message) => {
        const { id, method } = message as Message & { id?: unknown; method?: unknown };
        if (method !== undefined && id !== undefined) {
          this.#outstanding.add(id);
          this.lastCall = id;
        }
        return writer.write(message);
      },
      whenRoom: () => writer.whenRoom(),
      fail: (reason) => writer.fail(reason),
      end: () => writer.end(),
      dispose: () => writer.dispose(),
    };
  }

  /** False for an answer to a call that was never made or is already answered. */
  admits(message: Message): boolean {
    const { id, method } = message as Message & { id?: unknown; method?: unknown };
    return method !== undefined || this.#outstanding.delete(id);
  }
}

/** Refusals remembered: an agent may pass on an error that it got a while ago. */
const refusalsKept = 20;

/** The parts of the link that request handlers need. */
export interface ServedLink {
  /** When the current message was read, epoch ms. */
  readonly receivedAt: () => number;
  /** Called when a request was answered with this error. */
  readonly refused: (message: string) => void;
}

export interface RpcOptions {
  /** The user's name for the agent, for the log. */
  readonly name: string;
  readonly log: Logger;
}

/**
 * Our end of one JSON-RPC link, whatever version of ACP is spoken on it: calls come back as values or as `AcpError`,
 * each call takes one answer, and a failure leaves one line in the log. Updates and responses are handled in the order
 * of the wire, because both go through the same queue of vscode-jsonrpc.
 */
export class RpcEndpoint extends Disposable {
  readonly #rpc: MessageConnection;
  readonly #reader: DrainingReader;
  readonly #closeEmitter = this.register(new Emitter<void>());
  readonly #answers = new FirstAnswers();
  readonly #refusals: string[] = [];
  #closed = false;

  /** Fires once, when the reader has ended and all earlier messages are handled. Pending calls are rejected by then. */
  readonly onDidClose = this.#closeEmitter.event;
  /** Resolves with `onDidClose`. */
  readonly whenClosed = new Promise<void>((resolve) => this.onDidClose(() => resolve()));

  /** @param serve registers the handlers of the agent's requests; large answers are made in the room. */
  constructor(
    reader: AgentReader,
    writer: AgentWriter,
    private readonly options: RpcOptions,
    serve: (rpc: MessageConnection, room: AnswerRoom, link: ServedLink) => IDisposable,
  ) {
    super();
    const { log } = options;
    const answers = this.#answers;
    const requests = new OpenRequests(writer);
    const draining = new DrainingReader(reader, (message, bytes) => {
      const admitted = answers.admits(message);
      if (!admitted) log.debug('an answer to a call that is not open was ignored');
      return admitted && requests.admits(message, bytes);
    });
    this.#reader = draining;
    const logger = {
      error: (message: string) => log.error(message),
      warn: (message: string) => log.warn(message),
      info: (message: string) => log.debug(message),
      log: (message: string) => log.trace(message),
    };
    this.#rpc = createMessageConnection(draining, answers.noting(requests.noting()), logger, {
      messageStrategy: draining.strategy,
    });
    this.register(this.#rpc);
    this.register(
      serve(this.#rpc, new AnswerRoom(() => writer.whenRoom()), {
        receivedAt: () => draining.receivedAt,
        refused: (message) => this.#refused(message),
      }),
    );
    this.register(this.#rpc.onError(([error]) => log.warn(`connection: ${error.message}`)));
    this.register(this.#rpc.onClose(() => this.#handleClose()));
    this.#rpc.listen();
  }

  /** When the current message was read, epoch ms; right after a call resolved, that of its answer. */
  get receivedAt(): number {
    return this.#reader.receivedAt;
  }

  /** Resolves when everything that the agent has sent so far is handled. */
  async caughtUp(): Promise<void> {
    if (!this.#closed) await Promise.race([this.#reader.caughtUp(), this.whenClosed]);
  }

  /**
   * @param token withdraws the call with `$/cancel_request`.
   * @param secret a secret that the agent's error may repeat; it is removed.
   * @throws AcpError the agent's error, or `ConnectionEnded`.
   */
  async call(method: string, params: object, token?: CancellationToken, secret?: string): Promise<unknown> {
    if (this.#closed) throw new ConnectionEnded();
    if (token?.isCancellationRequested) throw AcpError.cancelled();
    const source = new CancellationTokenSource();
    const subscription = token?.onCancellationRequested(() => source.cancel());
    let onClose: { dispose(): void } | undefined;
    const ended = new Promise<never>((_, reject) => {
      onClose = this.onDidClose(() => reject(new ConnectionEnded()));
    });
    let requestId: unknown;
    try {
      const answer = this.#rpc.sendRequest(method, params, source.token);
      // The writer has the request by now.
      requestId = wireId(this.#answers.lastCall);
      return await Promise.race([answer, ended]);
    } catch (cause) {
      const error = this.#ownWords(toAcpError(cause, method, secret));
      this.#logFailure(method, stringOf(asObject(params)['sessionId']), requestId, error);
      throw error;
    } finally {
      subscription?.dispose();
      onClose?.dispose();
      source.dispose();
    }
  }

  async notify(method: string, params: object): Promise<void> {
    await this.#rpc.sendNotification(method, params);
  }

  /** For void methods on a session: if the agent no longer knows the session, the call succeeds (item 70). */
  async callUnlessGone(method: string, sessionId: string): Promise<void> {
    try {
      await this.call(method, { sessionId });
    } catch (error) {
      if (!(error instanceof AcpError && error.code === ErrorCodes.resourceNotFound)) throw error;
    }
  }

  /** Logs one line that connects the message to the user with the agent's log and the traffic. */
  #logFailure(method: string, sessionId: string | undefined, requestId: unknown, error: AcpError): void {
    const kind = stringOf(asObject(error.data)['errorKind']);
    const facts = [
      ...(sessionId === undefined ? [] : [`session ${sessionId}`]),
      `request ${String(requestId ?? 'not sent')}`,
      `code ${error.code}${kind === undefined ? '' : ` (${kind})`}`,
    ];
    const line = `${this.options.name}: ${method} failed: ${facts.join(', ')}: ${shortReason(error.message)}`;
    const isNews = error.code !== ErrorCodes.requestCancelled && !(error instanceof ConnectionEnded);
    this.options.log[isNews ? 'warn' : 'debug'](line);
  }

  #refused(message: string): void {
    this.#refusals.push(message);
    if (this.#refusals.length > refusalsKept) this.#refusals.shift();
  }

  /** Many agents fail with the error that Parley sent them: then Parley refused, not the agent. */
  #ownWords(error: AcpError): AcpError {
    if (error instanceof ConnectionEnded) return error;
    const { code, message, data } = error;
    const { details, message: inData } = asObject(data);
    const said = `${message}\n${typeof data === 'string' ? data : (stringOf(details) ?? stringOf(inData) ?? '')}`;
    const repeated = this.#refusals.findLast((own) => own !== '' && said.includes(own));
    return repeated === undefined ? error : new AcpError(code, message, data, repeated);
  }

  #handleClose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#closeEmitter.fire();
  }

  override dispose(): void {
    // Reject pending calls before the link below them closes.
    this.#handleClose();
    super.dispose();
  }
}

function toAcpError(error: unknown, method: string, secret?: string): AcpError {
  if (error instanceof AcpError) return error;
  // The agent's `data` may contain the key in any form.
  if (error instanceof ResponseError && secret)
    return new AcpError(error.code, error.message.replaceAll(secret, '•••'));
  if (error instanceof ResponseError) return new AcpError(error.code, error.message, error.data);
  return new AcpError(ErrorCodes.internalError, l10n.t('{0} could not be sent: {1}', method, messageOf(error)));
}

/** An agent's message on one line, without text that could be a key or a token. */
function shortReason(message: string): string {
  return clip(message.replace(/\s+/g, ' ').replace(/[\w+/=-]{24,}/g, '…'), 200);
}
