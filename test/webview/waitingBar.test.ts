import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { asking, pending, permissionScenes } from './permissionScenes.mjs';
import { agentMessage, threadView } from './views.mjs';

useHarness();

const bar = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Waiting for you' });
const chatter = Array.from({ length: 40 }, (_, i) => agentMessage(`m${i}`, `Message ${i}`));

describe('the line for what waits out of sight', () => {
  it('holds the questions of all sessions, the oldest first', async () => {
    const panel = await PanelPage.open();
    await panel.show(permissionScenes.askedThree.view);
    await expect.poll(() => bar(panel).innerText()).toMatch(/Demo Agent asks: npm test -- tokenizer[\s\S]*1 of 3/);
    await bar(panel).getByRole('button', { name: 'Reject: npm test -- tokenizer' }).click();
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-far', optionId: 'no' }]);
    await panel.patch({ op: 'panel/set', fields: { pendingQuestions: [] } });
    await expect
      .poll(() => bar(panel).innerText())
      .toMatch(/Codex asks in another session: cargo build --release[\s\S]*1 of 2/);
    await bar(panel).getByRole('button', { name: 'Allow: cargo build --release' }).click();
    await expect
      .poll(() => panel.posted('permission/select').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/select', requestId: 'r-b', optionId: 'once' });
  });

  it('allows nothing that it does not tell in full, unless its card was in view', async () => {
    const panel = await PanelPage.open({ height: 700 });
    await panel.show(permissionScenes.askedElsewhere.view);
    await bar(panel)
      .getByRole('button', { name: /^Reject: / })
      .waitFor();
    await expect
      .poll(() =>
        bar(panel)
          .getByRole('button', { name: /^Allow/ })
          .count(),
      )
      .toBe(0);
    await bar(panel)
      .getByRole('button', { name: /^Show that session: / })
      .click();
    await expect.poll(() => panel.posted('question/show')).toEqual([{ type: 'question/show', key: 'c' }]);
    // Read in its own session, and scrolled away there.
    const waits = pending('c', 'cd packages && make', {}, false);
    await panel.show({
      ...threadView([asking('c', 'Make', { command: 'cd packages && make' })], { pendingQuestions: [waits] }),
      threadId: 'other',
    });
    await bar(panel).waitFor({ state: 'detached' });
    for (const entry of chatter) await panel.patch({ op: 'entry/add', entry });
    await bar(panel).getByRole('button', { name: 'Allow: cd packages && make' }).click();
    await expect
      .poll(() => panel.posted('permission/select'))
      .toEqual([{ type: 'permission/select', requestId: 'r-c', optionId: 'once' }]);
  });

  it('is there while no answer of a card is in view, and the card is read when its answers have been', async () => {
    const panel = await PanelPage.open({ height: 420 });
    const command = Array.from({ length: 12 }, (_, i) => `step-${i} --with-words`).join(' && ');
    const before = Array.from({ length: 12 }, (_, i) => agentMessage(`b${i}`, `Message ${i}`));
    await panel.show(
      threadView([...before, asking('c', 'Run', { command }), ...chatter], {
        pendingQuestions: [pending('c', command, {}, false)],
      }),
      { scroll: { entryId: 'b4', offset: 0 } },
    );
    const button = panel.page
      .getByRole('group', { name: 'Permission: Run' })
      .getByRole('button', { name: 'Allow once', exact: true });
    const scrollTo = (block: ScrollLogicalPosition, selector: string) =>
      panel.page
        .locator(selector)
        .first()
        .evaluate((element, at) => element.scrollIntoView({ block: at }), block);
    // The restored place is held until the user scrolls.
    await panel.thread.dispatchEvent('wheel', { deltaY: 1 });
    // Its head alone: the line stays, commands lead to the card, and the buttons wait.
    await scrollTo('end', '.permission .card-head');
    await bar(panel).waitFor();
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', requestId: 'r-c', read: false });
    expect(
      await bar(panel)
        .getByRole('button', { name: /^Allow/ })
        .count(),
    ).toBe(0);
    expect(await button.isDisabled()).toBe(true);
    // Its answers: the line goes, and what was asked may be answered.
    await scrollTo('end', '.permission .permission-foot');
    await bar(panel).waitFor({ state: 'detached' });
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', requestId: 'r-c', read: true });
    await button.click();
    await expect.poll(() => panel.posted('permission/select').then((all) => all.length)).toBe(1);
  });

  it('takes no click in the moment when it appears', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(chatter));
    await panel.page.evaluate(() => performance.mark('asked'));
    await panel.patch({
      op: 'panel/set',
      fields: { waitingElsewhere: [{ key: 'b', agent: 'Codex', title: 'Run', question: pending('b', 'cargo build') }] },
    });
    await bar(panel).getByRole('button', { name: 'Allow: cargo build' }).click();
    expect(
      await panel.page.evaluate(() => performance.now() - performance.getEntriesByName('asked')[0]!.startTime),
    ).toBeGreaterThanOrEqual(398);
  });

  it('tells the host which question the commands are about', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView([asking('c', 'Run', { command: 'make' })], { pendingQuestions: [pending('c', 'make')] }),
    );
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', requestId: 'r-c', read: true });
    await panel.patch(
      { op: 'entry/replace', entry: asking('c', 'Run', { status: 'running', permissions: [] }) },
      {
        op: 'panel/set',
        fields: {
          pendingQuestions: [],
          waitingElsewhere: [{ key: 'b', agent: 'Codex', title: 'Run', question: pending('b', 'a && b', {}, false) }],
        },
      },
    );
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', requestId: 'r-b', read: false });
    await panel.patch({ op: 'panel/set', fields: { waitingElsewhere: [] } });
    await expect
      .poll(() => panel.posted('permission/shown').then((all) => all.at(-1)))
      .toEqual({ type: 'permission/shown', read: false });
  });
});
