import { answer } from './script.mjs';
import { EventStream, newId, pause } from './stream.mjs';

/**
 * Gemini's generateContent, streamed or whole.
 * @param {import('node:http').ServerResponse} response
 * @param {any} body
 * @param {boolean} streamed
 */
export async function answerGemini(response, body, streamed) {
  const steps = answer(
    messagesOf(body),
    (body.tools ?? [])
      .flatMap((/** @type {any} */ tool) => tool.functionDeclarations ?? [])
      .map((/** @type {{ name: string }} */ { name }) => ({ name })),
  );
  const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 10, totalTokenCount: 1010 };
  /** @param {object[]} parts @param {string} [finishReason] */
  const state = (parts, finishReason) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    modelVersion: 'fake',
    responseId: newId('r'),
    usageMetadata,
  });
  if (!streamed) {
    response.writeHead(200, { 'content-type': 'application/json' });
    // Who asks without a stream wants JSON now and then; an empty object is the least of it.
    const text =
      body.generationConfig?.responseMimeType === 'application/json'
        ? '{}'
        : steps.flatMap((step) => (step.type === 'tool' ? [] : step.chunks)).join('');
    response.end(JSON.stringify(state([{ text }], 'STOP')));
    return;
  }
  const stream = new EventStream(response);
  for (const step of steps) {
    if (step.type === 'tool') {
      stream.data(state([{ functionCall: { id: newId('fc'), name: step.name, args: step.input } }]));
      continue;
    }
    for (const chunk of step.chunks) {
      if (stream.closed) return;
      stream.data(state([{ text: chunk, ...(step.type === 'thought' && { thought: true }) }]));
      await pause(step.pause);
    }
  }
  stream.data(state([{ text: '' }], 'STOP'));
  stream.end();
}

/** @param {any} body @returns {import('./script.mjs').Message[]} */
function messagesOf(body) {
  return (body.contents ?? []).flatMap((/** @type {any} */ { role, parts = [] }) => {
    const results = parts
      .filter((/** @type {any} */ part) => part.functionResponse)
      .map((/** @type {any} */ part) => ({ role: 'tool', text: JSON.stringify(part.functionResponse.response ?? '') }));
    const text = parts.map((/** @type {any} */ part) => (part.thought ? '' : (part.text ?? ''))).join('\n');
    return [...results, ...(text.trim() ? [{ role: role === 'model' ? 'assistant' : 'user', text }] : [])];
  });
}
