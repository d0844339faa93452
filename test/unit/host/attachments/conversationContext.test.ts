import { beforeEach, expect, it, vi } from 'vitest';
import { maxTextLength, type NewAttachment } from '../../../../src/host/attachments/attachment';
import { conversationContext } from '../../../../src/host/attachments/conversationContext';

const shown = vi.hoisted(() => ({
  lists: [] as { label: string; description?: string }[][],
  take: [] as number[],
}));
vi.mock('vscode', async () => ({
  ...(await import('../../../fakes/fakeVscode')),
  window: {
    showQuickPick: async (items: { label: string }[]) => {
      shown.lists.push(items);
      return items[shown.take.shift() ?? -1];
    },
  },
}));

const conversations = {
  list: () => [{ id: 'a/b', title: 'Fix it', about: 'Claude Code · 2026-01-01 10:00' }],
  read: async () => ({ summary: 'short\n', whole: 'x'.repeat(maxTextLength + 5) }),
};

beforeEach(() => {
  [shown.lists, shown.take] = [[], []];
});

it('is the summary, whose size the user sees first', async () => {
  shown.take = [0, 0];
  expect(await conversationContext(conversations)).toMatchObject({
    kind: 'file',
    label: 'Session: Fix it',
    detail: 'summary · 1 KB',
    linkable: false,
    uri: 'parley:/session/a%2Fb',
    content: 'short\n',
  });
  expect(shown.lists[1]!.map(({ description }) => description)).toEqual(['1 KB', '512 KB, sent up to 512 KB']);
});

it('is the whole conversation up to the limit, which the chip says', async () => {
  shown.take = [0, 1];
  const made = (await conversationContext(conversations)) as NewAttachment;
  expect(made.content).toHaveLength(maxTextLength);
  expect(made.detail).toBe('whole conversation · 512 KB · shortened');
});

it('says why there is none', async () => {
  expect(await conversationContext({ ...conversations, list: () => [] })).toMatch(/no other session/);
  shown.take = [0];
  expect(await conversationContext({ ...conversations, read: async () => undefined })).toMatch(/could not be read/);
  expect(await conversationContext(conversations)).toBeUndefined();
});
