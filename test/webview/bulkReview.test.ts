import { describe, expect, it } from 'vitest';
import type { ChangeView } from '../../src/protocol/changeView';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, userMessage } from './views.mjs';

useHarness();

const change = (name: string, more: Partial<ChangeView> = {}): ChangeView => ({
  path: `/w/${name}`,
  label: name,
  kind: 'modified',
  added: 2,
  removed: 1,
  hunks: 1,
  conflicts: 0,
  ...more,
});

describe('changes all at once', () => {
  it('thousands of files are the first of them and a sum, and lead to the tree', async () => {
    const panel = await PanelPage.open();
    const changes = Array.from({ length: 50 }, (_, i) => change(`f${i}.ts`));
    await panel.show(threadView([], { changes, moreChanges: { files: 4_950, added: 9_900, removed: 4_950 } }));
    const group = panel.page.getByRole('group', { name: 'Changes', exact: true });
    await group.getByRole('button', { name: /5000 files/ }).click();
    await expect.poll(() => group.getByRole('listitem').count()).toBe(51);
    await group.getByRole('button', { name: 'and 4,950 more' }).click();
    expect(await panel.posted('change/list')).toEqual([{ type: 'change/list' }]);
  });

  it('a guarded file says so with a word and an icon', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { changes: [change('.env', { guarded: true })] }));
    const group = panel.page.getByRole('group', { name: 'Changes', exact: true });
    await expect.poll(() => group.getByRole('listitem').textContent()).toContain('protected');
    await group.getByRole('button', { name: /1 file/ }).click();
    const mark = group.locator('.guarded');
    expect([await mark.textContent(), await mark.locator('.codicon-shield').count()]).toEqual(['Protected', 1]);
  });

  it('with the last row of the list gone, the focus is on the same control of the one above, then on the bar', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView([], { changes: [change('a.ts'), change('b.ts')] }));
    const group = panel.page.getByRole('group', { name: 'Changes', exact: true });
    const focused = () =>
      panel.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.className,
      );
    await group.getByRole('button', { name: /2 files/ }).click();
    await group.getByRole('button', { name: 'Keep b.ts' }).focus();
    await panel.patch({ op: 'panel/set', fields: { changes: [change('a.ts')] } });
    await expect.poll(focused).toBe('Keep a.ts');
    await panel.patch({ op: 'panel/set', fields: { changes: [], moreChanges: undefined } });
    await expect.poll(() => group.count()).toBe(0);
  });

  it('a turn that changed files ends with a line of what waits, below its last entry', async () => {
    const panel = await PanelPage.open();
    const entries = [
      userMessage('e0', 'first'),
      agentMessage('e1', 'done'),
      userMessage('e2', 'second'),
      agentMessage('e3', 'done too'),
    ];
    await panel.show(
      threadView(entries, {
        changes: [change('a.ts')],
        turnChanges: [{ turn: 'e0', files: 3, added: 40, removed: 12 }],
      }),
    );
    const line = panel.page.getByRole('group', { name: 'Changes in this turn' });
    await expect
      .poll(() => line.innerText())
      .toMatch(/3 files\s*\+40\s*−12\s*40 added, 12 removed\s*Review\s*Undo\s*Keep/);
    expect(await line.evaluate((element) => (element.previousElementSibling as HTMLElement).dataset['entry'])).toBe(
      'e1',
    );
    for (const name of ['Review', 'Undo', 'Keep'])
      await line.getByRole('button', { name: `${name} changes in this turn` }).click();
    expect(
      [
        await panel.posted('change/openTurn'),
        await panel.posted('change/undoTurn'),
        await panel.posted('change/keepTurn'),
      ]
        .flat()
        .map(({ turn }) => turn),
    ).toEqual(['e0', 'e0', 'e0']);
    await panel.patch({ op: 'panel/set', fields: { turnChanges: [] } });
    await expect.poll(() => line.count()).toBe(0);
  });

  it('errors that the last turn left have a line of their own below it, with what leads on', async () => {
    const panel = await PanelPage.open();
    const entries = [userMessage('e0', 'first'), agentMessage('e1', 'done')];
    const turnChanges = [{ turn: 'e0', files: 3, added: 40, removed: 12 }];
    const newProblems = { turn: 'e0', count: 3 };
    await panel.show(threadView(entries, { changes: [change('a.ts')], turnChanges, newProblems }));
    const line = panel.page.getByRole('group', { name: 'New problems' });
    await expect.poll(() => line.innerText()).toMatch(/3 new problems\s*Show\s*Ask to fix/);
    const above = () => line.evaluate((element) => element.previousElementSibling?.getAttribute('aria-label'));
    expect(await above()).toBe('Changes in this turn');
    for (const name of ['Show new problems', 'Ask the agent to fix the new problems'])
      await line.getByRole('button', { name }).click();
    expect([await panel.posted('problems/show'), await panel.posted('problems/ask')].flat()).toEqual([
      { type: 'problems/show' },
      { type: 'problems/ask' },
    ]);
    await panel.patch({ op: 'panel/set', fields: { newProblems: { turn: 'e0', count: 1 }, turnChanges: [] } });
    await expect.poll(() => line.innerText()).toMatch(/^1 new problem\s/);
    await panel.patch({ op: 'panel/set', fields: { newProblems: undefined } });
    await expect.poll(() => line.count()).toBe(0);
  });

  it('the last turn has no line while the bar says the same, and has one once it does not, or another prompt follows', async () => {
    const panel = await PanelPage.open();
    const entries = [userMessage('e0', 'first'), agentMessage('e1', 'done')];
    const turnChanges = [{ turn: 'e0', files: 1, added: 2, removed: 1 }];
    await panel.show(threadView(entries, { changes: [change('a.ts')], turnChanges }));
    const line = panel.page.getByRole('group', { name: 'Changes in this turn' });
    await panel.page.getByText('1 file').waitFor();
    expect(await line.count()).toBe(0);
    await panel.patch({ op: 'panel/set', fields: { changes: [change('a.ts'), change('b.ts')] } });
    await expect.poll(() => line.count()).toBe(1);
    await panel.patch({ op: 'panel/set', fields: { changes: [change('a.ts')] } });
    await expect.poll(() => line.count()).toBe(0);
    await panel.show(threadView([...entries, userMessage('e2', 'second')], { changes: [change('a.ts')], turnChanges }));
    await expect.poll(() => line.count()).toBe(1);
  });
});
