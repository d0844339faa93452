import { describe, expect, it } from 'vitest';
import { conversationBlock } from '../../../src/host/sessions/conversationBlock';
import type { ThreadAction } from '../../../src/thread/actions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { reduce } from '../../../src/thread/reducer';
import { hasPromptSince, isHidden, lastRewind, promptBefore, redoTarget } from '../../../src/thread/rewind';
import { emptyThread, type Thread } from '../../../src/thread/thread';
import { answerText, lastTurn, promptWords, promptsFrom } from '../../../src/thread/threadTurns';
import { replay } from '../../../src/thread/replay';
import { compact, isTransient } from '../../../src/thread/transcript';

let turn = 0;
const ask = (text: string, answer: string): ThreadAction[] => {
  const turnId = `t${++turn}`;
  return [
    { type: 'turn/started', at: turn, turnId, prompt: [{ type: 'text', text }] },
    { type: 'message/chunkAppended', at: turn, role: 'agent', content: { type: 'text', text: answer } },
    { type: 'turn/ended', at: turn, turnId, stopReason: 'end_turn' },
  ];
};
const back = (entryId: string, save?: string): ThreadAction => ({
  type: 'thread/rewound',
  at: 9,
  entryId,
  title: `Back to ${entryId}`,
  ...(save === undefined ? {} : { save }),
});
const undone: ThreadAction = { type: 'thread/rewindUndone', at: 9 };
const threadOf = (...actions: (ThreadAction | ThreadAction[])[]): Thread => actions.flat().reduce(reduce, emptyThread);
/** The words of the conversation, one entry a line. */
const said = (thread: Thread) =>
  threadToMarkdown(thread)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('##'));

