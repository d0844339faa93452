import { expect, it, vi } from 'vitest';
import { ConversationChanges } from '../../../../src/host/panel/conversationChanges';

vi.mock('vscode', () => import('../../../fakes/fakeVscode'));

const draft = { text: 'edited', mentions: [], attachments: [{ id: 'a' }] } as never;

it.each([
  ['gone', ['put back', 'draft/restore', 'focus/set']],
  ['calledOff', ['put aside', 'draft/edit', 'focus/set']],
  ['sent', []],
])('an edited message that is %s is still the user’s unless it was sent', async (outcome, expected) => {
  const did: string[] = [];
  const live = { id: 's' };
  const changes = new ConversationChanges({
    panel: { post: async ({ type }: { readonly type: string }) => did.push(type) },
    view: { session: live },
    draftAttachments: {
      bringBack: () => undefined,
      putBack: () => did.push('put back'),
      setAside: () => did.push('put aside'),
    },
    panelReview: { putBack: async () => undefined },
    rewinds: async () => ({ resend: async () => outcome }),
  } as never);
  await changes.resend('e0', draft, live as never);
  expect(did).toEqual(expected);
});
