import { existsSync, readFileSync } from 'node:fs';

/** @typedef {import('./turn.mjs').FakeTurn} FakeTurn */

const standardOptions = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/** Directives that ask the client for something. @type {Record<string, import('./directives.mjs').Directive>} */
export const requests = {
  /** A tool call, then the question about it: `@@PERMISSION title`. */
  PERMISSION: (turn, title) => ask(turn, title || 'Do something'),
  /** The question without a tool call before it. */
  PERMISSIONBARE: (turn, title) => ask(turn, title || 'Do something', { announce: false }),
  /** n questions at once. */
  PERMISSIONS: (turn, count) =>
    Promise.all(Array.from({ length: Number(count) || 3 }, (_, n) => ask(turn, `Question ${n + 1}`))),
  /** Options as JSON, whatever they are: unknown kinds, odd ids, none. */
  PERMISSIONOPTIONS: (turn, json) => ask(turn, 'Odd options', { options: JSON.parse(json || '[]') }),
  /** A question with so many options. */
  PERMISSIONMANY: (turn, count) =>
    ask(turn, 'Many options', {
      options: Array.from({ length: Number(count) || 500 }, (_, n) => ({
        optionId: `o${n}`,
        name: `Option ${n}`,
        kind: n === 0 ? 'allow_once' : 'reject_once',
      })),
    }),
  /** Any fields of the request as JSON over a default. */
  PERMISSIONWITH: (turn, json) => ask(turn, 'Do something', { announce: false, fields: JSON.parse(json) }),
  /**
   * A call that says one thing, a question about it that says another, and updates of the call while it waits, as JSON:
   * `{call, request, updates, when}`. Each update comes once the file `when` has one more line, without it with the
   * question.
   */
  async PERMISSIONSWAP(turn, json) {
    const { call, request, updates = [], when } = JSON.parse(json);
    const toolCallId = turn.newToolCallId();
    if (call) turn.update({ sessionUpdate: 'tool_call', toolCallId, status: 'pending', ...call });
    if (!when) process.stdout.cork();
    const asked = turn.request('session/request_permission', {
      toolCall: { toolCallId, ...request },
      options: standardOptions,
    });
    for (const [index, update] of updates.entries()) {
      while (when && linesOf(when) <= index && !turn.cancelled) await turn.wait(10);
      turn.update({ sessionUpdate: 'tool_call_update', toolCallId, ...update });
    }
    if (!when) process.stdout.uncork();
    turn.report('PERMISSION', await asked);
  },
  /** A question that is withdrawn after so many milliseconds, or once there is a file of this name. */
  async CANCELREQUEST(turn, when) {
    const toolCall = { toolCallId: turn.newToolCallId(), title: 'A question that goes away' };
    const request = turn.request('session/request_permission', { toolCall, options: standardOptions });
    if (when.startsWith('/')) while (!existsSync(when) && !turn.cancelled) await turn.wait(10);
    else await turn.wait(Number(when) || 50);
    turn.wire.notify('$/cancel_request', { requestId: request.id });
    turn.report('PERMISSION', await request);
  },
  /** A question that is withdrawn before the client can have looked at it. */
  async CANCELATONCE(turn) {
    process.stdout.cork();
    const request = turn.request('session/request_permission', {
      toolCall: { toolCallId: turn.newToolCallId(), title: 'Gone already' },
      options: standardOptions,
    });
    turn.wire.notify('$/cancel_request', { requestId: request.id });
    process.stdout.uncork();
    turn.report('PERMISSION', await request);
  },
  /** Withdraws a request that was never made. */
  CANCELUNKNOWN: (turn) => turn.wire.notify('$/cancel_request', { requestId: 'never-made' }),
  /** After session/cancel a further question arrives. */
  CANCELPERMISSION: (turn) => turn.atCancel.push(() => ask(turn, 'Too late')),

  /** `@@READ path [line] [limit]`. */
  async READ(turn, argument) {
    const [, path = '', line, limit] = /^(.+?)(?:\s+(\d+))?(?:\s+(\d+))?$/.exec(argument) ?? [];
    turn.report(
      'READ',
      await turn.request('fs/read_text_file', {
        path,
        ...(line ? { line: Number(line) } : {}),
        ...(limit ? { limit: Number(limit) } : {}),
      }),
    );
  },
  /** `@@WRITE path base64`. */
  async WRITE(turn, argument) {
    const [, path = '', content = ''] = /^(.+?)\s+(\S*)$/.exec(argument) ?? [];
    turn.report(
      'WRITE',
      await turn.request('fs/write_text_file', { path, content: Buffer.from(content, 'base64').toString('utf8') }),
    );
  },
  /** Runs a whole shell line in a terminal embedded in a tool call, then releases it. */
  TERMINAL: (turn, command) => runTerminal(turn, { command }),
  /** The same with all parameters of terminal/create as JSON. */
  TERMINALWITH: (turn, json) => runTerminal(turn, JSON.parse(json)),
  /** Starts one and leaves it running, unreleased. */
  async TERMINALLEAVE(turn, command) {
    turn.report('CREATE', await turn.request('terminal/create', { command }));
  },
  /** The same on a card whose call is over: a command in the background. */
  async BACKGROUND(turn, command) {
    const toolCallId = turn.newToolCallId();
    turn.update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'Start in the background',
      kind: 'execute',
      status: 'in_progress',
      rawInput: { command },
    });
    const { result } = await turn.request('terminal/create', { command });
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      content: [{ type: 'terminal', terminalId: /** @type {{ terminalId: string }} */ (result).terminalId }],
    });
  },
  /** `@@REQUEST method {json}`: any request of this session. */
  async REQUEST(turn, argument) {
    const [, method = '', json = '{}'] = /^(\S+)\s*(.*)$/.exec(argument) ?? [];
    turn.report('REQUEST', await turn.request(method, JSON.parse(json || '{}')));
  },
  /** The same without waiting for the answer; it is reported when it comes. */
  ASYNCREQUEST(turn, argument) {
    const [, method = '', json = '{}'] = /^(\S+)\s*(.*)$/.exec(argument) ?? [];
    void turn.request(method, JSON.parse(json || '{}')).then((answer) => turn.report('ASYNCREQUEST', answer));
  },
  /** Requests and notifications that no client knows. */
  async UNKNOWNREQUEST(turn, method) {
    turn.report('UNKNOWNREQUEST', await turn.request(method || '_fake/unknown'));
  },
  UNKNOWNNOTIFICATION: (turn, method) =>
    turn.wire.notify(method || '_fake/unknown', { sessionId: turn.sessionId, anything: [1, 2] }),
  /** A request for each kind of id: 0, a large one, two that differ by type only, a word. */
  async IDS(turn) {
    const ids = [0, 1, '1', 2 ** 50, 'a word', ''];
    // In one write, so that they wait in the client's queue together.
    process.stdout.cork();
    const answers = ids.map((id) => turn.wire.request('_fake/echo', { id }, id));
    process.stdout.uncork();
    await Promise.all(answers);
    turn.say(`[IDS ${answers.length}]`);
  },
};

