import { cellWidth, isPlain } from './cellWidth';
import { EscapeParser } from './escapeParser';
import { plainLines } from './plainLines';
import { TextGrid } from './textGrid';
import type { TextRow } from './textRow';

/** From this many characters at once on a look is worth it whether they are plain lines. */
const FLOOD = 8 * 1024;

export interface TerminalTextOptions {
  readonly cols: number;
  readonly rows: number;
  /** True for output that did not pass a pseudo-terminal: a line feed then begins a new line at column 0. */
  readonly newlineReturns?: boolean;
}

/**
 * Reduces terminal output to the plain text that a terminal would show at the end: progress bars that rewrite a line
 * collapse, colours and titles vanish, wrapped lines are whole again. Unlike an emulator's screen it keeps tabs as tabs
 * (an agent copies text from `cat` into an edit) and has no scrollback: a row that leaves the screen upwards can never
 * change again, so it is given to `commit` and forgotten. Memory is one screen.
 */
export class TerminalText {
  private cols: number;
  private readonly main: TextGrid;
  /** The screen of a full-screen program, while it shows; `under` is where the cursor stood before. */
  private alternate: TextGrid | undefined;
  private under = { x: 0, y: 0 };
  private x = 0;
  private y = 0;
  private saved = { x: 0, y: 0 };
  private autowrap = true;
  private lastChar = '';
  /** Number of rows that have left the screen upwards. */
  private gone = 0;
  private readonly newlineReturns: boolean;
  private readonly parser: EscapeParser;

  /** @param commit gets the text that can no longer change, piece by piece; `screenText` goes on where it ended. */
  constructor(
    options: TerminalTextOptions,
    private readonly commit: (text: string) => void,
  ) {
    this.cols = Math.max(2, options.cols);
    this.main = new TextGrid(Math.max(2, options.rows), (row) => this.leave(row));
    this.newlineReturns = options.newlineReturns ?? false;
    this.parser = new EscapeParser({
      print: (data, start, end, ascii) => (ascii ? this.printPlain(data, start, end) : this.print(data, start, end)),
      control: (code) => this.control(code),
      escape: (final) => this.escape(final),
      csi: (prefix, params, final) => this.csi(prefix, params, final),
    });
  }

  /** Takes the next piece of output; sequences and surrogate pairs may be split between pieces. */
  write(data: string): void {
    if (data.length >= FLOOD && this.runThrough(data)) return;
    const middle = data.length < FLOOD ? 0 : data.indexOf('\n', data.length >> 1) + 1;
    if (middle === 0 || middle === data.length) return this.parser.parse(data);
    this.write(data.slice(0, middle));
    this.write(data.slice(middle));
  }

  /**
   * Takes much output of plain lines at once: those that leave the screen anyway need not be drawn on it. The first line
   * goes on where the cursor stands, the last ones fill the screen.
   * @returns false where nothing was done, because it takes a terminal to tell the text.
   */
  private runThrough(data: string): boolean {
    const start = data.indexOf('\n') + 1;
    let end = data.length;
    for (let lines = 0; lines <= this.main.height && end > 0; lines++) end = data.lastIndexOf('\n', end - 2) + 1;
    if (start === 0 || end - start < FLOOD / 2) return false;
    const text = plainLines(data.slice(start, end), this.newlineReturns);
    if (text === undefined) return false;
    this.parser.parse(data.slice(0, start));
    const { main } = this;
    const isAtEnd = !this.alternate && this.autowrap && main.isWhole && this.y === main.bottom && this.x === 0 && this.row.isBlank && this.parser.isWhole;
    if (isAtEnd) this.leaveAtOnce(text);
    this.parser.parse(data.slice(isAtEnd ? end : start));
    return true;
  }

  /** The screen leaves upwards, and after it whole lines that were never on it. */
  private leaveAtOnce(text: string): void {
    for (let y = 0; y < this.y; y++) this.leave(this.main.row(y));
    this.commit(`\n${text.slice(0, -1)}`);
    // More rows may have left, but only what is asked of the number counts: whether any has, and all that the cursor was saved on.
    this.gone++;
    this.main.clear(0, this.main.height);
    this.y = 0;
    this.lastChar = /[^\n\t](?=[\n\t]*$)/.exec(text.slice(-4 * this.cols))?.[0] ?? this.lastChar;
  }

  /** What still stands on the screen, below all that was committed. Ends with a line end where the cursor is on a new line. */
  screenText(): string {
    const main = this.main.text(this.alternate ? this.under.y : this.y, this.gone > 0);
    if (!this.alternate) return main;
    const alternate = this.alternate.text(0, false);
    return main === '' || main.endsWith('\n') || alternate === '' ? main + alternate : `${main}\n${alternate}`;
  }

