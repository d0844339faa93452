import { spawn } from 'node:child_process';
import { Account, login } from './agent/account.mjs';
import { FakeTurn } from './agent/turn.mjs';
import { readScenario } from './agent/options.mjs';
import { playDirectives } from './agent/directives.mjs';
import { SessionOptions } from './agent/sessionOptions.mjs';
import { Wire } from './agent/wire.mjs';

/**
 * A scriptable ACP agent that also misbehaves on demand: `node fakeAgent.mjs`. What it does at start-up and beside
 * prompts is in agent/options.mjs, what a prompt can make it do in agent/directives.mjs. With `FAKE_AGENT_LOG` it
 * records every line it receives and sends, for `assertClientWire`.
 */
const scenario = await readScenario();
const { options } = scenario;
const wire = new Wire(options.log);
/** @type {Map<string, FakeTurn>} */
const turns = new Map();
/** Updates for the next session/new, asked for by `@@EARLY`. @type {object[]} */
const early = [...(options.early ?? [])];
/** @type {Map<string, SessionOptions>} */
const chosen = new Map();
let sessionCount = 0;
let promptCount = 0;
let listCount = 0;
const account = new Account(options);

if (process.argv.includes('--login')) await login(options, wire);
wire.note('start', { pid: process.pid, argv: process.argv.slice(2), cwd: process.cwd() });
start();

function start() {
  if (options.ids) {
    let n = 0;
    const styles = [() => n++, () => `id-${n++}`, () => String(n++), () => 2 ** 40 + n++];
    wire.makeId = () =>
      options.ids === 'string' ? `id-${n++}` : /** @type {() => string} */ (styles[n % styles.length])();
  }
  if (options.ignoreSigterm) process.on('SIGTERM', () => wire.note('SIGTERM'));
  if (options.grandchild) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: options.grandchild === 'held' ? 'inherit' : 'ignore',
    });
    wire.note('grandchild', { pid: child.pid });
  }
  if (options.banner) wire.write(options.banner);
  if (options.stderr) process.stderr.write(options.stderr);
  if (options.stderrFlood)
    process.stderr.write(Buffer.alloc(options.stderrFlood, Buffer.from([0xff, 0xfe, 0x41, 0x0a])));
  if (options.dieAtStart) die(options.dieAtStart);
  if (options.crlf) wire.eol = '\r\n\r\n\n';
  wire.handleCall = handleCall;
  process.stdin.on('data', (bytes) => wire.receive(/** @type {Buffer} */ (bytes)));
  process.stdin.on('end', () => {
    wire.end();
    if (options.lastLine) wire.write(options.lastLine);
    if (options.ignoreStdinEnd) setInterval(() => {}, 1000);
    else if (!options.lastLine) process.exit(0);
    else process.exitCode = 0;
  });
  process.stdout.on('error', () => wire.note('stdout-error'));
}

/** @param {{ code?: number, signal?: NodeJS.Signals, stderr?: string }} how */
function die({ code = 1, signal, stderr }) {
  if (stderr) process.stderr.write(stderr);
  wire.note('die', { code, signal });
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
}

