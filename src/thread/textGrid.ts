import { TextRow } from './textRow';

/** The rows of one screen and its scroll region. Row numbers are 0-based; the region reaches from `top` to `bottom`. */
export class TextGrid {
  #rows: TextRow[];
  top = 0;
  bottom: number;

  /**
   * @param leave gets each row that leaves the screen upwards; absent for the alternate screen, which keeps nothing.
   */
  constructor(
    height: number,
    private readonly leave?: (row: TextRow) => void,
  ) {
    this.#rows = blankRows(height);
    this.bottom = height - 1;
  }

  get height(): number {
    return this.#rows.length;
  }

  /** True if the scroll region is the whole screen. */
  get isWhole(): boolean {
    return this.top === 0 && this.bottom === this.#rows.length - 1;
  }

  row(y: number): TextRow {
    return this.#rows[y]!;
  }

  /** Scrolls the region up by one row, which is given to `leave` where the region begins at the top of the screen. */
  scroll(wrapped: boolean): void {
    const { top, bottom } = this;
    const rows = this.#rows;
    const gone = top === 0 ? rows.shift()! : rows.splice(top, 1)[0]!;
    if (top === 0) this.leave?.(gone);
    if (bottom === rows.length) rows.push(new TextRow(wrapped));
    else rows.splice(bottom, 0, new TextRow(wrapped));
  }

  /** Moves the rows from `y` to the end of the region down or up by `n`; blank ones fill the gap, nothing leaves. */
  shift(y: number, n: number, down: boolean): void {
    for (let i = Math.min(n, this.height); i > 0; i--) {
      this.#rows.splice(down ? this.bottom : y, 1);
      this.#rows.splice(down ? y : this.bottom, 0, new TextRow());
    }
  }

  /** Blanks the rows from `start` to before `end`. */
  clear(start: number, end: number): void {
    for (let y = start; y < end; y++) this.#rows[y] = new TextRow();
  }

  setRegion(top: number, bottom: number): void {
    this.top = top;
    this.bottom = bottom;
  }

  /**
   * Takes a new height: blank rows below the cursor go first, then rows leave at the top.
   * @returns the new row of the cursor.
   */
  fit(height: number, cursor: number): number {
    const rows = this.#rows;
    let y = cursor;
    while (rows.length < height) rows.push(new TextRow());
    while (rows.length > height && y < rows.length - 1 && rows[rows.length - 1]!.isBlank) rows.pop();
    for (; rows.length > height; y--) this.leave?.(rows.shift()!);
    this.setRegion(0, height - 1);
    return Math.max(0, Math.min(y, height - 1));
  }

  /**
   * The text down to the cursor row, or to the last row with text below it; wrapped rows are joined.
   * @param goesOn true if other rows come before, so that the first one may need its line end too.
   */
  text(cursor: number, goesOn: boolean): string {
    let last = this.height - 1;
    while (last > cursor && this.#rows[last]!.isBlank) last--;
    let text = '';
    for (let y = 0; y <= last; y++) {
      const row = this.#rows[y]!;
      text += (!row.wrapped && (goesOn || y > 0) ? '\n' : '') + row.text;
    }
    return text;
  }
}

function blankRows(count: number): TextRow[] {
  return Array.from({ length: count }, () => new TextRow());
}
