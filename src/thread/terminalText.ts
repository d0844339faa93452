import { cellWidth, isPlain } from './cellWidth';
import { EscapeParser } from './escapeParser';

/** Never written; a space inside a line, nothing at its end. */
const BLANK = '\0';
/** The columns that a tab skipped; the tab itself stands in the first of them, so that it can be given back as a tab. */
const TAB_FILL = '\x01';

/** One row of the screen. Each entry of `cells` is one column; `text` is the same, as long as all are one code unit. */
interface Row {
  text: string;
  cells: string[] | undefined;
  /** True where this row continues the one above because the text did not fit. */
  wrapped: boolean;
}

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
  private rows: number;
  private grid: Row[];
  private hidden: { grid: Row[]; x: number; y: number } | undefined;
  private x = 0;
  private y = 0;
  private top = 0;
  private bottom: number;
  private saved = { x: 0, y: 0 };
  private autowrap = true;
  private lastChar = '';
  private readonly newlineReturns: boolean;
  private readonly parser: EscapeParser;

  /** @param commit gets each line that can no longer change, with its line end; a wrapped line comes in parts. */
  constructor(
    options: TerminalTextOptions,
    private readonly commit: (text: string) => void,
  ) {
    this.cols = Math.max(2, options.cols);
    this.rows = Math.max(2, options.rows);
    this.bottom = this.rows - 1;
    this.newlineReturns = options.newlineReturns ?? false;
    this.grid = this.blankGrid();
    this.parser = new EscapeParser({
      print: (data, start, end) => this.print(data, start, end),
      control: (code) => this.control(code),
      escape: (final) => this.escape(final),
      csi: (prefix, params, final) => this.csi(prefix, params, final),
    });
  }

  /** Takes the next piece of output; sequences and surrogate pairs may be split between pieces. */
  write(data: string): void {
    this.parser.parse(data);
  }

  /** What still stands on the screen, below all that was committed. Ends with a line end where the cursor is on a new line. */
  screenText(): string {
    const main = this.hidden ? textOf(this.hidden.grid, this.hidden.y) : textOf(this.grid, this.y);
    if (!this.hidden) return main;
    const alternate = textOf(this.grid, 0);
    return main === '' || main.endsWith('\n') || alternate === '' ? main + alternate : `${main}\n${alternate}`;
  }

  resize(cols: number, rows: number): void {
    this.cols = Math.max(2, cols);
    const height = Math.max(2, rows);
    const saved = this.hidden;
    if (saved) this.hidden = { ...saved, ...this.fitted(saved.grid, saved.y, height, true) };
    const fitted = this.fitted(this.grid, this.y, height, !saved);
    this.grid = fitted.grid;
    this.y = fitted.y;
    this.rows = height;
    this.x = Math.min(this.x, this.cols - 1);
    this.top = 0;
    this.bottom = height - 1;
  }

  private fitted(grid: Row[], y: number, height: number, commits: boolean): { grid: Row[]; y: number } {
    const rows = grid.slice();
    while (rows.length < height) rows.push(blankRow());
    while (rows.length > height && y < rows.length - 1 && isBlank(rows[rows.length - 1]!)) rows.pop();
    let cursor = y;
    while (rows.length > height) {
      const gone = rows.shift()!;
      if (commits) this.commit(committed(gone, rows[0]));
      cursor--;
    }
    return { grid: rows, y: Math.max(0, Math.min(cursor, height - 1)) };
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
      this.put(this.row(), this.x, run);
      this.x += count;
      at += count;
      if (!this.autowrap && this.x >= this.cols) this.x = this.cols - 1;
    }
    this.lastChar = data[end - 1]!;
  }

  private printChar(char: string, width: number): void {
    if (width === 0) {
      const row = this.row();
      const cells = asCells(row);
      let at = Math.min(this.x, cells.length) - 1;
      while (at > 0 && cells[at] === '') at--;
      if (at >= 0) cells[at] += char;
      return;
    }
    if (this.x + width > this.cols) {
      if (!this.autowrap) return;
      this.x = this.cols;
      this.wrapIfFull();
    }
    const row = this.row();
    const cells = asCells(row);
    breakTab(cells, this.x);
    while (cells.length < this.x) cells.push(BLANK);
    cells[this.x] = char;
    if (width === 2) cells[this.x + 1] = '';
    this.x += width;
    this.lastChar = char;
  }

  private put(row: Row, x: number, run: string): void {
    if (row.cells) {
      breakTab(row.cells, x);
      if (x + run.length < row.cells.length) breakTab(row.cells, x + run.length);
      while (row.cells.length < x) row.cells.push(BLANK);
      for (let i = 0; i < run.length; i++) row.cells[x + i] = run[i]!;
      if (row.cells[x + run.length] === '') row.cells[x + run.length] = BLANK;
      return;
    }
    const { text } = row;
    if (x === text.length) row.text = text + run;
    else if (x > text.length) row.text = text.padEnd(x, BLANK) + run;
    else if (text.includes(TAB_FILL)) {
      asCells(row);
      this.put(row, x, run);
    } else row.text = text.slice(0, x) + run + text.slice(x + run.length);
  }

  private wrapIfFull(): void {
    if (this.x < this.cols) return;
    if (!this.autowrap) {
      this.x = this.cols - 1;
      return;
    }
    this.x = 0;
    this.index(true);
    this.row().wrapped = true;
  }

  private row(): Row {
    return this.grid[this.y]!;
  }

  /** Moves down one row; at the bottom of the region the region scrolls. */
  private index(wrapped: boolean): void {
    if (this.y === this.bottom) this.scroll(wrapped);
    else if (this.y < this.rows - 1) this.y++;
  }

  private scroll(wrapped: boolean): void {
    const fresh: Row = { text: '', cells: undefined, wrapped };
    if (this.top === 0 && !this.hidden) {
      const gone = this.grid.shift()!;
      this.grid.splice(this.bottom, 0, fresh);
      this.commit(committed(gone, this.grid[0]));
    } else {
      this.grid.splice(this.top, 1);
      this.grid.splice(this.bottom, 0, fresh);
    }
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
    this.row().wrapped = false;
    if (this.x >= this.cols) this.x = this.cols - 1;
  }

  private tab(): void {
    const row = this.row();
    const length = row.cells?.length ?? row.text.length;
    const stop = Math.min(this.cols - 1, (Math.floor(this.x / 8) + 1) * 8);
    if (this.x >= length && stop > this.x) {
      const fill = '\t' + TAB_FILL.repeat(stop - this.x - 1);
      if (row.cells) {
        while (row.cells.length < this.x) row.cells.push(BLANK);
        row.cells.push(...fill);
      } else row.text = row.text.padEnd(this.x, BLANK) + fill;
    } else if (this.x >= length && this.x > 0) {
      // No column is left for it on this row; the text still has it.
      const cells = asCells(row);
      if (cells.length > 0) cells[cells.length - 1] += '\t';
    }
    this.x = Math.max(this.x, stop);
  }

  private escape(final: string): void {
    if (final === '7') this.saved = { x: this.x, y: this.y };
    else if (final === '8') this.restoreCursor();
    else if (final === 'D') this.index(false);
    else if (final === 'E') {
      this.x = 0;
      this.lineFeed();
    } else if (final === 'M') this.reverseIndex();
    else if (final === 'c') this.reset();
  }

  private restoreCursor(): void {
    this.x = Math.min(this.saved.x, this.cols - 1);
    this.y = Math.min(this.saved.y, this.rows - 1);
  }

  private reverseIndex(): void {
    if (this.y !== this.top) this.y = Math.max(0, this.y - 1);
    else {
      this.grid.splice(this.bottom, 1);
      this.grid.splice(this.top, 0, blankRow());
    }
  }

  private reset(): void {
    this.showAlternate(false);
    this.grid = this.blankGrid();
    this.x = this.y = this.top = 0;
    this.saved = { x: 0, y: 0 };
    this.bottom = this.rows - 1;
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
    switch (final) {
      case 'A': return this.moveTo(column, Math.max(this.y >= this.top ? this.top : 0, this.y - n));
      case 'B':
      case 'e': return this.moveTo(column, Math.min(this.y <= this.bottom ? this.bottom : this.rows - 1, this.y + n));
      case 'C':
      case 'a': return this.moveTo(column + n, this.y);
      case 'D': return this.moveTo(column - n, this.y);
      case 'E': return this.moveTo(0, Math.min(this.y <= this.bottom ? this.bottom : this.rows - 1, this.y + n));
      case 'F': return this.moveTo(0, Math.max(this.y >= this.top ? this.top : 0, this.y - n));
      case 'G':
      case '`': return this.moveTo(n - 1, this.y);
      case 'd': return this.moveTo(column, n - 1);
      case 'H':
      case 'f': return this.moveTo(Math.max(1, params[1] ?? 1) - 1, n - 1);
      case 'I': return this.moveTo((Math.floor(column / 8) + n) * 8, this.y);
      case 'Z': return this.moveTo((Math.ceil(column / 8) - n) * 8, this.y);
      case 'J': return this.eraseDisplay(params[0] ?? 0);
      case 'K': return this.eraseLine(params[0] ?? 0);
      case 'X': return this.blank(this.row(), column, column + n);
      case '@': return this.splice(column, 0, n);
      case 'P': return this.splice(column, n, 0);
      case 'L': return this.shiftLines(n, true);
      case 'M': return this.shiftLines(n, false);
      case 'S': return this.scrollRegion(n, true);
      case 'T': return this.scrollRegion(n, false);
      case 'b':
        if (this.lastChar) this.write(this.lastChar.repeat(Math.min(n, this.cols * this.rows)));
        return;
      case 'r': return this.setRegion(params);
      case 's':
        this.saved = { x: this.x, y: this.y };
        return;
      case 'u': return this.restoreCursor();
      default:
        return;
    }
  }

  private moveTo(x: number, y: number): void {
    this.x = Math.max(0, Math.min(x, this.cols - 1));
    this.y = Math.max(0, Math.min(y, this.rows - 1));
  }

  private setRegion(params: readonly number[]): void {
    const top = Math.max(1, params[0] ?? 1) - 1;
    const bottom = (params[1] || this.rows) - 1;
    if (top >= Math.min(bottom, this.rows - 1)) return;
    this.top = top;
    this.bottom = Math.min(bottom, this.rows - 1);
    this.moveTo(0, 0);
  }

  private setMode(mode: number, on: boolean): void {
    if (mode === 7) this.autowrap = on;
    else if (mode === 1049 || mode === 1047 || mode === 47) this.showAlternate(on);
  }

  /** The alternate screen (pagers, editors) leaves nothing behind. */
  private showAlternate(on: boolean): void {
    if (on && !this.hidden) {
      this.hidden = { grid: this.grid, x: this.x, y: this.y };
      this.grid = this.blankGrid();
    } else if (!on && this.hidden) {
      ({ grid: this.grid, x: this.x, y: this.y } = this.hidden);
      this.hidden = undefined;
      this.top = 0;
      this.bottom = this.rows - 1;
    }
  }

  private eraseDisplay(how: number): void {
    if (how === 0) {
      this.eraseLine(0);
      for (let y = this.y + 1; y < this.rows; y++) this.grid[y] = blankRow();
    } else if (how === 1) {
      this.eraseLine(1);
      if (this.x >= this.cols - 1 && this.y + 1 < this.rows) this.grid[this.y + 1]!.wrapped = false;
      for (let y = 0; y < this.y; y++) this.grid[y] = blankRow();
    } else if (how === 2) this.grid = this.blankGrid();
  }

  private eraseLine(how: number): void {
    const row = this.row();
    if (how === 0) {
      this.blank(row, this.x, Infinity);
      if (this.x === 0) row.wrapped = false;
    } else if (how === 1) this.blank(row, 0, this.x + 1);
    else if (how === 2) {
      this.blank(row, 0, Infinity);
      row.wrapped = false;
    }
  }

  /** Blanks the columns from `start` to before `end`. */
  private blank(row: Row, start: number, end: number): void {
    const cells = asCells(row);
    if (start >= cells.length) return;
    breakTab(cells, start);
    const stop = Math.min(end, cells.length);
    if (stop < cells.length) breakTab(cells, stop);
    for (let x = start; x < stop; x++) cells[x] = BLANK;
    if (cells[stop] === '') cells[stop] = BLANK;
    while (cells.length > 0 && cells[cells.length - 1] === BLANK) cells.pop();
    backToText(row);
  }

  /** Removes `remove` columns at `x` and puts `insert` blank ones there. */
  private splice(x: number, remove: number, insert: number): void {
    const row = this.row();
    const cells = asCells(row);
    if (x >= cells.length) return;
    for (let i = 0; i < cells.length; i++) breakTab(cells, i);
    if (cells[x] === '') cells[x] = BLANK;
    cells.splice(x, remove, ...Array.from({ length: Math.min(insert, this.cols) }, () => BLANK));
    if (cells[x + insert] === '') cells[x + insert] = BLANK;
    cells.length = Math.min(cells.length, this.cols);
    backToText(row);
  }

  private shiftLines(n: number, down: boolean): void {
    if (this.y < this.top || this.y > this.bottom) return;
    for (let i = Math.min(n, this.rows); i > 0; i--) {
      this.grid.splice(down ? this.bottom : this.y, 1);
      this.grid.splice(down ? this.y : this.bottom, 0, blankRow());
    }
    this.x = 0;
  }

  private scrollRegion(n: number, up: boolean): void {
    for (let i = Math.min(n, this.rows); i > 0; i--) {
      this.grid.splice(up ? this.top : this.bottom, 1);
      this.grid.splice(up ? this.bottom : this.top, 0, blankRow());
    }
  }

  private blankGrid(): Row[] {
    return Array.from({ length: this.rows }, blankRow);
  }
}

