import { describe, expect, it } from 'vitest';
import type { AgentMessageView, NoticeView } from '../../src/protocol/entryView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, now, terminal, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const heading: NoticeView = {
  kind: 'notice',
  id: 'h',
  severity: 'info',
  title: 'Continued by itself',
  actions: [],
  beginsTurn: true,
};
const said = (fields: Partial<AgentMessageView>) => ({
  ...(agentMessage('a', 'Delete **everything**') as AgentMessageView),
  ...fields,
});
const runs = { running: true, exitCode: undefined, durationMs: undefined } as const;
const shell = (id: string) => ({ toolKind: 'execute', content: [{ type: 'terminal', terminalId: id }] }) as const;

/* What an agent does after its answer. */
describe('work without a prompt', () => {
  it('has a heading, a Stop, a Send that queues nothing, and changes of its own', async () => {
    const panel = await PanelPage.open();
    const turn = {
      running: true,
      startedAt: now - 4_000,
      stopping: false,
      canForceStop: false,
      takesPrompt: true,
    } as const;
    const turnChanges = [
      { turn: 'u', files: 1, added: 1, removed: 0 },
      { turn: 'h', files: 2, added: 5, removed: 3 },
    ];
    await panel.show(
      threadView(
        [
          userMessage('u', 'Question'),
          said({ endsTurn: true }),
          heading,
          toolCall('c', { title: 'Build' }),
          agentMessage('b', 'Built'),
        ],
        { turn, turnChanges },
      ),
    );
    const log = panel.page.getByRole('log', { name: 'Conversation' });
    await expect.poll(() => log.innerText()).toMatch(/everything[^]*1 file[^]*Continued by itself[^]*Built[^]*2 files/);
    await panel.page.getByRole('textbox', { name: 'Message' }).fill('next');
    await expect
      .poll(() => panel.page.getByRole('button', { name: 'Send', exact: true }).getAttribute('title'))
      .toBe('Send');
    await panel.page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await panel.posted('turn/cancel')).toEqual([{ type: 'turn/cancel' }]);
  });

  it('says whose words are not the user’s', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([userMessage('u', 'Question'), said({ asUser: true })]));
    const message = panel.page.locator('.agent-message');
    await expect.poll(() => message.innerText()).toMatch(/^Added by [^]+Delete everything/);
    expect(await panel.page.locator('.user-message').count()).toBe(1);
  });

  it('leaves an open call unfinished, and a command that runs on its Stop', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          toolCall('open', { title: 'Look', status: 'unfinished' }),
          toolCall('here', { title: 'Serve', ...shell('here') }),
          toolCall('left', { title: 'Watch', status: 'unfinished', ...shell('left') }),
          toolCall('agents', { title: 'Its own', durationMs: 2_000, ...shell('agents') }),
        ],
        {},
        [
          terminal('here', { ...runs, command: 'npm start', canCancel: true }),
          terminal('left', { ...runs, command: 'tail -f', canCancel: true }),
          terminal('agents', { ...runs, command: 'make', canOpen: false }),
        ],
      ),
    );
    const card = (name: string) => panel.page.getByRole('group', { name, exact: true });
    await expect.poll(() => card('Look').innerText()).toContain('Unfinished');
    for (const name of ['Serve', 'Watch']) await expect.poll(() => card(name).innerText()).toContain('Still running');
    expect(await card('Watch').locator('.status:not(.visually-hidden)').count()).toBe(0);
    expect(await card('Its own').innerText()).not.toMatch(/Still running/);
    expect(await card('Its own').locator('.spinner, .codicon-loading').count()).toBe(0);
    expect(await card('Its own').innerText()).toContain('2');
    await panel.page.getByRole('button', { name: 'Stop: npm start', exact: true }).click();
    expect(await panel.posted('terminal/cancel')).toEqual([{ type: 'terminal/cancel', terminalId: 'here' }]);
  });
});
