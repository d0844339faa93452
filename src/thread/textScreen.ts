import { cellWidth, isPlain } from './cellWidth';
import { TextGrid } from './textGrid';
import type { TextRow } from './textRow';

export interface TextScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** True for output that did not pass a pseudo-terminal: a line feed then begins a new line at column 0. */
  readonly newlineReturns?: boolean;
}

/** A terminal's screen with its cursor, as text, with printing, moving and erasing. Columns and rows are 0-based. */
export class TextScreen {
  #cols: number;
  readonly #main: TextGrid;
  /** The screen of a full-screen program, while it shows; `under` is the earlier cursor. */
  #alternate: TextGrid | undefined;
  #under = { x: 0, y: 0 };
  #x = 0;
  #y = 0;
  #saved = { x: 0, y: 0 };
  #last = '';
  /** Number of rows that have left the screen upwards. */
  #gone = 0;
  readonly #newlineReturns: boolean;
  /** Text beyond the last column continues in the next row. */
  autowrap = true;

  /** @param commit gets the final text piece by piece; `text` continues after it. */
  constructor(
    options: TextScreenOptions,
    private readonly commit: (text: string) => void,
  ) {
    this.#cols = Math.max(2, options.cols);
    this.#main = new TextGrid(Math.max(2, options.rows), (row) => this.#leave(row));
    this.#newlineReturns = options.newlineReturns ?? false;
  }

  /** Rows of the screen below that of a full-screen program. */
  get height(): number {
    return this.#main.height;
  }

  /** The last printed character; "" before the first. */
  get lastChar(): string {
    return this.#last;
  }

  /** The number of characters on a full screen. */
  get area(): number {
    return this.#cols * this.#grid.height;
  }

