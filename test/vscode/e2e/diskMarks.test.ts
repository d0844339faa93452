import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import { test } from './harness';
import { lens, picture } from './underReview';

/* An agent writes to a file on disk while it is open: the editor reads it again a moment later. */

test('the right lines are marked after a write to disk', async ({ openWindow }) => {
  const window = await openWindow({ settings: { ...FakeAgent.shared().settings } });
  const { page } = window.workbench;
  const chat = new Chat(await window.openChat());
  await window.workbench.openFile('tokenizer.ts');
  const file = join(window.folder, 'src/tokenizer.ts');
  const lines = () => readFileSync(file, 'utf8').split('\n');
  const before = new Set(lines());
  const old = 'export interface Token {';
  await chat.send(`@@DISKEDIT ${file} | ${old} | // The smallest part.\\nexport interface Token extends Object {`);
  await lens(window, /Keep/).first().waitFor();
  const fresh = () =>
    lines()
      .filter((line) => !before.has(line))
      .map((line) => line.replaceAll(/\s/g, ''));
  /** The lines of the editor that have a mark of ours, as they are drawn. */
  const marked = () =>
    page.evaluate(() => {
      const editor = document.querySelector('.editor-instance .monaco-editor')!;
      const tops = [...editor.querySelectorAll('.view-overlays [class*="TextEditorDecorationType"]')].map((mark) =>
        Math.round(mark.getBoundingClientRect().top),
      );
      const texts = [...editor.querySelectorAll('.view-lines .view-line')].map(
        (line) => [Math.round(line.getBoundingClientRect().top), line.textContent!.replaceAll(/\s/g, '')] as const,
      );
      return [...new Set(tops)]
        .sort((a, b) => a - b)
        .map((top) => texts.find(([at]) => Math.abs(at - top) < 3)?.[1] ?? `nothing at ${top}`);
    });
  expect(fresh().length).toBeGreaterThan(0);
  await until(
    async () => `marks on ${fresh().join(' / ')}; they are on ${(await marked()).join(' / ')}`,
    async () => {
      const [wanted, found] = [fresh(), await marked()];
      return (
        found.length >= wanted.length &&
        wanted.every((line) => found.some((text) => text.startsWith(line))) &&
        found.every((text) => wanted.some((line) => text.startsWith(line)))
      );
    },
  );
  await picture(window, 'disk marks');
  await chat.idle();
});
