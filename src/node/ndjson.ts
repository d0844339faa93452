import * as l10n from '@vscode/l10n';
import type { Readable, Writable } from 'node:stream';
// Gives vscode-jsonrpc Node's timers. Its own readers and writers are for other framings.
// oxlint-disable-next-line import/no-unassigned-import
import 'vscode-jsonrpc/node';
import type { AgentReader, AgentWriter } from '../acp/agentLink';
import { inbound, outbound } from '../acp/dialect';
import { JoinedChunks } from '../acp/joinedChunks';
import { messagesInLine } from '../acp/messagesInLine';
import { Emitter } from '../base/event';
import { Disposable, type IDisposable } from '../base/lifecycle';
import { OutputQueue } from './outputQueue';

/**
 * Collects a JSON object that an agent prints with one value per line: a brace, indented lines, a brace. No other line
 * can be mistaken for one of them.
 */
class SpreadMessage {
  readonly #lines: string[] = [];
  #length = 0;

  /** @param limit characters */
  constructor(private readonly limit: number) {}

  /** @returns the line's position in such an object; undefined if it is not part of one */
  take(line: string): 'begun' | 'goesOn' | 'ended' | undefined {
    const isOpen = this.#lines.length > 0;
    const state = !isOpen
      ? line.trimEnd() === '{'
        ? 'begun'
        : undefined
      : line.trimEnd() === '}'
        ? 'ended'
        : /^[ \t]/.test(line) && this.#length < this.limit
          ? 'goesOn'
          : undefined;
    if (state !== undefined) {
      this.#lines.push(line);
      this.#length += line.length + 1;
    }
    return state;
  }

  /** Returns the collected object on one line and forgets it. */
  clear(): string {
    this.#length = 0;
    return this.#lines.splice(0).join(' ');
  }
}

/** The SDK's own limit for one line; longer ones end the connection (item 8). */
export const maxLineBytes = 32 * 1024 * 1024;

export interface WireObserver {
  /**
   * A line, or a part of one, that is not an ACP message: a banner, a log line, a batch. The session continues (items
   * 9, 10).
   */
  skipped(reason: string, line: string): void;
  /** A message was read. */
  read?(): void;
  /** Every message on the wire. Called only when traffic is traced, so it may be costly. */
  traffic?: ((direction: 'in' | 'out', message: object) => void) | undefined;
}

/** The common part of a reader and a writer. @template Failure the value of an error event */
abstract class LinkEnd<Failure> extends Disposable {
  protected readonly errorEmitter = this.register(new Emitter<Failure>());
  protected readonly closeEmitter = this.register(new Emitter<void>());
  readonly onError = this.errorEmitter.event;
  readonly onClose = this.closeEmitter.event;
}

/**
 * Reads one JSON object per line (transports page), with any text around it (`messagesInLine`), and one that is spread
 * over lines. Splits on the byte `
 * ` before decoding, so that a UTF-8 sequence may be cut anywhere and U+2028 is text; accepts `\r
 * `, blank lines and a last line without an end (items 5 to 7).
 */
export class NdjsonMessageReader extends LinkEnd<Error> implements AgentReader {
  /** Never fires: a partial message has no use here. */
  readonly onPartialMessage = new Emitter<never>().event;
  readonly #parts: Buffer[] = [];
  readonly #spread: SpreadMessage;
  #length = 0;
  #ended = false;

  constructor(
    private readonly input: Readable,
    private readonly observer: WireObserver,
    private readonly limit = maxLineBytes,
  ) {
    super();
    this.#spread = new SpreadMessage(limit);
  }

  listen(callback: TakeMessage): IDisposable {
    const joined = new JoinedChunks(callback);
    const onData = (chunk: Buffer) => this.#read(chunk, joined);
    const onEnd = () => this.#end(joined);
    const onError = (error: Error) => this.errorEmitter.fire(error);
    this.input.on('data', onData);
    this.input.on('end', onEnd);
    this.input.on('close', onEnd);
    this.input.on('error', onError);
    return {
      dispose: () => {
        this.input.off('data', onData);
        this.input.off('end', onEnd);
        this.input.off('close', onEnd);
      },
    };
  }

  pause(): void {
    this.input.pause();
  }

  resume(): void {
    this.input.resume();
  }

  #read(chunk: Buffer, messages: JoinedChunks): void {
    if (!this.#ended) this.#split(chunk, messages);
    messages.flush();
  }

