import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import { DemoOptions, type ModeId } from './options';
import { type Peer, type RequestId, RpcError } from './peer';

/** One conversation: its folder, the user's options, and the running turn, if any. */
export class DemoSession {
  readonly options: DemoOptions;
  /** The user chose "Always allow this command". */
  alwaysRuns = false;
  #turn: { readonly requestId: RequestId; readonly controller: AbortController } | undefined;
  #named = false;
  #charactersUsed = 0;
  #nextToolCall = 1;

  constructor(
    readonly id: string,
    readonly cwd: string,
    readonly peer: Peer,
    readonly capabilities: ClientCapabilities,
  ) {
    this.options = new DemoOptions(capabilities);
  }

  get mode(): ModeId {
    return this.options.mode;
  }

  update(update: SessionUpdate): void {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
      this.#charactersUsed += update.content.text.length;
    }
    this.peer.notify('session/update', { sessionId: this.id, update });
  }

  /** Changes the mode and confirms it both ways, whoever asked for the change. */
  setMode(mode: ModeId): void {
    this.options.mode = mode;
    this.update({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    this.update({ sessionUpdate: 'config_option_update', configOptions: this.options.list() });
  }

  newToolCallId(): string {
    return `call-${this.#nextToolCall++}`;
  }

  /** Titles the session after its first prompt. */
  nameOnce(title: string): void {
    if (this.#named) return;
    this.#named = true;
    this.update({ sessionUpdate: 'session_info_update', title });
  }

  /** An estimate of a model's tokens, which have about four characters. */
  reportUsage(): void {
    this.update({ sessionUpdate: 'usage_update', used: Math.ceil(this.#charactersUsed / 4), size: 200_000 });
  }

  beginTurn(requestId: RequestId): AbortSignal {
    if (this.#turn) throw new RpcError(-32600, 'A turn is already running in this session');
    this.#turn = { requestId, controller: new AbortController() };
    return this.#turn.controller.signal;
  }

  endTurn(): void {
    this.#turn = undefined;
  }

  /** Ends the running turn; without one nothing happens. */
  cancel(): void {
    this.#turn?.controller.abort();
  }

  /** `$/cancel_request` for the prompt itself counts as a cancel of the turn. */
  cancelRequest(requestId: RequestId): void {
    if (this.#turn?.requestId === requestId) this.cancel();
  }
}
