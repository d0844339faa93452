import { Terminal } from '@xterm/headless';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TitleFilter } from '../../../src/thread/titleFilter';
import { tries } from '../../fakes/tries';
import { workTime } from '../../fakes/workTime';

const filtered = (...pieces: string[]) => {
  const filter = new TitleFilter();
  return pieces.map((piece) => filter.filter(piece)).join('');
};
const ST = '\x1b\\';

describe('TitleFilter', () => {
  it.each<[name: string, output: string, shown: string]>([
    ['a title', 'a\x1b]0;Evil\x07b', `a${ST}b`],
    ['a title with ST', 'a\x1b]2;Evil\x1b\\b', `a${ST}${ST}b`],
    ['an icon name, in C1', 'a\x9d1;Evil\x9cb', `a${ST}b`],
    ['a folder', '\x1b]7;file:///evil\x07', ST],
    ['a folder of ConEmu', '\x1b]9;9;/evil\x07', ST],
    ['shell integration', '\x1b]633;P;Cwd=/evil\x07\x1b]133;A\x07', ST + ST],
    ['a folder of iTerm', '\x1b]1337;CurrentDir=/evil\x07', ST],
    ['a number with controls in it', '\x1b]6\x013\n3;A\x07', ST],
    ['controls between the introducer’s characters', '\x1b\r\n\x7f]0;Evil\x07', `\r\n\x7f${ST}`],
    ['one inside of another', '\x1b\x1b]0;x\x07]0;Evil\x07', `${ST}]0;Evil\x07`],
    ['one that begins anew', '\x1b]0;a\x9d0;b\x07c', `${ST}${ST}c`],
    ['one that another sequence ends', '\x1b]0;a\x1b[31mred', `${ST}\x1b[31mred`],
    ['one in a device control string', '\x1bPq\x1b]0;Evil\x07x', `\x1bPq${ST}x`],
    ['one that is aborted', '\x1b]8;;x\x18y', `${ST}\x18y`],
    ['one without an end', 'a\x1b]0;Evil', 'a'],
    ['one that is too long', `a\x1b]8;;${'x'.repeat(5_000)}\x07b`, `a${ST}b`],
    [
      'colours and links',
      '\x1b[31mred\x1b]8;;https://example.com\x07link\x1b]8;;\x07\x1b]10;#fff\x1b\\',
      `\x1b[31mred\x1b]8;;https://example.com${ST}link\x1b]8;;${ST}\x1b]10;#fff${ST}${ST}`,
    ],
  ])('%s', (_name, output, shown) => {
    expect(filtered(output)).toBe(shown);
    expect(filtered(...output)).toBe(shown);
  });

  it('what is left renames no terminal and reaches none of its other commands, wherever it is cut', async () => {
    const told: string[] = [];
    const terminal = new Terminal({ allowProposedApi: true, logLevel: 'off' });
    terminal.onTitleChange((title) => told.push(title));
    for (const id of [1, 7, 9, 52, 99, 133, 633, 777, 1337])
      terminal.parser.registerOscHandler(id, (data) => told.push(`${id} ${data}`) > 0);
    const parts = fc.constantFrom(
      '\x1b',
      ']',
      '\x9d',
      '0;T',
      '2;T',
      '633;A',
      '7;x',
      '\x07',
      '\x9c',
      '\\',
      '\x18',
      '\x90',
      'P',
      '\x98',
      '[',
      '1m',
      '\n',
      '\x7f',
      'x',
      '8;;l',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { maxLength: 30 }).map((all) => all.join('')),
        fc.nat(40),
        async (output, cut) => {
          await new Promise<void>((resolve) =>
            terminal.write(`${filtered(output.slice(0, cut), output.slice(cut))}\x1b\\`, resolve),
          );
          return told.length === 0;
        },
      ),
      { numRuns: tries(2_400) },
    );
    terminal.dispose();
  });

  it('a flood takes linear time', () => {
    const start = workTime();
    for (const unit of ['\x1b', '\x1b]', '\x1b]0;x\x07', '\x9d', 'x'])
      for (const filter = new TitleFilter(), pieces = Array<string>(50); pieces.length > 0; pieces.pop())
        filter.filter(unit.repeat(10_000));
    expect(workTime() - start).toBeLessThan(8_000);
  });
});
