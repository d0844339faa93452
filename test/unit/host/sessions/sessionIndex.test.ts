import { describe, expect, it } from 'vitest';
import { SessionIndex } from '../../../../src/host/sessions/sessionIndex';

class MemoryState {
  readonly values = new Map<string, unknown>();
  keys = () => [...this.values.keys()];
  get = (key: string, otherwise?: unknown) => this.values.get(key) ?? otherwise;
  update = (key: string, value: unknown) => {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    return Promise.resolve();
  };
}

const make = () => {
  const state = new MemoryState();
  return { state, index: new SessionIndex(state as never) };
};
const record = (id: string, updatedAt: number) => ({ id, agent: 'A', cwd: '/w', createdAt: 1, updatedAt });

describe('SessionIndex', () => {
  it('lists what was put, newest first, and finds a session by the agent’s id', () => {
    const { index } = make();
    index.put(record('old', 1));
    index.put({ ...record('new', 2), remoteId: 'r' });
    expect(index.list().map(({ id }) => id)).toEqual(['new', 'old']);
    expect(index.findRemote('A', 'r')?.id).toBe('new');
    expect(index.findRemote('B', 'r')).toBeUndefined();
  });

  it('patches only what is there, and removes', () => {
    const { index } = make();
    index.patch('ghost', { title: 'x' });
    index.put(record('a', 1));
    index.patch('a', { title: 'T', updatedAt: 5 });
    expect(index.get('a')).toEqual({ ...record('a', 5), title: 'T' });
    index.remove('a');
    expect(index.list()).toEqual([]);
  });

  it('loads the records of earlier versions as they are, and marks them', () => {
    const { state, index } = make();
    // As 0.1.0 wrote them before there were marks.
    const earlier = {
      id: 'a',
      agent: 'Claude Code',
      cwd: '/w',
      createdAt: 1,
      updatedAt: 2,
      title: 'Fix it',
      ownTitle: 'Mine',
      remoteId: 'r1',
      remoteSince: 3,
    };
    state.values.set('parley.session.a', earlier);
    state.values.set('parley.session.b', { ...record('b', 1), isPinned: 'yes', isArchived: 1, forkOf: 7 });
    expect(index.list()).toEqual([earlier, record('b', 1)]);
    index.patch('a', { isPinned: true, isArchived: true });
    expect(index.get('a')).toEqual({ ...earlier, isPinned: true, isArchived: true });
    index.patch('a', { isPinned: undefined, ownTitle: undefined, isArchived: undefined });
    const { ownTitle: _gone, ...rest } = earlier;
    // What is taken away leaves nothing behind, so an earlier version reads it too.
    expect(state.values.get('parley.session.a')).toStrictEqual(rest);
  });

  it('keeps what the user says of sessions that only their agent has', () => {
    const { state, index } = make();
    index.mark('A', 'r"1', { ownTitle: 'Mine', isPinned: true });
    expect(new SessionIndex(state as never).marksOf('A', 'r"1')).toEqual({ ownTitle: 'Mine', isPinned: true });
    expect(index.marksOf('A"', 'r1')).toEqual({});
    index.mark('A', 'r"1', { ownTitle: undefined, isPinned: undefined });
    expect(state.values.size).toBe(0);
  });

  it('forgets with the window what was only hidden', () => {
    const { state, index } = make();
    index.put(record('a', 1));
    index.hide('a', true);
    expect([index.isHidden('a'), index.list().length]).toEqual([true, 1]);
    expect(new SessionIndex(state as never).isHidden('a')).toBe(false);
  });

  it('skips what another version or a crash left behind', () => {
    const { state, index } = make();
    state.values.set('parley.session.bad', 'nonsense');
    state.values.set('parley.session.worse', { agent: 7 });
    state.values.set('parley.other', {});
    index.put(record('good', 1));
    expect(index.list().map(({ id }) => id)).toEqual(['good']);
  });
});
