import * as l10n from '@vscode/l10n';
import type {
  ContentBlock,
  Implementation,
  LoadSessionRequest,
  NewSessionRequest,
  ResumeSessionRequest,
} from '@agentclientprotocol/sdk';
import type { CancellationToken } from '../base/cancellation';
import type { Event } from '../base/event';
import type { IDisposable } from '../base/lifecycle';
import type { AgentFeatures } from './capabilities';
import type { ClientFeatures } from './clientFeatures';
import type { ConfigOption, OfferedOptions } from './decodeOptions';
import type { SessionListPage } from './decodeSessions';
import type { TurnUsage } from './decodeUsage';
import type { RpcOptions } from './rpcEndpoint';

/** Versions of ACP that Parley speaks. 2 is a draft. */
export type ProtocolVersion = 1 | 2;

export interface ConnectionOptions extends RpcOptions {
  readonly features: ClientFeatures;
  readonly clientInfo: Implementation;
}

export interface OpenedSession extends OfferedOptions {
  readonly sessionId: string;
}

/** Parameters for opening a fork; `sessionId` is that of the original session. */
export interface ForkParams extends NewSessionRequest {
  readonly sessionId: string;
}

/** How a turn ended: the stop reason as the agent spelled it. */
export interface TurnEnd {
  readonly stopReason: string;
  /** When the bytes that say so were read, epoch ms; absent where nothing was read. */
  readonly receivedAt?: number;
  readonly usage?: TurnUsage;
}

/** The agent has put the prompt into the conversation; the turn ends with a state of the session (item 192). */
export interface PromptInserted {
  /** Of the message that the prompt became; agents must tell it. */
  readonly messageId?: string;
}

/** The agent answered `initialize` with a version that was not asked for (item 27). */
export class VersionMismatch extends Error {
  constructor(
    readonly answered: unknown,
    asked: ProtocolVersion,
  ) {
    super(
      l10n.t(
        'The agent speaks version {0} of the Agent Client Protocol, Parley speaks version {1}',
        JSON.stringify(answered) ?? 'undefined',
        asked,
      ),
    );
    this.name = 'VersionMismatch';
  }
}

/**
 * The host's calls to one agent, the same for every version of ACP; `connect` chooses the version. Calls reject with
 * `AcpError`. If a version lacks a method, the connection uses another one that has the same effect, or rejects.
 */
export interface AgentConnection extends IDisposable {
  /**
   * Tool calls and permission requests may continue after a turn has ended or was stopped; the agent ends them itself
   * (v2).
   */
  readonly workOutlivesTurn: boolean;
  readonly onDidClose: Event<void>;
  readonly whenClosed: Promise<void>;
  /** Resolves when everything that the agent has sent so far is handled. */
  caughtUp(): Promise<void>;
  /** @throws VersionMismatch, AcpError */
  initialize(token?: CancellationToken): Promise<AgentFeatures>;
  /** @param key for a method that takes one; never written to the log. */
  authenticate(methodId: string, token?: CancellationToken, key?: string): Promise<void>;
  logout(): Promise<void>;
  newSession(params: NewSessionRequest, token?: CancellationToken): Promise<OpenedSession>;
  resumeSession(params: ResumeSessionRequest, token?: CancellationToken): Promise<OpenedSession>;
  loadSession(params: LoadSessionRequest, token?: CancellationToken): Promise<OpenedSession>;
  /** Begins a session with the conversation of another one. Only where the agent advertised `fork`. */
  forkSession(params: ForkParams, token?: CancellationToken): Promise<OpenedSession>;
  /** @param archived also lists archived sessions; only where the agent advertised `archive`. */
  listSessions(cwd: string, cursor?: string, archived?: boolean): Promise<SessionListPage>;
  /** Only where the agent advertised `archive`. */
  archiveSession(sessionId: string): Promise<void>;
  unarchiveSession(sessionId: string): Promise<void>;
  /** Only where the agent advertised `setTitle`. @returns the title as the agent stored it */
  setTitle(sessionId: string, title: string): Promise<string>;
  deleteSession(sessionId: string): Promise<void>;
  closeSession(sessionId: string): Promise<void>;
  prompt(sessionId: string, prompt: ContentBlock[]): Promise<TurnEnd | PromptInserted>;
  cancel(sessionId: string): Promise<void>;
  /**
   * Only where the agent advertised `steering`.
   * @returns false if no turn runs any more: the caller sends a new prompt instead.
   */
  steer?(sessionId: string, prompt: ContentBlock[]): Promise<boolean>;
  setMode(sessionId: string, modeId: string): Promise<void>;
  setConfigOption(
    sessionId: string,
    configId: string,
    value: string | boolean,
  ): Promise<readonly ConfigOption[] | undefined>;
  setModel(sessionId: string, modelId: string): Promise<void>;
  /** Only while the call says that it can be cancelled. It has ended only when the agent says so. */
  cancelToolCall?(sessionId: string, toolCallId: string): Promise<void>;
  /** Only while the terminal says that it can be cancelled. */
  cancelTerminal?(sessionId: string, terminalId: string): Promise<void>;
}
