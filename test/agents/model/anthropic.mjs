import { answer } from './script.mjs';
import { EventStream, newId, pause, pieces } from './stream.mjs';

/** @typedef {{ type: string, text?: string, content?: unknown }} Block */

/** Anthropic Messages. @param {import('node:http').ServerResponse} response @param {any} body */
export async function answerAnthropic(response, body) {
  const steps = answer(
    messagesOf(body),
    (body.tools ?? []).map((/** @type {{ name: string }} */ { name }) => ({ name })),
  );
  const usage = { input_tokens: 1000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 10 };
  const stopReason = steps.some((step) => step.type === 'tool') ? 'tool_use' : 'end_turn';
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  if (!body.stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...message, content: steps.map(wholeBlock), stop_reason: stopReason }));
    return;
  }
  const stream = new EventStream(response);
  stream.send(/** @type {any} */ ({ type: 'message_start', message }));
  for (const [index, step] of steps.entries()) {
    /** @param {object} delta */
    const delta = (delta) => stream.send(/** @type {any} */ ({ type: 'content_block_delta', index, delta }));
    stream.send(/** @type {any} */ ({ type: 'content_block_start', index, content_block: emptyBlock(step) }));
    if (step.type === 'tool') {
      for (const piece of pieces(JSON.stringify(step.input))) delta({ type: 'input_json_delta', partial_json: piece });
    } else {
      for (const chunk of step.chunks) {
        if (stream.closed) return;
        delta(step.type === 'text' ? { type: 'text_delta', text: chunk } : { type: 'thinking_delta', thinking: chunk });
        await pause(step.pause);
      }
      if (step.type === 'thought') delta({ type: 'signature_delta', signature: 'ZmFrZQ==' });
    }
    stream.send(/** @type {any} */ ({ type: 'content_block_stop', index }));
  }
  stream.send(
    /** @type {any} */ ({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
  );
  stream.send({ type: 'message_stop' });
  stream.end();
}

/** @param {import('./script.mjs').Step} step */
function emptyBlock(step) {
  if (step.type === 'tool') return { type: 'tool_use', id: newId('toolu'), name: step.name, input: {} };
  return step.type === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
}

/** @param {import('./script.mjs').Step} step */
function wholeBlock(step) {
  return step.type === 'tool'
    ? { type: 'tool_use', id: newId('toolu'), name: step.name, input: step.input }
    : { type: 'text', text: step.chunks.join('') };
}

/** @param {any} body @returns {import('./script.mjs').Message[]} */
function messagesOf(body) {
  return (body.messages ?? []).flatMap(
    (/** @type {{ role: 'user' | 'assistant', content: string | Block[] }} */ message) => {
      const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
      const results = blocks
        .filter((block) => block.type === 'tool_result')
        .map((block) => ({ role: 'tool', text: JSON.stringify(block.content) }));
      const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      return [...results, ...(text.trim() ? [{ role: message.role, text }] : [])];
    },
  );
}
