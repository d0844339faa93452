import { answer } from './script.mjs';
import { EventStream, newId, pause, pieces } from './stream.mjs';

/** @typedef {import('./script.mjs').Step} Step */

/** OpenAI Responses. @param {import('node:http').ServerResponse} response @param {any} body */
export async function answerOpenAi(response, body) {
  const steps = answer(messagesOf(body), toolsOf(body));
  const id = newId('resp');
  const usage = {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 1010,
  };
  /** @param {string} status @param {object[]} output */
  const state = (status, output) => ({
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    model: body.model,
    output,
    usage,
    tools: [],
    error: null,
    incomplete_details: null,
  });
  const stream = new EventStream(response);
  let sequence = 0;
  /** @param {string} type @param {object} fields */
  const send = (type, fields) => stream.send(/** @type {any} */ ({ type, sequence_number: sequence++, ...fields }));
  send('response.created', { response: state('in_progress', []) });
  /** @type {object[]} */
  const output = [];
  for (const [index, step] of steps.entries()) {
    if (stream.closed) return;
    output.push(step.type === 'tool' ? sendTool(send, index, step) : await sendText(send, stream, index, step));
  }
  send('response.completed', { response: state('completed', output) });
  stream.end();
}

/**
 * @param {(type: string, fields: object) => void} send @param {EventStream} stream @param {number} index
 * @param {Extract<Step, { chunks: string[] }>} step
 */
async function sendText(send, stream, index, step) {
  const whole = step.chunks.join('');
  const isThought = step.type === 'thought';
  const item = isThought
    ? { type: 'reasoning', id: newId('rs'), summary: [] }
    : { type: 'message', id: newId('msg'), status: 'in_progress', role: 'assistant', content: [] };
  const place = isThought
    ? { item_id: item.id, output_index: index, summary_index: 0 }
    : { item_id: item.id, output_index: index, content_index: 0 };
  const part = isThought
    ? { type: 'summary_text', text: whole }
    : { type: 'output_text', text: whole, annotations: [] };
  const [partAdded, delta, partDone] = isThought
    ? [
        'response.reasoning_summary_part.added',
        'response.reasoning_summary_text.delta',
        'response.reasoning_summary_part.done',
      ]
    : ['response.content_part.added', 'response.output_text.delta', 'response.content_part.done'];
  send('response.output_item.added', { output_index: index, item });
  send(partAdded, { ...place, part: { ...part, text: '' } });
  for (const chunk of step.chunks) {
    if (stream.closed) break;
    send(delta, { ...place, delta: chunk });
    await pause(step.pause);
  }
  send(partDone, { ...place, part });
  const done = isThought
    ? { ...item, summary: [part], encrypted_content: null }
    : { ...item, status: 'completed', content: [part] };
  send('response.output_item.done', { output_index: index, item: done });
  return done;
}

/**
 * @param {(type: string, fields: object) => void} send
 * @param {number} index
 * @param {Extract<Step, { type: 'tool' }>} step
 */
function sendTool(send, index, step) {
  if (step.name === 'tool_search') return sendSearch(send, index, step.input);
  const free = typeof step.input === 'string';
  const input = free ? /** @type {string} */ (step.input) : JSON.stringify(step.input);
  // Tools of MCP servers are found by a search, and called by the name of their server, too.
  const [, namespace, tool] = /^(mcp__[a-z]+)__(\w+)$/.exec(step.name) ?? [];
  const name = tool === undefined ? { name: step.name } : { name: tool, namespace };
  const base = { id: newId('fc'), call_id: newId('call'), ...name };
  /** @param {string} value @param {string} status */
  const item = (value, status) =>
    free
      ? { type: 'custom_tool_call', ...base, status, input: value }
      : { type: 'function_call', ...base, status, arguments: value };
  const kind = free ? 'custom_tool_call_input' : 'function_call_arguments';
  send('response.output_item.added', { output_index: index, item: item('', 'in_progress') });
  for (const piece of pieces(input))
    send(`response.${kind}.delta`, { item_id: base.id, output_index: index, delta: piece });
  send(`response.${kind}.done`, { item_id: base.id, output_index: index, [free ? 'input' : 'arguments']: input });
  send('response.output_item.done', { output_index: index, item: item(input, 'completed') });
  return item(input, 'completed');
}

/** @param {(type: string, fields: object) => void} send @param {number} index @param {unknown} input */
function sendSearch(send, index, input) {
  const base = { type: 'tool_search_call', id: newId('ts'), call_id: newId('call'), execution: 'client' };
  send('response.output_item.added', { output_index: index, item: { ...base, status: 'in_progress', arguments: {} } });
  const done = { ...base, status: 'completed', arguments: input };
  send('response.output_item.done', { output_index: index, item: done });
  return done;
}

/** @param {any} body @returns {import('./script.mjs').Message[]} */
function messagesOf(body) {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  return items.flatMap((/** @type {any} */ item) => {
    if (typeof item.type === 'string' && item.type.endsWith('_output'))
      return [{ role: 'tool', text: textOf(item.output ?? item.tools) }];
    return item.role === 'user' || item.role === 'assistant' ? [{ role: item.role, text: textOf(item.content) }] : [];
  });
}

/** @param {any} content @returns {string} */
function textOf(content) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : JSON.stringify(content ?? '');
}

/** @param {any} body @returns {import('./script.mjs').Tool[]} */
function toolsOf(body) {
  return (body.tools ?? [])
    .flatMap((/** @type {any} */ tool) => (tool.type === 'namespace' ? (tool.tools ?? []) : [tool]))
    .map((/** @type {any} */ tool) => ({ name: tool.name ?? tool.type, kind: tool.type }));
}
