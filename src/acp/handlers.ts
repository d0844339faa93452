import type {
  CreateElicitationResponse,
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  RequestPermissionResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import type { CancellationToken } from '../base/cancellation';
import type { MakeLarge } from './answerRoom';
import type { AccountInfo } from './decodePlanWindow';
import type { ElicitationParams } from './decodeElicitation';
import type { PermissionParams } from './decodeRequest';
import type { Update } from './decodeUpdate';

/**
 * The agent's requests to the client. `AcpConnection` decodes and validates the parameters first: required fields are
 * present and well-typed, optional ones are well-typed, `null` or absent. An implementation throws `AcpError` for an
 * error that the agent should read; the token fires on `$/cancel_request` and when the connection ends.
 */
export interface ClientHandlers extends FileHandlers, TerminalHandlers, ElicitationHandlers {
  /**
   * A notification: never answered. Must apply the update synchronously, because order matters.
   * @param receivedAt when its bytes were read, epoch ms
   */
  sessionUpdate(sessionId: string, update: Update, receivedAt: number): void;
  /** A notification that concerns the agent as a whole. */
  accountUpdate?(account: AccountInfo, receivedAt: number): void;
  requestPermission(params: PermissionParams, token: CancellationToken): Promise<RequestPermissionResponse>;
}

/** `fs/*`. Registered only where the capability was advertised. */
export interface FileHandlers {
  /** @param large reads the text once the agent has room for it; called after any question to the user is settled. */
  readTextFile(params: ReadTextFileRequest, token: CancellationToken, large: MakeLarge): Promise<ReadTextFileResponse>;
  /**
   * @param base the text that the new one was made of. Changes since then stay, or the write fails. Absent: what the
   * agent has seen of the file counts.
   */
  writeTextFile(params: WriteTextFileRequest, token: CancellationToken, base?: string): Promise<void>;
}

/** `terminal/*`. All five or none. */
export interface TerminalHandlers {
  createTerminal(params: CreateTerminalRequest, token: CancellationToken): Promise<CreateTerminalResponse>;
  terminalOutput(params: TerminalOutputRequest): Promise<TerminalOutputResponse>;
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    token: CancellationToken,
  ): Promise<WaitForTerminalExitResponse>;
  killTerminal(params: KillTerminalRequest): Promise<void>;
  releaseTerminal(params: ReleaseTerminalRequest): Promise<void>;
}

/** `elicitation/*`. A mode that was not advertised never gets here. */
export interface ElicitationHandlers {
  createElicitation(params: ElicitationParams, token: CancellationToken): Promise<CreateElicitationResponse>;
  /** A notification: the user finished on a web page. Unknown and repeated ids are ignored (item 165). */
  completeElicitation(elicitationId: string): void;
}
