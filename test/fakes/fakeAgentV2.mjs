import { playDirectives } from './agent/directives.mjs';
import { readScenario } from './agent/options.mjs';
import { FakeTurnV2 } from './agent/turnV2.mjs';
import { directivesV2 } from './agent/directivesV2.mjs';
import { Wire } from './agent/wire.mjs';

/**
 * A scriptable agent of the draft of ACP v2: `node fakeAgentV2.mjs`. Prompts script it as they do the agent of v1, with
 * the directives of v2 on top (agent/directivesV2.mjs). Asked for version 1 it refuses, as agents of one version do.
 */
const { options } = await readScenario();
const wire = new Wire(options.log);
/** @type {Map<string, FakeTurnV2>} */
const turns = new Map();
/** @type {Record<string, any>[]} */
const configOptions = structuredClone(options.configOptions ?? []);
let authenticated = false;
let sessionCount = 0;
let promptCount = 0;

wire.note('start', { pid: process.pid });
wire.handleCall = handleCall;
process.stdin.on('data', (bytes) => wire.receive(/** @type {Buffer} */ (bytes)));
process.stdin.on('end', () => {
  wire.end();
  process.exit(0);
});

/** @param {import('./agent/wire.mjs').Json} message */
async function handleCall({ method, id, ...message }) {
  const params = message['params'] ?? {};
  const { sessionId } = params;
  if (options.answerNever?.includes(method)) return undefined;
  if (id === undefined) return method === 'session/cancel' ? turns.get(sessionId)?.cancel() : undefined;
  switch (method) {
    case 'initialize':
      return initialize(id, params);
    case 'auth/login':
    case 'auth/logout':
      authenticated = method === 'auth/login';
      return wire.send({ id, result: {} });
    case 'session/new': {
      if (options.authRequired && !authenticated)
        return wire.send({ id, error: { code: -32000, message: 'Authentication required' } });
      const opened = `v2-${++sessionCount}`;
      for (const update of options.early ?? []) notify(opened, update);
      if (options.sessionError) return wire.send({ id, error: options.sessionError });
      return wire.send({ id, result: { sessionId: opened, configOptions, ...options.sessionPatch } });
    }
    case 'session/resume':
      if (options.loadError) return wire.send({ id, error: options.loadError });
      for (const update of params.replayFrom ? (options.replay ?? []) : []) notify(sessionId, update);
      notify(
        sessionId,
        options.resumeState ?? { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' },
      );
      wire.send({ id, result: { configOptions, ...options.sessionPatch } });
      for (const update of options.afterSession ?? []) notify(sessionId, update);
      return undefined;
    case 'session/list':
      return wire.send({ id, result: options.listPages?.[0] ?? { sessions: [] } });
    case 'session/close':
    case 'session/delete':
      return wire.send({ id, result: {} });
    case 'session/prompt':
      return prompt(id, params);
    case 'session/set_config_option':
      for (const option of configOptions)
        if (option['configId'] === params.configId) option['currentValue'] = params.value;
      return wire.send({ id, result: { configOptions } });
    case 'tool_call/cancel':
      wire.send({ id, result: {} });
      return notify(sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId: params.toolCallId,
        status: 'cancelled',
        capabilities: null,
      });
    case 'terminal/cancel':
      wire.send({ id, result: {} });
      return notify(sessionId, {
        sessionUpdate: 'terminal_update',
        terminalId: params.terminalId,
        exitStatus: { signal: 'SIGTERM' },
        capabilities: null,
      });
    default:
      return wire.send({ id, error: { code: -32601, message: `Method not found: ${method}`, data: { method } } });
  }
}

/** @param {import('./agent/wire.mjs').RequestId} id @param {import('./agent/wire.mjs').Json} params */
function initialize(id, params) {
  if (options.initializeError) return wire.send({ id, error: options.initializeError });
  if (params['protocolVersion'] < 2)
    return wire.send({
      id,
      error: {
        code: -32022,
        message: 'Unsupported protocol version',
        data: { requested: params['protocolVersion'], supported: [2] },
      },
    });
  return wire.send({
    id,
    result: {
      protocolVersion: 2,
      info: { name: 'fake-agent-v2', title: 'Fake Agent of v2', version: '2.0.0' },
      ...(options.authRequired ? { authMethods: [{ type: 'agent', methodId: 'fake-login', name: 'Fake login' }] } : {}),
      capabilities: { session: { prompt: { image: {}, embeddedContext: {} }, mcp: { stdio: {} }, delete: {} } },
      ...options.initializePatch,
    },
  });
}

/** @param {import('./agent/wire.mjs').RequestId} id @param {import('./agent/wire.mjs').Json} params */
async function prompt(id, params) {
  const text = params['prompt'].map((/** @type {{ text?: string }} */ block) => block.text ?? '').join('\n');
  const turn = new FakeTurnV2(wire, params['sessionId'], id, `m${process.pid}-${++promptCount}`, params['prompt']);
  turns.set(params['sessionId'], turn);
  await playDirectives(turn, text, directivesV2);
  await turn.finish();
}

/** @param {string} sessionId @param {object} update */
function notify(sessionId, update) {
  wire.notify('session/update', { sessionId, update });
}
