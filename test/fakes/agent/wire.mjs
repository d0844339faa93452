import { openSync, writeSync } from 'node:fs';

/**
 * @typedef {string | number | null} RequestId
 * @typedef {{ code: number, message: string, data?: unknown }} RpcError
 * @typedef {{ result?: unknown, error?: RpcError }} Answer
 * @typedef {Record<string, any>} Json
 */

/**
 * The fake agent's end of the pipe. Says and hears exactly what it is told to, well-formed or not, and writes every
 * line of both directions to the log (see wireLog.ts for its format).
 */
export class Wire {
  /** @param {string | undefined} logFile */
  constructor(logFile) {
    this.started = performance.now();
    this.logFd = logFile ? openSync(logFile, 'a') : undefined;
    this.eol = '\n';
    this.nextId = 0;
    /** @type {(() => RequestId) | undefined} */
    this.makeId = undefined;
    /** @type {Map<string, (answer: Answer) => void>} */
    this.waiting = new Map();
    /** @type {(message: Json) => void} */
    this.handleCall = () => {};
    this.rest = Buffer.alloc(0);
  }

  /** @param {Buffer} bytes */
  receive(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    let start = 0;
    for (let end = this.rest.indexOf(10); end >= 0; end = this.rest.indexOf(10, start)) {
      this.receiveLine(this.rest.subarray(start, end));
      start = end + 1;
    }
    this.rest = this.rest.subarray(start);
  }

  /** The client closed our stdin. Bytes without a newline would be a breach of framing: they are logged as one. */
  end() {
    if (this.rest.length > 0) this.log({ dir: '>', line: this.rest.toString('utf8'), fault: 'unterminated' });
    this.note('stdin-end');
  }

  /** @param {object} message */
  send(message) {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.log({ dir: '<', line });
    this.write(line + this.eol);
  }

  /** Writes bytes as they are, valid or not. @param {string | Buffer} bytes */
  write(bytes) {
    process.stdout.write(bytes);
  }

  /** @param {string} method @param {object} params */
  notify(method, params) {
    this.send({ method, params });
  }

  /**
   * @param {string} method @param {object} params @param {RequestId} [id]
   * @returns {Promise<Answer> & { id: RequestId }}
   */
  request(method, params, id = this.makeId ? this.makeId() : this.nextId++) {
    const answer = new Promise((resolve) => this.waiting.set(JSON.stringify(id), resolve));
    this.send({ id, method, params });
    return Object.assign(answer, { id });
  }

  /** Something that happened beside the wire. @param {string} event @param {Json} [details] */
  note(event, details) {
    this.log({ dir: 'note', event, ...details });
  }

  /** @param {Buffer} bytes */
  receiveLine(bytes) {
    const line = bytes.toString('utf8');
    const intact = Buffer.from(line, 'utf8').equals(bytes);
    this.log({ dir: '>', line, ...(intact ? {} : { fault: 'not UTF-8' }) });
    /** @type {unknown} */
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return;
    const call = /** @type {Json} */ (message);
    if (typeof call['method'] === 'string') {
      this.handleCall(call);
      return;
    }
    const key = JSON.stringify(call['id']);
    const resolve = this.waiting.get(key);
    this.waiting.delete(key);
    resolve?.(call);
  }

  /** @param {Json} entry */
  log(entry) {
    if (this.logFd === undefined) return;
    // Synchronous, so that nothing is lost when the process is told to die.
    writeSync(this.logFd, `${JSON.stringify({ t: Math.round(performance.now() - this.started), ...entry })}\n`);
  }
}