  /** Lines are not made to flow anew: what stands already keeps its line ends. */
  resize(cols: number, rows: number): void {
    this.cols = Math.max(2, cols);
    const height = Math.max(2, rows);
    if (this.alternate) this.under.y = this.main.fit(height, this.under.y);
    this.y = this.grid.fit(height, this.y);
    this.x = Math.min(this.x, this.cols - 1);
  }

  private get grid(): TextGrid {
    return this.alternate ?? this.main;
  }

  private get row(): TextRow {
    return this.grid.row(this.y);
  }

  private print(data: string, start: number, end: number): void {
    let at = start;
    while (at < end) {
      let stop = at;
      while (stop < end && isPlain(data.charCodeAt(stop))) stop++;
      if (stop > at) {
        this.printPlain(data, at, stop);
        at = stop;
        continue;
      }
      const code = data.codePointAt(at)!;
      const char = String.fromCodePoint(code);
      this.printChar(char, cellWidth(code));
      at += char.length;
    }
  }

  private printPlain(data: string, start: number, end: number): void {
    let at = start;
    while (at < end) {
      this.wrapIfFull();
      const count = Math.min(end - at, this.cols - this.x);
      const run = data.slice(at, at + count);
      this.row.put(this.x, run);
      this.x += count;
      at += count;
      if (!this.autowrap && this.x >= this.cols) this.x = this.cols - 1;
    }
    this.lastChar = data[end - 1]!;
  }

  private printChar(char: string, width: number): void {
    if (width === 0) {
      this.row.combine(this.x, char);
      return;
    }
    if (this.x + width > this.cols) {
      if (!this.autowrap) return;
      this.row.blank(this.x, this.cols);
      this.x = this.cols;
      this.wrapIfFull();
    }
    this.row.putChar(this.x, char, width);
    this.x += width;
    this.lastChar = char;
  }

  private wrapIfFull(): void {
    if (this.x < this.cols) return;
    if (!this.autowrap) {
      this.x = this.cols - 1;
      return;
    }
    this.x = 0;
    this.index(true);
    this.row.wrapped = true;
  }

  /** Moves down one row; at the bottom of the region the region scrolls. */
  private index(wrapped: boolean): void {
    if (this.y === this.grid.bottom) this.grid.scroll(wrapped);
    else if (this.y < this.grid.height - 1) this.y++;
  }

  /** A row left the screen upwards. Its line end comes with the next one, which may still turn out to continue it. */
  private leave(row: TextRow): void {
    this.commit((this.gone > 0 && !row.wrapped ? '\n' : '') + row.text);
    this.gone++;
  }

  private control(code: number): void {
    switch (code) {
      case 0x08:
        this.x = Math.max(0, Math.min(this.x, this.cols - 1) - 1);
        return;
      case 0x09:
        this.tab();
        return;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        this.lineFeed();
        return;
      case 0x0d:
        this.x = 0;
        return;
      case 0x84:
        this.index(false);
        return;
      case 0x85:
        this.x = 0;
        this.lineFeed();
        return;
      default:
        return;
    }
  }

  private lineFeed(): void {
    if (this.newlineReturns) this.x = 0;
    this.index(false);
    this.row.wrapped = false;
    if (this.x >= this.cols) this.x = this.cols - 1;
  }

  private tab(): void {
    const stop = Math.min(this.cols - 1, (Math.floor(this.x / 8) + 1) * 8);
    this.row.tab(this.x, stop);
    this.x = Math.max(this.x, stop);
  }

  private escape(final: string): void {
    if (final === '7') this.saveCursor();
    else if (final === '8') this.restoreCursor();
    else if (final === 'D') this.index(false);
    else if (final === 'E') {
      this.x = 0;
      this.lineFeed();
    } else if (final === 'M') this.reverseIndex();
    else if (final === 'c') this.reset();
  }

  /** The saved place moves with the text, as in VS Code's emulator, not with the screen. */
  private saveCursor(): void {
    this.saved = { x: this.x, y: this.gone + this.y };
  }

  private restoreCursor(): void {
    this.x = Math.min(this.saved.x, this.cols);
    this.y = Math.max(0, Math.min(this.saved.y - this.gone, this.grid.height - 1));
  }

  private reverseIndex(): void {
    if (this.y !== this.grid.top) this.y = Math.max(0, this.y - 1);
    else this.grid.shift(this.grid.top, 1, true);
  }

  private reset(): void {
    this.showAlternate(false);
    this.grid.clear(0, this.grid.height);
    this.grid.setRegion(0, this.grid.height - 1);
    this.x = this.y = 0;
    this.saved = { x: 0, y: 0 };
    this.autowrap = true;
  }

