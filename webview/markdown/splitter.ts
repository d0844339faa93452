import { FenceEnd } from './fenceEnd';
import { classifyLine, detailsIn, endsRawHtml, listMarker, matchFence, startsHtml, tableDelimiter } from './lines';
import type { Fence } from './lines';
import { LoosePatch } from './loosePatch';

/** A finished part of Markdown that renders alone as it would in its place. */
export interface MarkdownBlock {
  readonly raw: string;
  /** Continues a long ordered list that was cut between two items: the number of its first item. */
  readonly listStart?: number;
  /** Continues a long table that was cut between two rows: its header and delimiter rows. */
  readonly tableHead?: string;
}

/** Receives the splitter's results, in the order of the text. */
export interface BlockSink {
  block(block: MarkdownBlock): void;
  /** A fenced code block of the top level begins, or a patch without a fence; `info` is the fence's info string. */
  codeOpen(info: string): void;
  codeText(text: string): void;
  codeClose(): void;
}

/** Stands for the fence of a patch without one. */
const noFence: Fence = { char: '`', length: 3, indent: 0, info: '' };

type Mode = 'start' | 'text' | 'table' | 'list' | 'html' | 'rawHtml' | 'fence';

/** From this length on, a list is cut at its next item and a table at its next row. */
const SOFT_LIMIT = 4096;
/** From this length on, any text is cut at its next line, and a longer line is cut within. */
const HARD_LIMIT = 8192;
/** A list item may be longer than other text, because a cut inside it loses its indentation. */
const ITEM_LIMIT = 32_768;

/**
 * Splits Markdown that arrives in pieces into blocks that can each be parsed alone. Every character is read once, so a
 * chunk costs by its own length, not by the message's. The cuts depend on the text only, not on its chunks. Blocks are
 * bounded: anything that may grow without end (a list, a table, a paragraph of log lines) is cut where it shows least;
 * code is passed on as text.
 */
export class BlockSplitter {
  #pending = '';
  #blockStart = 0;
  #lineStart = 0;
  #mode: Mode = 'start';
  #afterBlank = false;
  #carriage = false;
  #rawHtmlEnd = '';
  /** The number of open `<details>`, whose text may have blank lines. */
  #details = 0;
  #fence: Fence | undefined;
  #fenceEnd = new FenceEnd(noFence);
  /** The code is a patch without a fence. */
  #patch: LoosePatch | undefined;
  #codeLines = 0;
  /** The length of the unfinished code line that was already passed on. */
  #codeGiven = 0;
  #lines = 0;
  #tableHeadEnd = 0;
  #tableHead: string | undefined;
  #list = { indent: 0, bullet: '', next: 1 };
  #listStart: number | undefined;
  #nestedFence: Fence | undefined;
  #nestedEnd = new FenceEnd(noFence);

  constructor(private readonly sink: BlockSink) {}

  /** The open block so far. Empty inside of code. */
  get open(): MarkdownBlock {
    return this.#withContinuation(this.#mode === 'fence' ? '' : this.#pending.slice(this.#blockStart));
  }

