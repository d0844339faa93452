import type { IBufferCell, IBufferLine } from '@xterm/headless';
import type { TerminalRow, TerminalRun } from '../protocol/terminalView';

interface Look {
  readonly classes: string;
  readonly fg: string;
  readonly bg: string;
}

/**
 * One row of the emulator as runs of equal look. Blank cells at the end are left out, so an empty row has no runs.
 * Classes: `b i u dim inv strike`, `fg-0` … `fg-15`, `bg-0` … `bg-15`; other colours as `#rrggbb`.
 * @param scratch a cell to read into, so that none is created per column.
 */
export function terminalRow(line: IBufferLine | undefined, scratch: IBufferCell): TerminalRow {
  const runs: TerminalRun[] = [];
  if (!line) return runs;
  let text = '';
  let look: Look = plain;
  let foreground = -1;
  let background = -1;
  const end = usedLength(line, scratch);
  for (let x = 0; x < end; x++) {
    const cell = line.getCell(x, scratch);
    if (!cell || cell.getWidth() === 0) continue;
    const nextForeground = foregroundOf(cell);
    const nextBackground = backgroundOf(cell);
    // Comparing numbers per column keeps long output cheap; looks are only created where they differ.
    if (nextForeground !== foreground || nextBackground !== background) {
      const nextLook = cell.isAttributeDefault() ? plain : lookOf(cell);
      if (text !== '' && !sameLook(look, nextLook)) {
        runs.push(runOf(text, look));
        text = '';
      }
      look = nextLook;
      foreground = nextForeground;
      background = nextBackground;
    }
    text += cell.isInvisible() ? ' ' : cell.getChars() || ' ';
  }
  if (text !== '') runs.push(runOf(text, look));
  return runs;
}

const plain: Look = { classes: '', fg: '', bg: '' };

function usedLength(line: IBufferLine, scratch: IBufferCell): number {
  let end = line.length;
  while (end > 0) {
    const cell = line.getCell(end - 1, scratch);
    if (cell && (cell.getChars() !== '' || cell.getWidth() === 0 || !cell.isBgDefault() || cell.isInverse())) break;
    end--;
  }
  return end;
}

/** Flags and foreground as one number: modes are multiples of 2^24 up to 3, colours have 24 bits. */
function foregroundOf(cell: IBufferCell): number {
  const flags =
    (cell.isBold() ? 1 : 0) |
    (cell.isItalic() ? 2 : 0) |
    (cell.isUnderline() ? 4 : 0) |
    (cell.isDim() ? 8 : 0) |
    (cell.isInverse() ? 16 : 0) |
    (cell.isStrikethrough() ? 32 : 0);
  return flags + 64 * (cell.getFgColorMode() + Math.max(0, cell.getFgColor()));
}

function backgroundOf(cell: IBufferCell): number {
  return cell.getBgColorMode() + Math.max(0, cell.getBgColor());
}

function lookOf(cell: IBufferCell): Look {
  const classes: string[] = [];
  if (cell.isBold()) classes.push('b');
  if (cell.isItalic()) classes.push('i');
  if (cell.isUnderline()) classes.push('u');
  if (cell.isDim()) classes.push('dim');
  if (cell.isInverse()) classes.push('inv');
  if (cell.isStrikethrough()) classes.push('strike');
  let fg = '';
  let bg = '';
  if (cell.isFgRGB()) fg = hex(cell.getFgColor());
  else if (cell.isFgPalette()) {
    if (cell.getFgColor() < 16) classes.push(`fg-${cell.getFgColor()}`);
    else fg = paletteColor(cell.getFgColor());
  }
  if (cell.isBgRGB()) bg = hex(cell.getBgColor());
  else if (cell.isBgPalette()) {
    if (cell.getBgColor() < 16) classes.push(`bg-${cell.getBgColor()}`);
    else bg = paletteColor(cell.getBgColor());
  }
  return { classes: classes.join(' '), fg, bg };
}

function sameLook(a: Look, b: Look): boolean {
  return a.classes === b.classes && a.fg === b.fg && a.bg === b.bg;
}

function runOf(text: string, look: Look): TerminalRun {
  return {
    text,
    ...(look.classes === '' ? {} : { classes: look.classes }),
    ...(look.fg === '' ? {} : { fg: look.fg }),
    ...(look.bg === '' ? {} : { bg: look.bg }),
  };
}

/** Colours 16 … 255 of xterm: a 6 × 6 × 6 cube, then 24 greys. */
function paletteColor(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return hex((grey << 16) | (grey << 8) | grey);
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  return hex((steps[Math.floor(cube / 36)]! << 16) | (steps[Math.floor(cube / 6) % 6]! << 8) | steps[cube % 6]!);
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}
