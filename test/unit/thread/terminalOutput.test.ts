import { describe, expect, it } from 'vitest';
import { sliceLines } from '../../../src/thread/sliceLines';
import { MAX_OUTPUT_LIMIT, TerminalOutput, utf8Length, utf8Tail } from '../../../src/thread/terminalOutput';
import { Random } from '../../fakes/random';
import { workTime } from '../../fakes/workTime';

describe('the part of the output that is retained', () => {
  it.each([0, 1, 10, 100, 1_000, 50_000, 500_000])('is the newest %i bytes, cut between characters', (byteLimit) => {
    const random = new Random(byteLimit);
    const output = new TerminalOutput({ cols: 80, rows: 24, byteLimit });
    let all = '';
    for (let i = 0; i < 4_000; i++) {
      const line = `${random.pick(['a', 'é', '日本', '😀', 'word '])}${i}`;
      all += `${line}\n`;
      output.write(`${line}\r\n`);
    }
    const { output: text, truncated } = output.read();
    expect(all.endsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(byteLimit);
    expect(truncated).toBe(text.length < all.length);
    if (truncated) expect(Buffer.byteLength(text)).toBeGreaterThan(byteLimit - 4);
  });

  it('is no more than the host can hold, whatever the agent asks for', () => {
    const output = new TerminalOutput({ cols: 100, rows: 30, byteLimit: Number.MAX_SAFE_INTEGER });
    const piece = `${'x'.repeat(99)}\r\n`.repeat(10_000);
    for (let bytes = 0; bytes < 2 * MAX_OUTPUT_LIMIT; bytes += piece.length) output.write(piece);
    const { output: text, truncated } = output.read();
    expect([truncated, text.length <= MAX_OUTPUT_LIMIT, text.length > MAX_OUTPUT_LIMIT - 1_000]).toEqual([
      true,
      true,
      true,
    ]);
  }, 30_000);

  it('takes what a flood brings in good time', () => {
    const output = new TerminalOutput({ cols: 100, rows: 30, byteLimit: 1_000_000 });
    const piece = 'a line of output of a build that says too much \x1b[32mok\x1b[0m\r\n'.repeat(70);
    const started = workTime();
    for (let bytes = 0; bytes < 20_000_000; bytes += piece.length) output.write(piece);
    expect(output.read().truncated).toBe(true);
    expect(workTime() - started).toBeLessThan(25_000);
  });
});

describe('bytes in UTF-8', () => {
  it('are counted as Node counts them, and a tail is the longest that fits', () => {
    const random = new Random(1);
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from({ length: random.below(12) }, () =>
        random.pick(['a', 'é', '日', '😀', '\ud800', '\udc00']),
      ).join('');
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
      const limit = random.below(20);
      const tail = utf8Tail(text, limit);
      expect(text.endsWith(tail)).toBe(true);
      expect(utf8Length(tail)).toBeLessThanOrEqual(limit);
      const longer = [...text].slice([...text].length - [...tail].length - 1).join('');
      if (tail !== text) expect(utf8Length(longer)).toBeGreaterThan(limit);
    }
  });
});

describe('the lines that a read asks for', () => {
  it.each<[text: string, line: number | undefined, limit: number | undefined, part: string]>([
    ['a\nb\nc', undefined, undefined, 'a\nb\nc'],
    ['a\nb\nc', 2, 1, 'b'],
    ['a\nb\nc', 2, 2, 'b\nc'],
    ['a\nb\nc\n', 2, undefined, 'b\nc\n'],
    ['a\nb\nc\n', 1, 2, 'a\nb'],
    ['a\nb\nc', 0, 1, 'a'],
    ['a\nb\nc', undefined, 1, 'a'],
    ['a\nb\nc', 4, undefined, ''],
    ['a\nb\nc\n', 4, 5, ''],
    ['a\r\nb\r\nc', 2, 1, 'b'],
    ['a\r\nb\r\nc', 1, 2, 'a\r\nb'],
    ['a\nb', 1, 0, ''],
    ['a\nb', 2, 100, 'b'],
    ['a\n\n\nb', 2, 2, '\n'],
    ['', 1, 10, ''],
  ])('of %j from %s, %s lines: %j', (text, line, limit, part) => {
    expect(sliceLines(text, line, limit)).toBe(part);
  });
});