/**
 * @param {FakeTurn} turn @param {string} title
 * @param {{ announce?: boolean, options?: object[], fields?: import('./wire.mjs').Json }} [how]
 */
async function ask(turn, title, { announce = true, options = standardOptions, fields = {} } = {}) {
  const toolCall = { toolCallId: turn.newToolCallId(), title, kind: 'edit', status: 'pending' };
  if (announce) turn.update({ sessionUpdate: 'tool_call', ...toolCall });
  const answer = turn.report(
    `PERMISSION ${title}`,
    await turn.request('session/request_permission', { toolCall, options, ...fields }),
  );
  const outcome = /** @type {{ outcome?: { optionId?: string } } | undefined} */ (answer.result)?.outcome;
  if (outcome?.optionId && announce)
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: toolCall.toolCallId,
      status: outcome.optionId === 'reject' ? 'failed' : 'completed',
    });
}

/** @param {string} file */
function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

/** @param {FakeTurn} turn @param {import('./wire.mjs').Json} params */
async function runTerminal(turn, params) {
  const created = await turn.request('terminal/create', params);
  if (created.error) {
    turn.report('TERMINAL', created);
    return;
  }
  const { terminalId } = /** @type {{ terminalId: string }} */ (created.result);
  const toolCallId = turn.newToolCallId();
  turn.update({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: params['command'],
    kind: 'execute',
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId }],
  });
  const waiting = turn.request('terminal/wait_for_exit', { terminalId });
  await Promise.race([waiting, turn.wait()]);
  if (turn.cancelled) await turn.request('terminal/kill', { terminalId });
  turn.report('EXIT', await waiting);
  turn.report('OUTPUT', await turn.request('terminal/output', { terminalId }));
  turn.report('RELEASE', await turn.request('terminal/release', { terminalId }));
  turn.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
}
