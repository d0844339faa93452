import { describe, expect, it } from 'vitest';
import type { ThreadAction } from '../../../src/thread/actions';
import { reduce } from '../../../src/thread/reducer';
import { emptyThread } from '../../../src/thread/thread';
import { toolCallView } from '../../../src/view/projectToolCall';

const options = [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }] as const;
const call = (at: number, status: 'pending' | 'in_progress' | 'completed'): ThreadAction => ({
  type: 'toolCall/patched',
  at,
  fields: { toolCallId: 'c', title: 'Run', status },
});
const ask = (at: number, requestId: string): ThreadAction => ({
  type: 'permission/requested',
  at,
  requestId,
  fields: { toolCallId: 'c' },
  options,
});
const answer = (at: number, requestId: string): ThreadAction => ({
  type: 'permission/resolved',
  at,
  requestId,
  choice: options[0],
});
const form = (at: number): ThreadAction => ({
  type: 'elicitation/requested',
  at,
  requestId: 'f',
  message: 'Name?',
  ask: { mode: 'form', fields: [] } as never,
});
const own = (at: number, type: 'ask/began' | 'ask/ended' = 'ask/began'): ThreadAction => ({
  type,
  at,
  requestId: 'o',
  title: 'Sign in',
});
const threadAfter = (actions: readonly ThreadAction[]) => actions.reduce(reduce, emptyThread);

describe('the time in which the agent waits for the user', () => {
  it.each<readonly [string, readonly ThreadAction[], turn: number | undefined, call: number | undefined]>([
    ['none', [call(1, 'pending')], undefined, undefined],
    ['a request', [call(1, 'pending'), ask(10, 'r'), answer(50, 'r')], 40, 40],
    ['one after the other', [call(1, 'pending'), ask(10, 'r'), answer(50, 'r'), ask(60, 's'), answer(65, 's')], 45, 45],
    ['several at once', [call(1, 'pending'), ask(10, 'r'), ask(20, 's'), answer(30, 's'), answer(50, 'r')], 40, 40],
    ['one that still waits', [call(1, 'pending'), ask(10, 'r')], 0, 0],
    [
      'a form beside a request',
      [
        call(1, 'pending'),
        form(5),
        ask(10, 'r'),
        answer(20, 'r'),
        { type: 'elicitation/settled', at: 35, entryId: 'e2', state: 'declined' },
      ],
      30,
      10,
    ],
    ['a question of Parley’s own', [call(1, 'pending'), own(10), own(50, 'ask/ended')], 40, undefined],
    [
      'a question of Parley’s own beside a request',
      [call(1, 'pending'), own(10), ask(20, 'r'), own(30, 'ask/ended'), answer(50, 'r')],
      40,
      30,
    ],
    ['a clock that was set back', [call(1, 'pending'), ask(10, 'r'), answer(5, 'r')], 0, 0],
  ])('counts once: %s', (_, actions, ofTurn, ofCall) => {
    const thread = threadAfter([
      { type: 'turn/started', at: 0, turnId: 't', prompt: [{ type: 'text', text: 'Go' }] },
      ...actions,
    ]);
    const entry = [...thread.entries].find(({ kind }) => kind === 'toolCall');
    expect([thread.turn?.waited?.ms, entry?.kind === 'toolCall' ? entry.waited?.ms : entry]).toEqual([ofTurn, ofCall]);
  });

  it('counts from its beginning what waited before it', () => {
    const thread = threadAfter([
      own(0),
      { type: 'turn/started', at: 10, turnId: 't', prompt: [{ type: 'text', text: 'Go' }] },
      own(60, 'ask/ended'),
    ]);
    expect(thread.turn?.waited).toEqual({ ms: 50 });
  });

  it('is in no clock and no duration of the call', () => {
    const thread = threadAfter([
      call(100, 'pending'),
      ask(110, 'r'),
      answer(150, 'r'),
      call(151, 'in_progress'),
      call(170, 'completed'),
    ]);
    const entry = thread.entries.at(0);
    expect(entry?.kind === 'toolCall' && toolCallView(entry, '/w')).toMatchObject({
      startedAt: 100,
      runsSince: 140,
      durationMs: 30,
    });
  });
});
