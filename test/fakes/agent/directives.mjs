import { existsSync } from 'node:fs';
import { diskDirectives } from './diskDirectives.mjs';
import { elicitations } from './elicitationDirectives.mjs';
import { requests } from './requestDirectives.mjs';
import { vandalism } from './vandalism.mjs';

/**
 * What a prompt can make the fake agent do: every line of the form `@@NAME argument` (or `%%NAME argument`, for
 * a message box that completes `@`) is played in order, and other text
 * is left alone. A prompt without directives is answered by "You said: …". Requests to the client report their answer
 * as text: `[READ {"content":"…"}]` or `[READ error -32602 …]`. What follows `@@AFTER ms` is played so long after the
 * answer.
 *
 * @typedef {(turn: import('./turn.mjs').FakeTurn, argument: string) => Promise<unknown> | unknown} Directive
 */

/** @type {Record<string, Directive>} */
const speech = {
  /** Text; `\n` in it is a line break. */
  SAY: (turn, text) => turn.say(unescape(text)),
  THINK: (turn, text) => turn.say(unescape(text), 'agent_thought_chunk'),
  /** n numbered words, one chunk each. */
  CHUNKS: (turn, count) => times(count, 10, (n) => turn.say(`word${n} `)),
  /** n chunks with a pause between: `@@SLOW n ms`; a cancel ends it. */
  async SLOW(turn, argument) {
    const [count = 1000, ms = 20] = numbers(argument);
    for (let n = 1; n <= count && !turn.cancelled; n++) {
      turn.say(`slow${n} `);
      await turn.wait(ms);
    }
  },
  /** Says nothing for so many milliseconds, or until cancelled. */
  SILENT: (turn, ms) => turn.wait(ms === '' ? undefined : Number(ms)),
  /** Says nothing until there is a file of this name, or until cancelled. */
  async AWAIT(turn, file) {
    while (!existsSync(file) && !turn.cancelled) await turn.wait(10);
  },
  /** n chunks as fast as the pipe takes them. */
  FLOOD: (turn, count) =>
    times(count, 1000, (n) => turn.say(n % 20 === 0 ? `\n\n## Part ${n}\n\n` : `flood **${n}** `)),
  /** Any update, as JSON. */
  UPDATE: (turn, json) => turn.update(JSON.parse(json)),
  /**
   * A tool call; fields as JSON over a default. `@@TOOL {"toolCallId":"t","status":"completed"}` with a known id
   * updates.
   */
  TOOL(turn, json) {
    const fields = JSON.parse(json || '{}');
    turn.update({
      sessionUpdate: fields.sessionUpdate ?? 'tool_call',
      toolCallId: turn.newToolCallId(),
      title: 'A tool',
      ...fields,
    });
  },
  TOOLUPDATE: (turn, json) => turn.update({ sessionUpdate: 'tool_call_update', ...JSON.parse(json) }),
  PLAN: (turn, json) => turn.update({ sessionUpdate: 'plan', entries: JSON.parse(json || '[]') }),
  /** n plans of 10,000 entries each, every 50 ms one. */
  async PLANS(turn, count) {
    for (let n = 0; n < (Number(count) || 20) && !turn.cancelled; n++) {
      turn.update({
        sessionUpdate: 'plan',
        entries: Array.from({ length: 10_000 }, (_, i) => ({
          content: `Step ${i} of plan ${n}`,
          priority: 'medium',
          status: i < n * 100 ? 'completed' : 'pending',
        })),
      });
      await turn.wait(50);
    }
  },
  COMMANDS: (turn, json) =>
    turn.update({ sessionUpdate: 'available_commands_update', availableCommands: JSON.parse(json || '[]') }),
  MODE: (turn, id) => turn.update({ sessionUpdate: 'current_mode_update', currentModeId: id }),
  TITLE: (turn, title) => turn.update({ sessionUpdate: 'session_info_update', title: title || null }),
  /** A command that the agent runs itself, its output in `_meta`: for a terminal that the client never created. */
  VIRTUALTERMINAL(turn, text) {
    const toolCallId = turn.newToolCallId();
    turn.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'Run it myself',
      kind: 'execute',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId: toolCallId }],
      _meta: { terminal_info: { terminal_id: toolCallId } },
    });
    for (const data of unescape(text || 'first\\r\\n|second\\r\\n').split('|')) {
      turn.update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        _meta: { terminal_output: { terminal_id: toolCallId, data } },
      });
    }
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      _meta: { terminal_exit: { terminal_id: toolCallId, exit_code: 0, signal: null } },
    });
  },
};