function blankRow(): Row {
  return { text: '', cells: undefined, wrapped: false };
}

function isBlank(row: Row): boolean {
  return rowText(row, true) === '';
}

function asCells(row: Row): string[] {
  row.cells ??= row.text.split('');
  row.text = '';
  return row.cells;
}

/** Long lines of one-unit cells are cheaper as a string again. */
function backToText(row: Row): void {
  if (!row.cells?.every((cell) => cell.length === 1)) return;
  row.text = row.cells.join('');
  row.cells = undefined;
}

/** A tab of which a column is overwritten turns into the blanks that it skipped. */
function breakTab(cells: string[], x: number): void {
  if (cells[x] === '' && x > 0) cells[x - 1] = BLANK;
  if (cells[x] !== TAB_FILL && !(cells[x] === '\t' && cells[x + 1] === TAB_FILL)) return;
  let start = x;
  while (start > 0 && cells[start] === TAB_FILL) start--;
  cells[start] = BLANK;
  for (let i = start + 1; cells[i] === TAB_FILL; i++) cells[i] = BLANK;
}

function rowText(row: Row, trim: boolean): string {
  let text = row.cells ? row.cells.join('') : row.text;
  if (trim) text = text.replace(/\0+$/, '');
  return /[\0\x01]/.test(text) ? text.replaceAll(BLANK, ' ').replaceAll(TAB_FILL, '') : text;
}

function committed(row: Row, next: Row | undefined): string {
  return next?.wrapped ? rowText(row, false) : `${rowText(row, true)}\n`;
}

function textOf(grid: readonly Row[], cursor: number): string {
  let last = grid.length - 1;
  while (last > cursor && isBlank(grid[last]!)) last--;
  let text = '';
  for (let y = 0; y <= last; y++) text += y === last ? rowText(grid[y]!, true) : committed(grid[y]!, grid[y + 1]);
  return text;
}
