/** A cell never written to; a space inside a line, nothing at its end. */
const BLANK = '\0';
/** Fills the columns that a tab skipped; the tab itself is in the first of them, so that it stays a tab in the text. */
const TAB_FILL = '\x01';

/**
 * One row of a terminal's screen. Rows of plain characters are a string, one unit per column, because nearly all are
 * and strings are cheap; others are one string per column, "" in the second column of a wide character.
 */
export class TextRow {
  #plain = '';
  #cells: string[] | undefined;
  /** False as long as neither BLANK nor TAB_FILL can be in it. */
  #special = false;

  /** @param wrapped true if this row continues the one above because the text did not fit. */
  constructor(public wrapped = false) {}

  /** Columns up to the last written one. */
  get length(): number {
    return this.#cells?.length ?? this.#plain.length;
  }

  get isBlank(): boolean {
    return this.text === '';
  }

  /** The visible text, without the blank end. */
  get text(): string {
    let text = this.#cells ? this.#cells.join('') : this.#plain;
    if (!this.#special) return text;
    if (text.endsWith(BLANK)) text = text.replace(/\0+$/, '');
    return text.replaceAll(BLANK, ' ').replaceAll(TAB_FILL, '');
  }

  /** Writes characters of one unit and one column each. */
  put(x: number, run: string): void {
    const end = x + run.length;
    if (!this.#cells && !(this.#special && x < this.#plain.length && this.#plain.includes(TAB_FILL))) {
      if (x === this.#plain.length) this.#plain += run;
      else if (x > this.#plain.length) this.#plain = this.#padded(x) + run;
      else this.#plain = this.#plain.slice(0, x) + run + this.#plain.slice(end);
      return;
    }
    const cells = this.#asCells(x);
    breakAt(cells, x);
    breakAt(cells, end);
    for (let i = 0; i < run.length; i++) cells[x + i] = run[i]!;
  }

  /** Writes one character of one or two columns. */
  putChar(x: number, char: string, width: number): void {
    const cells = this.#asCells(x);
    breakAt(cells, x);
    breakAt(cells, x + width);
    cells[x] = char;
    if (width === 2) cells[x + 1] = '';
  }

  /** Adds a combining character to the character before column `x`. */
  combine(x: number, mark: string): void {
    const cells = this.#asCells(0);
    let at = Math.min(x, cells.length) - 1;
    while (at > 0 && cells[at] === '') at--;
    if (at >= 0) cells[at] += mark;
  }

  /** A tab from `x` to `stop`. Over existing text it only moves the cursor. */
  tab(x: number, stop: number): void {
    if (x < this.length) return;
    if (stop > x) {
      const fill = `\t${TAB_FILL.repeat(stop - x - 1)}`;
      this.#special = true;
      if (this.#cells) this.#asCells(x).push(...fill);
      else this.#plain = this.#padded(x) + fill;
    } else this.combine(x, '\t'); // No column is left for it on this row; the text still has it.
  }

  /** Blanks the columns from `start` to before `end`. */
  blank(start: number, end: number): void {
    if (start >= this.length) return;
    const cells = this.#asCells(0);
    const stop = Math.min(end, cells.length);
    breakAt(cells, start);
    breakAt(cells, stop);
    cells.fill(BLANK, start, stop);
    while (cells.length > 0 && cells[cells.length - 1] === BLANK) cells.pop();
    this.#backToPlain();
  }

  /** Removes `remove` columns at `x`, puts `insert` blank ones there, and cuts the row at `cols`. */
  splice(x: number, remove: number, insert: number, cols: number): void {
    if (x >= this.length) return;
    const cells = this.#asCells(0);
    // Moved tabs are no longer at their tab stops.
    for (let i = 0; i < cells.length; i++) if (cells[i] === '\t' || cells[i] === TAB_FILL) cells[i] = BLANK;
    breakAt(cells, x);
    breakAt(cells, x + remove);
    cells.splice(x, remove, ...Array.from({ length: Math.min(insert, cols) }, () => BLANK));
    breakAt(cells, cols);
    cells.length = Math.min(cells.length, cols);
    this.#backToPlain();
  }

  #padded(x: number): string {
    this.#special = true;
    return this.#plain.padEnd(x, BLANK);
  }

  /** Converts the row to cells, any of which may become blank. */
  #asCells(atLeast: number): string[] {
    this.#special = true;
    this.#cells ??= this.#plain.split('');
    this.#plain = '';
    while (this.#cells.length < atLeast) this.#cells.push(BLANK);
    return this.#cells;
  }

  #backToPlain(): void {
    if (!this.#cells?.every((cell) => cell.length === 1)) return;
    this.#plain = this.#cells.join('');
    this.#cells = undefined;
  }
}

/**
 * Prepares a cut just before column `x`: half a wide character becomes a blank, and a tab that reaches across becomes
 * the blanks that it skipped.
 */
function breakAt(cells: string[], x: number): void {
  if (x <= 0 || x >= cells.length) return;
  if (cells[x] === '') cells[x - 1] = cells[x] = BLANK;
  else if (cells[x] === TAB_FILL) {
    let start = x;
    while (cells[start] === TAB_FILL) start--;
    cells[start] = BLANK;
    for (let i = start + 1; cells[i] === TAB_FILL; i++) cells[i] = BLANK;
  }
}
