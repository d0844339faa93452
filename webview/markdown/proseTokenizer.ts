import { Tokenizer, type Tokens } from 'marked';
import { CjkNeighbours, isOperator } from './cjkEmphasis';
import { FenceEnd } from './fenceEnd';
import { classifyLine, matchFence } from './lines';

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

/**
 * Reads Markdown with its likely meaning: emphasis without spaces around, and Markdown in a fence with its own fences.
 */
export class ProseTokenizer extends BoundedTokenizer {
  readonly #cjk = new CjkNeighbours();

  override emStrong(source: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    return isOperator(masked, masked.length - source.length) || isInName(masked, masked.length - source.length)
      ? undefined
      : super.emStrong(source, this.#cjk.masked(masked), this.#cjk.before(source, before));
  }

  override del(source: string, masked: string, before = ''): Tokens.Del | undefined {
    return super.del(source, this.#cjk.masked(masked), this.#cjk.before(source, before));
  }

  /** `[words](my file.ts)`: only an address in angle brackets may have spaces, and nobody writes these. */
  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(source);
    if (token || !source.startsWith('[')) return token;
    const [raw, words, href] =
      /^\[([^[\]\n]{1,300})\]\(([^\s()<>"'][^()<>"'\n]{0,300} [^()<>"'\n]{0,300}[^\s()<>"'])\)/.exec(source) ?? [];
    if (raw === undefined || !/[./\\]/.test(href!) || href!.includes('://')) return undefined;
    return { type: 'link', raw, href: href!, title: null, text: words!, tokens: this.lexer.inlineTokens(words!) };
  }

  override fences(source: string): Tokens.Code | undefined {
    const token = super.fences(source);
    const end = source.indexOf('\n');
    const { indent, first } = classifyLine(source, 0, end < 0 ? source.length : end);
    const fence = token && end >= 0 ? matchFence(source.slice(first, end), indent) : undefined;
    if (!token || !fence || !FenceEnd.mayNest(fence, source)) return token;
    const reader = new FenceEnd(fence);
    const lines = source.split('\n');
    const at = lines.findIndex((line, i) => i > 0 && reader.ends(line));
    if (at < 0) return token;
    const text = lines
      .slice(1, at)
      .map((line) => line.slice(Math.min(fence.indent, /^ */.exec(line)![0].length)))
      .join('\n');
    return { ...token, raw: lines.slice(0, at + 1).join('\n') + (at + 1 < lines.length ? '\n' : ''), text };
  }
}

/**
 * Whether the underscores at a position begin a name in code, in which they are not marks: `__init__.py`,
 * `src/__tests__/a.ts`, `obj.__name__`, `__main__`.
 */
function isInName(text: string, at: number): boolean {
  // The parser tries the first of two underscores, and then the other.
  const start = text[at] !== '_' ? -1 : text[at - 1] === '_' ? at - 1 : at;
  const source = start < 0 ? '' : text.slice(start, start + 70);
  if (!source.startsWith('__')) return false;
  return (
    pythonName.test(source) ||
    (/[\w./\\]/.test(text[start - 1] ?? '') ? /^__\w{1,60}?__(?!\w)/ : /^__\w{1,60}?__(?:\.\w|[/\\([])/).test(source)
  );
}

const pythonName = /^__(?:init|main|name|file|doc|all|dict|call|str|repr|new|class|version|proto|tests|mocks)__(?!\w)/;
