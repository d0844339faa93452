import * as l10n from '@vscode/l10n';
import type { Message } from 'vscode-jsonrpc';
import type { AgentWriter } from './agentLink';
import { ErrorCodes } from './errors';
import { ClientMethods } from './methods';

/** Open requests of one method. Each method has its own limit: permission requests can wait for hours. */
export const maxOpenRequests = 1_000;
/** Bytes of all open requests. One request is always served, however long it is. */
const maxOpenBytes = 64 * 1024 * 1024;
/** Refusals that the agent has not read. An agent above this limit does not read answers. */
const maxUnreadRefusals = 20_000;

const servedMethods = new Set<string>(Object.values(ClientMethods));

interface Request {
  readonly method: string;
  readonly bytes: number;
}

/**
 * Limits the memory that an agent's open requests take, each until the agent has read the answer. A request above a
 * limit gets an error at once. If the agent never reads its answers, the link ends.
 */
export class OpenRequests {
  /** By id. A list, because an agent may repeat an id. */
  readonly #open = new Map<unknown, Request[]>();
  readonly #counts = new Map<string, number>();
  #bytes = 0;
  #unreadRefusals = 0;

  constructor(private readonly writer: AgentWriter) {}

  /** The same writer, but it notes which requests have been answered. */
  noting(): AgentWriter {
    const { writer } = this;
    return {
      onError: writer.onError,
      onClose: writer.onClose,
      write: (message) => {
        const written = writer.write(message);
        const { id, method } = message as Fields;
        if (method === undefined) void written.catch(() => undefined).then(() => this.#close(id));
        return written;
      },
      whenRoom: () => writer.whenRoom(),
      fail: (reason) => writer.fail(reason),
      end: () => writer.end(),
      dispose: () => writer.dispose(),
    };
  }

  /**
   * False for a request above a limit, which already has an error as its answer.
   * @param bytes its length on the wire.
   */
  admits(message: Message, bytes: number): boolean {
    const { id, method } = message as Fields;
    if (method === undefined || id === undefined) return true;
    const counted = servedMethods.has(method) ? method : 'other methods';
    const count = this.#counts.get(counted) ?? 0;
    if (count >= maxOpenRequests) return this.#refuse(id, `${count} requests of ${counted} are open`);
    if (this.#bytes > 0 && this.#bytes + bytes > maxOpenBytes)
      return this.#refuse(id, `the open requests have ${maxOpenBytes / 1024 / 1024} MiB`);
    this.#open.set(id, [...(this.#open.get(id) ?? []), { method: counted, bytes }]);
    this.#counts.set(counted, count + 1);
    this.#bytes += bytes;
    return true;
  }

  #refuse(id: unknown, why: string): false {
    if (++this.#unreadRefusals > maxUnreadRefusals) {
      this.writer.fail(l10n.t('The agent sent requests without reading the answers'));
      return false;
    }
    const error = {
      code: ErrorCodes.internalError,
      message: `Too many requests: ${why}. Read the answers before you send more.`,
      data: { reason: 'too_many_requests' },
    };
    const read = () => void this.#unreadRefusals--;
    this.writer.write({ jsonrpc: '2.0', id, error } as Message).then(read, read);
    return false;
  }

  #close(id: unknown): void {
    const [request, ...others] = this.#open.get(id) ?? [];
    if (!request) return;
    if (others.length > 0) this.#open.set(id, others);
    else this.#open.delete(id);
    this.#counts.set(request.method, this.#counts.get(request.method)! - 1);
    this.#bytes -= request.bytes;
  }
}

type Fields = Message & { readonly id?: unknown; readonly method?: string };
