import { createServer } from 'node:http';
import { answerAnthropic } from './anthropic.mjs';
import { answerChat } from './chat.mjs';
import { answerGemini } from './gemini.mjs';
import { answerOpenAi } from './openai.mjs';

/**
 * A model server on loopback that follows directives in prompts (see script.mjs). It speaks the streaming forms of
 * Anthropic Messages, OpenAI Responses and Chat Completions and of Gemini, as far as the agents that are tested need
 * them.
 */

/** @returns {Promise<{ url: string, requests: string[], bodies: string[], close(): Promise<void> }>} */
export async function startModel() {
  /** @type {string[]} */
  const requests = [];
  /** What was asked, as JSON. @type {string[]} */
  const bodies = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    requests.push(`${request.method} ${pathname}`);
    const body = await readBody(request);
    if (request.method === 'POST') bodies.push(JSON.stringify(body));
    if (request.method === 'POST' && pathname.endsWith('/count_tokens'))
      sendJson(response, 200, { input_tokens: 1000 });
    else if (request.method === 'POST' && pathname.endsWith('/messages')) await answerAnthropic(response, body);
    else if (request.method === 'POST' && pathname.endsWith('/responses')) await answerOpenAi(response, body);
    else if (request.method === 'POST' && pathname.endsWith('/chat/completions')) await answerChat(response, body);
    else if (request.method === 'POST' && pathname.endsWith(':countTokens'))
      sendJson(response, 200, { totalTokens: 1000 });
    else if (request.method === 'POST' && /:(stream)?generateContent$/i.test(pathname))
      await answerGemini(response, body, pathname.includes('stream'));
    else if (request.method === 'GET' && pathname.endsWith('/models'))
      sendJson(response, 200, { object: 'list', data: [], models: [], has_more: false });
    else
      sendJson(response, 404, {
        type: 'error',
        error: { type: 'not_found_error', message: `The fake model has no ${pathname}` },
      });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    bodies,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<any>} */
async function readBody(request) {
  /** @type {Buffer[]} */
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}

/** @param {import('node:http').ServerResponse} response @param {number} status @param {object} body */
function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
