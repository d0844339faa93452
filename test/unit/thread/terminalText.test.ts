import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { TerminalText } from '../../../src/thread/terminalText';
import { Random } from '../../fakes/random';
import { tries } from '../../fakes/tries';

const ESC = '\x1b';

function reduce(
  data: string,
  options: { cols?: number; rows?: number; newlineReturns?: boolean; pieces?: readonly string[] } = {},
): string {
  let text = '';
  const terminal = new TerminalText(
    { cols: options.cols ?? 20, rows: options.rows ?? 5, newlineReturns: options.newlineReturns ?? false },
    (line) => (text += line),
  );
  for (const piece of options.pieces ?? [data]) terminal.write(piece);
  return text + terminal.screenText();
}

/** What the emulator of VS Code itself says: scrollback and screen, wrapped rows joined, blank end cut. */
async function emulate(data: string, cols: number, rows: number): Promise<string> {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 2_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(data, resolve));
  const { normal } = terminal.buffer;
  let text = '';
  for (let y = 0; y < normal.length; y++) {
    const wrapped = normal.getLine(y + 1)?.isWrapped ?? false;
    text += normal.getLine(y)!.translateToString(true) + (wrapped ? '' : '\n');
  }
  terminal.dispose();
  return text;
}

const withoutEnd = (text: string) => text.replace(/\n+$/, '');

