import * as l10n from '@vscode/l10n';
import type {
  ContentBlock,
  LoadSessionRequest,
  NewSessionRequest,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { CancellationToken } from '../base/cancellation';
import type { Event } from '../base/event';
import { Disposable } from '../base/lifecycle';
import {
  type AgentConnection,
  type ConnectionOptions,
  type ForkParams,
  type OpenedSession,
  type TurnEnd,
  VersionMismatch,
} from './agentConnection';
import type { AgentReader, AgentWriter } from './agentLink';
import { type AgentFeatures, agentFeatures } from './capabilities';
import { clientCapabilities } from './clientFeatures';
import { type ConfigOption, decodeConfigOptions, decodeOffered, type OfferedOptions } from './decodeOptions';
import { decodePermission } from './decodeRequest';
import type { SessionListPage } from './decodeSessions';
import { type Decoded, decodeUpdate, type Update } from './decodeUpdate';
import { decodeTurnUsage } from './decodeUsage';
import { AcpError, ErrorCodes } from './errors';
import type { ClientHandlers } from './handlers';
import { asObject, stringOf } from '../base/decode';
import { AgentMethods } from './methods';
import { apiKeyMeta, noQuirks, quirksOf, standardUpdate, wholePrompt } from './quirks';
import { RpcEndpoint } from './rpcEndpoint';
import { serveClientMethods } from './serve';

/** The version of this connection, and the default for agents. */
const protocolVersion = 1;

/**
 * ACP v1 on one link to one agent process. Calls go out typed and come back as values or as `AcpError`; requests of the
 * agent are decoded and given to `ClientHandlers`. Knows nothing of threads, processes or VS Code.
 *
 * Order: `initialize` first and alone (item 22).
 */
export class AcpConnection extends Disposable implements AgentConnection {
  readonly #endpoint: RpcEndpoint;
  #quirks = noQuirks;

  readonly workOutlivesTurn = false;
  readonly onDidClose: Event<void>;
  readonly whenClosed: Promise<void>;

  constructor(
    reader: AgentReader,
    writer: AgentWriter,
    handlers: ClientHandlers,
    private readonly options: ConnectionOptions,
  ) {
    super();
    const { features, log } = options;
    const decoders = { update: (raw: unknown) => this.#decode(raw), permission: decodePermission };
    this.#endpoint = this.register(
      new RpcEndpoint(reader, writer, options, (rpc, room, link) =>
        serveClientMethods(rpc, room, handlers, features, log, decoders, link),
      ),
    );
    this.onDidClose = this.#endpoint.onDidClose;
    this.whenClosed = this.#endpoint.whenClosed;
  }

  /**
   * Sends `initialize`. No time limit: a command may download first (item 31); the token is the user's Cancel.
   * @throws VersionMismatch, AcpError
   */
  async initialize(token?: CancellationToken): Promise<AgentFeatures> {
    const result = await this.#endpoint.call(
      AgentMethods.initialize,
      {
        protocolVersion,
        clientCapabilities: clientCapabilities(this.options.features),
        clientInfo: this.options.clientInfo,
      },
      token,
    );
    const answered = asObject(result)['protocolVersion'];
    if (answered !== protocolVersion) throw new VersionMismatch(answered, protocolVersion);
    const features = agentFeatures(result);
    this.#quirks = quirksOf(features);
    return features;
  }

  /**
   * Signs in (items 36 to 40, 44, 49). No time limit: it may wait for a user at a browser. Cancelling the token sends
   * `$/cancel_request`.
   * @param methodId one of those that the agent offered, and none for a terminal.
   * @param key for a method that takes one; never written to the log.
   */
  async authenticate(methodId: string, token?: CancellationToken, key?: string): Promise<void> {
    const _meta = key === undefined ? {} : { _meta: apiKeyMeta(key, this.#quirks) };
    await this.#endpoint.call(AgentMethods.authenticate, { methodId, ..._meta }, token, key);
  }

  caughtUp(): Promise<void> {
    return this.#endpoint.caughtUp();
  }

  /** Only where the agent advertised `auth.logout`. Its sessions may then ask the user to sign in again (item 48). */
  async logout(): Promise<void> {
    await this.#endpoint.call(AgentMethods.logout, {});
  }

  async newSession(params: NewSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionNew, params, token));
    const sessionId = stringOf(result['sessionId']);
    if (sessionId === undefined)
      throw new AcpError(ErrorCodes.internalError, l10n.t('The agent opened a session without an ID'));
    return { sessionId, ...this.#offeredBy(result) };
  }

  /** Only where the agent advertised `sessionCapabilities.resume`. */
  async resumeSession(params: ResumeSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionResume, params, token));
    return { sessionId: params.sessionId, ...this.#offeredBy(result) };
  }

  /**
   * Only where the agent advertised `loadSession`. The conversation comes as updates, from most agents before this
   * resolves, from some after it (items 59, 60).
   */
  async loadSession(params: LoadSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionLoad, params, token));
    return { sessionId: params.sessionId, ...this.#offeredBy(result) };
  }

  /**
   * One page of the agent's sessions; only where it advertised `sessionCapabilities.list`.
   * @param cwd absolute; only sessions of that folder.
   * @param cursor of the page before, verbatim (item 68).
   * @param archived also archived ones; only where the agent advertised `sessionCapabilities.archive`.
   */
  async listSessions(cwd: string, cursor?: string, archived = false): Promise<SessionListPage> {
    const decoder = import('./decodeSessions');
    const result = await this.#endpoint.call(AgentMethods.sessionList, {
      cwd,
      ...(cursor === undefined ? {} : { cursor }),
      ...(archived ? { archived: 'include' } : {}),
    });
    return (await decoder).decodeSessionList(result, (issue) => this.options.log.debug(`session/list: ${issue}`));
  }

  /**
   * Only where the agent advertised `sessionCapabilities.fork`, which is not stable. The original session does not
   * change.
   */
  async forkSession(params: ForkParams, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionFork, params, token));
    const sessionId = stringOf(result['sessionId']);
    if (sessionId === undefined)
      throw new AcpError(ErrorCodes.internalError, l10n.t('The agent forked a session without giving its ID'));
    return { sessionId, ...this.#offeredBy(result) };
  }

  /** Only where the agent advertised `sessionCapabilities.archive`, which is not stable; it closes the session too. */
  async archiveSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethods.sessionArchive, sessionId);
  }

  /** An archived session must be unarchived before it is opened. */
  async unarchiveSession(sessionId: string): Promise<void> {
    await this.#endpoint.call(AgentMethods.sessionUnarchive, { sessionId });
  }

  /** Only where the agent advertised `sessionCapabilities.title`, which is not stable. */
  async setTitle(sessionId: string, title: string): Promise<string> {
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionSetTitle, { sessionId, title }));
    return stringOf(result['title']) ?? title;
  }

  /**
   * Only where the agent advertised `sessionCapabilities.delete`. A session that is gone already counts as deleted
   * (item 70).
   */
  async deleteSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethods.sessionDelete, sessionId);
  }

  /**
   * Only where the agent advertised `sessionCapabilities.close`. A session that is gone already counts as closed (item
   * 70).
   */
  async closeSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethods.sessionClose, sessionId);
  }

  /**
   * Runs one turn. There is no time limit (item 79).
   * @returns the stop reason as the agent spelled it; an unknown one ends the turn all the same (item 80).
   */
  async prompt(sessionId: string, prompt: ContentBlock[]): Promise<TurnEnd> {
    const result = asObject(
      await this.#endpoint.call(AgentMethods.sessionPrompt, { sessionId, prompt: wholePrompt(prompt, this.#quirks) }),
    );
    const { receivedAt } = this.#endpoint;
    const usage = decodeTurnUsage(result['usage']);
    return { stopReason: stringOf(result['stopReason']) ?? 'end_turn', receivedAt, ...(usage ? { usage } : {}) };
  }

  /**
   * Sends a message into the running turn, an extension of v1 (`_session/steering`). Without the field in `_meta`, an
   * idle agent would start a turn that belongs to no prompt. The results come as updates of the turn.
   */
  async steer(sessionId: string, prompt: ContentBlock[]): Promise<boolean> {
    const result = asObject(
      await this.#endpoint.call(AgentMethods.sessionSteering, {
        sessionId,
        prompt: wholePrompt(prompt, this.#quirks),
        _meta: { steering: { idleBehavior: 'promptRequired' } },
      }),
    );
    return result['outcome'] !== 'promptRequired';
  }

  /** A notification; the turn ends only with the answer to its prompt (item 173). */
  async cancel(sessionId: string): Promise<void> {
    await this.#endpoint.notify(AgentMethods.sessionCancel, { sessionId });
  }

  /** @param modeId one of the modes that the agent offered. */
  async setMode(sessionId: string, modeId: string): Promise<void> {
    await this.#endpoint.call(AgentMethods.sessionSetMode, { sessionId, modeId });
  }

  /**
   * @param configId one of the config options that the agent offered
   * @param value one of its choices; true or false for a boolean option (item 161)
   * @returns the whole list of options after the change, or undefined if the agent did not send it.
   */
  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[] | undefined> {
    const params =
      typeof value === 'boolean' ? { sessionId, configId, type: 'boolean', value } : { sessionId, configId, value };
    const result = asObject(await this.#endpoint.call(AgentMethods.sessionSetConfigOption, params));
    return decodeConfigOptions(result['configOptions'], (issue) =>
      this.options.log.debug(`${AgentMethods.sessionSetConfigOption}: ${issue}`),
    );
  }

  /** Only where the session was opened with `models`; not in the schema. */
  async setModel(sessionId: string, modelId: string): Promise<void> {
    await this.#endpoint.call(AgentMethods.sessionSetModel, { sessionId, modelId });
  }

  #decode(raw: unknown): Decoded<Update> {
    const { value, issues } = decodeUpdate(raw);
    return { value: value && standardUpdate(value, this.#quirks), issues };
  }

  #offeredBy(result: unknown): OfferedOptions {
    return decodeOffered(result, (issue) => this.options.log.debug(`session response: ${issue}`));
  }
}