/** @type {Record<string, Directive>} */
const endings = {
  STOP: (turn, reason) => {
    turn.stopReason = reason;
  },
  /** `@@ERROR code message`, data as JSON after a `|`. */
  ERROR(turn, argument) {
    const [head = '', data] = argument.split('|');
    const [, code = '-32603', message = ''] = /^(-?\d+)\s*(.*)$/.exec(head.trim()) ?? [];
    turn.error = { code: Number(code), message: message || 'Fake error', ...(data ? { data: JSON.parse(data) } : {}) };
  },
  NULLRESULT: (turn) => {
    turn.response = { result: null };
  },
  /** Neither result nor error. */
  NORESULT: (turn) => {
    turn.response = {};
  },
  BOTHRESULTS: (turn) => {
    turn.response = { result: { stopReason: 'end_turn' }, error: { code: -32603, message: 'both' } };
  },
  /** Answers the prompt twice. */
  TWICE: (turn) =>
    turn.afterwards.push(() => turn.wire.send({ id: turn.requestId, result: { stopReason: 'refusal' } })),
  /** Updates after the response. */
  LATE: (turn, text) => turn.afterwards.push(() => turn.say(unescape(text || 'late'))),
  /** Updates for the next session before the response of its session/new. */
  EARLY: (turn, text) =>
    turn.early.push({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: text || 'early' } }),
  IGNORECANCEL: (turn) => {
    turn.ignoreCancel = true;
  },
  /** After session/cancel: this text, then the end. */
  CANCELSAY: (turn, text) => turn.atCancel.push(() => turn.say(text || 'last words')),
  /** After session/cancel: an update as JSON. */
  CANCELUPDATE: (turn, json) => turn.atCancel.push(() => turn.update(JSON.parse(json))),
  /** After session/cancel: an error instead of `cancelled`. */
  CANCELERROR: (turn, message) =>
    turn.atCancel.push(() => {
      turn.error = { code: -32603, message: message || 'aborted' };
    }),
  /** Ends the process once all that was said has left it. */
  DIE(turn, code) {
    turn.wire.note('die', { code: Number(code || 1) });
    process.stdout.write('', () => process.exit(Number(code || 1)));
    return new Promise(() => {});
  },
};

/** @type {Record<string, Directive>} */
const directives = { ...speech, ...endings, ...requests, ...diskDirectives, ...elicitations, ...vandalism };

/**
 * Plays the directives in a prompt's text.
 * @template {import('./turn.mjs').FakeTurn} T
 * @param {T} turn @param {string} text
 * @param {Record<string, (turn: T, argument: string) => unknown>} [own] Directives that come before those that all
 * have.
 */
export async function playDirectives(turn, text, own = {}) {
  const found = [...text.matchAll(/(?:@@|%%)([A-Z0-9]+)[ \t]*([^\n]*)/g)];
  if (found.length === 0) turn.say(`You said: ${text}`);
  for (const { index, 0: line, 1: word = '', 2: argument = '' } of found) {
    if (word === 'AFTER') {
      turn.afterwards.push(() =>
        setTimeout(() => void playDirectives(turn, text.slice(index + line.length), own), Number(argument)),
      );
      return;
    }
    // PERMISSIONS5 is PERMISSIONS with the argument 5.
    const [, letters = word, digits = ''] = /^(.*?[A-Z])(\d+)$/.exec(word) ?? [];
    const directive = own[word] ?? directives[word] ?? directives[letters];
    if (directive) await directive(turn, own[word] || directives[word] ? argument.trim() : digits);
    else turn.say(`[unknown directive ${word}]`);
    if (turn.cancelled && !turn.ignoreCancel) return;
  }
}

/** @param {string} text */
function unescape(text) {
  return text.replace(
    /\\([nrt\\]|x1b)/g,
    (_, what) => ({ n: '\n', r: '\r', t: '\t', '\\': '\\', x1b: '\x1b' })[/** @type {'n'} */ (what)] ?? '',
  );
}

/** @param {string} text */
function numbers(text) {
  return text.split(/\s+/).filter(Boolean).map(Number);
}

/** @param {string} count @param {number} fallback @param {(n: number) => void} action */
function times(count, fallback, action) {
  for (let n = 1; n <= (Number(count) || fallback); n++) action(n);
}
