import type { Writable } from 'node:stream';

export type RequestId = string | number | null;
type Json = Record<string, unknown>;

/** Handles requests of the other side. A thrown `RpcError` is answered as it is, anything else as an internal error. */
export interface PeerHandlers {
  handleRequest(method: string, params: Json, id: RequestId): Promise<unknown>;
  handleNotification(method: string, params: Json): void;
}

/** A JSON-RPC error that goes over the wire with this code, message and data. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** JSON-RPC 2.0 over newline-delimited JSON, both directions. Small on purpose: the demo has no dependencies. */
export class Peer {
  #rest: Buffer = Buffer.alloc(0);
  #nextId = 1;
  readonly #pending = new Map<RequestId, PendingRequest>();

  constructor(
    private readonly output: Writable,
    private readonly handlers: PeerHandlers,
  ) {}

  /** Splits at newline bytes before decoding, so that no character is ever cut. */
  receive(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let start = 0;
    for (let end = this.#rest.indexOf(10); end >= 0; end = this.#rest.indexOf(10, start)) {
      this.#receiveLine(this.#rest.toString('utf8', start, end).trim());
      start = end + 1;
    }
    this.#rest = this.#rest.subarray(start);
  }

  /** Sends a request. When the signal fires the other side is told, and its answer is still awaited. */
  request<T>(method: string, params: object, signal?: AbortSignal): Promise<T> {
    const id = this.#nextId++;
    const cancel = () => this.notify('$/cancel_request', { requestId: id });
    signal?.addEventListener('abort', cancel, { once: true });
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: (result) => resolve(result as T), reject });
      this.#send({ id, method, params });
    }).finally(() => signal?.removeEventListener('abort', cancel));
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  #send(message: object): void {
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receiveLine(line: string): void {
    if (line === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#send({ id: null, error: { code: -32700, message: 'Parse error' } });
      return;
    }
    if (!isObject(message) || message['jsonrpc'] !== '2.0') {
      this.#send({ id: null, error: { code: -32600, message: 'Invalid request' } });
      return;
    }
    if (typeof message['method'] === 'string') this.#receiveCall(message['method'], message);
    else this.#receiveResponse(message);
  }

  #receiveCall(method: string, message: Json): void {
    const params = isObject(message['params']) ? message['params'] : {};
    if (!('id' in message)) {
      this.handlers.handleNotification(method, params);
      return;
    }
    const id = message['id'] as RequestId;
    this.handlers.handleRequest(method, params, id).then(
      (result) => this.#send({ id, result: result ?? {} }),
      (error: unknown) => this.#send({ id, error: errorObject(error) }),
    );
  }

  #receiveResponse(message: Json): void {
    const id = message['id'] as RequestId;
    const waiting = this.#pending.get(id);
    if (!waiting) return;
    this.#pending.delete(id);
    const error = message['error'];
    if (isObject(error)) waiting.reject(new RpcError(Number(error['code']), String(error['message']), error['data']));
    else waiting.resolve(message['result']);
  }
}

function errorObject(error: unknown): object {
  if (error instanceof RpcError) {
    return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
  }
  const details = error instanceof Error ? error.message : String(error);
  return { code: -32603, message: 'Internal error', data: { details } };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