  private csi(prefix: string, params: readonly number[], final: string): void {
    if (prefix === '?') {
      if (final === 'h' || final === 'l') for (const mode of params) this.setMode(mode, final === 'h');
      return;
    }
    if (prefix !== '') return;
    const n = Math.max(1, params[0] ?? 1);
    const column = Math.min(this.x, this.cols - 1);
    if ('X@PLM'.includes(final)) this.x = column;
    switch (final) {
      case 'A': return this.moveTo(column, this.up(n));
      case 'B':
      case 'e': return this.moveTo(column, this.down(n));
      case 'C':
      case 'a': return this.moveTo(column + n, this.y);
      case 'D': return this.moveTo(column - n, this.y);
      case 'E': return this.moveTo(0, this.down(n));
      case 'F': return this.moveTo(0, this.up(n));
      case 'G':
      case '`': return this.moveTo(n - 1, this.y);
      case 'd': return this.moveTo(column, n - 1);
      case 'H':
      case 'f': return this.moveTo(Math.max(1, params[1] ?? 1) - 1, n - 1);
      case 'I': return this.moveTo((Math.floor(column / 8) + n) * 8, this.y);
      case 'Z': return this.moveTo((Math.ceil(column / 8) - n) * 8, this.y);
      case 'J': return this.eraseDisplay(params[0] ?? 0);
      case 'K': return this.eraseLine(params[0] ?? 0);
      case 'X': return this.row.blank(column, column + n);
      case '@': return this.row.splice(column, 0, n, this.cols);
      case 'P': return this.row.splice(column, n, 0, this.cols);
      case 'L': return this.shiftLines(n, true);
      case 'M': return this.shiftLines(n, false);
      case 'S': return this.grid.shift(this.grid.top, n, false);
      case 'T': return this.grid.shift(this.grid.top, n, true);
      case 'b':
        if (this.lastChar) this.write(this.lastChar.repeat(Math.min(n, this.cols * this.grid.height)));
        return;
      case 'r': return this.setRegion(params);
      case 's': return this.saveCursor();
      case 'u': return this.restoreCursor();
      default:
        return;
    }
  }

  private moveTo(x: number, y: number): void {
    this.x = Math.max(0, Math.min(x, this.cols - 1));
    this.y = Math.max(0, Math.min(y, this.grid.height - 1));
  }

  /** The region's edge stops the cursor, unless it is beyond it already. */
  private up(n: number): number {
    return Math.max(this.y >= this.grid.top ? this.grid.top : 0, this.y - n);
  }

  private down(n: number): number {
    return Math.min(this.y <= this.grid.bottom ? this.grid.bottom : this.grid.height - 1, this.y + n);
  }

  private setRegion(params: readonly number[]): void {
    const last = this.grid.height - 1;
    const top = Math.max(1, params[0] ?? 1) - 1;
    const bottom = Math.min((params[1] || last + 1) - 1, last);
    if (top >= bottom) return;
    this.grid.setRegion(top, bottom);
    this.moveTo(0, 0);
  }

  private setMode(mode: number, on: boolean): void {
    if (mode === 7) this.autowrap = on;
    else if (mode === 1049 || mode === 1047 || mode === 47) this.showAlternate(on);
  }

  /** The alternate screen (pagers, editors) leaves nothing behind. */
  private showAlternate(on: boolean): void {
    if (on && !this.alternate) {
      this.under = { x: this.x, y: this.y };
      this.alternate = new TextGrid(this.main.height);
    } else if (!on && this.alternate) {
      this.alternate = undefined;
      ({ x: this.x, y: this.y } = this.under);
    }
  }

  private eraseDisplay(how: number): void {
    const { grid, y } = this;
    if (how === 0) {
      this.eraseLine(0);
      grid.clear(y + 1, grid.height);
    } else if (how === 1) {
      this.eraseLine(1);
      this.row.wrapped = false;
      if (this.x >= this.cols - 1 && y + 1 < grid.height) grid.row(y + 1).wrapped = false;
      grid.clear(0, y);
    } else if (how === 2) grid.clear(0, grid.height);
  }

  private eraseLine(how: number): void {
    const row = this.row;
    if (how === 0) {
      row.blank(this.x, Infinity);
      if (this.x === 0) row.wrapped = false;
    } else if (how === 1) row.blank(0, this.x + 1);
    else if (how === 2) {
      row.blank(0, Infinity);
      row.wrapped = false;
    }
  }

  private shiftLines(n: number, down: boolean): void {
    if (this.y < this.grid.top || this.y > this.grid.bottom) return;
    this.grid.shift(this.y, n, down);
    this.x = 0;
  }
}