describe('going back to before a prompt', () => {
  const three = [...ask('one', 'first'), ...ask('two', 'second'), ...ask('three', 'third')];

  it('takes it and what follows out of the conversation, and Redo brings it back', () => {
    const rewound = threadOf(three, back('e2'));
    expect(said(rewound)).toEqual(['one', 'first', 'Back to e2', '[redo]']);
    expect([...promptsFrom(rewound)].map(promptWords)).toEqual(['one']);
    expect(lastTurn(rewound)).toBe('e0');
    expect(answerText(rewound)).toBe('first');
    expect(rewound.entries.length).toBe(7);
    const again = reduce(rewound, undone);
    expect(said(again)).toEqual(['one', 'first', 'two', 'second', 'three', 'third']);
    expect(again.rewinds).toEqual([]);
  });

  it('is what Redo takes back, with its time, unless files alone were restored since', () => {
    const thread = threadOf(three, back('e2', 'files'));
    const earlier = { id: 'files', at: 8 };
    expect(redoTarget(thread, earlier)).toEqual({ isRewind: true, at: 9 });
    expect(redoTarget(thread, undefined)).toEqual({ isRewind: true, at: 9 });
    expect(redoTarget(thread, { id: 'other', at: 8 })).toEqual({ isRewind: true, at: 9 });
    expect(redoTarget(thread, { id: 'other', at: 10 })).toEqual({ isRewind: false, at: 10 });
    expect(redoTarget(threadOf(three), earlier)).toEqual({ isRewind: false, at: 8 });
    expect(redoTarget(threadOf(three), undefined)).toBeUndefined();
  });

  it('what was said since leaves the conversation when Redo brings the earlier one back', () => {
    const thread = threadOf(three, back('e2'), ask('two, better', 'other'));
    expect(said(thread)).toEqual(['one', 'first', 'Back to e2', '[redo]', 'two, better', 'other']);
    expect(hasPromptSince(thread, lastRewind(thread)!)).toBe(true);
    const again = threadOf(three, back('e2'), ask('two, better', 'other'), undone, ask('four', 'fourth'));
    expect(said(again)).toEqual(['one', 'first', 'two', 'second', 'three', 'third', 'four', 'fourth']);
  });

  it('goes back further, and each Redo takes one of them back; only the newest is offered', () => {
    const twice = [...three, back('e4', 'files'), ...ask('three again', 'other'), back('e0')];
    expect(said(threadOf(twice))).toEqual(['Back to e0', '[redo]']);
    expect(said(threadOf(twice, undone))).toEqual([
      'one',
      'first',
      'two',
      'second',
      'Back to e4',
      '[redo]',
      'three again',
      'other',
    ]);
    expect(lastRewind(threadOf(twice, undone))?.save).toBe('files');
    expect(said(threadOf(twice, undone, undone))).toEqual(['one', 'first', 'two', 'second', 'three', 'third']);
    expect(said(threadOf(three, back('e4'), ask('x', 'y'), back('e2')))).toEqual([
      'one',
      'first',
      'Back to e2',
      '[redo]',
    ]);
    const kept = threadOf(three, back('e4'), ask('x', 'y'), back('e7'));
    expect(said(kept)).toEqual(['one', 'first', 'two', 'second', 'Back to e4', 'Back to e7', '[redo]']);
  });

  it('does nothing while a turn runs, for what is no prompt, and for what is out of the conversation', () => {
    const running = threadOf(three, ask('four', '').slice(0, 1), back('e0'));
    expect(running.rewinds).toEqual([]);
    for (const id of ['e1', 'e99', 'nothing']) expect(threadOf(three, back(id)).rewinds).toEqual([]);
    const rewound = threadOf(three, back('e2'));
    expect(reduce(rewound, back('e4'))).toBe(rewound);
    const none = threadOf(three);
    expect(reduce(none, undone)).toBe(none);
    expect(isHidden(rewound, 1)).toBe(false);
    expect(isHidden(rewound, 5)).toBe(true);
  });

  it('the plan of what left goes with it and comes back with it', () => {
    const plan: ThreadAction = {
      type: 'plan/replaced',
      at: 1,
      entries: [{ content: 'Step', priority: 'medium', status: 'pending' }],
    };
    expect(threadOf(three, plan, back('e2')).plan).toEqual([]);
    expect(threadOf(three, plan, back('e2'), undone).plan).toHaveLength(1);
  });

  it('is the same after the transcript was read again, at every step', () => {
    const steps = [
      ...three,
      back('e2', 's1'),
      ...ask('two, better', 'other'),
      back('e7'),
      undone,
      undone,
      ...ask('four', 'fourth'),
    ];
    for (let end = 1; end <= steps.length; end++) {
      const stored = compact(steps.slice(0, end).filter((action) => !isTransient(action)));
      const live = steps.slice(0, end).reduce(reduce, emptyThread);
      if (live.turn) continue;
      const read = replay(JSON.parse(JSON.stringify(stored)) as ThreadAction[]);
      expect({ ...read, entries: [...read.entries] }).toEqual({ ...live, entries: [...live.entries] });
    }
  });

  it('an agent’s new session gets what is left, without Parley’s own line, and whether files may differ', () => {
    const text = (thread: Thread) => JSON.stringify(conversationBlock(thread, false));
    const next = ask('two, better', '').slice(0, 1);
    expect(text(threadOf(three, back('e2', 'save'), next))).toContain('## User\\none\\n\\n## Agent\\nfirst');
    for (const gone of ['second', 'third', 'Back to', 'better', 'Files may have changed'])
      expect(text(threadOf(three, back('e2', 'save'), next))).not.toContain(gone);
    expect(text(threadOf(three, back('e2'), next))).toContain('Files may have changed since');
  });

  it('finds the prompt of an answer', () => {
    expect(promptBefore(threadOf(three), 'e3')?.id).toBe('e2');
    expect(promptBefore(threadOf(three), 'e2')?.id).toBe('e2');
    expect(promptBefore(threadOf(three), 'nothing')).toBeUndefined();
  });
});

describe('the end of a turn', () => {
  const marked = (thread: Thread) =>
    [...thread.entries].filter((entry) => entry.kind === 'agentMessage' && entry.endsTurn).map(({ id }) => id);

  it('is marked once, at the last that the agent said itself', () => {
    const call: ThreadAction = { type: 'toolCall/patched', at: 1, fields: { toolCallId: 'c', title: 'Read' } };
    const say = (text: string, parentToolCallId?: string): ThreadAction => ({
      type: 'message/chunkAppended',
      at: 1,
      role: 'agent',
      content: { type: 'text', text },
      ...(parentToolCallId === undefined ? {} : { parentToolCallId }),
    });
    const [start, , end] = ask('go', '') as [ThreadAction, ThreadAction, ThreadAction];
    expect(marked(threadOf([start, say('a'), call, say('b')]))).toEqual([]);
    expect(marked(threadOf([start, say('a'), call, say('b'), say('of a subagent', 'c'), end]))).toEqual(['e3']);
    expect(marked(threadOf([start, call, end]))).toEqual([]);
    expect(marked(threadOf(ask('one', 'first'), ask('two', 'second')))).toEqual(['e1', 'e3']);
  });
});
