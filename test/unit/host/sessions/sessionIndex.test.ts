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

  it('skips what another version or a crash left behind', () => {
    const { state, index } = make();
    state.values.set('parley.session.bad', 'nonsense');
    state.values.set('parley.session.worse', { agent: 7 });
    state.values.set('parley.other', {});
    index.put(record('good', 1));
    expect(index.list().map(({ id }) => id)).toEqual(['good']);
  });
});
