import { closeSync } from 'node:fs';

/** Directives that break the rules of the wire. @type {Record<string, import('./directives.mjs').Directive>} */
export const vandalism = {
  /** One line, raw. */
  RAW: (turn, line) => turn.wire.write(`${line}\n`),
  /** The process ends in the middle of a line. */
  DIEMIDLINE(turn) {
    turn.wire.note('die', { code: 3 });
    process.stdout.write('{"jsonrpc":"2.0","method":"session/upd', () => process.exit(3));
    return new Promise(() => {});
  },
  /** Killed by a signal: `@@KILL SIGKILL`. */
  KILL(turn, signal) {
    turn.wire.note('die', { signal: signal || 'SIGKILL' });
    process.stdout.write('', () => process.kill(process.pid, signal || 'SIGKILL'));
    return new Promise(() => {});
  },
  /** What launchers, shells and loggers print to stdout. */
  NOISE(turn) {
    turn.wire.write('Welcome back!\n\x1b[32m✔\x1b[0m up to date\n\r\n   \nnpm notice New version\n');
    turn.wire.write('{not json\n{"level":"info","msg":"a log line"}\n');
    turn.wire.write(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]));
  },
  /** A chunk of text cut inside its characters, with a pause at each cut. */
  async SPLITUTF8(turn) {
    const line = Buffer.from(`${JSON.stringify(chunk(turn, 'naïve 日本語 👩‍💻 end'))}\n`);
    for (let at = 0; at < line.length; at += 7) {
      turn.wire.write(line.subarray(at, at + 7));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  },
  /** A chunk of text byte by byte. */
  async BYTEWISE(turn) {
    for (const byte of Buffer.from(`${JSON.stringify(chunk(turn, 'büte'))}\n`)) {
      turn.wire.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  /** 50 chunks in one write. */
  ONEWRITE: (turn) =>
    turn.wire.write(Array.from({ length: 50 }, (_, n) => `${JSON.stringify(chunk(turn, `${n} `))}\n`).join('')),
  /** Characters that some line readers take for line ends, and others that break parsers. */
  U2028: (turn) =>
    turn.wire.write(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(turn.sessionId)},"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\u2028b\u2029c\\u0000d\\ud83de\u{1f600}\u0085f"}}}}\n`,
    ),
  /** One line of so many bytes. */
  async HUGELINE(turn, bytes) {
    const line = `${JSON.stringify(chunk(turn, 'x'.repeat(Number(bytes) || 1_000_000)))}\n`;
    await new Promise((resolve) => process.stdout.write(line, resolve));
  },
  CRLF: (turn) => turn.wire.write(`\r\n\n${JSON.stringify(chunk(turn, 'crlf'))}\r\n\n\r\n`),
  /** Things that are JSON but no JSON-RPC messages; one of them would end this very prompt. */
  BADENVELOPES(turn) {
    const id = turn.requestId;
    const lines = [
      1,
      'text',
      null,
      true,
      [],
      {},
      { id },
      { id, result: { stopReason: 'refusal' } },
      { jsonrpc: '1.0', id, result: { stopReason: 'refusal' } },
      { jsonrpc: '2.0' },
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      { jsonrpc: '2.0', id: 4711, result: {} },
      { jsonrpc: '2.0', id: [id], result: { stopReason: 'refusal' } },
      { jsonrpc: '2.0', method: 7, params: {} },
      { jsonrpc: '2.0', method: 'session/update' },
      { jsonrpc: '2.0', method: 'session/update', params: [] },
      { jsonrpc: '2.0', method: 'session/update', params: { sessionId: turn.sessionId } },
    ];
    turn.wire.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  },
  /** Answers this prompt with its id as a string, as some agents do. */
  STRINGID(turn) {
    turn.answered = true;
    turn.wire.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: String(turn.requestId), result: { stopReason: 'max_tokens' } })}\n`,
    );
  },
  /** A batch, which ACP does not have; it would end this prompt. */
  BATCH: (turn) =>
    turn.wire.write(
      `${JSON.stringify([chunk(turn, 'batched'), { jsonrpc: '2.0', id: turn.requestId, result: { stopReason: 'refusal' } }])}\n`,
    ),
  /** Updates of kinds nobody knows, and known ones with rubbish in them. */
  UNKNOWNUPDATE(turn) {
    for (const update of [
      { sessionUpdate: 'future_thing', x: 1 },
      { sessionUpdate: '_vendor_x' },
      { sessionUpdate: 7 },
      {},
      { sessionUpdate: 'agent_message_chunk' },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'hologram', data: 1 } },
      { sessionUpdate: 'tool_call' },
      { sessionUpdate: 'current_mode_update' },
      { sessionUpdate: 'usage_update', used: 'many' },
      { sessionUpdate: 'plan', entries: 'none' },
      { sessionUpdate: 'available_commands_update', availableCommands: [null, 3, { name: 'ok', description: 'Fine' }] },
    ])
      turn.update(update);
  },
  /** Updates for sessions that do not exist. */
  STRANGESESSION: (turn) =>
    turn.wire.notify('session/update', {
      sessionId: 'nobody',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'lost' } },
    }),
  STDERR: (_turn, text) => process.stderr.write(`${text}\n`),
  /** So many bytes on stderr, no UTF-8, while stdout goes on. */
  STDERRFLOOD: (_turn, bytes) =>
    process.stderr.write(Buffer.alloc(Number(bytes) || 4_000_000, Buffer.from([0xff, 0x41, 0x0a]))),
  /** Stops reading for good: what the client writes meets a closed pipe. */
  CLOSESTDIN: () => {
    process.stdin.destroy();
  },
  /** `@@TALK count length`: so many chunks of text, one after the other without a pause. */
  TALK(turn, argument) {
    const [count, length] = argument.split(' ').map(Number);
    for (let n = 0; n < (count ?? 0); n++) turn.say('x'.repeat(length ?? 1));
  },
  /** Reads nothing any more, and keeps the pipe open. */
  DEAF: () => {
    process.stdin.pause();
    setInterval(() => {}, 1_000);
  },
  /** Reads a piece of stdin, then nothing for so many milliseconds, and so on. */
  SLOWEAR: (_turn, ms) => {
    process.stdin.on('data', () => {
      process.stdin.pause();
      setTimeout(() => process.stdin.resume(), Number(ms) || 1);
    });
  },
  /**
   * `@@ASKMANY count method {json}`: so many requests in one write; reports how many got a result and how many an
   * error.
   */
  async ASKMANY(turn, argument) {
    const [, count = '', method = '', json = '{}'] = /^(\d+)\s+(\S+)\s*(.*)$/.exec(argument) ?? [];
    process.stdout.cork();
    const requests = Array.from({ length: Number(count) }, () => turn.request(method, JSON.parse(json || '{}')));
    process.stdout.uncork();
    const answers = await Promise.all(requests);
    const errors = answers.filter(({ error }) => error);
    turn.say(
      `[ASKMANY ${answers.length - errors.length} results, ${errors.length} errors ${errors[0]?.error?.message ?? ''}]`,
    );
  },
  /** The same without waiting for the answers. */
  ASKMANYASYNC(turn, argument) {
    void vandalism['ASKMANY']?.(turn, argument);
  },
  CLOSESTDOUT: () => {
    // `process.stdout.destroy()` would leave the pipe open.
    closeSync(1);
    return new Promise(() => setInterval(() => {}, 1000));
  },
};

/** @param {import('./turn.mjs').FakeTurn} turn @param {string} text */
function chunk(turn, text) {
  return {
    jsonrpc: '2.0',
    method: 'session/update',
    params: {
      sessionId: turn.sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  };
}
