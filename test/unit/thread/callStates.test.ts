import { expect, it } from 'vitest';
import { replay } from '../../../src/thread/replay';
import { toolCallView } from '../../../src/view/projectToolCall';
import { ScenarioPlayer, type Step } from './scenario';

const begins: Step = {
  update: { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'npm test', kind: 'execute', status: 'in_progress' },
};
const then = (fields: object): Step => ({ update: { sessionUpdate: 'tool_call_update', toolCallId: 'a', ...fields } });
const asks: Step = {
  permission: {
    toolCall: { toolCallId: 'a' },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  },
};

/** What became of a call, as the panel shows it, live and after a restart. */
it.each<[situation: string, steps: Step[], status: string]>([
  ['completed', [then({ status: 'completed' }), { end: 'end_turn' }], 'completed'],
  ['failed', [then({ status: 'failed' }), { end: 'end_turn' }], 'failed'],
  ['denied', [asks, { choose: ['p1', 'no'] }, then({ status: 'failed' }), { end: 'end_turn' }], 'rejected'],
  [
    'denied, says the agent',
    [then({ status: 'failed', _meta: { claudeCode: { nonExecutionKind: 'user-rejected' } } }), { end: 'end_turn' }],
    'rejected',
  ],
  [
    'blocked',
    [then({ status: 'failed', _meta: { claudeCode: { nonExecutionKind: 'permission-rule' } } }), { end: 'end_turn' }],
    'blocked',
  ],
  ['stopped', [{ cancel: true }, { end: 'cancelled' }], 'stopped'],
  ['stopped, and failed for that', [{ cancel: true }, then({ status: 'failed' }), { end: 'cancelled' }], 'stopped'],
  ['completed in spite of Stop', [{ cancel: true }, then({ status: 'completed' }), { end: 'cancelled' }], 'completed'],
  [
    'stopped after it was allowed',
    [asks, { choose: ['p1', 'yes'] }, { cancel: true }, { end: 'cancelled' }],
    'stopped',
  ],
  ['left open after it was allowed', [asks, { choose: ['p1', 'yes'] }, { end: 'end_turn' }], 'unfinished'],
  [
    'left open, and the agent says that it was cancelled',
    [asks, { choose: ['p1', 'yes'] }, { end: 'cancelled' }],
    'unfinished',
  ],
  ['back at work after it had completed', [then({ status: 'completed' }), then({ status: 'in_progress' })], 'running'],
])('%s', async (_, steps, status) => {
  const player = new ScenarioPlayer();
  for (const step of [{ prompt: 'go' } as const, begins, ...steps]) await player.play(step);
  const shown = [player.session.thread, ...(player.session.isRunning ? [] : [replay(player.actions)])].map((thread) => {
    const call = thread.entries.at(1);
    return call?.kind === 'toolCall' && toolCallView(call, '').status;
  });
  expect(new Set(shown)).toEqual(new Set([status]));
});
