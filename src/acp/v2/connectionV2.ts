import * as l10n from '@vscode/l10n';
import type {
  ContentBlock,
  LoadSessionRequest,
  NewSessionRequest,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { CancellationToken } from '../../base/cancellation';
import type { Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import {
  type AgentConnection,
  type ConnectionOptions,
  type ForkParams,
  type OpenedSession,
  type PromptInserted,
  VersionMismatch,
} from '../agentConnection';
import type { AgentReader, AgentWriter } from '../agentLink';
import type { AgentFeatures } from '../capabilities';
import { type ConfigOption, decodeConfigOptions } from '../decodeOptions';
import type { SessionListPage } from '../decodeSessions';
import { AcpError, ErrorCodes } from '../errors';
import type { ClientHandlers } from '../handlers';
import { asObject, stringOf } from '../../base/decode';
import type { JsonObject } from '../../base/json';
import { apiKeyMeta, noQuirks, quirksOf } from '../quirks';
import { RpcEndpoint } from '../rpcEndpoint';
import { serveClientMethods } from '../serve';
import { decodePermissionV2 } from './decodePermission';
import { decodeUpdateV2 } from './decodeUpdateV2';
import { draftVersion, featuresOf, initializeParams, servedFeatures } from './initialize';
import { configOptionsAsV1, mcpServersAsV2 } from './respell';

/**
 * The draft of ACP v2 on one link to one agent process, with the calls of v1, so that the host treats both the same.
 * Nothing that only v1 has is called or served (item 198).
 */
export class AcpConnectionV2 extends Disposable implements AgentConnection {
  readonly #endpoint: RpcEndpoint;
  /** `capabilities.session.mcp` of the agent. */
  #mcp: JsonObject = {};
  #quirks = noQuirks;

  readonly workOutlivesTurn = true;
  readonly onDidClose: Event<void>;
  readonly whenClosed: Promise<void>;

  constructor(
    reader: AgentReader,
    writer: AgentWriter,
    private readonly handlers: ClientHandlers,
    private readonly options: ConnectionOptions,
  ) {
    super();
    const { features, log } = options;
    const decoders = { update: decodeUpdateV2, permission: decodePermissionV2 };
    this.#endpoint = this.register(
      new RpcEndpoint(reader, writer, options, (rpc, room, link) =>
        serveClientMethods(rpc, room, handlers, servedFeatures(features), log, decoders, link),
      ),
    );
    this.onDidClose = this.#endpoint.onDidClose;
    this.whenClosed = this.#endpoint.whenClosed;
  }

  async initialize(token?: CancellationToken): Promise<AgentFeatures> {
    const { features, clientInfo } = this.options;
    const result = asObject(
      await this.#endpoint.call(AgentMethodsV2.initialize, initializeParams(features, clientInfo), token),
    );
    const answered = result['protocolVersion'];
    if (answered !== draftVersion) throw new VersionMismatch(answered, draftVersion);
    this.#mcp = asObject(asObject(asObject(result['capabilities'])['session'])['mcp']);
    const agent = featuresOf(result);
    this.#quirks = quirksOf(agent);
    return agent;
  }

  /** `auth/login`, with the key in the same field as v1. */
  async authenticate(methodId: string, token?: CancellationToken, key?: string): Promise<void> {
    const _meta = key === undefined ? {} : { _meta: apiKeyMeta(key, this.#quirks) };
    await this.#endpoint.call(AgentMethodsV2.authLogin, { methodId, ..._meta }, token, key);
  }

  caughtUp(): Promise<void> {
    return this.#endpoint.caughtUp();
  }

  async logout(): Promise<void> {
    await this.#endpoint.call(AgentMethodsV2.authLogout, {});
  }

  async newSession(params: NewSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethodsV2.sessionNew, this.#sessionParams(params), token));
    const sessionId = stringOf(result['sessionId']);
    if (sessionId === undefined)
      throw new AcpError(ErrorCodes.internalError, l10n.t('The agent opened a session without an ID'));
    return this.#opened(sessionId, result);
  }

  /** Resumes without a replay. The agent sends the session's state before it answers. */
  async resumeSession(params: ResumeSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    return this.#resume(
      { sessionId: params.sessionId, ...this.#sessionParams({ ...params, mcpServers: params.mcpServers ?? [] }) },
      token,
    );
  }

  /** `session/resume` with a replay of everything, which comes before the answer: v2 has no load (item 197). */
  async loadSession(params: LoadSessionRequest, token?: CancellationToken): Promise<OpenedSession> {
    return this.#resume(
      { sessionId: params.sessionId, ...this.#sessionParams(params), replayFrom: { type: 'start' } },
      token,
    );
  }

  async listSessions(cwd: string, cursor?: string, archived = false): Promise<SessionListPage> {
    const decoder = import('../decodeSessions');
    const result = await this.#endpoint.call(AgentMethodsV2.sessionList, {
      cwd,
      ...(cursor === undefined ? {} : { cursor }),
      ...(archived ? { archived: 'include' } : {}),
    });
    return (await decoder).decodeSessionList(result, this.#report(AgentMethodsV2.sessionList));
  }

  /** Only where the agent advertised `session.fork`, which is not stable. The original session does not change. */
  async forkSession(params: ForkParams, token?: CancellationToken): Promise<OpenedSession> {
    const result = asObject(
      await this.#endpoint.call(
        AgentMethodsV2.sessionFork,
        { sessionId: params.sessionId, ...this.#sessionParams(params) },
        token,
      ),
    );
    const sessionId = stringOf(result['sessionId']);
    if (sessionId === undefined)
      throw new AcpError(ErrorCodes.internalError, l10n.t('The agent forked a session without giving its ID'));
    return this.#opened(sessionId, result);
  }

  /** Only where the agent advertised `session.archive`, which is not stable; it closes the session too. */
  async archiveSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethodsV2.sessionArchive, sessionId);
  }

  /** An archived session must be unarchived before it is opened. */
  async unarchiveSession(sessionId: string): Promise<void> {
    await this.#endpoint.call(AgentMethodsV2.sessionUnarchive, { sessionId });
  }

  /** Only where the agent advertised `session.title`, which is not stable. */
  async setTitle(sessionId: string, title: string): Promise<string> {
    const result = asObject(await this.#endpoint.call(AgentMethodsV2.sessionSetTitle, { sessionId, title }));
    return stringOf(result['title']) ?? title;
  }

  async deleteSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethodsV2.sessionDelete, sessionId);
  }

  async closeSession(sessionId: string): Promise<void> {
    await this.#endpoint.callUnlessGone(AgentMethodsV2.sessionClose, sessionId);
  }

  /** Resolves when the prompt is in the conversation; an idle state of the session ends the turn (item 192). */
  async prompt(sessionId: string, prompt: ContentBlock[]): Promise<PromptInserted> {
    const result = asObject(await this.#endpoint.call(AgentMethodsV2.sessionPrompt, { sessionId, prompt }));
    const messageId = stringOf(result['messageId']);
    if (messageId === undefined) this.#report(AgentMethodsV2.sessionPrompt)('the answer names no message');
    return messageId === undefined ? {} : { messageId };
  }

  async cancel(sessionId: string): Promise<void> {
    await this.#endpoint.notify(AgentMethodsV2.sessionCancel, { sessionId });
  }

  /** v2 has no modes: they are a config option. */
  async setMode(): Promise<void> {
    throw AcpError.methodNotFound('session/set_mode');
  }

  async setModel(): Promise<void> {
    throw AcpError.methodNotFound('session/set_model');
  }

  async setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[] | undefined> {
    const typed = typeof value === 'boolean' ? { type: 'boolean', value } : { type: 'id', value };
    const result = asObject(
      await this.#endpoint.call(AgentMethodsV2.sessionSetConfigOption, { sessionId, configId, ...typed }),
    );
    return decodeConfigOptions(
      configOptionsAsV1(result['configOptions']),
      this.#report(AgentMethodsV2.sessionSetConfigOption),
    );
  }

  async cancelToolCall(sessionId: string, toolCallId: string): Promise<void> {
    await this.#endpoint.call(AgentMethodsV2.toolCallCancel, { sessionId, toolCallId });
  }

  async cancelTerminal(sessionId: string, terminalId: string): Promise<void> {
    await this.#endpoint.call(AgentMethodsV2.terminalCancel, { sessionId, terminalId });
  }

  async #resume(
    params: { readonly sessionId: string } & JsonObject,
    token?: CancellationToken,
  ): Promise<OpenedSession> {
    const result = asObject(await this.#endpoint.call(AgentMethodsV2.sessionResume, params, token));
    return this.#opened(params.sessionId, result);
  }

  /** Parameters for opening a session in any way. Empty lists are left out. */
  #sessionParams({ cwd, mcpServers, additionalDirectories }: NewSessionRequest): JsonObject {
    const servers = mcpServersAsV2(mcpServers, this.#mcp, (issue) =>
      this.options.log.warn(`${this.options.name}: ${issue}`),
    );
    return {
      cwd,
      ...(servers.length > 0 ? { mcpServers: servers } : {}),
      ...(additionalDirectories?.length ? { additionalDirectories } : {}),
    };
  }

  #opened(sessionId: string, result: JsonObject): OpenedSession {
    // The response has the commands, too; handle them as an update that came just before.
    if (Array.isArray(result['availableCommands'])) {
      const { value } = decodeUpdateV2({
        sessionUpdate: 'available_commands_update',
        availableCommands: result['availableCommands'],
      });
      if (value) this.handlers.sessionUpdate(sessionId, value, this.#endpoint.receivedAt);
    }
    return {
      sessionId,
      modes: undefined,
      models: undefined,
      configOptions: decodeConfigOptions(configOptionsAsV1(result['configOptions']), this.#report('session response')),
    };
  }

  #report(what: string): (issue: string) => void {
    return (issue) => this.options.log.debug(`${what}: ${issue}`);
  }
}

/**
 * Method names of the draft of ACP v2 that Parley calls, `session/fork` to `session/set_title` from its unstable
 * schema. Case-sensitive.
 */
export const AgentMethodsV2 = {
  initialize: 'initialize',
  authLogin: 'auth/login',
  authLogout: 'auth/logout',
  sessionNew: 'session/new',
  sessionResume: 'session/resume',
  sessionList: 'session/list',
  sessionDelete: 'session/delete',
  sessionClose: 'session/close',
  sessionFork: 'session/fork',
  sessionArchive: 'session/archive',
  sessionUnarchive: 'session/unarchive',
  sessionSetTitle: 'session/set_title',
  sessionPrompt: 'session/prompt',
  sessionCancel: 'session/cancel',
  sessionSetConfigOption: 'session/set_config_option',
  toolCallCancel: 'tool_call/cancel',
  terminalCancel: 'terminal/cancel',
} as const;
