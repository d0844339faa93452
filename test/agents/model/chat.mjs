import { answer } from './script.mjs';
import { EventStream, newId, pause, pieces } from './stream.mjs';

/** OpenAI Chat Completions. @param {import('node:http').ServerResponse} response @param {any} body */
export async function answerChat(response, body) {
  const messages = (body.messages ?? []).map((/** @type {any} */ { role, content }) => ({
    role,
    text: textOf(content),
  }));
  const steps = answer(
    messages,
    (body.tools ?? []).map((/** @type {any} */ tool) => ({
      name: tool.function?.name ?? tool.name,
      fields: Object.keys(tool.function?.parameters?.properties ?? {}),
    })),
  );
  const base = { id: newId('chatcmpl'), created: Math.floor(Date.now() / 1000), model: body.model };
  const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
  const finish = steps.some((step) => step.type === 'tool') ? 'tool_calls' : 'stop';
  if (!body.stream) {
    const content = steps.flatMap((step) => (step.type === 'tool' ? [] : step.chunks)).join('');
    const calls = steps.flatMap((step) =>
      step.type === 'tool'
        ? [
            {
              id: newId('call'),
              type: 'function',
              function: { name: step.name, arguments: JSON.stringify(step.input) },
            },
          ]
        : [],
    );
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
            finish_reason: finish,
          },
        ],
        usage,
      }),
    );
    return;
  }
  const stream = new EventStream(response);
  /** @param {object} delta @param {string | null} [reason] */
  const send = (delta, reason = null) =>
    stream.data({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
  send({ role: 'assistant', content: '' });
  let index = 0;
  for (const step of steps) {
    if (step.type === 'tool') {
      send({
        tool_calls: [{ index, id: newId('call'), type: 'function', function: { name: step.name, arguments: '' } }],
      });
      for (const piece of pieces(JSON.stringify(step.input)))
        send({ tool_calls: [{ index, function: { arguments: piece } }] });
      index++;
      continue;
    }
    for (const chunk of step.chunks) {
      if (stream.closed) return;
      send(step.type === 'text' ? { content: chunk } : { reasoning_content: chunk });
      await pause(step.pause);
    }
  }
  send({}, finish);
  stream.data({ ...base, object: 'chat.completion.chunk', choices: [], usage });
  stream.data('[DONE]');
  stream.end();
}

/** @param {any} content @returns {string} */
function textOf(content) {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : '';
}
