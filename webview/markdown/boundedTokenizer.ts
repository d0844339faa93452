import { type Tokens, Tokenizer } from 'marked';

/** Cells of a table that may be missing in its text. */
const maxFreeCells = 2_000;
/** Nobody reads a wider table, and its layout takes long. */
const maxColumns = 100;

/**
 * Each row of a table gets as many cells as its head, written or not: 300 rows of one cell below a head of 1,300 make
 * 390,000. A table stays text if its number of cells is out of proportion to its text, or if it is very wide.
 */
export class BoundedTokenizer extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    const blank = source.search(/\n[ \t]*\n/);
    const whole = blank < 0 ? source : source.slice(0, blank);
    // The bars at both ends are optional.
    const columns = whole
      .slice(0, whole.indexOf('\n') + 1)
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|').length;
    const cells = columns * whole.split('\n').length;
    if (columns > maxColumns || cells > Math.max(maxFreeCells, whole.length)) return undefined;
    const table = super.table(source);
    if (table) this.#keepSurplus(table);
    return table;
  }

  /** Joins surplus cells of a row to its last one: the parser would drop them with their words. */
  #keepSurplus(table: Tokens.Table): void {
    const lines = table.raw.split('\n').slice(2);
    const last = table.header.length - 1;
    for (const [at, row] of table.rows.entries()) {
      const pieces = (lines[at] ?? '')
        .trim()
        .replace(/^\|/, '')
        .replace(/(?<!\\)\|$/, '')
        .split(/(?<!\\)\|/);
      if (pieces.length <= table.header.length) continue;
      const text = pieces.slice(last).join('|').trim().replaceAll('\\|', '|');
      row[last] = { ...row[last]!, text, tokens: this.lexer.inline(text) };
    }
  }
}
