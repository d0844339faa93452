import { expect, it } from 'vitest';
import type { ThreadAction } from '../../../src/thread/actions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { replay } from '../../../src/thread/replay';

it('56, 193: the ids of a new session are not those of the one above it', () => {
  const said = (text: string): ThreadAction[] => [
    { type: 'message/appended', at: 1, role: 'agent', messageId: 'm1', content: { type: 'text', text } },
    { type: 'toolCall/patched', at: 1, fields: { toolCallId: 't1', title: `Call ${text}`, status: 'completed' } },
  ];
  expect(threadToMarkdown(replay([...said('one'), { type: 'ids/forgotten', at: 1 }, ...said('two')]))).toBe(
    '## Agent\none\n\n## Tool: Call one\nother, completed\n\n## Agent\ntwo\n\n## Tool: Call two\nother, completed',
  );
});

it('56, 193: what a subagent of the session above said belongs to no call of the new one', () => {
  const early: ThreadAction = {
    type: 'message/appended',
    at: 1,
    role: 'agent',
    messageId: 'm1',
    content: { type: 'text', text: 'early' },
    parentToolCallId: 't1',
  };
  const call: ThreadAction = {
    type: 'toolCall/patched',
    at: 1,
    fields: { toolCallId: 't1', title: 'Task', status: 'completed' },
  };
  const parents = (...actions: ThreadAction[]) =>
    [...replay(actions).entries].flatMap((entry) => (entry.kind === 'agentMessage' ? [entry.parentId] : []));
  expect(parents(early, call)).toEqual(['e1']);
  expect(parents(early, { type: 'ids/forgotten', at: 1 }, call)).toEqual([undefined]);
});
