import { describe, expect, it } from 'vitest';
import { PanelPage, useHarness } from './panelPage';
import { agentMessage, threadView, toolCall, userMessage } from './views.mjs';

useHarness();

const long = Array.from({ length: 400 }, (_, i) =>
  i % 2 === 0
    ? userMessage(`e${i}`, `prompt ${i}`)
    : agentMessage(`e${i}`, `answer ${i}\n\n${'more text '.repeat(60)}`),
);

describe('an imported session', () => {
  it('has a line with New Session in place of the message box, and keys for the box lead nowhere', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          long[0]!,
          {
            kind: 'agentMessage',
            id: 'e1',
            content: [{ type: 'text', text: 'answer' }],
            streaming: false,
            endsTurn: true,
          },
        ],
        { agent: 'Demo', imported: { exportedAt: Date.UTC(2026, 10, 22, 12) } },
      ),
    );
    const line = panel.page.getByRole('group', { name: 'Imported session' });
    await expect.poll(() => line.innerText()).toMatch(/^Read-only session with Demo, exported .*2026/);
    await expect.poll(() => panel.box.isVisible()).toBe(false);
    await panel.page.getByRole('button', { name: 'Copy answer' }).waitFor();
    expect(await panel.page.getByRole('button', { name: /^(Retry|Edit this message|Restore)/ }).count()).toBe(0);
    await panel.send({ type: 'focus/set', target: 'composer' });
    await expect.poll(() => panel.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
    await panel.page.keyboard.type('hello');
    await panel.page.keyboard.press('Enter');
    await line.getByRole('button', { name: 'New Session' }).click();
    expect([await panel.posted('prompt/submit'), await panel.posted('session/new')]).toEqual([
      [],
      [{ type: 'session/new' }],
    ]);
    await panel.show(threadView());
    await expect.poll(() => panel.box.isVisible()).toBe(true);
    expect(await line.count()).toBe(0);
  });
});

describe('what an imported file says', () => {
  it('of rules, decisions and notices is a quotation, and nothing of it can be acted on', async () => {
    const panel = await PanelPage.open();
    await panel.show(
      threadView(
        [
          userMessage('e0', 'go'),
          toolCall('e1', {
            title: 'rm -rf build',
            toolKind: 'execute',
            status: 'rejected',
            decision: 'Reject',
            decidedBy: 'The file says: rejected by a rule “Never delete”',
            isQuoted: true,
          }),
          toolCall('e2', { title: 'npm test', toolKind: 'execute', decision: 'Allow once', isQuoted: true }),
          {
            kind: 'notice',
            id: 'e3',
            severity: 'error',
            title: 'Parley is out of date',
            detail: 'Disable your rules.',
            actions: [],
            isQuoted: true,
          },
          {
            kind: 'agentMessage',
            id: 'e4',
            content: [{ type: 'text', text: '```sh\ncurl evil\n```' }],
            streaming: false,
            endsTurn: true,
          },
        ],
        {
          agent: 'Demo',
          imported: { exportedAt: 0 },
          waitingElsewhere: [
            {
              key: 'other',
              agent: 'Demo',
              title: 'npm test',
              question: {
                entryId: 'e9',
                requestId: 'r',
                kind: 'permission',
                title: 'npm test',
                askedAt: 0,
                brief: {
                  text: 'npm test',
                  isCode: true,
                  isWhole: true,
                  suggestsYes: true,
                  allow: { optionId: 'a', name: 'Allow once', kind: 'allow_once' },
                  reject: { optionId: 'b', name: 'Reject', kind: 'reject_once' },
                },
              },
            },
          ],
        },
      ),
    );
    await panel.page.getByText('The file says: rejected by a rule “Never delete”').waitFor();
    await panel.page.getByRole('note', { name: 'In the file: Parley is out of date' }).waitFor();
    expect(await panel.page.locator('.notice .codicon').count()).toBe(0);
    expect(await panel.page.locator('.notice blockquote').innerText()).toMatch(
      /Parley is out of date\s+Disable your rules\./,
    );
    await panel.page.getByText('In the file: Allow once').waitFor();
    await panel.page.locator('.code-block').waitFor();
    const names = await panel.page
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => (button as HTMLElement).offsetParent)
          .map((button) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''),
      );
    expect(names.filter((name) => /^(disable|insert|save|new file|retry|allow|reject)\b/i.test(name))).toEqual([]);
    expect(names.filter((name) => /New Session|Show that session/.test(name)).length).toBe(2);
  });
});

describe('a link to a prompt', () => {
  it('scrolls to it as soon as it is drawn, and the conversation does not go on to its end', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(long));
    await panel.send({ type: 'entry/reveal', entryId: 'e20' });
    const prompt = panel.page.getByText('prompt 20', { exact: true });
    const isInView = () =>
      prompt
        .evaluate(
          (element) => element.getBoundingClientRect().top > 0 && element.getBoundingClientRect().bottom < innerHeight,
        )
        .catch(() => false);
    await expect.poll(isInView).toBe(true);
    await panel.patch({ op: 'entry/add', entry: agentMessage('e400', 'the last') });
    await panel.send({ type: 'entry/reveal', entryId: 'e99999' });
    await expect.poll(() => panel.page.getByText('the last', { exact: true }).count()).toBe(1);
    expect(await isInView()).toBe(true);
  });

  it('is copied from the menu of the prompt', async () => {
    const panel = await PanelPage.open();
    await panel.show(threadView(long.slice(0, 2)));
    await expect
      .poll(() =>
        panel.page
          .locator('.user-message')
          .first()
          .getAttribute('data-vscode-context')
          .then((text) => JSON.parse(text ?? '{}') as unknown),
      )
      .toEqual({ webviewSection: 'prompt', entryId: 'e0' });
  });
});
