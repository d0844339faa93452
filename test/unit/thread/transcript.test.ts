import { describe, expect, it } from 'vitest';
import { boundedDepth } from '../../../src/base/json';
import { neverCancelled } from '../../../src/base/cancellation';
import { silentLogger } from '../../../src/base/log';
import { checkPattern } from '../../../src/node/patternCheck';
import { answerForm } from '../../../src/thread/formAnswer';
import type { ThreadAction } from '../../../src/thread/actions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { Session } from '../../../src/thread/session';
import { Replay, replay } from '../../../src/thread/replay';
import { compact, isTransient, type TranscriptMark } from '../../../src/thread/transcript';
import { FakeClock } from '../../fakes/fakeClock';

const start = (turnId: string, text: string): ThreadAction => ({
  type: 'turn/started',
  at: 1,
  turnId,
  prompt: [{ type: 'text', text }],
});
const say = (text: string): ThreadAction => ({
  type: 'message/chunkAppended',
  at: 2,
  role: 'agent',
  content: { type: 'text', text },
});

describe('transcript', () => {
  it('a turn whose end is not there says so, and what came after it is not lost', () => {
    const stored = [
      start('t1', 'first'),
      say('half'),
      start('t1', 'second'),
      say('whole'),
      { type: 'turn/ended', at: 3, turnId: 't1', stopReason: 'end_turn' } as ThreadAction,
    ];
    expect(
      threadToMarkdown(replay(stored))
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual([
      '## User',
      'first',
      '## Agent',
      'half',
      '## Notice (info)',
      'The end of this turn was not saved',
      '## User',
      'second',
      '## Agent',
      'whole',
    ]);
  });

  it.each<[string, TranscriptMark | undefined, readonly string[]]>([
    [
      'and the window closed',
      { type: 'transcript/closed', at: 3 },
      ['Interrupted: the window was closed while the agent was working', 'retry'],
    ],
    [
      'and the disk was full',
      { type: 'transcript/cut', at: 3, reason: 'the disk is full' },
      ['Messages after this were not saved: the disk is full.', 'retry'],
    ],
    ['and nothing could be written about that', undefined, ['The end of this turn was not saved', 'retry']],
  ])('a turn that never ended %s', (_, mark, told) => {
    const thread = replay([start('t1', 'go'), ...(mark ? [mark] : [])]);
    expect(
      [...thread.entries].flatMap((entry) => (entry.kind === 'notice' ? [[entry.title, ...entry.actions]] : [])),
    ).toEqual([told]);
    expect(thread.turn).toBeUndefined();
  });

  it('turns that ended were not interrupted, whatever is missing behind them', () => {
    const ended: readonly ThreadAction[] = [
      start('t1', 'go'),
      { type: 'turn/ended', at: 3, turnId: 't1', stopReason: 'end_turn' },
    ];
    const told = (isShort: boolean, ...more: readonly (ThreadAction | TranscriptMark)[]) => {
      const all = new Replay();
      for (const action of [...ended, ...more]) all.take(action);
      return [...all.end(isShort).entries].flatMap((entry) => (entry.kind === 'notice' ? [entry.title] : []));
    };
    expect([told(false), told(true)]).toEqual([[], ['Messages after this were not saved']]);
    expect(told(true, { type: 'transcript/cut', at: 3, reason: 'the disk is full' })).toEqual([
      'Messages after this were not saved: the disk is full.',
    ]);
    // The window that closed then is not the one that a later turn ran in.
    expect(told(false, start('t2', 'go'), { type: 'transcript/closed', at: 3 }, start('t1', 'again'))).toEqual([
      'Interrupted: the window was closed while the agent was working',
      'The end of this turn was not saved',
    ]);
  });

  it('a question that nobody answered does not wait after a restart', () => {
    const thread = replay([
      start('t1', 'go'),
      { type: 'permission/requested', at: 2, requestId: 'p1', fields: { toolCallId: 't', title: 'T' }, options: [] },
    ]);
    expect(thread.waiting).toEqual([]);
    expect(thread.turn).toBeUndefined();
  });

  it('whether to include the conversation is not asked after a restart: no prompt waits for the answer', () => {
    const question: ThreadAction = {
      type: 'notice/added',
      at: 2,
      severity: 'info',
      title: 'Include the earlier conversation?',
      actions: ['includeConversation', 'omitConversation'],
    };
    const notices = [...replay([start('t1', 'go'), question]).entries].flatMap((entry) =>
      entry.kind === 'notice' ? [[entry.title, ...entry.actions]] : [],
    );
    expect(notices).toEqual([
      ['The earlier conversation was not included'],
      ['The end of this turn was not saved', 'retry'],
    ]);
  });

  it('a form is read as it was answered, and no secret is in the file', async () => {
    const stored: ThreadAction[] = [];
    const session = new Session('local', new FakeClock(), silentLogger);
    session.onDidAct((action) => isTransient(action) || stored.push(action));
    const field = { label: 'Key', key: 'k', required: true, secret: true, type: 'string' } as const;
    const answer = session.elicitations.request(
      'Sign in',
      { mode: 'form', form: { fields: [field] } },
      undefined,
      neverCancelled,
    );
    const { requestId } = session.thread.waiting[0]!;
    session.elicitations.submit(requestId, (form) => answerForm(form, new Map([['k', '']]), checkPattern));
    session.elicitations.submit(requestId, (form) => answerForm(form, new Map([['k', 'hunter2']]), checkPattern));
    expect(await answer).toEqual({ action: 'accept', content: { k: 'hunter2' } });
    const file = JSON.stringify(compact(stored));
    expect(file).not.toContain('hunter2');
    expect([...replay(JSON.parse(file) as ThreadAction[]).entries]).toEqual([...session.thread.entries]);
    expect(threadToMarkdown(replay(JSON.parse(file) as ThreadAction[]))).toContain('Key = •••');
  });

  it('elicitations that nobody answered, and pages that nobody finished, wait no more after a restart', () => {
    const page = { elicitationId: 'p', url: 'https://example.com/', host: 'example.com', warnings: [] };
    const thread = replay([
      {
        type: 'elicitation/requested',
        at: 1,
        requestId: 'q1',
        message: 'Form',
        ask: { mode: 'form', form: { fields: [] } },
      },
      { type: 'elicitation/requested', at: 2, requestId: 'q2', message: 'Page', ask: { mode: 'url', page } },
      { type: 'elicitation/settled', at: 3, entryId: 'e1', state: 'opened' },
    ]);
    expect(thread.waiting).toEqual([]);
    expect([...thread.entries].map((entry) => entry.kind === 'elicitation' && entry.state)).toEqual([
      'withdrawn',
      'accepted',
    ]);
  });

  it('a stream is stored in a few lines', () => {
    const chunks = Array.from({ length: 1_000 }, (_, i) => say(`${i} `));
    const outputs = Array.from({ length: 1_000 }, (_, i): ThreadAction => ({
      type: 'toolCall/patched',
      at: i,
      fields: { toolCallId: 't', rawOutput: 'x'.repeat(i) },
    }));
    expect(compact([...chunks, ...outputs])).toHaveLength(2);
    expect(threadToMarkdown(replay(compact([...chunks, ...outputs])))).toBe(
      threadToMarkdown(replay([...chunks, ...outputs])),
    );
  });

  it('how long a thought took is kept', () => {
    const chunks = [1_000, 2_000, 4_500].map((at): ThreadAction => ({
      type: 'message/chunkAppended',
      at,
      role: 'thought',
      content: { type: 'text', text: 'hm ' },
    }));
    expect([...replay(compact(chunks)).entries]).toEqual([...replay(chunks).entries]);
    expect([...replay(compact(chunks)).entries][0]).toMatchObject({ at: 1_000, lastAt: 4_500 });
  });

  it('what an unknown version wrote is skipped', () => {
    expect(threadToMarkdown(replay([{ type: 'future/thing', at: 1 } as never, say('still here')]))).toBe(
      '## Agent\nstill here',
    );
  });

  it('values that are nested too deeply are cut, so that they can always be written again', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(JSON.stringify(boundedDepth(deep))).toContain('nested too deeply');
    expect(boundedDepth({ a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  });
});
