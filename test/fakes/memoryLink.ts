import { PassThrough, Writable } from 'node:stream';
import { allFeatures } from '../../src/acp/clientFeatures';
import type { AgentConnection, ProtocolVersion } from '../../src/acp/agentConnection';
import { AcpConnection } from '../../src/acp/connection';
import { AcpConnectionV2 } from '../../src/acp/v2/connectionV2';
import type { ClientHandlers } from '../../src/acp/handlers';
import type { Logger } from '../../src/base/log';
import { NdjsonMessageReader, NdjsonMessageWriter } from '../../src/node/ndjson';
import type { WireMessage } from './wireLog';

/**
 * Our connection with an agent that is the test itself: everything between bytes and handlers is real, and no process
 * is started. `settle` says when all that was sent has been handled, so a test needs no waiting.
 */
export class MemoryLink {
  readonly connection: AgentConnection;
  /** What we sent, parsed. */
  readonly sent: WireMessage[] = [];
  readonly logged: string[] = [];
  private readonly toClient = new PassThrough();
  private readonly marks = new Map<string, () => void>();
  private markCount = 0;

  constructor(handlers: ClientHandlers, version: ProtocolVersion = 1) {
    const skipped = (reason: string, line: string) =>
      void this.logged.push(`skipped: ${reason}: ${line.slice(0, 200)}`);
    const fromClient = new Writable({
      write: (bytes: Buffer, _encoding, done) => {
        for (const line of bytes.toString('utf8').trimEnd().split('\n'))
          this.sent.push(JSON.parse(line) as WireMessage);
        done();
      },
    });
    this.connection = new (version === 2 ? AcpConnectionV2 : AcpConnection)(
      new NdjsonMessageReader(this.toClient, { skipped }),
      new NdjsonMessageWriter(fromClient, { skipped }),
      handlers,
      {
        name: 'recorded',
        features: allFeatures,
        clientInfo: { name: 'parley', title: 'Parley', version: '0.0.0' },
        log: this.logger(),
      },
    );
  }

  /** The agent says this. */
  receive(...messages: unknown[]): void {
    this.receiveBytes(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** The agent writes these bytes, be they messages or not. */
  receiveBytes(bytes: string | Uint8Array): void {
    this.toClient.write(bytes);
  }

  /**
   * Resolves when everything received so far has been handled, and what follows from it without waiting for anyone has
   * happened. Works by a notification that nobody knows: it takes its turn in the queue, and that leaves a line in the
   * log.
   */
  async settle(): Promise<void> {
    const method = `_test/mark${++this.markCount}`;
    const marked = new Promise<void>((resolve) => this.marks.set(method, resolve));
    this.receive({ jsonrpc: '2.0', method });
    await marked;
    // Answers are written a few promise reactions after the handler has returned.
    await new Promise((resolve) => setImmediate(resolve));
  }

  dispose(): void {
    this.connection.dispose();
    this.toClient.destroy();
  }

  private logger(): Logger {
    const write = (level: string) => (message: string) => {
      const mark = /_test\/mark\d+/.exec(message)?.[0];
      if (mark === undefined) return void this.logged.push(`${level}: ${message}`);
      this.marks.get(mark)?.();
      this.marks.delete(mark);
    };
    return {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
  }
}