/** @param {import('./agent/wire.mjs').Json} message */
async function handleCall(message) {
  const { method, id } = message;
  const params = message['params'] ?? {};
  if (options.answerNever?.includes(method)) return;
  if (!('id' in message)) {
    if (method === 'session/cancel') turns.get(params.sessionId)?.cancel();
    return;
  }
  const elicitation = options.elicitBefore?.[method];
  if (elicitation) {
    const scope = 'sessionId' in elicitation ? {} : { requestId: id };
    wire.note('elicited', { answer: await wire.request('elicitation/create', { ...scope, ...elicitation }) });
  }
  const refusal = account.refuses(method);
  if (refusal) return wire.send({ id, error: refusal });
  switch (method) {
    case 'initialize':
      return initialize(id, params);
    case 'session/new':
      return newSession(id);
    case 'session/load':
      if (options.loadError) return wire.send({ id, error: options.loadError });
      for (const update of [...(options.replay ?? []), ...replayed(options.replayTurns ?? 0)])
        wire.notify('session/update', { sessionId: params.sessionId, update });
      answerVoid(id);
      for (const update of options.replayLate ?? [])
        wire.notify('session/update', { sessionId: params.sessionId, update });
      return;
    case 'session/prompt':
      return prompt(id, params);
    case '_session/steering':
      return steer(id, params);
    case 'authenticate':
      return authenticate(id, params);
    case 'session/set_mode':
    case 'session/set_model':
    case 'session/set_config_option':
      return choose(id, method, params);
    case 'session/list':
      return wire.send({ id, result: options.listPages?.[listCount++] ?? { sessions: [] } });
    case 'session/fork':
      return newSession(id);
    case 'session/archive':
    case 'session/unarchive':
      return answerVoid(id);
    case 'session/set_title':
      return wire.send({
        id,
        result: {
          title: String(params.title)
            .trim()
            .slice(0, options.longestTitle ?? 200),
        },
      });
    case 'session/delete':
      return options.deleteError ? wire.send({ id, error: options.deleteError }) : answerVoid(id);
    case 'session/close':
      return options.closeError ? wire.send({ id, error: options.closeError }) : answerVoid(id);
    case 'logout':
      account.logout();
      return answerVoid(id);
    case 'session/resume':
      return answerVoid(id);
    default:
      return wire.send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
}

/** @param {import('./agent/wire.mjs').RequestId} id @param {import('./agent/wire.mjs').Json} params */
async function initialize(id, params) {
  if (options.dieAtInitialize) die(options.dieAtInitialize);
  if (options.neverInitialize) return;
  if (options.initializeDelay) await wait(options.initializeDelay);
  if (options.draftError && params['protocolVersion'] === 2) return wire.send({ id, error: options.draftError });
  if (options.initializeError) return wire.send({ id, error: options.initializeError });
  wire.send({
    id,
    result:
      'initializeResult' in options
        ? options.initializeResult
        : {
            protocolVersion: options.protocolVersion ?? 1,
            agentInfo: { name: 'fake-agent', title: 'Fake Agent', version: '9.9.9' },
            agentCapabilities: {
              loadSession: true,
              promptCapabilities: { image: true, embeddedContext: true },
              sessionCapabilities: { close: {} },
            },
            authMethods: options.authRequired ? [{ id: 'fake-login', name: 'Fake login' }] : [],
            ...options.initializePatch,
          },
  });
}

/** @param {import('./agent/wire.mjs').RequestId} id */
async function newSession(id) {
  if (options.sessionDelay) await wait(options.sessionDelay);
  if (options.sessionError) return wire.send({ id, error: options.sessionError });
  const sessionId = `fake-${++sessionCount}`;
  const offered = new SessionOptions(options);
  chosen.set(sessionId, offered);
  for (const update of early.splice(0)) wire.notify('session/update', { sessionId, update });
  wire.send({
    id,
    result:
      'sessionResult' in options
        ? options.sessionResult
        : {
            sessionId,
            modes: {
              currentModeId: 'ask',
              availableModes: [
                { id: 'ask', name: 'Ask', description: 'Asks first' },
                { id: 'code', name: 'Code' },
                { id: 'yolo', name: 'Yolo', description: 'Bypass permissions' },
              ],
            },
            ...(options.configOptions ? { configOptions: offered.list() } : {}),
            ...options.sessionPatch,
          },
  });
  for (const update of options.afterSession ?? []) wire.notify('session/update', { sessionId, update });
}

/** Calls of authenticate that are not answered. */
let hanging = options.authenticateHangs ?? 0;

/** @param {import('./agent/wire.mjs').RequestId} id @param {import('./agent/wire.mjs').Json} params */
async function authenticate(id, params) {
  if (hanging > 0) {
    hanging--;
    return;
  }
  if (options.authenticateDelay) await wait(options.authenticateDelay);
  const error = account.authenticate(params);
  return error ? wire.send({ id, error }) : answerVoid(id);
}

/** @param {import('./agent/wire.mjs').RequestId} id @param {import('./agent/wire.mjs').Json} params */
async function prompt(id, params) {
  const text = params['prompt'].map((/** @type {{ text?: string }} */ block) => block.text ?? '').join('\n');
  const index = promptCount++;
  const turn = new FakeTurn(wire, params['sessionId'], id, early);
  turns.set(params['sessionId'], turn);
  if (scenario.play) await scenario.play(turn, text, index);
  else await playDirectives(turn, scenario.turns?.[index]?.join('\n') ?? text);
  await turn.finish();
}

/**
 * A message into the running turn, which tells what it got.
 * @param {import('./agent/wire.mjs').RequestId} id
 * @param {import('./agent/wire.mjs').Json} params
 */
function steer(id, params) {
  if (options.steerError) return wire.send({ id, error: options.steerError });
  const turn = turns.get(params['sessionId']);
  if (!turn || turn.answered) return wire.send({ id, result: { outcome: 'promptRequired', reason: 'noRunningTurn' } });
  wire.send({ id, result: { outcome: 'injected' } });
  turn.say(
    `[steered: ${params['prompt'].map((/** @type {{ text?: string }} */ block) => block.text ?? '').join('\n')}]`,
  );
}

/**
 * @param {import('./agent/wire.mjs').RequestId} id
 * @param {string} method
 * @param {import('./agent/wire.mjs').Json} params
 */
function choose(id, method, params) {
  const { sessionId } = params;
  const session = chosen.get(sessionId) ?? new SessionOptions(options);
  if (method === 'session/set_config_option') {
    const error = session.set(params['configId'], params['value']);
    return wire.send(error ? { id, error } : { id, result: { configOptions: session.list() } });
  }
  const error = session.refuses(params['modeId'] ?? params['modelId']);
  if (error) return wire.send({ id, error });
  answerVoid(id);
  if (method === 'session/set_model') return;
  // Agents that have a config option for the mode tell of it that way only.
  const update =
    session.find('mode') && !session.set('mode', params['modeId'])
      ? { sessionUpdate: 'config_option_update', configOptions: session.list() }
      : { sessionUpdate: 'current_mode_update', currentModeId: params['modeId'] };
  wire.notify('session/update', { sessionId, update });
}

/** @param {import('./agent/wire.mjs').RequestId} id */
function answerVoid(id) {
  if (options.voidResult === 'null') wire.send({ id, result: null });
  else if (options.voidResult === 'missing') wire.send({ id });
  else if (options.voidResult === 'both') wire.send({ id, result: {}, error: { code: -32603, message: 'both' } });
  else wire.send({ id, result: {} });
}

/** @param {number} ms */
function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param {number} count */
function replayed(count) {
  return Array.from({ length: count }, (_, n) => [
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: `Prompt ${n}` } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: `replayed-${n}`,
      title: `Read file ${n}`,
      kind: 'read',
      status: 'completed',
    },
    {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: `Answer **${n}** with a list:\n\n- one\n- two\n` },
    },
  ]).flat();
}