describe('what an agent reads of a terminal', () => {
  it.each<[law: string, input: string, expected: string]>([
    ['plain lines stay as they are, without returns', 'a\r\nb\r\n', 'a\nb\n'],
    ['no line end is added at the end', 'prompt> ', 'prompt> '],
    ['empty lines stay', 'a\r\n\r\n\r\nb\r\n\r\n', 'a\n\n\nb\n\n'],
    ['spaces at the end of a line stay', 'a  \r\nb', 'a  \nb'],
    ['colours vanish', `${ESC}[1;31mred${ESC}[0m ${ESC}[38;2;1;2;3mrgb${ESC}[m`, 'red rgb'],
    ['a line that is rewritten collapses', '10%\r50%\r100%\r\ndone', '100%\ndone'],
    ['a shorter rewrite leaves the rest, as a terminal does', 'abcdef\rxy', 'xycdef'],
    ['erase to the end of the line', `abcdef\rxy${ESC}[K\r\n`, 'xy\n'],
    ['erase the whole line', `abcdef${ESC}[2K\rxy`, 'xy'],
    ['progress on several lines through cursor up', `a 1\r\nb 1\r\n${ESC}[2Aa 2\r\nb 2\r\n`, 'a 2\nb 2\n'],
    ['a long line is whole again', '0123456789012345678901234567890\r\nx', '0123456789012345678901234567890\nx'],
    ['a line as wide as the terminal does not grow', '01234567890123456789\r\nx', '01234567890123456789\nx'],
    ['tabs stay tabs', 'a\tb\r\n\tindented\r\n', 'a\tb\n\tindented\n'],
    ['a tab that is overwritten becomes what is seen', 'a\tb\rxxxx', 'xxxx    b'],
    ['a tab at the right edge is not lost', '0123456789012345678\t\tz\r\n', '0123456789012345678\t\tz\n'],
    ['titles and links vanish', `${ESC}]0;title\x07a${ESC}]8;;https://x${ESC}\\link${ESC}]8;;${ESC}\\`, 'alink'],
    ['device control strings vanish', `a${ESC}P1$r0m${ESC}\\b${ESC}_x${ESC}\\c`, 'abc'],
    ['backspace overwrites', 'abc\b\bX', 'aXc'],
    ['wide characters and combining marks are whole', '日本e\u0301😀\r\n', '日本e\u0301😀\n'],
    ['half of a wide character that is overwritten becomes a space', '日本\rx', 'x 本'],
    ['an emoji of several code points stays together', '👩‍💻 ok', '👩‍💻 ok'],
    ['the alternate screen leaves nothing behind', `a\r\n${ESC}[?1049hfull screen${ESC}[?1049lb`, 'a\nb'],
    ['while it shows, the alternate screen is read too', `a\r\n${ESC}[?1049h${ESC}[Hmenu`, 'a\nmenu'],
    ['clear empties the screen', `a\r\nb\r\n${ESC}[H${ESC}[2Jc`, 'c'],
    ['insert and delete characters', `abc\r${ESC}[2@X\r\nabcdef\r${ESC}[2P`, 'X abc\ncdef'],
    ['insert and delete lines', `a\r\nb\r\nc\r${ESC}[2A${ESC}[LX\r\n${ESC}[M`, 'X\nb\nc'],
    ['save and restore the cursor', `ab${ESC}7\r\nzz${ESC}8c`, 'abc\nzz'],
    ['repeat the last character', `-${ESC}[4b`, '-----'],
    ['a sequence that was cancelled is not text', `a${ESC}[12\x18b`, 'ab'],
    ['a scroll region keeps the lines below', `${ESC}[1;2ra\r\nb\r\nc${ESC}[r${ESC}[3;1Hend`, 'a\nb\nc\nend'],
    ['an unknown sequence vanishes', `a${ESC}[?2026h${ESC}[>4;2m${ESC}(Bb`, 'ab'],
    ['NUL and DEL are nothing', 'a\0\x7fb', 'ab'],
  ])('%s', (_law, input, expected) => {
    expect(reduce(input)).toBe(expected);
  });

  it('takes a line feed alone for a new line where no pseudo-terminal made it', () => {
    expect(reduce('a\nb\n', { newlineReturns: true })).toBe('a\nb\n');
    expect(reduce('a\nb', { newlineReturns: false })).toBe('a\n b');
  });

  it('gives the same text however the output is cut into pieces', () => {
    const random = new Random(1);
    for (let round = 0; round < tries(1_000); round++) {
      const data = stream(random, ['日', '😀', 'e\u0301', '\t', `${ESC}]0;t\x07`, `${ESC}[?1049h`, `${ESC}[?1049l`]);
      expect(reduce(data, { pieces: random.cut(data, 3) }), JSON.stringify(data)).toBe(reduce(data));
    }
  });

  it.each([false, true])(
    'gives the same text of a flood that is taken at once (without a pseudo-terminal: %s)',
    (newlineReturns) => {
      const random = new Random(newlineReturns ? 6 : 5);
      const words = [
        'word ',
        'a longer piece of text ',
        '   ',
        '\t',
        `${ESC}[1;31m`,
        `${ESC}[0m`,
        `${ESC}[K`,
        `${ESC}(B`,
        `${ESC}]8;;https://x${ESC}\\`,
        '日本',
        '😀',
        'é',
        'e\u0301',
        'x'.repeat(50),
      ];
      // Once in a while comes what it takes a terminal for.
      const rare = [
        `${ESC}[2A`,
        `${ESC}[?7l`,
        `${ESC}[?7h`,
        `${ESC}[2;4r`,
        `${ESC}[r`,
        `${ESC}[?1049h`,
        `${ESC}[?1049l`,
        `${ESC}7`,
        `${ESC}8`,
        `${ESC}[5b`,
        '\r',
        '\b',
        '\n',
        '\u0301',
        `${ESC}[2J`,
        `${ESC}[H`,
        `${ESC}[999B`,
      ];
      for (let round = 0; round < tries(200); round++) {
        const often = random.pick([0, 0, 500, 100, 20]);
        const line = () =>
          Array.from({ length: random.below(6) }, () =>
            often > 0 && random.below(often) === 0 ? random.pick(rare) : random.pick(words),
          ).join('') + (newlineReturns ? '\n' : random.pick(['\r\n', '\r\n', '\r\r\n']));
        const data =
          Array.from({ length: 600 }, line).join('') + random.pick(['', 'end', `${ESC}[3b`, `${ESC}8x`, `${ESC}[`]);
        const size = { cols: random.pick([10, 40, 100]), rows: random.pick([2, 5, 30]), newlineReturns };
        const bit = Math.ceil(data.length / 4_000);
        const bits = Array.from({ length: bit }, (_, i) => data.slice(i * 4_000, (i + 1) * 4_000));
        const slow = reduce(data, { ...size, pieces: bits });
        expect(reduce(data, size) === slow, `round ${round}`).toBe(true);
        const middle = random.below(data.length);
        expect(
          reduce(data, { ...size, pieces: [data.slice(0, middle), data.slice(middle)] }) === slow,
          `round ${round}, in two pieces`,
        ).toBe(true);
      }
    },
  );

  it('agrees with the emulator of VS Code on random output', async () => {
    const random = new Random(2);
    for (let round = 0; round < tries(1_200); round++) {
      const data = stream(random, ['日', '本']);
      const [cols, rows] = [4 + random.below(20), 2 + random.below(6)];
      expect(withoutEnd(reduce(data, { cols, rows })), `${cols}x${rows} ${JSON.stringify(data)}`).toBe(
        withoutEnd(await emulate(data, cols, rows)),
      );
    }
  });

  it('agrees with the emulator also where tabs are seen as spaces', async () => {
    const random = new Random(3);
    for (let round = 0; round < tries(600); round++) {
      const data = Array.from({ length: 30 }, () => random.pick(['ab', 'c', '\t', '\r\n', 'long words here '])).join(
        '',
      );
      const text = reduce(data, { cols: 1_000, rows: 5 }).replaceAll(/[^\n]*/g, expandTabs);
      expect(trimLines(text), JSON.stringify(data)).toBe(trimLines(await emulate(data, 1_000, 5)));
    }
  });

  it('survives a change of size at any moment', () => {
    const random = new Random(4);
    for (let round = 0; round < 300; round++) {
      let text = '';
      const terminal = new TerminalText({ cols: 20, rows: 5 }, (line) => (text += line));
      for (let i = 0; i < 30; i++) {
        terminal.write(`line ${i}\r\n`);
        if (random.below(3) === 0) terminal.resize(2 + random.below(40), 1 + random.below(12));
      }
      expect(text + terminal.screenText()).toBe(Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join(''));
    }
  });
});

function stream(random: Random, extra: readonly string[]): string {
  const pieces = ['a', 'bc', 'word ', 'a longer piece of text', '   ', '\r\n', '\r\n', '\r', '\n', '\b', ...extra];
  const sequences = [
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'G',
    'J',
    'K',
    'X',
    'P',
    '@',
    'L',
    'M',
    'd',
    'm',
    '2J',
    '1K',
    '2K',
    '2;3H',
    's',
    'u',
    'S',
    'T',
  ];
  return Array.from({ length: 1 + random.below(40) }, () => {
    if (random.below(3) > 0) return random.pick(pieces);
    const sequence = random.pick(sequences);
    return `${ESC}[${/^[A-Z@d]$/.test(sequence) && !'JK'.includes(sequence) && random.below(2) ? 1 + random.below(5) : ''}${sequence}`;
  }).join('');
}

function expandTabs(line: string): string {
  let result = '';
  for (const char of line) result += char === '\t' ? ' '.repeat(8 - (result.length % 8)) : char;
  return result;
}

function trimLines(text: string): string {
  return withoutEnd(
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n'),
  );
}
