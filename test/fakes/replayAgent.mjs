import { Wire } from './agent/wire.mjs';
import { readTraces } from './traces.mjs';

/**
 * Plays what a real agent once said: `node replayAgent.mjs AGENT TRACE`. What the client of the trace sent is waited
 * for, by kind and not by content; what the agent sent is sent again, as soon as everything before it has happened.
 */
const [agent = '', name] = process.argv.slice(2);
const wire = new Wire(process.env['FAKE_AGENT_LOG']);
const script =
  readTraces(agent)
    .find((trace) => trace.name === name)
    ?.lines.filter(({ dir }) => dir === '>' || dir === '<') ?? [];
/** Messages of the client that no line has waited for yet. @type {import('./agent/wire.mjs').Json[]} */
const received = [];
/**
 * Ids of the trace's client requests, as this client chose them. @type {Map<string,
 * import('./agent/wire.mjs').RequestId>}
 */
const ids = new Map();
let next = 0;

wire.note('start', { pid: process.pid });
wire.handleCall = (message) => {
  received.push(message);
  advance();
};
process.stdin.on('data', (bytes) => wire.receive(/** @type {Buffer} */ (bytes)));
process.stdin.on('end', () => {
  wire.end();
  process.exit(0);
});

function advance() {
  for (let line = script[next]; line; line = script[++next]) {
    const { dir, msg } = line;
    if (dir === '<') speak(msg);
    else if (!happened(msg)) return;
  }
}

/** @param {import('./agent/wire.mjs').Json} message */
function speak(message) {
  const { jsonrpc: _version, ...rest } = message;
  if ('method' in message && 'id' in message) {
    // The answer counts as received when it comes.
    void wire.request(message['method'], message['params'], message['id']).then((answer) => {
      received.push(/** @type {import('./agent/wire.mjs').Json} */ (answer));
      advance();
    });
  } else {
    wire.send('method' in message ? rest : { ...rest, id: ids.get(JSON.stringify(message['id'])) ?? message['id'] });
  }
}

/** Takes the client's message of the same kind, if it has come. @param {import('./agent/wire.mjs').Json} expected */
function happened(expected) {
  const at = received.findIndex((message) =>
    expected['method']
      ? message['method'] === expected['method']
      : !message['method'] && message['id'] === expected['id'],
  );
  const [message] = at < 0 ? [] : received.splice(at, 1);
  if (message && 'id' in expected && expected['method']) ids.set(JSON.stringify(expected['id']), message['id']);
  return message !== undefined;
}
