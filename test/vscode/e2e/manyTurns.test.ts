import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../launch/poll.mjs';
import { Chat } from './chat';
import { test } from './harness';
import { picture, scriptedAgent } from './underReview';

/*
 * A session of fourteen turns that edit twelve files, each near what earlier turns have edited, and a second session
 * beside it.
 */

const FILES = 12;
const TURNS = 14;
const name = (file: number) => `part${file}.txt`;
/** The two files that a turn edits; turns 2, 8 and 14 edit the same two. */
const filesOf = (turn: number) => [turn % 6, (turn % 6) + 6];
const before = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
/** The turn replaces one line by two, below those of the turn before it. */
const lineOf = (turn: number) => `line ${10 + Math.floor((turn - 1) / 6)}`;
const linesBy = (turn: number) => [`turn ${turn} one`, `turn ${turn} two`];
/** A file as some turns have left it. */
const text = (turns: readonly number[]) =>
  `${before
    .flatMap((line) => {
      const turn = turns.find((one) => lineOf(one) === line);
      return turn === undefined ? [line] : linesBy(turn);
    })
    .join('\n')}\n`;

test('after fourteen turns all counts agree, and Undo and Keep of a turn mean what that turn did', async ({
  openWindow,
}) => {
  const agent = scriptedAgent();
  const window = await openWindow({ settings: { ...agent.settings }, fresh: true });
  const { workbench } = window;
  const at = (file: string) => join(window.folder, file);
  const disk = (file: number) => readFileSync(at(name(file)), 'utf8');
  for (let file = 0; file < FILES; file++) writeFileSync(at(name(file)), `${before.join('\n')}\n`);
  writeFileSync(at('other.txt'), 'one\ntwo\n');
  const chat = new Chat(await window.openChat());
  const bar = chat.frame.getByRole('list', { name: 'Changed files' });
  const strip = chat.frame.locator('.pending-strip');
  /**
   * The line of a turn, below the turn's last card. Later turns show lines of earlier ones around theirs. It is found
   * anew for each click, because entries that come near move its place among the lines.
   */
  const lineOfTurn = (turn: number) => {
    const [own, later] = [turn, turn + 6].map((one) => linesBy(one)[0]!);
    const card = `preceding-sibling::*[1][contains(., "${own}")][not(contains(., "${later}"))]`;
    return chat.frame.locator(`xpath=//*[@role="group"][@aria-label="Changes in this turn"][${card}]`);
  };
  const goTo = async (turn: number) => {
    await workbench.runCommand('Parley: Go to Prompt…');
    await workbench.page
      .locator('.quick-input-widget .monaco-list-row')
      .filter({ hasText: `Turn ${turn}.` })
      .click();
  };

  for (let turn = 1; turn <= TURNS; turn++) {
    const edits = filesOf(turn).map(
      (file) => `@@DISKEDIT ${at(name(file))} | ${lineOf(turn)} | ${linesBy(turn).join('\\n')}`,
    );
    await chat.send([`Turn ${turn}.`, ...(turn % 5 === 0 ? [`@@SHELL true`] : []), ...edits].join('\n'));
    await chat.idle();
  }
  await workbench.statusBarItem(/^12 changes to review/).waitFor();
  await until('12 files in the bar', async () => (await bar.getByRole('listitem').count()) === FILES);
  await expect.poll(() => strip.innerText()).toMatch(/56 added, 28 removed/);
  // What the last turn did, by its cards and by its line.
  const cards = chat.frame.locator('.tool-call', { hasText: 'turn 14 one' });
  await expect.poll(() => cards.locator('.review-state').allInnerTexts()).toEqual(['1 to review', '1 to review']);
  await expect.poll(() => lineOfTurn(TURNS).innerText()).toMatch(/2 files\s*\+4\D*2/);
  await picture(window, 'turns many');
  await workbench.runCommand('Parley: Focus on Agent Changes View');
  await until('the same in the tree', async () =>
    /12 files \+56 −28/.test(
      await workbench.page.locator('.pane-header').filter({ hasText: 'Agent Changes' }).innerText(),
    ),
  );

  // Undo under turn 14 takes its lines, not those of turns 2 and 8 beside them.
  await lineOfTurn(TURNS).getByRole('button', { name: 'Undo' }).click();
  await until('the files without turn 14', () => filesOf(TURNS).every((file) => disk(file) === text([2, 8])));
  await until('no line for turn 14', async () => (await lineOfTurn(TURNS).count()) === 0);
  await expect.poll(() => strip.innerText()).toMatch(/52 added, 26 removed/);
  expect(disk(1)).toBe(text([1, 7, 13]));

  // Keep of turn 8 keeps its own: Undo of all the rest leaves just its lines.
  await goTo(8);
  await expect.poll(() => lineOfTurn(8).innerText()).toMatch(/2 files\s*\+4\D*2/);
  await lineOfTurn(8).getByRole('button', { name: 'Keep' }).click();
  await until('no line for turn 8', async () => (await lineOfTurn(8).count()) === 0);
  // The way back is there for some seconds.
  await chat.frame.getByText('2 files kept').waitFor();
  await picture(window, 'turns kept');
  await chat.button('Undo Keep').click();
  await lineOfTurn(8).getByRole('button', { name: 'Keep' }).click();
  await until('no line for turn 8', async () => (await lineOfTurn(8).count()) === 0);
  expect(disk(2)).toBe(text([2, 8]));
  await workbench.statusBarItem(/^12 changes to review/).waitFor();

  // A second session has a bar of its own.
  await workbench.runCommand('Parley: New Session');
  await chat.focused();
  await until('an empty bar', async () => (await bar.count()) === 0);
  await chat.send(`@@DISKEDIT ${at('other.txt')} | two | TWO`);
  await chat.idle();
  await until('one file in the bar', async () => (await bar.getByRole('listitem').count()) === 1);
  await workbench.statusBarItem(/^13 changes to review/).waitFor();
  await picture(window, 'turns second session');
  await chat.button('Undo').last().click();
  await workbench.dialog('Undo this session’s changes in one file?').getByRole('button', { name: 'Undo All' }).click();
  await until('the file as it was', () => readFileSync(at('other.txt'), 'utf8') === 'one\ntwo\n');
  await workbench.statusBarItem(/^12 changes to review/).waitFor();

  // All others are of the first session. The default of the question undoes nothing.
  await workbench.runCommand('Parley: Undo All Changes');
  const question = workbench.dialog('Undo changes of other sessions in 12 files?');
  await question.waitFor();
  await picture(window, 'turns other sessions');
  await expect.poll(() => workbench.page.evaluate(() => document.activeElement?.textContent)).toBe('Show Changes');
  await question.getByRole('button', { name: 'Undo All' }).click();
  await until(
    'only what was kept',
    () => [2, 8].every((file) => disk(file) === text([8])) && [0, 1, 3, 4, 5].every((file) => disk(file) === text([])),
  );
  agent.check();
});