  /** The cursor's column; the last one after the end of the row was printed. */
  get column(): number {
    return Math.min(this.#x, this.#cols - 1);
  }

  /** The cursor's row. */
  get line(): number {
    return this.#y;
  }

  /** The cursor is at the beginning of a blank last row, and everything above it leaves with the next output. */
  get isAtEnd(): boolean {
    const main = this.#main;
    return (
      !this.#alternate && this.autowrap && main.isWhole && this.#y === main.bottom && this.#x === 0 && this.#row.isBlank
    );
  }

  /** Moves the screen and further whole lines out at the top. Only if `isAtEnd`. */
  leaveAtOnce(text: string): void {
    for (let y = 0; y < this.#y; y++) this.#leave(this.#main.row(y));
    this.commit(`\n${text.slice(0, -1)}`);
    // The exact number does not matter: it only tells whether rows have left and whether the saved cursor's rows are
    // gone.
    this.#gone++;
    this.#main.clear(0, this.#main.height);
    this.#y = 0;
    this.#last = /[^\n\t](?=[\n\t]*$)/.exec(text.slice(-4 * this.#cols))?.[0] ?? this.#last;
  }

  /** The text on the screen, below all committed text. Ends with a line end if the cursor is on a new line. */
  text(): string {
    const main = this.#main.text(this.#alternate ? this.#under.y : this.#y, this.#gone > 0);
    if (!this.#alternate) return main;
    const alternate = this.#alternate.text(0, false);
    return main === '' || main.endsWith('\n') || alternate === '' ? main + alternate : `${main}\n${alternate}`;
  }

  /** Existing lines are not wrapped again. */
  resize(cols: number, rows: number): void {
    this.#cols = Math.max(2, cols);
    const height = Math.max(2, rows);
    if (this.#alternate) this.#under.y = this.#main.fit(height, this.#under.y);
    this.#y = this.#grid.fit(height, this.#y);
    this.#x = Math.min(this.#x, this.#cols - 1);
  }

  /** Prints `data.slice(start, end)`. */
  print(data: string, start: number, end: number): void {
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
      this.#printChar(char, cellWidth(code));
      at += char.length;
    }
  }

  /** The same for characters of one column each. */
  printPlain(data: string, start: number, end: number): void {
    let at = start;
    while (at < end) {
      this.#wrapIfFull();
      const count = Math.min(end - at, this.#cols - this.#x);
      const run = data.slice(at, at + count);
      this.#row.put(this.#x, run);
      this.#x += count;
      at += count;
      if (!this.autowrap && this.#x >= this.#cols) this.#x = this.#cols - 1;
    }
    this.#last = data[end - 1]!;
  }

  #printChar(char: string, width: number): void {
    if (width === 0) {
      this.#row.combine(this.#x, char);
      return;
    }
    if (this.#x + width > this.#cols) {
      if (!this.autowrap) return;
      this.#row.blank(this.#x, this.#cols);
      this.#x = this.#cols;
      this.#wrapIfFull();
    }
    this.#row.putChar(this.#x, char, width);
    this.#x += width;
    this.#last = char;
  }

  #wrapIfFull(): void {
    if (this.#x < this.#cols) return;
    if (!this.autowrap) {
      this.#x = this.#cols - 1;
      return;
    }
    this.#x = 0;
    this.index(true);
    this.#row.wrapped = true;
  }

  /**
   * Moves down one row; at the bottom of the region the region scrolls.
   * @param wrapped the text continues in the next row
   */
  index(wrapped = false): void {
    if (this.#y === this.#grid.bottom) this.#grid.scroll(wrapped);
    else if (this.#y < this.#grid.height - 1) this.#y++;
  }

  carriageReturn(): void {
    this.#x = 0;
  }

  backspace(): void {
    this.#x = Math.max(0, this.column - 1);
  }

  lineFeed(): void {
    if (this.#newlineReturns) this.#x = 0;
    this.index();
    this.#row.wrapped = false;
    if (this.#x >= this.#cols) this.#x = this.#cols - 1;
  }

  tab(): void {
    const stop = Math.min(this.#cols - 1, (Math.floor(this.#x / 8) + 1) * 8);
    this.#row.tab(this.#x, stop);
    this.#x = Math.max(this.#x, stop);
  }

  /** The saved position moves with the text, as in VS Code's emulator, not with the screen. */
  saveCursor(): void {
    this.#saved = { x: this.#x, y: this.#gone + this.#y };
  }

  restoreCursor(): void {
    this.#x = Math.min(this.#saved.x, this.#cols);
    this.#y = Math.max(0, Math.min(this.#saved.y - this.#gone, this.#grid.height - 1));
  }

  reverseIndex(): void {
    if (this.#y !== this.#grid.top) this.#y = Math.max(0, this.#y - 1);
    else this.#grid.shift(this.#grid.top, 1, true);
  }

  reset(): void {
    this.showAlternate(false);
    this.#grid.clear(0, this.#grid.height);
    this.#grid.setRegion(0, this.#grid.height - 1);
    this.#x = this.#y = 0;
    this.#saved = { x: 0, y: 0 };
    this.autowrap = true;
  }

  moveTo(x: number, y: number): void {
    this.#x = Math.max(0, Math.min(x, this.#cols - 1));
    this.#y = Math.max(0, Math.min(y, this.#grid.height - 1));
  }

  /** The row `n` above the cursor. The region's edge is the limit, unless the cursor is beyond it. */
  up(n: number): number {
    return Math.max(this.#y >= this.#grid.top ? this.#grid.top : 0, this.#y - n);
  }

  /** The row `n` below the cursor. */
  down(n: number): number {
    return Math.min(this.#y <= this.#grid.bottom ? this.#grid.bottom : this.#grid.height - 1, this.#y + n);
  }

  /** Blanks `n` characters from the cursor on. */
  blank(n: number): void {
    this.#x = this.column;
    this.#row.blank(this.#x, this.#x + n);
  }

  /** Moves the characters from the cursor on to the right by `n`. */
  insertChars(n: number): void {
    this.#x = this.column;
    this.#row.splice(this.#x, 0, n, this.#cols);
  }

  /** Removes `n` characters from the cursor on. */
  deleteChars(n: number): void {
    this.#x = this.column;
    this.#row.splice(this.#x, n, 0, this.#cols);
  }

  /** Moves the rows of the region by `n`; nothing leaves. */
  scrollRegion(n: number, down: boolean): void {
    this.#grid.shift(this.#grid.top, n, down);
  }

  /** @param bottom undefined for the last row. A region of fewer than two rows is ignored. */
  setRegion(top: number, bottom: number | undefined): void {
    const last = this.#grid.height - 1;
    const end = Math.min(bottom ?? last, last);
    if (top >= end) return;
    this.#grid.setRegion(top, end);
    this.moveTo(0, 0);
  }

  /** The alternate screen (pagers, editors) leaves no text behind. */
  showAlternate(on: boolean): void {
    if (on && !this.#alternate) {
      this.#under = { x: this.#x, y: this.#y };
      this.#alternate = new TextGrid(this.#main.height);
    } else if (!on && this.#alternate) {
      this.#alternate = undefined;
      ({ x: this.#x, y: this.#y } = this.#under);
    }
  }

  /** @param how 0: from the cursor on; 1: up to the cursor; 2: all */
  eraseDisplay(how: number): void {
    const grid = this.#grid;
    const y = this.#y;
    if (how === 0) {
      this.eraseLine(0);
      grid.clear(y + 1, grid.height);
    } else if (how === 1) {
      this.eraseLine(1);
      this.#row.wrapped = false;
      if (this.#x >= this.#cols - 1 && y + 1 < grid.height) grid.row(y + 1).wrapped = false;
      grid.clear(0, y);
    } else if (how === 2) grid.clear(0, grid.height);
  }

  /** @param how as in `eraseDisplay` */
  eraseLine(how: number): void {
    const row = this.#row;
    if (how === 0) {
      row.blank(this.#x, Infinity);
      if (this.#x === 0) row.wrapped = false;
    } else if (how === 1) row.blank(0, this.#x + 1);
    else if (how === 2) {
      row.blank(0, Infinity);
      row.wrapped = false;
    }
  }

  /** Moves the rows from the cursor's to the end of the region by `n`. */
  shiftLines(n: number, down: boolean): void {
    this.#x = this.column;
    if (this.#y < this.#grid.top || this.#y > this.#grid.bottom) return;
    this.#grid.shift(this.#y, n, down);
    this.#x = 0;
  }

  /** A row left the screen upwards. Its line end is delayed, since the next row may continue it. */
  #leave(row: TextRow): void {
    this.commit((this.#gone > 0 && !row.wrapped ? '\n' : '') + row.text);
    this.#gone++;
  }

  get #grid(): TextGrid {
    return this.#alternate ?? this.#main;
  }

  get #row(): TextRow {
    return this.#grid.row(this.#y);
  }
}
