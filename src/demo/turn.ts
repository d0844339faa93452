import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type {
  ContentBlock,
  PermissionOption,
  ReadTextFileResponse,
  RequestPermissionResponse,
  ToolCall,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { DemoSession } from './demoSession';

/** The speed of the demo. `speed` multiplies every pause: 1 is natural, 0 does not wait at all. */
export interface Pace {
  /** Waits, or rejects at once when the signal fires. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** A pace with pauses that are `factor` times as long. */
  times(factor: number): Pace;
}

/** Reads `PARLEY_DEMO_SPEED`: a multiplier of all pauses, 0 for tests. */
export function paceFromEnvironment(env: NodeJS.ProcessEnv): Pace {
  const speed = Number(env['PARLEY_DEMO_SPEED'] ?? '1');
  return makePace(Number.isFinite(speed) && speed >= 0 ? speed : 1);
}

function makePace(speed: number): Pace {
  return {
    async pause(ms, signal) {
      // Even without a pause the event loop must turn, or a cancel could not be read.
      await (speed === 0 ? nextTurn(undefined, { signal }) : delay(speed * ms, undefined, { signal }));
    },
    times: (factor) => makePace(speed * factor),
  };
}

/** Cuts text into pieces about the size of a model's tokens; joined again they are the text. */
function tokens(text: string): string[] {
  return text.match(/\s*[^\s]{1,8}|\s+/g) ?? [];
}

/** Plays the answer to a prompt. */
export type Scene = (turn: Turn) => Promise<void>;

type ToolCallFields = Omit<ToolCall, 'toolCallId'>;

/** Everything a scene may do during one turn. Each method rejects at once when the turn is cancelled. */
export class Turn {
  constructor(
    readonly session: DemoSession,
    readonly prompt: readonly ContentBlock[],
    /** The text after the slash command, trimmed. */
    readonly args: string,
    readonly pace: Pace,
    readonly signal: AbortSignal,
  ) {}

  /** Streams Markdown as an answer. */
  async say(markdown: string): Promise<void> {
    for (const text of tokens(markdown)) {
      await this.pace.pause(10 + (text.length % 4) * 5, this.signal);
      this.show({ type: 'text', text });
    }
  }

  /** Shows one block of the answer whole. */
  show(content: ContentBlock): void {
    this.session.update({ sessionUpdate: 'agent_message_chunk', content });
  }

  /** Streams a thought. */
  async think(text: string): Promise<void> {
    for (const piece of tokens(text)) {
      await this.pace.pause(12 + (piece.length % 3) * 6, this.signal);
      this.session.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: piece } });
    }
  }

  pause(ms: number): Promise<void> {
    return this.pace.pause(ms, this.signal);
  }

  /** Announces a tool call. @returns its id. */
  startTool(fields: ToolCallFields): string {
    const toolCallId = this.session.newToolCallId();
    this.session.update({ sessionUpdate: 'tool_call', toolCallId, ...fields });
    return toolCallId;
  }

  updateTool(fields: ToolCallUpdate): void {
    this.session.update({ sessionUpdate: 'tool_call_update', ...fields });
  }

  /** Asks the user. @returns the chosen option, or undefined if the client dismissed the question. */
  async ask(toolCall: ToolCallUpdate, options: readonly PermissionOption[]): Promise<PermissionOption | undefined> {
    const { outcome } = await this.call<RequestPermissionResponse>('session/request_permission', { toolCall, options });
    return outcome.outcome === 'selected' ? options.find((option) => option.optionId === outcome.optionId) : undefined;
  }

  /** Reads through the client, which knows what is not saved yet. Needs the capability. */
  async readFile(path: string): Promise<string> {
    return (await this.call<ReadTextFileResponse>('fs/read_text_file', { path })).content;
  }

  /** Writes through the client, so that the edit can be reviewed and undone. Needs the capability. */
  async writeFile(path: string, content: string): Promise<void> {
    await this.call('fs/write_text_file', { path, content });
  }

  /** Calls a client method of this session. */
  async call<T>(method: string, params: object): Promise<T> {
    this.signal.throwIfAborted();
    const request = this.session.peer.request<T>(method, { sessionId: this.session.id, ...params }, this.signal);
    return Promise.race([request, aborted(this.signal)]);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
