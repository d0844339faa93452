import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import type { FakeAgent } from './fakeAgent';
import { test, type Window } from './harness';
import { clickLens, lens, scriptedAgent, toChange, toTop, writes } from './underReview';

/* Comments on lines and what is told of undone changes, once with the mouse and once with the keyboard. */

/** The agent changes line 4 of a file in `src` and takes line 9 out. Each story has a file without comments. */
async function edited(window: Window, name: string): Promise<Chat> {
  const path = join(window.folder, 'src', name);
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = lines
    .map((line, i) => (i === 3 ? '  readonly kind: Kind;' : line))
    .toSpliced(8, 1)
    .join('\n');
  const chat = new Chat(await window.openChat());
  await chat.send(writes({ [path]: text }));
  await chat.idle();
  await window.workbench.statusBarItem(/^2 changes to review/).waitFor();
  await window.workbench.openFile(name);
  await toTop(window);
  return chat;
}

const box = (window: Window) => window.workbench.page.locator('.review-widget .monaco-editor.focused');

/** Types into the box once it has the focus, and adds the comment. */
async function comment(window: Window, text: string): Promise<void> {
  await box(window).waitFor();
  await window.workbench.page.keyboard.type(text);
  await window.workbench.page
    .locator('.review-widget a.monaco-button:not(.disabled)')
    .filter({ hasText: 'Add Comment' })
    .waitFor();
  await window.workbench.page.keyboard.press('Control+Enter');
}

const prompts = (fake: FakeAgent) =>
  fake.received('session/prompt').map(({ params }) => JSON.stringify((params as { prompt: unknown }).prompt));

test('with the mouse: where VS Code hides comments, Parley says so and shows them; a comment on a change and an undone change are sent as one message', async ({
  openWindow,
}) => {
  const fake = scriptedAgent();
  const window = await openWindow({ settings: { ...fake.settings, 'comments.visible': false }, fresh: true });
  const chat = await edited(window, 'tokenizer.ts');
  const { page } = window.workbench;
  await clickLens(window, /Comment/);
  const hidden = window.workbench.notification('VS Code did not open a comment box');
  await hidden.waitFor();
  await hidden.getByRole('button', { name: 'Show Comments' }).click();
  await box(window).waitFor();
  await page.keyboard.type('Name it TokenKind');
  await page.getByRole('button', { name: 'Add Comment' }).click();
  await chat.button(/^1 comment$/).waitFor();
  await clickLens(window, /Undo/, 'bottom');
  await chat.frame.getByText('Undone changes will be sent with your next message').waitFor();
  await chat.button(/^1 comment$/).click();
  await expect.poll(() => chat.frame.getByRole('list', { name: 'To be sent' }).getByRole('listitem').count()).toBe(1);
  await chat.button('Send now').click();
  await chat.log.locator('.user-message').getByText('Name it TokenKind').waitFor();
  await until('the message at the agent', () => prompts(fake).length === 2);
  const sent = prompts(fake)[1]!;
  for (const part of [
    'src/tokenizer.ts:4',
    '-  readonly kind: TokenKind;',
    '+  readonly kind: Kind;',
    'Name it TokenKind',
    'I undid this change of yours',
  ])
    expect(sent).toContain(part);
  await expect.poll(() => chat.button(/1 comment/).count()).toBe(0);
  // By its own default VS Code opens the Comments panel over a third of the editor.
  expect(await page.locator('.part.panel .comments-panel').count()).toBe(0);
  fake.check();
});

test('with the keyboard: a comment survives a reload, follows its line, and goes with what is typed', async ({
  openWindow,
}) => {
  const fake = scriptedAgent();
  const window = await openWindow({
    settings: { ...fake.settings, 'parley.review.feedback': 'always' },
    fresh: true,
  });
  await edited(window, 'parser.ts');
  const { page } = window.workbench;
  // On a line that is no change, as soon as the file is open.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Shift+Alt+Enter');
  await comment(window, 'And the end?');
  await new Chat(await window.workbench.chat()).button(/^1 comment$/).waitFor();
  // The box lies over the text now; the file takes the focus a moment after it was chosen.
  await window.workbench.openFile('parser.ts');
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          document.activeElement?.closest('.editor-instance') !== null &&
          document.activeElement?.closest('.review-widget') === null,
      ),
    )
    .toBe(true);
  await page.keyboard.press('Control+Home');
  // From then on F7 is Parley's.
  await lens(window, /Keep|Undo/)
    .first()
    .waitFor();
  await toChange(window, /^Change 1 of 2 to review/);
  await page.keyboard.press('Shift+Alt+Enter');
  await comment(window, 'Why shorter?');
  await new Chat(await window.workbench.chat()).button(/^2 comments$/).waitFor();
  await window.workbench.reload();
  await window.workbench.openFile('parser.ts');
  const chat = new Chat(await window.openChat());
  await chat.button(/^2 comments$/).waitFor();
  // The panel takes the focus once it is shown; only then is it the editor's again.
  await expect
    .poll(() => chat.box.evaluate((box) => box.ownerDocument.activeElement === box && box.ownerDocument.hasFocus()))
    .toBe(true);
  await toTop(window);
  await page.keyboard.type('//\n');
  await toChange(window, /^Change 1 of 2 to review/);
  await toChange(window, /^Change 2 of 2 to review/);
  await page.keyboard.press('Alt+Backspace');
  await chat.button(/^2 comments and 1 undone change$/).waitFor();
  await chat.send('Please look');
  await until('the message at the agent', () => prompts(fake).length === 2);
  const sent = prompts(fake)[1]!;
  for (const part of ['Please look', 'src/parser.ts:5', 'Why shorter?', 'And the end?', 'I undid this change of yours'])
    expect(sent).toContain(part);
  fake.check();
});
