import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RpcEndpoint } from '../acp/rpcEndpoint';
import { CancellationSource, type CancellationToken } from '../base/cancellation';
import { asObject, stringOf } from '../base/decode';
import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { NdjsonMessageReader, NdjsonMessageWriter } from './ndjson';

/**
 * The way from a program that an agent starts back to Parley: a socket in a folder of its own, or a named pipe on
 * Windows. Whoever connects first names the token, or is cut off. Messages are JSON-RPC, one per line.
 */

/** Methods between the program and Parley. The mark keeps their fields as they are (`acp/dialect.ts`). */
export const pipeMethods = {
  hello: '_parley/hello',
  tools: '_parley/tools',
  call: '_parley/call',
  /** A notification of Parley's. */
  toolsChanged: '_parley/toolsChanged',
} as const;

/** Environment variables of the program. */
export const pipeVariables = { path: 'PARLEY_EDITOR_PIPE', token: 'PARLEY_EDITOR_TOKEN' } as const;

/** Bytes of one message: a call has arguments, not files. */
const maxMessageBytes = 4 * 1024 * 1024;
/** Programs of one session at once: an agent may start one for each of its own helpers. */
const maxConnections = 16;
/** How long a connection may say nothing. */
const helloMs = 5_000;

/** The result of a call, for the model. */
export interface ToolAnswer {
  readonly text: string;
  /** In base64. */
  readonly images?: readonly { readonly mimeType: string; readonly data: string }[];
  readonly isError?: true;
}

/** What is served on a pipe to those who have named the token. */
export interface PipeService {
  /** @param client the agent's name and version for itself, as it says */
  connected(client: string | undefined): void;
  /** In MCP's form. */
  tools(): Promise<readonly object[]>;
  /** Never rejects. */
  call(name: string, args: unknown, token: CancellationToken): Promise<ToolAnswer>;
}

/** One session's pipe. Dispose it with the session. */
export class EditorPipe extends Disposable {
  readonly token = randomBytes(32).toString('base64url');
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Those that have named the token. */
  readonly #known = new Set<RpcEndpoint>();

  private constructor(
    readonly path: string,
    private readonly folder: string | undefined,
    private readonly service: PipeService,
    private readonly log: Logger,
  ) {
    super();
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = maxConnections;
  }

  /** @throws Error if the system gives no socket */
  static async open(service: PipeService, log: Logger): Promise<EditorPipe> {
    const name = randomBytes(16).toString('hex');
    // Only this user may enter the folder. Paths of sockets are short, so it is not in Parley's storage.
    const folder = process.platform === 'win32' ? undefined : await mkdtemp(path.join(tmpdir(), 'parley-'));
    const pipe = new EditorPipe(
      folder === undefined ? `\\\\.\\pipe\\parley-${name}` : path.join(folder, 'editor'),
      folder,
      service,
      log,
    );
    try {
      await pipe.#listen();
      return pipe;
    } catch (error) {
      pipe.dispose();
      throw error;
    }
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.path, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.log.warn(`The editor's tools: ${error.message}`));
        resolve();
      });
    });
    if (this.folder !== undefined) await chmod(this.path, 0o600);
  }

  /** Tells the programs that other tools are listed now. */
  toolsChanged(): void {
    for (const end of this.#known) void end.notify(pipeMethods.toolsChanged, {}).catch(() => undefined);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const late = setTimeout(() => socket.destroy(), helloMs);
    const skip = { skipped: () => socket.destroy() };
    let isKnown = false;
    const calls = new Set<CancellationSource>();
    const end: RpcEndpoint = new RpcEndpoint(
      new NdjsonMessageReader(socket, skip, maxMessageBytes),
      new NdjsonMessageWriter(socket, skip),
      { name: 'editor tools', log: this.log },
      (rpc) => {
        rpc.onRequest(pipeMethods.hello, (raw: unknown) => {
          const { token, client } = asObject(raw);
          if (!isKnown && !this.#isToken(token)) return this.#refuse(socket);
          clearTimeout(late);
          isKnown = true;
          this.#known.add(end);
          this.service.connected(stringOf(client)?.slice(0, 200));
          return {};
        });
        rpc.onRequest(pipeMethods.tools, async () =>
          isKnown ? { tools: await this.service.tools() } : this.#refuse(socket),
        );
        rpc.onRequest(pipeMethods.call, async (raw: unknown, token: CancellationToken) => {
          const { name, arguments: args } = asObject(raw);
          if (!isKnown) return this.#refuse(socket);
          const cancel = new CancellationSource();
          calls.add(cancel);
          token.onCancellationRequested(() => cancel.cancel());
          return this.service.call(stringOf(name) ?? '', args, cancel.token).finally(() => calls.delete(cancel));
        });
        return { dispose: () => undefined };
      },
    );
    end.onDidClose(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(late);
      this.#sockets.delete(socket);
      this.#known.delete(end);
      // Nobody reads the answers any more, so the user must not be asked, and nothing may begin.
      for (const cancel of calls) cancel.cancel();
      end.dispose();
    });
  }

  #refuse(socket: Socket): object {
    this.log.warn('A program that does not know the token asked for the editor’s tools. It was cut off.');
    socket.destroy();
    return {};
  }

  #isToken(said: unknown): boolean {
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return typeof said === 'string' && timingSafeEqual(digest(said), digest(this.token));
  }

  override dispose(): void {
    super.dispose();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.folder !== undefined) void rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
