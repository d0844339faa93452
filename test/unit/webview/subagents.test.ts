import { describe, expect, it } from 'vitest';
import type { EntryView } from '../../../src/protocol/entryView';
import type { ToolCallView } from '../../../src/protocol/toolCallView';
import { Subagents } from '../../../webview/parts/subagents';
import { agentMessage, toolCall } from '../../webview/views.mjs';

/** A thread whose entries come and change one by one. */
class Entries {
  readonly views = new Map<string, EntryView>();
  readonly open = new Set<string>();
  readonly subagents = new Subagents(
    (id) => this.views.get(id),
    (id) => this.open.has(id),
  );

  set(view: EntryView): boolean {
    this.views.set(view.id, view);
    return this.subagents.note(view.id);
  }

  call(id: string, fields: Partial<ToolCallView> = {}): boolean {
    return this.set(toolCall(id, fields));
  }

  shown(): string[] {
    return [...this.views.keys()].filter((id) => this.subagents.isShown(id));
  }
}

const waiting = {
  status: 'waiting' as const,
  permissions: [{ requestId: 'r', title: 'Do it', content: [], locations: [], options: [] }],
};

describe('subagents', () => {
  it('have their own status, count their own calls and say what they do', () => {
    const entries = new Entries();
    entries.call('p', { status: 'running' });
    expect(entries.subagents.state('p')).toBeUndefined();
    entries.call('a', { parentId: 'p', title: 'Read a', status: 'running' });
    entries.set({ ...agentMessage('m', 'Words'), parentId: 'p' } as EntryView);
    expect(entries.subagents.state('p')).toEqual({ status: 'running', calls: 1, activity: 'Read a' });
    entries.call('a', { parentId: 'p', title: 'Read a' });
    expect(entries.subagents.state('p')).toEqual({ status: 'running', calls: 1 });
    entries.call('b', { parentId: 'p', ...waiting });
    expect(entries.subagents.state('p')).toMatchObject({ status: 'waiting', calls: 2 });
    entries.call('b', { parentId: 'p', status: 'failed' });
    for (const status of ['completed', 'failed', 'cancelled', 'rejected'] as const) {
      entries.call('p', { status });
      expect(entries.subagents.state('p')).toEqual({ status, calls: 2 });
    }
  });

  it('go on while what they began goes on, at any depth', () => {
    const entries = new Entries();
    entries.call('p');
    entries.call('q', { parentId: 'p' });
    entries.call('r', { parentId: 'q', status: 'running' });
    expect(entries.subagents.state('p')).toMatchObject({ status: 'running', calls: 1 });
    entries.call('r', { parentId: 'q', ...waiting });
    expect([entries.subagents.state('p')?.status, entries.subagents.state('q')?.status]).toEqual([
      'waiting',
      'waiting',
    ]);
    entries.call('r', { parentId: 'q' });
    expect([entries.subagents.state('p')?.status, entries.subagents.state('q')?.status]).toEqual([
      'completed',
      'completed',
    ]);
  });

  it('fold away what they did, but never what waits for the user', () => {
    const entries = new Entries();
    for (const [id, parentId] of [['p'], ['a', 'p'], ['q', 'p'], ['b', 'q'], ['c', 'q'], ['o']])
      entries.call(id!, parentId === undefined ? {} : { parentId });
    expect(entries.shown()).toEqual(['p', 'o']);
    expect(entries.subagents.standIn('c')).toBe('p');
    entries.open.add('p');
    expect(entries.shown()).toEqual(['p', 'a', 'q', 'o']);
    expect(entries.subagents.standIn('c')).toBe('q');
    entries.open.clear();
    entries.call('b', { parentId: 'q', ...waiting });
    expect(entries.shown()).toEqual(['p', 'q', 'b', 'o']);
  });

  it('know where their next entry stands', () => {
    const entries = new Entries();
    for (const [id, parentId] of [['p'], ['a', 'p'], ['q', 'p'], ['b', 'q'], ['c', 'p']])
      entries.call(id!, parentId === undefined ? {} : { parentId });
    expect(['p', 'a', 'q', 'b', 'c'].map((id) => entries.subagents.above(id))).toEqual([undefined, 'p', 'a', 'q', 'b']);
    expect(entries.subagents.lastOf('p')).toBe('c');
  });

  it('take an entry that gets its parent late, and only once', () => {
    const entries = new Entries();
    expect(entries.call('a')).toBe(false);
    entries.call('p');
    entries.call('q');
    expect(entries.call('a', { parentId: 'p' })).toBe(true);
    expect(entries.call('a', { parentId: 'q' })).toBe(false);
    expect(entries.subagents.parentOf('a')).toBe('p');
  });

  it('take what came before its call when the call comes, in the order of the thread', () => {
    const entries = new Entries();
    for (const id of ['c', 'd']) entries.call(id, { parentId: 'p', status: 'running', title: id });
    const earlier = (...views: ToolCallView[]) => {
      for (const view of views) entries.views.set(view.id, view);
      return entries.subagents.noteEarlier(views.map(({ id }) => id));
    };
    expect(earlier(toolCall('b', { parentId: 'p', status: 'running', title: 'b' }))).toEqual([]);
    expect([entries.shown(), entries.subagents.awaitsCalls]).toEqual([['c', 'd', 'b'], true]);
    expect(earlier(toolCall('g'), toolCall('p', { parentId: 'g' }), toolCall('a', { parentId: 'p' }))).toEqual([
      'b',
      'c',
      'd',
    ]);
    expect([entries.subagents.childrenOf('p'), entries.subagents.depthOf('d'), entries.subagents.awaitsCalls]).toEqual([
      ['a', 'b', 'c', 'd'],
      2,
      false,
    ]);
    expect([entries.subagents.state('p'), entries.subagents.state('g')?.status]).toEqual([
      { status: 'running', calls: 4, activity: 'd' },
      'running',
    ]);
    expect(entries.shown()).toEqual(['g']);
  });

  it('take no parent that is unknown, no call, itself, or below the entry', () => {
    const entries = new Entries();
    entries.set(agentMessage('m', 'Words'));
    entries.call('a', { parentId: 'nobody' });
    entries.call('b', { parentId: 'm' });
    entries.call('c', { parentId: 'c' });
    entries.call('d');
    entries.call('e', { parentId: 'd' });
    entries.call('d', { parentId: 'e' });
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => entries.subagents.parentOf(id))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'd',
    ]);
    expect(entries.shown()).toEqual(['m', 'a', 'b', 'c', 'd']);
  });

  it('of any depth cost the same: deep ones stand side by side', () => {
    const entries = new Entries();
    entries.call('0');
    for (let i = 1; i < 10_000; i++) entries.call(String(i), { parentId: String(i - 1) });
    expect(Math.max(...[...entries.views.keys()].map((id) => entries.subagents.depthOf(id)))).toBe(8);
    // A chain that was there before it got its parent is as deep.
    const late = new Entries();
    late.call('x0');
    late.call('y0');
    for (const name of ['x', 'y'])
      for (let i = 1; i < 6; i++) late.call(`${name}${i}`, { parentId: `${name}${i - 1}` });
    late.call('y0', { parentId: 'x5' });
    expect(late.subagents.depthOf('y5')).toBeLessThanOrEqual(8);
  });
});
