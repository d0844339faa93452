import type { Disposable, Message, MessageReader, MessageWriter } from 'vscode-jsonrpc';

/** Reads an agent's messages, and can pause: then the agent's own pipe fills and the agent waits. */
export interface AgentReader extends MessageReader {
  /** @param callback takes each message with its length on the wire in bytes. */
  listen(callback: (message: Message, bytes: number) => void): Disposable;
  pause(): void;
  resume(): void;
}

/** Writes to an agent, and knows how much of it the agent has not read yet. */
export interface AgentWriter extends MessageWriter {
  /** Resolves when the agent has read the message; rejects if it never will. */
  write(message: Message): Promise<void>;
  /**
   * Undefined while there is room for a large answer; else resolves when there is room. Never resolves if the link ends
   * first.
   */
  whenRoom(): Promise<void> | undefined;
  /** Ends the link. @param reason one clause about the agent, for the user: "The agent stopped reading its input". */
  fail(reason: string): void;
}
