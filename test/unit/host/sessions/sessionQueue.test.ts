import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../../src/host/sessions/draft';
import type { QueuedPrompt } from '../../../../src/host/sessions/promptQueue';
import { SessionQueue } from '../../../../src/host/sessions/sessionQueue';
import { MemoryState } from '../../../fakes/memoryState';

interface Scene {
  running?: boolean;
  stopping?: boolean;
  canSteer?: boolean;
  steer?: (scene: Required<Scene>) => Promise<boolean>;
}

/** A queue of a, b and c, with all that it did to its session. */
function queueIn(scene: Scene) {
  const at = { running: true, stopping: false, canSteer: false, steer: () => Promise.resolve(true), ...scene };
  const done: string[] = [];
  const state = new MemoryState();
  const queue = new SessionQueue('s', state, {
    takesPrompt: () => !at.running,
    isStopping: () => at.stopping,
    submit: async ({ text }) => void done.push(`submit ${text}`),
    stop: () => void done.push('stop'),
    canSteer: () => at.canSteer,
    steer: ({ text }) => {
      done.push(`steer ${text}`);
      return at.steer(at);
    },
    changed: () => undefined,
  });
  for (const text of ['a', 'b', 'c']) queue.add({ text, mentions: [], attachments: [] });
  return {
    at,
    queue,
    done,
    state,
    texts: () => queue.list.map(({ draft }) => draft.text),
    send: (text: string) => queue.sendNow(queue.list.find(({ draft }) => draft.text === text)!.id),
  };
}

describe('Send now', () => {
  it.each<[string, Scene, string[], string[]]>([
    ['sends while no turn runs', { running: false }, ['submit b'], ['a', 'c']],
    ['stops the turn where the agent takes nothing into it', {}, ['stop'], ['a', 'b', 'c']],
    ['goes into the turn where the agent takes it', { canSteer: true }, ['steer b'], ['a', 'c']],
    [
      'becomes a prompt when the turn had ended',
      { canSteer: true, steer: async (at) => (at.running = false) },
      ['steer b', 'submit b'],
      ['a', 'c'],
    ],
    [
      'is next when the turn is about to end',
      { canSteer: true, steer: async () => false },
      ['steer b'],
      ['b', 'a', 'c'],
    ],
  ])('%s', async (_, scene, done, left) => {
    const { send, done: did, texts } = queueIn(scene);
    await send('b');
    expect(did).toEqual(done);
    expect(texts()).toEqual(left);
  });

  it.each<[string, (at: Required<Scene>) => Promise<boolean>]>([
    ['the turn has ended', async (at) => (at.running = false)],
    ['the agent refuses it', async (at) => ((at.running = false), Promise.reject(new Error('refused')))],
  ])('leaves it in the queue, paused, if the user stops the turn first and %s', async (_, steer) => {
    const { queue, send, done, texts } = queueIn({
      canSteer: true,
      steer: async (at) => {
        queue.pause();
        queue.next(false);
        return steer(at);
      },
    });
    queue.clear();
    queue.add({ text: 'd', mentions: [], attachments: [] });
    await send('d').catch(() => undefined);
    expect(done).toEqual(['steer d']);
    expect(texts()).toEqual(['d']);
    expect(queue.isPaused).toBe(true);
  });

  it('has it on disk until the agent has taken it', async () => {
    const onDisk: unknown[] = [];
    const saved = () => state.get<QueuedPrompt[]>('parley.queue.s', []).map(({ draft }) => draft.text);
    const { send, state } = queueIn({ canSteer: true, steer: async () => (onDisk.push(saved()), true) });
    await send('b');
    expect(onDisk).toEqual([['b', 'a', 'c']]);
    expect(saved()).toEqual(['a', 'c']);
  });

  it('does nothing with a second click: the turn that runs then is the message’s own', async () => {
    const { queue, done } = queueIn({});
    const { id } = queue.list[1]!;
    await queue.sendNow(id);
    expect(queue.next(false)?.draft.text).toBe('b');
    await queue.sendNow(id);
    expect(done).toEqual(['stop']);
  });

  it('leaves the message in its place when the agent refuses it', async () => {
    const { send, texts } = queueIn({ canSteer: true, steer: () => Promise.reject(new Error('no')) });
    await expect(send('b')).rejects.toThrow('no');
    expect(texts()).toEqual(['a', 'b', 'c']);
  });

  it('what the turn was stopped for goes out however it ends, what was about to be taken too', async () => {
    for (const scene of [{}, { canSteer: true, steer: async () => false }]) {
      const { queue, send } = queueIn(scene);
      await send('b');
      expect(queue.next(false)?.draft.text).toBe('b');
    }
  });
});

