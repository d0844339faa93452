/**
 * What the fake model answers. A person's prompt carries a directive, and the model follows it step by step: one step for
 * each tool result that has come back since.
 *
 *     %%SAY words of the answer
 *     %%THINK words of the answer
 *     %%EDIT /absolute/file | old text | new text
 *     %%RUN command
 *     %%SLOW
 *     %%ASK
 *
 * @typedef {{ name: string, kind?: string }} Tool
 * @typedef {{ role: 'user' | 'assistant' | 'tool', text: string }} Message
 * @typedef {{ type: 'text' | 'thought', chunks: string[], pause: number } | { type: 'tool', name: string, input: Record<string, unknown> | string }} Step
 */

/** @param {readonly Message[]} messages @param {readonly Tool[]} tools @returns {Step[]} */
export function answer(messages, tools) {
  // Agents also ask for titles and summaries, without tools.
  if (tools.length === 0) return [text('A fake title')];
  const at = messages.findLastIndex((message) => message.role === 'user' && /%%[A-Z]+/.test(message.text));
  const [, word = '', argument = ''] = /.*%%([A-Z]+)[ \t]*([^\n<]*)/s.exec(messages[at]?.text ?? '') ?? [];
  const done = messages.slice(at + 1).filter((message) => message.role === 'tool');
  const steps = script(word, argument.trim(), tools);
  const next = steps[done.length];
  return next ?? [text(`Done. The last tool said: ${done.at(-1)?.text.slice(0, 200) ?? 'nothing'}`)];
}

/** @param {string} word @param {string} argument @param {readonly Tool[]} tools @returns {Step[][]} */
function script(word, argument, tools) {
  switch (word) {
    case 'SAY':
      return [[text(argument)]];
    case 'THINK':
      return [[{ ...text('First I think about it.'), type: 'thought' }, text(argument)]];
    case 'SLOW':
      return [[{ type: 'text', chunks: Array.from({ length: 2000 }, (_, n) => `slow${n} `), pause: 50 }]];
    case 'RUN':
      return [[text('I run it.'), runStep(argument, tools)]];
    case 'ASK':
      return [[text('I have to ask.'), askStep(tools)]];
    case 'EDIT': {
      const [file = '', before = '', after = ''] = argument.split('|').map((part) => part.trim());
      return editSteps(file, before, after, tools);
    }
    default:
      return [[text('There was no directive in the prompt.')]];
  }
}

/** @param {string} command @param {readonly Tool[]} tools @returns {Step} */
function runStep(command, tools) {
  if (tools.some(({ name }) => name === 'Bash')) return { type: 'tool', name: 'Bash', input: { command, description: 'Run it' } };
  // Without the escalation the command would run in a sandbox and nobody would be asked.
  return { type: 'tool', name: 'exec_command', input: { cmd: command, sandbox_permissions: 'require_escalated', justification: 'The test wants to be asked' } };
}

/** @param {readonly Tool[]} tools @returns {Step} */
function askStep(tools) {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `Choose ${label}` }));
  const question = { id: 'colour', question: 'Which colour do you prefer?', header: 'Colour', options };
  if (tools.some(({ name }) => name === 'AskUserQuestion')) return { type: 'tool', name: 'AskUserQuestion', input: { questions: [{ ...question, multiSelect: false }] } };
  return { type: 'tool', name: 'request_user_input', input: { questions: [question] } };
}

/** @param {string} file @param {string} before @param {string} after @param {readonly Tool[]} tools @returns {Step[][]} */
function editSteps(file, before, after, tools) {
  if (tools.some(({ name }) => name === 'Edit')) {
    return [
      [text('I read it first.'), { type: 'tool', name: 'Read', input: { file_path: file } }],
      [text('Now the edit.'), { type: 'tool', name: 'Edit', input: { file_path: file, old_string: before, new_string: after } }],
    ];
  }
  const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+${after}\n*** End Patch\n`;
  const tool = tools.find(({ name }) => name === 'apply_patch');
  return [[text('I patch it.'), { type: 'tool', name: 'apply_patch', input: tool?.kind === 'custom' ? patch : { input: patch } }]];
}

/** @param {string} words @returns {{ type: 'text', chunks: string[], pause: number }} */
function text(words) {
  return { type: 'text', chunks: words.match(/\S+\s*/g) ?? [words], pause: 5 };
}
