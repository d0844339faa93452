import { isAbsolute } from 'node:path';
import type {
  ClientCapabilities,
  ContentBlock,
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  SetSessionConfigOptionResponse,
} from '@agentclientprotocol/sdk';
import { availableCommands, sceneFor } from './sceneCommands';
import { isModeId, modes } from './options';
import { type Peer, type PeerHandlers, type RequestId, RpcError } from './peer';
import { DemoSession } from './demoSession';
import { type Pace, Turn } from './turn';

type Params = Record<string, unknown>;

/** The agent's side of the protocol: finds the session of each call, and answers it. */
export class DemoAgent implements PeerHandlers {
  #peer!: Peer;
  #capabilities: ClientCapabilities = {};
  #initialized = false;
  #sessionCount = 0;
  readonly #sessions = new Map<string, DemoSession>();

  constructor(private readonly pace: Pace) {}

  connect(peer: Peer): void {
    this.#peer = peer;
  }

  async handleRequest(method: string, params: Params, id: RequestId): Promise<unknown> {
    if (method !== 'initialize' && !this.#initialized) throw new RpcError(-32600, 'The connection is not initialized');
    switch (method) {
      case 'initialize':
        return this.#initialize(params);
      case 'session/new':
        return this.#newSession(params);
      case 'session/prompt':
        return this.#prompt(this.#sessionOf(params), params['prompt'], id);
      case 'session/set_mode':
        return this.#setMode(this.#sessionOf(params), params['modeId']);
      case 'session/set_config_option':
        return this.#setConfigOption(this.#sessionOf(params), params['configId'], params['value']);
      case 'session/close':
        this.#sessionOf(params).cancel();
        this.#sessions.delete(String(params['sessionId']));
        return {};
      default:
        throw new RpcError(-32601, `Method not found: ${method}`, { method });
    }
  }

  handleNotification(method: string, params: Params): void {
    if (method === 'session/cancel') this.#sessions.get(String(params['sessionId']))?.cancel();
    if (method === '$/cancel_request') {
      for (const session of this.#sessions.values()) session.cancelRequest(params['requestId'] as RequestId);
    }
  }

  #initialize(params: Params): InitializeResponse {
    if (!Number.isInteger(params['protocolVersion'])) throw new RpcError(-32602, 'protocolVersion must be an integer');
    this.#capabilities = (params['clientCapabilities'] ?? {}) as ClientCapabilities;
    this.#initialized = true;
    return {
      protocolVersion: 1,
      agentInfo: { name: 'parley-demo', title: 'Parley Demo', version: '1.0.0' },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        sessionCapabilities: { close: {} },
      },
      authMethods: [],
    };
  }

  #newSession(params: Params): NewSessionResponse {
    const cwd = params['cwd'];
    if (typeof cwd !== 'string' || !isAbsolute(cwd)) throw new RpcError(-32602, 'cwd must be an absolute path');
    const session = new DemoSession(`demo-${++this.#sessionCount}`, cwd, this.#peer, this.#capabilities);
    this.#sessions.set(session.id, session);
    // Commands belong to a session that the client knows: they follow the response.
    setImmediate(() => session.update({ sessionUpdate: 'available_commands_update', availableCommands }));
    // Both: clients that know config options ignore the modes, older ones know nothing else.
    return {
      sessionId: session.id,
      modes: { currentModeId: session.mode, availableModes: [...modes] },
      configOptions: session.options.list(),
    };
  }

  #setMode(session: DemoSession, modeId: unknown): object {
    if (!isModeId(modeId)) throw new RpcError(-32602, `Unknown mode: ${String(modeId)}`);
    session.setMode(modeId);
    return {};
  }

  #setConfigOption({ options }: DemoSession, id: unknown, value: unknown): SetSessionConfigOptionResponse {
    if (!options.set(id, value))
      throw new RpcError(-32602, `There is no ${String(value)} for ${String(id)}`, { configId: id });
    return { configOptions: options.list() };
  }

  async #prompt(session: DemoSession, prompt: unknown, id: RequestId): Promise<PromptResponse> {
    if (!Array.isArray(prompt) || prompt.length === 0)
      throw new RpcError(-32602, 'prompt must be a non-empty array of content blocks');
    const signal = session.beginTurn(id);
    try {
      const { scene, args, title } = sceneFor(prompt as ContentBlock[]);
      session.nameOnce(title);
      const turn = new Turn(session, prompt as ContentBlock[], args, this.pace.times(session.options.tempo), signal);
      await turn.think(session.options.thought());
      await scene(turn);
      session.reportUsage();
      return { stopReason: 'end_turn' };
    } catch (error) {
      if (signal.aborted) return { stopReason: 'cancelled' };
      throw error;
    } finally {
      session.endTurn();
    }
  }

  #sessionOf(params: Params): DemoSession {
    const session = this.#sessions.get(String(params['sessionId']));
    if (!session) throw new RpcError(-32002, 'Session not found', { sessionId: params['sessionId'] });
    return session;
  }
}
