import { describe, expect, it } from 'vitest';
import { messagesInLine } from '../../../src/acp/messagesInLine';

const one = { jsonrpc: '2.0', method: 'session/update', params: { text: 'a } { " \\ \u001b[31m ]0;' } };
const two = { jsonrpc: '2.0', id: 7, result: { list: [{ a: 1 }, { b: '{' }] } };
const [a, b] = [JSON.stringify(one), JSON.stringify(two)];

const withEnd = (end: string) => ({ ...one, params: { text: one.params.text + end } });

describe('a message counts whatever stands around it on its line', () => {
  it.each<[situation: string, line: string, values: unknown[], rest: string]>([
    ['alone', a, [one], ''],
    ['blanks and a return', `  ${a}\t\r`, [one], ''],
    ['a byte order mark', `\ufeff${a}`, [one], ''],
    ['the title of a terminal', `\u001b]0;demo: ready\u0007${a}`, [one], ''],
    ['the title of a terminal, ended by a string terminator', `\u001b]2;demo\u001b\\${a}`, [one], ''],
    ['a title with braces', `\u001b]0;{"a":1} {\u0007${a}`, [one], ''],
    ['a title that does not end', `\u001b]0;demo ${a}`, [one], '\u001b]0;demo'],
    ['a title that ends behind the message', `\u001b]0;demo ${a}\u0007`, [one], '\u001b]0;demo \u0007'],
    ['the field of an event stream', `data: ${a}`, [one], 'data:'],
    ['a picture for the terminal', `\u001b]1337;File=x:AAAA\u0007${a}`, [one], ''],
    ['a link for the terminal', `\u001b]8;;http://x\u001b\\docs\u001b]8;;\u001b\\${a}`, [one], 'docs'],
    ['a separator', `${a};`, [one], ';'],
    ['a notification', `\u001b]777;notify;demo;busy\u0007${a}`, [one], ''],
    ['colours on both sides', `\u001b[1;31m${a}\u001b[0m`, [one], ''],
    ['a sequence inside', a.replace(',', ',\u001b[?25l\u001b]0;x\u0007'), [one], ''],
    [
      'other sequences',
      `\u001b7\u001b(B\u001bP1$r\u001b\\\u001b_Gi=1\u001b\\\u001b[2J\u001b[H${a}\u001b8\u001bc`,
      [one],
      '',
    ],
    ['controls', `\u0000\u0008\u0007${a}`, [one], '\u0000\b'],
    ['another message', `${a}${b}`, [one, two], ''],
    ['several with blanks, returns and titles', `${a} ${b}\r\u001b]0;x\u0007${a}`, [one, two, one], ''],
    [
      'the beginning of a log line',
      `2026-01-01T00:00:00Z [INFO] agent: ${a}`,
      [one],
      '2026-01-01T00:00:00Z [INFO] agent:',
    ],
    ['a log line with braces and quotes', `[{"x] {agent} ${a} }`, [one], '[{"x] {agent} }'],
    ['half a message', `${a.slice(0, 40)}${b}`, [two], a.slice(0, 40)],
    ['a log entry as JSON', `{"level":"info","of":${b}}${a}`, [one], `{"level":"info","of":${b}}`],
    [
      'numbers that JSON has not',
      '{"jsonrpc":"2.0","id":1,"result":{"a":NaN,"b":[-Infinity,Infinity],"c":"\\"NaN, \\\\"}}',
      [{ jsonrpc: '2.0', id: 1, result: { a: null, b: [null, null], c: '"NaN, \\' } }],
      '',
    ],
    ['raw controls in a text', `${a.slice(0, -3)}\t\u0001\r"}}\t`, [withEnd('\t\u0001\r')], ''],
  ])('%s', (_, line, values, rest) => {
    expect(messagesInLine(line)).toEqual({ values, rest });
  });

  it.each([
    ['a banner', 'Welcome'],
    ['half a message', a.slice(0, -1)],
    ['braces', '{{{}}}'],
    ['no object', '"a" [1'],
  ])('none: %s', (_, line) => {
    expect(messagesInLine(line)).toEqual({ values: [], rest: line });
  });

  it('what is no object, and a list, is one value', () => {
    expect([messagesInLine('null'), messagesInLine(`[${a},${b}]`)]).toEqual([
      { values: [null], rest: '' },
      { values: [[one, two]], rest: '' },
    ]);
  });

  it('a sequence alone is nothing', () => {
    expect(messagesInLine('\u001b]0;demo\u0007\u001b[0m')).toEqual({ values: [], rest: '' });
  });
});

describe('costs time by its length alone', () => {
  const size = 50_000;
  it.each([
    ['braces that begin nothing', '{'],
    ['braces of objects', '{"a":'],
    ['objects that are none', '{x}'],
    ['quotes', '{"'],
    ['numbers that JSON has not', '{NaN}'],
    ['titles that do not end', '\u001b]0;{'],
    ['sequences that do not end', '\u001b[1;{'],
    ['escapes', '\u001b'],
  ])('%s', (_, part) => {
    const line = (length: number) => `${part.repeat(length / part.length)}!`;
    const time = (length: number) => {
      const text = line(length);
      const start = performance.now();
      messagesInLine(text);
      return performance.now() - start;
    };
    time(size);
    // Twenty times as long takes twenty times as long; a square would be four hundred.
    expect(time(size * 20)).toBeLessThan(100 * Math.max(4, time(size)));
  });
});