  push(text: string): void {
    this.#pending = this.#pending.slice(this.#blockStart) + this.#normalize(text);
    this.#lineStart -= this.#blockStart;
    this.#tableHeadEnd -= this.#blockStart;
    this.#blockStart = 0;
    for (;;) {
      const end = this.#pending.indexOf('\n', this.#lineStart);
      if (this.#mode !== 'fence' && (end < 0 ? this.#pending.length : end) - this.#lineStart > HARD_LIMIT) {
        this.#cutLine();
        continue;
      }
      if (end < 0) break;
      const isCode = this.#line(this.#lineStart, end);
      this.#lineStart = end + 1;
      // Code, and the lines of its fences, belong to no block.
      if (isCode) this.#blockStart = this.#lineStart;
    }
    if (this.#mode === 'fence') this.#partialCode();
  }

  /** Ends the text and closes the open block. The splitter cannot be used afterwards. */
  finish(): void {
    if (this.#carriage) {
      this.#carriage = false;
      this.push('\n');
    }
    const rest = this.#pending.slice(this.#lineStart);
    if (this.#mode === 'fence' && rest !== '' && this.#patch && !this.#patch.takes(rest)) this.#endPatch();
    if (this.#mode === 'fence') {
      if (rest !== '' && (this.#patch || !this.#fenceEnd.ends(rest))) this.#giveCode(rest);
      this.sink.codeClose();
    } else if (this.#lineStart < this.#pending.length) {
      // The last line decides like any other; a fence that opens here is code without a line.
      const end = this.#pending.length;
      this.#line(this.#lineStart, end);
      if ((this.#mode as Mode) === 'fence') this.sink.codeClose();
      else this.#cut(end);
    } else {
      this.#cut(this.#pending.length);
    }
    this.#pending = '';
    this.#blockStart = this.#lineStart = 0;
    this.#mode = 'start';
  }

  /**
   * Converts line endings to `
   * `, even if a chunk ends between the two characters of one.
   */
  #normalize(text: string): string {
    if (!this.#carriage && !text.includes('\r')) return text;
    const whole = this.#carriage ? `\r${text}` : text;
    this.#carriage = whole.endsWith('\r');
    return (this.#carriage ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n');
  }

  /** @returns whether it is code, or a fence */
  #line(from: number, to: number): boolean {
    if (this.#mode === 'fence' && this.#patch && !this.#patch.takes(this.#pending.slice(from, to))) this.#endPatch();
    if (this.#mode === 'fence') {
      this.#codeLine(this.#pending.slice(from, to));
      return true;
    }
    const { indent, first } = classifyLine(this.#pending, from, to);
    if (first === to) {
      if (this.#details === 0 && this.#mode === 'html') this.#mode = 'text';
      this.#afterBlank = this.#details === 0 && this.#mode !== 'start' && this.#mode !== 'rawHtml';
      return false;
    }
    const text = this.#pending.slice(first, to);
    if (this.#mode === 'rawHtml') {
      if (from - this.#blockStart > HARD_LIMIT) this.#cut(from);
      else {
        if (endsRawHtml(text, this.#rawHtmlEnd)) this.#mode = 'text';
        return false;
      }
    }
    const marker = indent < 4 ? listMarker(text) : undefined;
    if (this.#afterBlank && (this.#mode === 'list' ? indent < 2 && !marker : indent < 4)) this.#cut(from);
    this.#afterBlank = false;
    if (this.#mode !== 'start') this.#cutWhenLong(from, indent, marker !== undefined);
    if ((this.#mode as Mode) === 'fence') {
      this.#codeLine(this.#pending.slice(from, to));
      return true;
    }
    const fence =
      indent < (this.#mode === 'list' ? 2 : 4) && this.#mode !== 'html' ? matchFence(text, indent) : undefined;
    if (fence) {
      if (this.#mode !== 'start') this.#cut(from);
      this.#openFence(fence, fence.info);
      return true;
    }
    const patch = indent === 0 && this.#mode !== 'html' ? LoosePatch.begun(text) : undefined;
    if (patch?.takes(text)) {
      if (this.#mode !== 'start') this.#cut(from);
      this.#openFence(noFence, 'diff');
      this.#patch = patch;
      this.#codeLine(text);
      return true;
    }
    this.#lines++;
    this.#enter(text, indent, to, marker);
    return false;
  }

  /** The mode after a line that is neither blank nor part of code. */
  #enter(text: string, indent: number, to: number, marker: { bullet: string; number: number } | undefined): void {
    if (this.#mode === 'list') {
      this.#trackNested(text, indent);
      if (marker && !this.#nestedFence && indent === this.#list.indent) {
        this.#list.next = marker.bullet === this.#list.bullet ? this.#list.next + 1 : marker.number + 1;
        this.#list.bullet = marker.bullet;
      }
      return;
    }
    if (this.#mode === 'html') {
      if (this.#details === 0) return;
      this.#details = Math.max(0, this.#details + detailsIn(text));
      if (this.#details === 0) this.#mode = 'text';
      return;
    }
    if (marker) {
      this.#mode = 'list';
      this.#list = { indent, bullet: marker.bullet, next: (this.#listStart ?? marker.number) + 1 };
      this.#trackNested(text, indent);
      return;
    }
    const html = indent < 4 && text.startsWith('<') ? startsHtml(text, this.#mode === 'start') : undefined;
    if (html === 'block') {
      this.#mode = 'html';
      this.#details = Math.max(0, detailsIn(text));
    } else if (html) {
      this.#rawHtmlEnd = html.end;
      this.#mode = endsRawHtml(text, html.end) ? 'text' : 'rawHtml';
    } else if (this.#mode === 'start') this.#mode = this.#tableHead === undefined ? 'text' : 'table';
    else if (this.#lines === 2 && tableDelimiter(text)) {
      this.#mode = 'table';
      this.#tableHeadEnd = to;
    }
  }

  #cutWhenLong(from: number, indent: number, isMarker: boolean): void {
    const length = from - this.#blockStart;
    if (length <= SOFT_LIMIT) return;
    if (this.#mode === 'list') {
      if (isMarker && !this.#nestedFence && indent === this.#list.indent) {
        const { next, bullet } = this.#list;
        this.#cut(from);
        if (bullet === '.' || bullet === ')') this.#listStart = next;
      } else if (length > ITEM_LIMIT) {
        const fence = this.#nestedFence;
        this.#cut(from);
        // Code inside of the item continues as code, or its closing fence would open another one.
        if (fence) this.#openFence(fence, fence.info);
      }
    } else if (this.#mode === 'table') {
      const head = this.#tableHead ?? this.#pending.slice(this.#blockStart, this.#tableHeadEnd + 1);
      this.#cut(from);
      this.#tableHead = head;
    } else if (length > HARD_LIMIT) this.#cut(from);
  }

  /** Cuts inside of a line that is too long, after a space where one is near. */
  #cutLine(): void {
    const hard = this.#lineStart + HARD_LIMIT;
    const space = this.#pending.lastIndexOf(' ', hard - 1);
    let at = space > hard - 200 ? space + 1 : hard;
    const code = this.#pending.charCodeAt(at - 1);
    if (code >= 0xd800 && code < 0xdc00) at--;
    this.#cut(at);
    this.#lineStart = at;
  }

  #cut(at: number): void {
    const raw = this.#pending.slice(this.#blockStart, at);
    const block = this.#withContinuation(raw);
    this.#blockStart = at;
    this.#mode = 'start';
    this.#afterBlank = false;
    this.#details = 0;
    this.#lines = 0;
    this.#listStart = this.#tableHead = this.#nestedFence = undefined;
    if (raw.trim() !== '') this.sink.block(block);
  }

  #withContinuation(raw: string): MarkdownBlock {
    if (this.#listStart !== undefined) return { raw, listStart: this.#listStart };
    return this.#tableHead !== undefined ? { raw, tableHead: this.#tableHead } : { raw };
  }

  #trackNested(text: string, indent: number): void {
    if (this.#nestedFence) {
      if (this.#nestedEnd.ends(text)) this.#nestedFence = undefined;
      return;
    }
    const inner = text.replace(/^(?:(?:[*+-]|\d{1,9}[.)]|>)[ \t]+)+/, '');
    this.#nestedFence = matchFence(inner, indent + text.length - inner.length);
    if (this.#nestedFence) this.#nestedEnd = new FenceEnd(this.#nestedFence);
  }

  #openFence(fence: Fence, info: string): void {
    this.#mode = 'fence';
    this.#fence = fence;
    this.#fenceEnd = new FenceEnd(fence);
    this.#patch = undefined;
    this.#codeLines = this.#codeGiven = 0;
    this.sink.codeOpen(info);
  }

  #codeLine(line: string): void {
    if (!this.#patch && this.#fenceEnd.ends(line)) {
      this.#mode = 'start';
      this.#lines = 0;
      this.sink.codeClose();
      return;
    }
    this.#giveCode(line);
    this.#codeLines++;
    this.#codeGiven = 0;
  }

  /** The text after a patch is Markdown again. */
  #endPatch(): void {
    this.#patch = undefined;
    this.#mode = 'start';
    this.#lines = 0;
    this.#blockStart = this.#lineStart;
    this.sink.codeClose();
  }

  /** Passes on the unfinished line, unless it may still turn out to close the fence. */
  #partialCode(): void {
    const rest = this.#pending.slice(this.#lineStart);
    if (rest === '' || (this.#patch ? !this.#patch.takesAny : /^[ \t]*(?:[`~]+[ \t]*)?$/.test(rest))) return;
    this.#giveCode(rest);
  }

  #giveCode(line: string): void {
    let text = line;
    let indent = this.#fence!.indent;
    while (indent-- > 0 && text.startsWith(' ')) text = text.slice(1);
    const fresh = text.slice(this.#codeGiven);
    const separator = this.#codeGiven === 0 && this.#codeLines > 0 ? '\n' : '';
    this.#codeGiven = text.length;
    if (separator || fresh) this.sink.codeText(separator + fresh);
  }
}
