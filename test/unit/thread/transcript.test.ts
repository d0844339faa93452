import { describe, expect, it } from 'vitest';
import { boundedDepth } from '../../../src/acp/json';
import type { ThreadAction } from '../../../src/thread/actions';
import { threadToMarkdown } from '../../../src/thread/markdown';
import { compact, replay } from '../../../src/thread/transcript';

const start = (turnId: string, text: string): ThreadAction => ({ type: 'turn/started', at: 1, turnId, prompt: [{ type: 'text', text }] });
const say = (text: string): ThreadAction => ({ type: 'message/chunkAppended', at: 2, role: 'agent', content: { type: 'text', text } });

describe('transcript', () => {
  it('a turn that a crash cut off is told as interrupted, and what came after it is not lost', () => {
    const stored = [start('t1', 'first'), say('half'), start('t1', 'second'), say('whole'), { type: 'turn/ended', at: 3, turnId: 't1', stopReason: 'end_turn' } as ThreadAction];
    expect(threadToMarkdown(replay(stored)).split('\n').filter((line) => line !== '')).toEqual([
      '## User', 'first', '## Agent', 'half', '## Notice (info)', 'Interrupted: the window was closed while the agent worked', '## User', 'second', '## Agent', 'whole',
    ]);
  });

  it('a question that nobody answered does not wait after a restart', () => {
    const thread = replay([start('t1', 'go'), { type: 'permission/requested', at: 2, requestId: 'p1', fields: { toolCallId: 't', title: 'T' }, options: [] }]);
    expect(thread.waiting).toEqual([]);
    expect(thread.turn).toBeUndefined();
  });

  it('a stream is stored in a few lines', () => {
    const chunks = Array.from({ length: 1_000 }, (_, i) => say(`${i} `));
    const outputs = Array.from({ length: 1_000 }, (_, i): ThreadAction => ({ type: 'toolCall/patched', at: i, fields: { toolCallId: 't', rawOutput: 'x'.repeat(i) } }));
    expect(compact([...chunks, ...outputs])).toHaveLength(2);
    expect(threadToMarkdown(replay(compact([...chunks, ...outputs])))).toBe(threadToMarkdown(replay([...chunks, ...outputs])));
  });

  it('how long a thought took is kept', () => {
    const chunks = [1_000, 2_000, 4_500].map((at): ThreadAction => ({ type: 'message/chunkAppended', at, role: 'thought', content: { type: 'text', text: 'hm ' } }));
    expect([...replay(compact(chunks)).entries]).toEqual([...replay(chunks).entries]);
    expect([...replay(compact(chunks)).entries][0]).toMatchObject({ at: 1_000, lastAt: 4_500 });
  });

  it('what an unknown version wrote is skipped', () => {
    expect(threadToMarkdown(replay([{ type: 'future/thing', at: 1 } as never, say('still here')]))).toBe('## Agent\nstill here');
  });

  it('values that are nested too deeply are cut, so that they can always be written again', () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(JSON.stringify(boundedDepth(deep))).toContain('nested too deeply');
    expect(boundedDepth({ a: [1, { b: null }] })).toEqual({ a: [1, { b: null }] });
  });
});
