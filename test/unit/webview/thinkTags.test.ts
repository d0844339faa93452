import { describe, expect, it } from 'vitest';
import { ThinkTags } from '../../../webview/markdown/thinkTags';

describe('reasoning in tags', () => {
  it.each([
    ['<think>a\nb</think>c', 'a\nb', 'c'],
    ['<think>\nFirst.\n</think>\n\nThe answer', '\nFirst.\n', '\n\nThe answer'],
    ['\n<thinking>a</thinking>b', 'a', 'b'],
    ['<THINK>a</think>b', 'a', 'b'],
    ['<think>a < b </thin> c</think>d', 'a < b </thin> c', 'd'],
    ['<think>never ends </thi', 'never ends </thi', ''],
    ['<think></think>b', '', 'b'],
    ['a <think>b</think>', '', 'a <think>b</think>'],
    ['<thinker>b</thinker>', '', '<thinker>b</thinker>'],
    ['<th', '', '<th'],
    ['<table>x</table>', '', '<table>x</table>'],
    ['', '', ''],
    ['<think>a</think><think>b</think>', 'a', '<think>b</think>'],
  ])('%j', (text, thought, answer) => {
    for (const step of [1, 3, 1_000]) {
      const tags = new ThinkTags();
      const found = { thought: '', answer: '' };
      const take = (more: typeof found) => {
        found.thought += more.thought;
        found.answer += more.answer;
      };
      for (let at = 0; at < text.length; at += step) take(tags.push(text.slice(at, at + step)));
      take(tags.end());
      expect(found).toEqual({ thought, answer });
    }
  });
});
