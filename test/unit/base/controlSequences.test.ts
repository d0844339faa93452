import { describe, expect, it } from 'vitest';
import { ControlFilter, withoutControls, withoutControlsIn } from '../../../src/base/controlSequences';
import { workTime } from '../../fakes/workTime';

const texts: readonly (readonly [string, string])[] = [
  ['\u001b[31m\u001b[1mred\u001b[0m', 'red'],
  ['\u001b[2K\u001b[1Gdone', 'done'],
  ['\u001b[38;2;1;2;3mtrue\u001b[39m colour', 'true colour'],
  ['\u001b[38:5:9mcolons\u001b[m', 'colons'],
  ['\u001b[?25lhidden cursor\u001b[?25h', 'hidden cursor'],
  ['\u001b]0;title\u0007words', 'words'],
  ['\u001b]8;;https://a.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u001bPq data\u001b\\after', 'after'],
  ['\u001b(Bplain\u001b7\u001b8', 'plain'],
  ['\u009b31mred', 'red'],
  ['ding\u0007', 'ding'],
  ['[31m is no sequence', '[31m is no sequence'],
  ['a\tb\r\nc', 'a\tb\r\nc'],
  ['\u202e stays for its mark', '\u202e stays for its mark'],
  ['half \u001b[3', 'half \u001b[3'],
  ['a lone \u001b stays', 'a lone \u001b stays'],
];

describe('control sequences', () => {
  it.each(texts)('%j becomes %j, in one piece and letter by letter', (text, expected) => {
    expect(withoutControls(text)).toBe(expected);
    const filter = new ControlFilter();
    expect([...text].map((letter) => filter.push(letter)).join('') + filter.end()).toBe(expected);
  });

  it('are left out of every text in a value, which stays the same where there are none', () => {
    const value = { a: ['x', { b: 'y' }], n: 1, u: null };
    expect(withoutControlsIn(value)).toBe(value);
    expect(withoutControlsIn({ a: ['\u001b[1mx', { b: 'y' }], n: 1, u: null })).toEqual(value);
  });

  it('cost what a text is long', () => {
    for (const text of [
      '\u001b]'.repeat(50_000),
      '\u001b['.repeat(50_000),
      `\u001b]${'x'.repeat(100_000)}`,
      '\u001bP'.repeat(50_000),
    ]) {
      const start = workTime();
      withoutControls(text);
      const filter = new ControlFilter();
      for (let at = 0; at < text.length; at += 1_000) filter.push(text.slice(at, at + 1_000));
      expect(workTime() - start).toBeLessThan(4_000);
    }
  });
});
