/** @typedef {import('./turnV2.mjs').FakeTurnV2} FakeTurnV2 */

const standardOptions = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

/**
 * What a prompt can make the fake agent of v2 do beside the directives of v1 (SAY, UPDATE, REQUEST, SILENT, …): good
 * manners and bad ones.
 * @type {Record<string, (turn: FakeTurnV2, argument: string) => Promise<unknown> | unknown>}
 */
export const directivesV2 = {
  /** In which order the prompt is taken in: `@@ORDER running answer echo`; what is left out does not happen. */
  ORDER: (turn, words) => {
    turn.beginning = words.split(' ').filter(Boolean);
  },
  /** `@@STATE running {"background":[]}`: any state. */
  STATE(turn, argument) {
    const [, state = 'running', json = '{}'] = /^(\S+)\s*(.*)$/.exec(argument) ?? [];
    turn.begin();
    turn.state(state, JSON.parse(json || '{}'));
  },
  /** Fields of the idle state at the end, as JSON. */
  IDLE: (turn, json) => {
    turn.idle = JSON.parse(json);
  },
  /** Another update as JSON. */
  UPDATE(turn, json) {
    turn.begin();
    turn.update(JSON.parse(json));
  },
  /** A tool call, then the question about it. */
  async PERMISSION(turn, title) {
    const toolCallId = turn.newToolCallId();
    turn.begin();
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      title: 'Edit a file',
      kind: 'edit',
      status: 'pending',
      capabilities: { cancel: {} },
    });
    const answer = turn.report(
      'PERMISSION',
      await turn.request('session/request_permission', {
        title: title || 'May I?',
        description: 'It has to be.',
        subject: { type: 'tool_call', toolCall: { toolCallId, content: diff } },
        options: standardOptions,
      }),
    );
    const { outcome } = /** @type {{ outcome: { optionId?: string } }} */ (answer.result ?? { outcome: {} });
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: outcome.optionId === 'allow' ? 'completed' : 'cancelled',
      capabilities: null,
    });
  },
  /** A question with any subject, as JSON; without one when there is none. */
  async QUESTION(turn, json) {
    turn.report(
      'QUESTION',
      await turn.request('session/request_permission', {
        title: 'A question',
        description: 'Why it is asked',
        ...(json ? { subject: JSON.parse(json) } : {}),
        options: standardOptions,
      }),
    );
  },
  /** The same without waiting: it may outlive the turn. */
  BACKGROUNDQUESTION(turn) {
    void turn
      .request('session/request_permission', { title: 'From the background', options: standardOptions })
      .then((answer) => turn.wire.note('background', { answer }));
  },
  /** A terminal of the agent's: `@@TERMINAL id base64 base64 …`, one chunk each. */
  TERMINAL(turn, argument) {
    const [terminalId = 't', ...chunks] = argument.split(' ').filter(Boolean);
    turn.begin();
    turn.update({
      sessionUpdate: 'terminal_update',
      terminalId,
      command: 'ls',
      cwd: '/w',
      capabilities: { cancel: {} },
    });
    turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: turn.newToolCallId(),
      title: 'Run ls',
      kind: 'execute',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId }],
    });
    for (const data of chunks) turn.update({ sessionUpdate: 'terminal_output_chunk', terminalId, data });
  },
  /** Work that nobody asked for, after the turn. */
  OWNWORK: (turn, text) =>
    turn.afterwards.push(() => {
      turn.state('running');
      turn.update({
        sessionUpdate: 'agent_message_chunk',
        messageId: 'own',
        content: { type: 'text', text: text || 'by myself' },
      });
    }),
  /** After the turn: an update as JSON. */
  LATER: (turn, json) => turn.afterwards.push(() => turn.update(JSON.parse(json))),
};

const diff = [
  {
    type: 'diff',
    changes: [{ operation: 'modify', path: '/w/src/a.ts' }],
    patch: {
      format: 'git_patch',
      text: 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n',
    },
  },
];
