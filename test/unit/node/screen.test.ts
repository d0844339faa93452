import { afterEach, describe, expect, it } from 'vitest';
import { Screen } from '../../../src/node/screen';
import type { TerminalRow } from '../../../src/protocol/terminalView';
import { Random } from '../../fakes/random';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

const ESC = '\x1b';
const screens: Screen[] = [];
const newScreen = (cols = 20, rows = 5, newlineReturns = false) => {
  const screen = new Screen({ cols, rows, newlineReturns });
  screens.push(screen);
  return screen;
};
afterEach(() => screens.splice(0).forEach((screen) => screen.dispose()));

const textOf = (row: TerminalRow) => row.map((run) => run.text).join('');

async function rowsOf(data: string, cols = 20, rows = 5): Promise<readonly TerminalRow[]> {
  const screen = newScreen(cols, rows);
  screen.write(data);
  await screen.update();
  return screen.view.rows;
}

describe('what a terminal card shows', () => {
  it.each<[law: string, input: string, rows: unknown]>([
    ['plain text has no look', 'hello\r\n', [[{ text: 'hello' }]]],
    [
      'the sixteen colours are classes',
      `${ESC}[31ma${ESC}[97;44mb`,
      [
        [
          { text: 'a', classes: 'fg-1' },
          { text: 'b', classes: 'fg-15 bg-4' },
        ],
      ],
    ],
    ['attributes are classes', `${ESC}[1;2;3;4;7;9mx`, [[{ text: 'x', classes: 'b i u dim inv strike' }]]],
    [
      '256 colours are resolved',
      `${ESC}[38;5;196mr${ESC}[48;5;240mg${ESC}[38;5;9mn`,
      [
        [
          { text: 'r', fg: '#ff0000' },
          { text: 'g', fg: '#ff0000', bg: '#585858' },
          { text: 'n', classes: 'fg-9', bg: '#585858' },
        ],
      ],
    ],
    ['true colours stay', `${ESC}[38;2;1;2;255mx`, [[{ text: 'x', fg: '#0102ff' }]]],
    ['equal neighbours are one run', `${ESC}[32ma${ESC}[0m${ESC}[32mb`, [[{ text: 'ab', classes: 'fg-2' }]]],
    ['hidden text is not shown', `a${ESC}[8msecret${ESC}[0mb`, [[{ text: 'a      b' }]]],
    ['a progress bar is rewritten', '10%\r\x1b[K99%', [[{ text: '99%' }]]],
    ['empty rows stay, blank ones at the end go', 'a\r\n\r\nb\r\n\r\n\r\n', [[{ text: 'a' }], [], [{ text: 'b' }]]],
    ['wide characters take two columns and are one', '日本', [[{ text: '日本' }]]],
  ])('%s', async (_law, input, rows) => {
    expect(await rowsOf(input)).toEqual(rows);
  });

  it('the alternate screen shows in place of the normal one and leaves no trace', async () => {
    const screen = newScreen();
    screen.write(`before\r\n${ESC}[?1049h${ESC}[Hfull`);
    await screen.update();
    expect(screen.view.rows.map(textOf)).toEqual(['full']);
    screen.write(`${ESC}[?1049lafter`);
    await screen.update();
    expect(screen.view.rows.map(textOf)).toEqual(['before', 'after']);
  });

  it('keeps some hundred rows and numbers them for ever', async () => {
    const screen = newScreen();
    for (let i = 0; i < 2_000; i++) {
      screen.write(`line ${i}\r\n`);
      if (i % 37 === 0) await screen.update();
    }
    await screen.update();
    const { firstRow, rows } = screen.view;
    expect(rows.length).toBeLessThanOrEqual(505);
    expect(textOf(rows[0]!)).toBe(`line ${firstRow}`);
    expect(textOf(rows.at(-1)!)).toBe('line 1999');
  });

  it('a flood is not emulated where nobody looks', async () => {
    const screen = newScreen(80, 24);
    const started = workTime();
    for (let i = 0; i < 400; i++) screen.write('a line of a flood that is as long as lines are\r\n'.repeat(1_500));
    screen.write('the end\r\n');
    await screen.update();
    expect(textOf(screen.view.rows.at(-1)!)).toBe('the end');
    expect(workTime() - started).toBeLessThan(10_000);
  });

  it('patches lead a copy to the same rows as a look at once, however the output is cut', async () => {
    const random = new Random(5);
    for (let round = 0; round < tries(200); round++) {
      const data = Array.from({ length: 10 + random.below(300) }, () =>
        random.pick([
          'word ',
          'a longer piece of text',
          '\r\n',
          '\r\n',
          '\r',
          `${ESC}[A`,
          `${ESC}[2A`,
          `${ESC}[K`,
          `${ESC}[J`,
          `${ESC}[1J`,
          `${ESC}[2J${ESC}[H`,
          `${ESC}[M`,
          `${ESC}[L`,
          `${ESC}[31m`,
          `${ESC}[?1049h`,
          `${ESC}[?1049l`,
          `${ESC}[2;4r`,
          `${ESC}[r`,
        ]),
      ).join('');
      const screen = newScreen();
      let copy: { firstRow: number; rows: readonly TerminalRow[] } = { firstRow: 0, rows: [] };
      for (const piece of random.cut(data, 200)) {
        screen.write(piece);
        const change = await screen.update();
        if (!change) continue;
        expect(change.start).toBeGreaterThanOrEqual(copy.firstRow);
        // The receiver's rule, from `Replica`.
        copy = {
          firstRow: change.firstRow,
          rows: [
            ...copy.rows.slice(Math.max(0, change.firstRow - copy.firstRow), Math.max(0, change.start - copy.firstRow)),
            ...change.rows,
          ],
        };
        expect(copy).toEqual(screen.view);
      }
      expect(copy.rows, JSON.stringify(data)).toEqual(await rowsOf(data));
    }
  });

  it('a change of size keeps the text', async () => {
    const screen = newScreen(20, 5);
    screen.write('a line that is longer than the screen\r\nshort\r\n');
    await screen.update();
    const before = screen.view;
    screen.resize(60, 10);
    const change = await screen.update();
    expect(change!.start).toBe(before.firstRow);
    expect(screen.view.rows.map(textOf)).toEqual(['a line that is longer than the screen', 'short']);
    // None of it is gone, however often the user drags an edge.
    screen.resize(10, 4);
    await screen.update();
    screen.resize(60, 10);
    await screen.update();
    expect(screen.view.firstRow).toBe(0);
    expect(screen.view.rows.map(textOf)).toEqual(['a line that is longer than the screen', 'short']);
    screen.write('more\r\n');
    await screen.update();
    expect(screen.view.rows.map(textOf)).toEqual(['a line that is longer than the screen', 'short', 'more']);
  });

  it('output without a pseudo-terminal begins each line at the left', async () => {
    const screen = newScreen(20, 5, true);
    screen.write('a\nb\n');
    await screen.update();
    expect(screen.view.rows.map(textOf)).toEqual(['a', 'b']);
  });
});
