import { Tokenizer, type Tokens } from 'marked';
import { FenceEnd } from './fenceEnd';
import { classifyLine, matchFence } from './lines';

const letter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uff60\uffe0-\uffe6]`;
const cjk = new RegExp(letter, 'u');
const mark = String.raw`(?![*~])[\p{P}\p{S}]`;
const wideMarks =
  /[\u3001-\u3004\u3008-\u3020\u3030\u303d\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff60\uffe0-\uffe6]/gu;
/** Marks that no address has as they are. A browser writes them in another way. */
const sentenceMarks =
  /[\u2018-\u201f\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff5b\uff5d-\uff65]/;
const before = new RegExp(String.raw`${mark}(?=[*~]+${letter})`, 'gu');
const after = new RegExp(String.raw`(?<=${letter}[*~]{1,3})${mark}`, 'gu');

/** `2**3`, `x*2`: a power and a product, whose stars are not emphasis. */
const operator = /(?<=[A-Za-z\d_)])\*{1,2}(?=\d)/g;
const endsOperand = /[A-Za-z\d_)]/;

/** A letter in place of a punctuation mark, for the parser of emphasis. */
const stand = '字';

/**
 * Chinese, Japanese and Korean put no spaces between words, so `**「甲」**なので` has a punctuation mark inside of the stars
 * and a letter outside, which Markdown does not read as emphasis. As GitHub's parser plans (markdown-cjk-friendly),
 * their own punctuation marks count as letters, and so does any mark that only stars separate from them.
 */
class CjkNeighbours {
  #of = '';
  #shown = '';

  /** The text in which the ends of emphasis are searched, of the same length. The same one for each star of a line. */
  masked(text: string): string {
    if (this.#of === text) return this.#shown;
    this.#of = text;
    const prose = text.replace(operator, standIn);
    this.#shown = cjk.test(prose)
      ? prose.replace(wideMarks, stand).replace(before, standIn).replace(after, standIn)
      : prose;
    return this.#shown;
  }

  /** The character before emphasis; "" if it may begin after any. */
  before(source: string, character: string): string {
    return cjk.test(character) || new RegExp(`^[*~]+${letter}`, 'u').test(source.slice(0, 8)) ? '' : character;
  }
}

/** True if the stars at a position are operators. */
function isOperator(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '*') start--;
  let end = at;
  while (text[end] === '*') end++;
  return end - start < 3 && endsOperand.test(text[start - 1] ?? '') && /\d/.test(text[end] ?? '');
}

function standIn(found: string): string {
  return stand.repeat(found.length);
}

/** Cells of a table that may be missing in its text. */
const maxFreeCells = 2_000;
/** A wider table is not readable, and its layout takes long. */
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

  /** An address in a sentence ends at a mark of that sentence: `见 https://a.example/x），然后`. */
  override url(source: string): Tokens.Link | undefined {
    const token = super.url(source);
    const end = token ? token.raw.search(sentenceMarks) : -1;
    return end > 0 ? super.url(source.slice(0, end)) : token;
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
 * True if the underscores at a position begin a name in code, in which they are not marks: `__init__.py`,
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
