/**
 * The built-in agent, which notes when its first text leaves: writes that moment (ms since 1970) into the file
 * `PARLEY_BENCH_STAMP`, anew for each prompt. From there to the last paint is what a user waits for, whoever shows it.
 * `/flood N`, `/calls N` and `/chunks N` it answers by itself: mixed Markdown, tool calls with diffs, and much text. How
 * many characters that were it writes into a file beside that one, whose name ends in `.sent`.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { floodChunks } from './floodText.mjs';

const callsTail = 'That was the last one.';

const file = process.env.PARLEY_BENCH_STAMP ?? '';
const write = process.stdout.write.bind(process.stdout);
const { stdin } = process;
const toBuiltIn = new PassThrough();
let stamped = false;

process.stdout.write = /** @type {typeof process.stdout.write} */ (
  (/** @type {any} */ data, /** @type {any[]} */ ...rest) => {
    if (!stamped && String(data).includes('agent_message_chunk')) {
      stamped = true;
      writeFileSync(file, String(Date.now()));
    }
    return write(data, ...rest);
  }
);
Object.defineProperty(process, 'stdin', { value: toBuiltIn });
createInterface({ input: stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    if (line.includes('session/prompt')) {
      stamped = false;
      const { id, params } = JSON.parse(line);
      const [, command, count] = /^\/(flood|calls|chunks) (\d+)/.exec(params.prompt?.[0]?.text ?? '') ?? [];
      const updates = { flood, calls, chunks }[command ?? ''];
      if (updates) return void answer(id, params.sessionId, updates(Number(count)));
    }
    toBuiltIn.write(`${line}\n`);
  })
  .on('close', () => toBuiltIn.end());
createRequire(import.meta.url)('../../dist/demoAgent.js');

/** @param {unknown} id @param {string} sessionId @param {Iterable<object>} updates */
async function answer(id, sessionId, updates) {
  let sent = 0;
  const send = (/** @type {object} */ message) => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
    sent += line.length;
    return process.stdout.write(line);
  };
  for (const update of updates) {
    if (!send({ method: 'session/update', params: { sessionId, update } }))
      await new Promise((resolve) => process.stdout.once('drain', () => resolve(undefined)));
  }
  writeFileSync(`${file}.sent`, String(sent));
  send({ id, result: { stopReason: 'end_turn' } });
}

const text = (/** @type {string} */ text) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

/** @param {number} count */
function* flood(count) {
  for (const piece of floodChunks(count)) yield text(piece);
}

/** Edits of files that are nowhere on disk. @param {number} count */
function* calls(count) {
  yield text('Now the edits. ');
  for (let n = 0; n < count; n++) {
    const toolCallId = `bench${n}`;
    const lines = (/** @type {string} */ words) =>
      Array.from(
        { length: 30 },
        (_, i) => `  const value${n}_${i} = compute(${i}, '${i % 10 === 3 ? words : 'the same'}');\n`,
      ).join('');
    yield {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: `Edit file${n}.ts`,
      kind: 'edit',
      status: 'in_progress',
      rawInput: { path: `src/file${n}.ts`, why: 'for the benchmark' },
      locations: [{ path: `/nowhere/src/file${n}.ts` }],
    };
    yield {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      content: [{ type: 'diff', path: `/nowhere/src/file${n}.ts`, oldText: lines('before'), newText: lines('after') }],
    };
  }
  yield text(callsTail);
}

/** Paragraphs in pieces of 32 characters. @param {number} count */
function* chunks(count) {
  const words =
    'the tokenizer reads text and gives tokens back while a stack keeps what is open so that nested quotes work as before. ';
  let at = 0;
  for (let n = 0; n < count; n++) {
    const piece = Array.from({ length: 32 }, (_, i) => words[(at + i) % words.length]).join('');
    at = (at + 32) % words.length;
    yield text(n % 24 === 23 ? `${piece.trim()}.\n\n` : piece);
  }
  yield text(callsTail);
}