  #split(chunk: Buffer, messages: JoinedChunks): void {
    let start = 0;
    for (let newline = chunk.indexOf(0x0a); newline !== -1; newline = chunk.indexOf(0x0a, start)) {
      this.#parts.push(chunk.subarray(start, newline));
      this.#length += newline - start;
      start = newline + 1;
      if (this.#length > this.limit) return this.#refuse(messages);
      this.#takeLine(messages);
    }
    if (start < chunk.length) {
      this.#parts.push(chunk.subarray(start));
      this.#length += chunk.length - start;
      if (this.#length > this.limit) this.#refuse(messages);
    }
  }

  #refuse(messages: JoinedChunks): void {
    this.#ended = true;
    this.#parts.length = 0;
    messages.flush();
    this.errorEmitter.fire(new Error(l10n.t('The agent sent a line longer than {0} MiB', this.limit / 1024 / 1024)));
    this.closeEmitter.fire();
    this.input.resume();
  }

  #takeLine(messages: JoinedChunks): void {
    const length = this.#length;
    const line = (this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)).toString('utf8');
    this.#parts.length = 0;
    this.#length = 0;
    if (line === '' || line === '\r' || line.trim() === '') return;
    const part = this.#spread.take(line);
    if (part === 'begun' || part === 'goesOn') return;
    if (part === 'ended') return this.#takeMessages(this.#spread.clear(), length, messages);
    this.#skipSpread();
    this.#takeMessages(line, length, messages);
  }

  #skipSpread(): void {
    const rest = this.#spread.clear();
    if (rest !== '') this.observer.skipped('not JSON', rest);
  }

  #takeMessages(line: string, length: number, messages: JoinedChunks): void {
    const { values, rest } = messagesInLine(line);
    if (rest !== '')
      this.observer.skipped(values.length === 0 ? 'not JSON' : 'beside JSON', values.length === 0 ? line : rest);
    for (const value of values) {
      const result = inbound(value);
      if ('problem' in result) {
        this.observer.skipped(result.problem, values.length === 1 ? line : JSON.stringify(value));
        continue;
      }
      this.observer.read?.();
      this.observer.traffic?.('in', value as object);
      messages.add(result.message, Math.ceil(length / values.length));
    }
  }

  #end(messages: JoinedChunks): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#length > 0) this.#takeLine(messages);
    this.#skipSpread();
    messages.flush();
    this.closeEmitter.fire();
  }
}

type TakeMessage = Parameters<AgentReader['listen']>[0];
type Message = Parameters<AgentWriter['write']>[0];
type WriteFailure = [error: Error, message: Message | undefined, count: number | undefined];

/** The link ended because of the agent; the message gives the user the reason. */
export class LinkFailure extends Error {}

/**
 * Writes one JSON object per line, nothing else (items 1 to 3). A pipe that broke is an error event, never a throw
 * (item 179).
 */
export class NdjsonMessageWriter extends LinkEnd<WriteFailure> implements AgentWriter {
  readonly #queue: OutputQueue;

  /** @param patienceMs how long the agent may read nothing while a lot of data waits for it. */
  constructor(
    private readonly output: Writable,
    private readonly observer: WireObserver,
    patienceMs?: number,
  ) {
    super();
    // Without a listener a write after the agent's death would end the extension host.
    output.on('error', (error: Error) => this.errorEmitter.fire([error, undefined, undefined]));
    this.#queue = new OutputQueue(output, () => this.fail(l10n.t('The agent stopped reading its input')), patienceMs);
  }

  write(message: Message): Promise<void> {
    const envelope = outbound(message);
    this.observer.traffic?.('out', envelope);
    return this.#queue.write(Buffer.from(`${wellFormedJson(envelope)}\n`));
  }

  whenRoom(): Promise<void> | undefined {
    return this.#queue.whenRoom();
  }

  fail(reason: string): void {
    const failure = new LinkFailure(reason);
    this.#queue.fail(failure);
    this.errorEmitter.fire([failure, undefined, undefined]);
    this.closeEmitter.fire();
  }

  end(): void {
    this.output.end();
  }
}

/**
 * JSON without half surrogate pairs, which text has that was cut inside an emoji: strict readers reject the whole
 * message, and models reject each later request of a conversation that contains one. They become U+FFFD.
 */
function wellFormedJson(envelope: object): string {
  const json = JSON.stringify(envelope);
  // Whole pairs are written as they are, so what is escaped is a half, unless the backslash itself is escaped.
  return json.includes('\\ud')
    ? json.replace(/\\(\\|ud[89a-f][\da-f]{2})/g, (all, of) => (of === '\\' ? all : '\\ufffd'))
    : json;
}
