import { askCall, editCalls, editorCalls, planCalls, runCall, taskCall } from './toolCalls.mjs';

/**
 * What the fake model answers. A user's prompt carries a directive, and the model follows it step by step: one step for
 * each tool result that has come back since. What agents add to a prompt begins with `<` or `@`.
 *
 *     %%SAY words of the answer
 *     %%THINK words of the answer
 *     %%EDIT /absolute/file | old text | new text
 *     %%RUN command
 *     %%SLOW
 *     %%ASK
 *     %%TASK words of the subagent
 *     %%PLAN
 *     %%EDITOR file | name | new name
 *
 * @typedef {{ name: string, kind?: string, fields?: readonly string[] }} Tool
 * @typedef {{ role: 'user' | 'assistant' | 'tool', text: string }} Message
 * @typedef {{ type: 'text' | 'thought', chunks: string[], pause: number } | { type: 'tool', name: string, input:
 * Record<string, unknown> | string }} Step
 */

/** @param {readonly Message[]} messages @param {readonly Tool[]} tools @returns {Step[]} */
export function answer(messages, tools) {
  // Agents also ask for titles and summaries, without tools.
  if (tools.length === 0) return [text('A fake title')];
  const at = messages.findLastIndex((message) => message.role === 'user' && /%%[A-Z]+/.test(message.text));
  const [, word = '', argument = ''] = /.*%%([A-Z]+)[ \t]*([^\n<@]*)/s.exec(messages[at]?.text ?? '') ?? [];
  const done = messages.slice(at + 1).filter((message) => message.role === 'tool');
  const steps = script(word, argument.trim(), tools, done.at(-1)?.text ?? '');
  const next = steps[done.length];
  return next ?? [text(`Done. The last tool said: ${done.at(-1)?.text.slice(0, 200) ?? 'nothing'}`)];
}

/**
 * @param {string} word
 * @param {string} argument
 * @param {readonly Tool[]} tools
 * @param {string} last what the last tool returned
 * @returns {Step[][]}
 */
function script(word, argument, tools, last) {
  switch (word) {
    case 'SAY':
      return [[text(argument)]];
    case 'THINK':
      return [[{ ...text('First I think about it.'), type: 'thought' }, text(argument)]];
    case 'SLOW':
      return [[{ type: 'text', chunks: Array.from({ length: 2000 }, (_, n) => `slow${n} `), pause: 50 }]];
    case 'RUN':
      return [[text('I run it.'), runCall(argument, tools)]];
    case 'TASK':
      return [[text('I ask another one.'), taskCall(argument, tools)]];
    case 'ASK':
      return [[text('I have to ask.'), askCall(tools)]];
    case 'PLAN':
      return planCalls(tools).map((call) => [call]);
    case 'EDITOR': {
      const [path = '', symbol = '', next = ''] = argument.split('|').map((part) => part.trim());
      return editorCalls(path, symbol, next, tools).map((call) => [call]);
    }
    case 'EDIT': {
      const [file = '', before = '', after = ''] = argument.split('|').map((part) => part.trim());
      return editCalls(file, before, after, tools, last).map((call, index) => [
        text(index === 0 ? 'I look at it.' : 'Now the edit.'),
        call,
      ]);
    }
    default:
      return [[text('There was no directive in the prompt.')]];
  }
}

/** @param {string} words @returns {{ type: 'text', chunks: string[], pause: number }} */
function text(words) {
  return { type: 'text', chunks: words.match(/\S+\s*/g) ?? [words], pause: 5 };
}
