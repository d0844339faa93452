import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { FakeAgent } from './fakeAgent';
import type { Window } from './harness';

/* What the tests of the review begin with: files that an agent has changed, and nobody has agreed to. */

/** The files of the sample workspace that the demo agent changes, in `src`. */
export const demoFiles = ['tokenizer.ts', 'parser.ts', 'evaluate.ts'] as const;
/** What the demo agent's two changes in the tokenizer bring with them. */
export const hex = /0x/;
export const percent = /\*\/%\^/;

export interface UnderReview {
  readonly chat: Chat;
  readonly disk: (name: string) => string;
  /** Every file as it was before the first prompt, and before the second. */
  readonly before: Readonly<Record<string, string>>;
  readonly between: Readonly<Record<string, string>>;
}

export function demoTexts(window: Window): Record<string, string> {
  return Object.fromEntries(demoFiles.map((name) => [name, readFileSync(join(window.folder, 'src', name), 'utf8')]));
}

/**
 * Two turns of the demo agent: one change in the tokenizer, then a second one there and one in each of two other files.
 */
export async function demoEdits(window: Window): Promise<UnderReview> {
  const before = demoTexts(window);
  const chat = new Chat(await window.openChat());
  await chat.send('/edit');
  await chat.answer(/^Permission: Edit src/, 'Always allow edits');
  await chat.idle();
  const between = demoTexts(window);
  await chat.send('/edit several');
  await chat.idle();
  // Where saving takes long, VS Code shows the file in an editor, and the counter its place.
  await window.workbench.statusBarItem(/^(4 changes|Change . of 4) to review/).waitFor();
  await window.workbench.runCommand('View: Close All Editors');
  await window.workbench.statusBarItem(/^4 changes to review/).waitFor();
  return { chat, disk: (name) => readFileSync(join(window.folder, 'src', name), 'utf8'), before, between };
}

/** A scriptable agent whose wire is recorded. */
export function scriptedAgent(name?: string): FakeAgent {
  const log = join(mkdtempSync(join(tmpdir(), 'parley-review-')), 'wire.jsonl');
  return new FakeAgent(log, {}, name === undefined ? {} : { name });
}

/**
 * The prompt that makes the scripted agent write files through the editor.
 * @param files absolute paths and what each is to hold
 */
export function writes(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .map(([path, text]) => `@@WRITE ${path} ${Buffer.from(text).toString('base64')}`)
    .join('\n');
}

/** A lens over a change. */
export function lens(window: Window, name: RegExp) {
  return window.workbench.page.locator('.codelens-decoration a').filter({ hasText: name });
}

/**
 * Clicks the uppermost or lowest lens of a name: in the document they stand in the order in which VS Code drew them.
 */
export async function clickLens(
  window: Window,
  name: RegExp,
  end: 'top' | 'bottom' = 'top',
  options: { timeout?: number } = {},
): Promise<void> {
  const lenses = lens(window, name);
  await lenses.first().waitFor(options);
  const heights = await lenses.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  await lenses.nth(heights.indexOf(end === 'top' ? Math.min(...heights) : Math.max(...heights))).click(options);
}

/**
 * Decides with the uppermost of so many lenses of a name. VS Code makes its lenses anew after each decision and each
 * save, and a click on one of before is lost.
 */
export async function decideTop(
  window: Window,
  name: RegExp,
  count: number,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await until(
    `${name.source} to be done`,
    async () => {
      if (await isDone()) return true;
      if ((await lens(window, name).count()) === count)
        await clickLens(window, name, 'top', { timeout: 5_000 }).catch(() => undefined);
      return false;
    },
    { interval: 1_000 },
  );
}

/**
 * Puts the cursor at the beginning of the file that is open and under review. VS Code draws lenses after it knows that
 * the file has changes: from then on F7 is Parley's.
 */
export async function toTop(window: Window): Promise<void> {
  await window.workbench.page.locator('.editor-instance .view-lines').first().click();
  await window.workbench.page.keyboard.press('Control+Home');
  await lens(window, /Keep|Undo/)
    .first()
    .waitFor();
}

/** Presses F7 and waits until the counter stands at a change. */
export async function toChange(window: Window, name: RegExp): Promise<void> {
  const { page } = window.workbench;
  const counter = window.workbench.statusBarItem(/to review/);
  await counter.waitFor();
  await page.keyboard.press('F7');
  await until(
    async () => `the counter at ${name.source}; it reads: ${(await counter.allInnerTexts()).join(' and ')}`,
    async () => (await window.workbench.statusBarItem(name).count()) > 0,
  );
}

/** Goes to a control of the panel with the keys, from where the focus is. */
export async function walkTo({ workbench }: Window, key: 'Tab' | 'Shift+Tab', target: Locator): Promise<void> {
  await target.waitFor();
  const passed: string[] = [];
  const hasFocus = () =>
    target.evaluate((element) => element === element.ownerDocument.activeElement && element.ownerDocument.hasFocus());
  await until(
    () => `the focus on ${String(target)}; the keys led to: ${passed.join(', ')}`,
    async () => {
      // VS Code may have taken the focus for an editor that has loaded.
      await target.evaluate(
        ({ ownerDocument: { activeElement, hasFocus } }) =>
          void (hasFocus.call(document) || (activeElement as HTMLElement | null)?.focus()),
      );
      await workbench.page.keyboard.press(key);
      passed.push(
        await target.evaluate(
          ({ ownerDocument: { activeElement } }) =>
            activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.slice(0, 40) ?? 'nothing',
        ),
      );
      return hasFocus();
    },
  );
}

/** Goes to a control of the panel with the keys, and presses Enter there. */
export async function pressOn(window: Window, key: 'Tab' | 'Shift+Tab', target: Locator): Promise<void> {
  await walkTo(window, key, target);
  await window.workbench.page.keyboard.press('Enter');
}

/** Pictures for a user to look at: in three themes, in the folder that `PARLEY_PICTURES` names, else none. */
export async function picture({ workbench }: Window, name: string): Promise<void> {
  const folder = process.env['PARLEY_PICTURES'];
  if (!folder) return;
  for (const theme of ['Light Modern', 'Default High Contrast', 'Dark Modern'] as const) {
    await workbench.setTheme(theme);
    await workbench.screenshot(join(folder, `${name} ${theme}.png`));
  }
}
