import type { Message } from 'vscode-jsonrpc';
import type { AgentWriter } from './agentLink';

/**
 * Lets only the first answer to each of our calls through (item 16). vscode-jsonrpc stores queued messages by id, so a
 * second answer that comes immediately would replace the first.
 */
export class FirstAnswers {
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
