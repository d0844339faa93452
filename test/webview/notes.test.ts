import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { diff, threadView, toolCall } from './views.mjs';

useHarness();

const notes = {
  title: '1 comment and 1 undone change',
  items: [
    {
      id: 'c1',
      kind: 'comment' as const,
      place: 'src/tokenizer.ts:41-43',
      text: 'Why not a table? It is three times as fast as a chain of conditions.',
    },
    { id: 'u1', kind: 'undone' as const, place: 'src/a/rather/deep/folder/parser.ts:7', text: '' },
  ],
};

describe('what goes to the agent with the next message', () => {
  it('is one line with its actions, and opens to a list', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { notes }));
    const group = panel.page.getByRole('group', { name: 'Comments' });
    await group.getByRole('button', { name: notes.title }).click();
    const items = panel.page.getByRole('list', { name: 'To be sent' }).getByRole('listitem');
    await expect
      .poll(async () => (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()))
      .toEqual([`Comment: ${notes.items[0]!.place} ${notes.items[0]!.text}`, `Undone: ${notes.items[1]!.place}`]);
    await items
      .first()
      .getByRole('button', { name: /^Comment: / })
      .click();
    await items
      .last()
      .getByRole('button', { name: /^Remove: / })
      .click();
    for (const name of ['Clear', 'Send now']) await group.getByRole('button', { name, exact: true }).click();
    expect([
      ...(await panel.posted('note/open')),
      ...(await panel.posted('note/remove')),
      ...(await panel.posted('notes/act')),
    ]).toEqual([
      { type: 'note/open', id: 'c1' },
      { type: 'note/remove', id: 'u1' },
      { type: 'notes/act', act: 'clear' },
      { type: 'notes/act', act: 'send' },
    ]);
  });

  it('is sent by Enter in an empty box', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { notes }));
    await panel.box.press('Enter');
    expect(await panel.nextPosted('prompt/submit')).toEqual({
      type: 'prompt/submit',
      text: '',
      mentions: [],
      attachments: [],
    });
  });

  it('says what goes along too, and how to leave it out', async () => {
    const panel = await PanelPage.open({ width: 300 });
    await panel.show(
      threadView([], {
        notes: { title: '', items: [], offer: 'Undone and edited changes will be sent with your next message' },
      }),
    );
    const offer = panel.page.getByRole('group', { name: /^Undone and edited changes/ });
    await offer.getByRole('button', { name: 'Don’t include', exact: true }).click();
    expect((await panel.posted('notes/act')).map(({ act }) => act)).toEqual(['leaveOut']);
    expect(await offer.getByRole('button').count()).toBe(1);
    await panel.box.press('Enter');
    expect(await panel.posted('prompt/submit')).toEqual([]);
  });
});

describe('the card of a diff', () => {
  it('says what became of its changes, follows, and leads to those that wait', async () => {
    const panel = await PanelPage.open();
    const view = diff();
    const { path } = view;
    await panel.show(
      threadView([toolCall('c1', { toolKind: 'edit', content: [view] })], {
        fileStates: [{ path, pending: 3, kept: 0, undone: 0 }],
      }),
    );
    await panel.page.getByRole('button', { name: '3 to review' }).click();
    expect(await panel.nextPosted('diff/review')).toEqual({ type: 'diff/review', entryId: 'c1', index: 0 });
    await panel.patch({ op: 'panel/set', fields: { fileStates: [{ path, pending: 1, kept: 1, undone: 1 }] } });
    const rest = panel.page.getByRole('button', { name: '1 of 3 kept' });
    await expect.poll(() => rest.getAttribute('title')).toBe('Open in review: 1 kept, 1 undone, 1 to review');
    await panel.patch({ op: 'panel/set', fields: { fileStates: [{ path, pending: 0, kept: 2, undone: 1 }] } });
    await expect.poll(() => panel.page.getByText('2 of 3 kept').count()).toBe(1);
    expect(await rest.count()).toBe(0);
  });
});
