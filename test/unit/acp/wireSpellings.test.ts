import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { inbound, respelled } from '../../../src/acp/dialect';
import { NdjsonMessageReader } from '../../../src/node/ndjson';

function read(written: string, step = written.length): { readonly messages: unknown[]; readonly skipped: string[] } {
  const input = new PassThrough();
  const messages: unknown[] = [];
  const skipped: string[] = [];
  const reader = new NdjsonMessageReader(input, { skipped: (_reason, line) => skipped.push(line) });
  reader.listen((message) => messages.push(message));
  for (let at = 0; at < written.length; at += step) input.emit('data', Buffer.from(written.slice(at, at + step)));
  input.emit('end');
  return { messages, skipped };
}

const one = { jsonrpc: '2.0', method: 'a', params: { list: [1, { b: '}' }], text: 'x\ny' } };
const spread = (indent: number | string, end = '\n') =>
  `${JSON.stringify(one, undefined, indent).replaceAll('\n', end)}${end}`;

it.each<[situation: string, written: string, messages: unknown[], skipped: string[]]>([
  ['by two blanks', spread(2), [one], []],
  ['by tabs, with returns', spread('\t', '\r\n'), [one], []],
  ['several, and one in a line', `${spread(4)}${JSON.stringify(one)}\n${spread(2)}`, [one, one, one], []],
  ['a log line before', `{ started }\n${spread(2)}`, [one], ['{ started }']],
  ['a brace of a log, and a message', `{\nready\n${JSON.stringify(one)}\n`, [one], ['{', 'ready']],
  [
    'a log entry',
    `${JSON.stringify({ level: 1 }, undefined, 2)}\n${JSON.stringify(one)}\n`,
    [one],
    ['{   "level": 1 }'],
  ],
  ['the end of the stream', '{\n  "a"', [], ['{   "a"']],
])('a message that is spread over lines: %s', (_, written, messages, skipped) => {
  for (const step of [1, written.length]) expect(read(written, step)).toEqual({ messages, skipped });
});

it.each<[unknown, unknown]>([
  [
    {
      session_id: 's',
      update: {
        session_update: 'tool_call',
        tool_call_id: 'a',
        raw_input: { file_path: 'x', tool_call_id: 1 },
        _meta: { a_b: 1 },
      },
    },
    {
      sessionId: 's',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'a',
        rawInput: { file_path: 'x', tool_call_id: 1 },
        _meta: { a_b: 1 },
      },
    },
  ],
  [
    { sessionId: 's', update: { session_update: 'plan', entries: [{ content: 'a_b', status: 'in_progress' }] } },
    { sessionId: 's', update: { sessionUpdate: 'plan', entries: [{ content: 'a_b', status: 'in_progress' }] } },
  ],
  [
    {
      session_id: 's',
      tool_call: { tool_call_id: 'a', content: [{ type: 'diff', path: 'p', old_text: 'o', new_text: 'n' }] },
      options: [{ option_id: 'o' }],
    },
    {
      sessionId: 's',
      toolCall: { toolCallId: 'a', content: [{ type: 'diff', path: 'p', oldText: 'o', newText: 'n' }] },
      options: [{ optionId: 'o' }],
    },
  ],
  [{ session_id: 'other', sessionId: 's' }, { sessionId: 's' }],
  [{ stop_reason: 'end_turn' }, { stopReason: 'end_turn' }],
  [
    { sessions: [{ session_id: 's', updated_at: '2026-01-01' }], next_cursor: null },
    { sessions: [{ sessionId: 's', updatedAt: '2026-01-01' }] },
  ],
  [{ sessions: [{ session_id: 's' }] }, { sessions: [{ sessionId: 's' }] }],
  [{ config_options: [{ id: 'a', current_value: 'b' }] }, { configOptions: [{ id: 'a', currentValue: 'b' }] }],
  [
    { modes: { current_mode_id: 'a', available_modes: [{ id: 'a' }] } },
    { modes: { currentModeId: 'a', availableModes: [{ id: 'a' }] } },
  ],
  [
    { request_id: 1, requested_schema: {} },
    { requestId: 1, requestedSchema: {} },
  ],
])('%j is respelled', (value, expected) => expect(respelled(value)).toMatchObject(expected as object));

it.each<[situation: string, wire: object, message: object]>([
  [
    'a notification with the id null',
    { id: null, method: 'session/update', params: {} },
    { method: 'session/update', params: {} },
  ],
  [
    'an answer with the method null',
    { id: 1, method: null, result: { a: 1 }, error: null },
    { id: 0, result: { a: 1 } },
  ],
  ['an error whose code is a text', { id: 1, error: { code: '429', message: 'Slow' } }, error(429, 'Slow')],
  ['an error that is a text', { id: 1, error: 'Slow' }, error(-32603, 'Slow')],
  ['an error that is a list', { id: 1, error: ['Slow'] }, error(-32603, 'Internal error', ['Slow'])],
  [
    'an error with a word as its code, and an object as its message',
    { id: 1, error: { code: 'EPIPE', message: { text: 'Slow' } } },
    error(-32603, 'Internal error', { code: 'EPIPE', message: { text: 'Slow' } }),
  ],
])('%s', (_, wire, message) =>
  expect(inbound({ jsonrpc: '2.0', ...wire })).toEqual({ message: { jsonrpc: '2.0', ...message } }),
);

function error(code: number, message: string, data?: unknown): object {
  return { id: 0, error: { code, message, data } };
}

it('a request with the id null cannot be answered', () => {
  expect(inbound({ jsonrpc: '2.0', id: null, method: 'fs/read_text_file' })).toHaveProperty('problem');
});

it.each([
  [{ sessionId: 's', update: { sessionUpdate: 'a', rawInput: { tool_call_id: 1 } } }],
  [{ used_percent: 1 }],
  [null],
  ['session_id'],
  [[{ session_id: 1 }]],
])('%j stays as it is', (value) => expect(respelled(value)).toBe(value));
