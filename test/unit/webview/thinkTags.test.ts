import { describe, expect, it } from 'vitest';
import { withReasoningMark } from '../../../src/base/reasoningTags';
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
    ['[THINK]a [/THIN] b[/THINK]c', 'a [/THIN] b', 'c'],
    ['◁think▷a◁/think▷b', 'a', 'b'],
    ['<seed:think>a</seed:think>b', 'a', 'b'],
    ['[think] is a word', '', '[think] is a word'],
    ['[TH', '', '[TH'],
    ['◁', '', '◁'],
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

describe('an end of reasoning without its beginning', () => {
  it.each([
    ['Let me see.\n</think>\n\nThe answer', '<think>'],
    ['</think>\n\nThe answer', '<think>'],
    ['Let me see.\n[/THINK]\nThe answer', '[THINK]'],
    ['Let me see.\n◁/think▷\nThe answer', '◁think▷'],
    ['```\ncode\n```\n</thinking>\nThe answer', '<thinking>'],
  ])('%j begins with it', (text, mark) => expect(withReasoningMark(text)).toBe(mark + text));

  it.each([
    'The tag `</think>` ends it.\nAnd so on',
    'A model ends its reasoning with </think>\nand then answers.',
    '```xml\nLet me see.\n</think>\n```\nSo it looks.',
    '<think>\nLet me see.\n</think>\nThe answer',
    'Use\n<think>\nwords\n</think>\nin your template.',
    'Let me see.\n</think>',
    'Let me see.\n</thinker>\nx',
  ])('%j does not', (text) => expect(withReasoningMark(text)).toBe(text));
});
