import { describe, expect, it } from 'vitest';
import { PromptQueue } from '../../../../src/host/sessions/promptQueue';

const queueOf = (...texts: string[]) => {
  const queue = new PromptQueue();
  for (const text of texts) queue.add({ text, mentions: [], attachments: [] });
  return queue;
};
const texts = (queue: PromptQueue) => queue.list.map(({ draft }) => draft.text);

describe('PromptQueue', () => {
  it('084: gives one prompt for each turn that ended well, in order', () => {
    const queue = queueOf('a', 'b');
    expect(queue.next(true)?.draft.text).toBe('a');
    expect(queue.next(true)?.draft.text).toBe('b');
    expect(queue.next(true)).toBeUndefined();
  });

  it('keeps what was queued when the turn was stopped or failed', () => {
    const queue = queueOf('a', 'b');
    expect(queue.next(false)).toBeUndefined();
    expect(texts(queue)).toEqual(['a', 'b']);
  });

  it('gives the one that the turn was stopped for, and only once', () => {
    const queue = queueOf('a', 'b', 'c');
    queue.hurry(queue.list[1]!.id);
    expect(queue.next(false)?.draft.text).toBe('b');
    expect(queue.next(false)).toBeUndefined();
    expect(texts(queue)).toEqual(['a', 'c']);
  });

  it.each([
    ['c', 0, ['c', 'a', 'b']],
    ['a', 1, ['b', 'a', 'c']],
    ['a', 2, ['b', 'c', 'a']],
    ['b', 1, ['a', 'b', 'c']],
    ['b', 99, ['a', 'c', 'b']],
    ['b', -1, ['b', 'a', 'c']],
  ])('puts %s in the place %i', (text, index, order) => {
    const queue = queueOf('a', 'b', 'c');
    queue.insert(
      queue.list.find(({ draft }) => draft.text === text)!,
      index,
    );
    expect(texts(queue)).toEqual(order);
    expect(queue.next(true)?.draft.text).toBe(order[0]);
  });

  it('takes one back that was taken out', () => {
    const queue = queueOf('a', 'b', 'c');
    const item = queue.remove(queue.list[1]!.id)!;
    queue.insert(item, 1);
    expect(texts(queue)).toEqual(['a', 'b', 'c']);
  });

  it('sends what answers the agent before all others, however the turn ends', () => {
    const queue = queueOf('a', 'b');
    queue.add({ text: 'use pnpm', mentions: [], attachments: [] }, true);
    expect(texts(queue)).toEqual(['use pnpm', 'a', 'b']);
    expect(queue.next(false)?.draft.text).toBe('use pnpm');
    expect(queue.next(false)).toBeUndefined();
  });

  it('removes by id, once', () => {
    const queue = queueOf('a', 'b');
    const { id } = queue.list[0]!;
    expect(queue.remove(id)?.draft.text).toBe('a');
    expect(queue.remove(id)).toBeUndefined();
    queue.hurry(id);
    expect(queue.next(false)).toBeUndefined();
    expect(texts(queue)).toEqual(['b']);
  });
});