describe('the queue', () => {
  it('gives a message that was edited its place back, also when others have gone meanwhile', () => {
    const draft = (text: string): Draft => ({ text, mentions: [], attachments: [] });
    const edited = (text: string, meanwhile: (queue: SessionQueue) => void = () => undefined) => {
      const { queue, texts } = queueIn({});
      expect(queue.edit(queue.list.find((item) => item.draft.text === text)!.id)?.draft.text).toBe(text);
      meanwhile(queue);
      queue.add(draft('new'));
      queue.add(draft('later'));
      return texts();
    };
    expect(edited('a')).toEqual(['new', 'b', 'c', 'later']);
    expect(edited('b')).toEqual(['a', 'new', 'c', 'later']);
    expect(edited('c')).toEqual(['a', 'b', 'new', 'later']);
    expect(edited('a', (queue) => queue.next(true))).toEqual(['new', 'c', 'later']);
    expect(edited('b', (queue) => queue.remove(queue.list[1]!.id))).toEqual(['a', 'new', 'later']);
    expect(queueIn({}).queue.edit('gone')).toBeUndefined();
  });

  it('is paused by Stop and by a turn that failed, and a message that is sent by hand does not resume it', async () => {
    for (const stop of [(queue: SessionQueue) => queue.pause(), () => undefined]) {
      const scene = { running: true };
      const { queue, done, texts } = queueIn(scene);
      expect(queue.isPaused).toBe(false);
      stop(queue);
      expect(queue.next(false)).toBeUndefined();
      expect(queue.isPaused).toBe(true);
      // The turn of what was sent by hand ends well.
      expect(queue.next(true)).toBeUndefined();
      expect(texts()).toEqual(['a', 'b', 'c']);
      await queue.resume();
      expect(done).toEqual([]);
      expect(queue.next(true)?.draft.text).toBe('a');
    }
  });

  it('is paused by Stop although the agent says that the turn ended well, and what was about to be sent stays', async () => {
    const { queue, send } = queueIn({});
    await send('b');
    queue.pause();
    expect(queue.next(true)).toBeUndefined();
    expect(queue.next(false)).toBeUndefined();
  });

  it.each([
    ['after Stop, with messages that stay paused', ['a', 'b', 'c'], true],
    ['after Stop, with nothing else', [], false],
  ])('sends what is new as soon as the turn has ended: %s', (_, before, isPaused) => {
    const { queue, at, texts } = queueIn({});
    for (const { id, draft } of queue.list) if (!before.includes(draft.text)) queue.remove(id);
    queue.pause();
    at.stopping = true;
    for (const text of ['new', 'later']) queue.add({ text, mentions: [], attachments: [] });
    expect(texts()).toEqual(['new', ...before, 'later']);
    expect(queue.next(false)?.draft.text).toBe('new');
    expect([texts(), queue.isPaused]).toEqual([[...before, 'later'], isPaused]);
  });

  it('sends what is new after the message that the turn was stopped for', async () => {
    const { queue, at, send, texts } = queueIn({});
    await send('b');
    at.stopping = true;
    queue.add({ text: 'new', mentions: [], attachments: [] });
    expect(queue.next(false)?.draft.text).toBe('b');
    expect([texts(), queue.isPaused]).toEqual([['a', 'c', 'new'], false]);
  });

  it('sends the first message when it is resumed while no turn runs', async () => {
    const { queue, done, texts } = queueIn({ running: false });
    queue.pause();
    await queue.resume();
    expect(done).toEqual(['submit a']);
    expect(texts()).toEqual(['b', 'c']);
    expect(queue.isPaused).toBe(false);
  });

  it('is paused when it comes back after a restart, and no more when it is cleared', () => {
    const { queue, state } = queueIn({});
    const again = new SessionQueue('s', state, {
      takesPrompt: () => true,
      isStopping: () => false,
      submit: async () => undefined,
      stop: () => undefined,
      canSteer: () => false,
      steer: async () => true,
      changed: () => undefined,
    });
    expect(again.isPaused).toBe(true);
    expect(again.clear().map(({ draft }) => draft.text)).toEqual(['a', 'b', 'c']);
    expect([again.isPaused, again.list, state.keys()]).toEqual([false, [], []]);
    queue.clear();
    queue.pause();
    expect(queue.isPaused).toBe(false);
  });

  it('is kept in its order, and forgotten when it is empty', () => {
    const { queue, state, texts } = queueIn({});
    queue.move(queue.list[2]!.id, 0);
    queue.move('gone', 0);
    expect(texts()).toEqual(['c', 'a', 'b']);
    expect(state.get<{ draft: Draft }[]>('parley.queue.s').map(({ draft }) => draft.text)).toEqual(['c', 'a', 'b']);
    for (const { id } of queue.list) queue.remove(id);
    expect(state.keys()).toEqual([]);
  });
});
