import { TerminalText } from './terminalText';
import type { TextScreenOptions } from './textScreen';

/** The limit if the agent names none, so that a command with endless output cannot exhaust the host's memory. */
export const DEFAULT_OUTPUT_LIMIT = 8 * 1024 * 1024;

/**
 * The highest limit: it is the host's memory, and the answer, in which a character may take twice as much, must fit
 * into one line of the wire (item 8). Bytes.
 */
export const MAX_OUTPUT_LIMIT = 15 * 1024 * 1024;

/** Lines are joined to blocks of about this many characters before they are counted and dropped. */
const BLOCK = 16 * 1024;

/**
 * Raw output is buffered up to this many characters, or until it is read: few large writes cost far less than many
 * small ones.
 */
const WAITING = 128 * 1024;

export interface TerminalOutputOptions extends TextScreenOptions {
  /** `outputByteLimit` of `terminal/create`: UTF-8 bytes to retain, `MAX_OUTPUT_LIMIT` at most. */
  readonly byteLimit?: number;
}

/**
 * A terminal's output for the agent: clean text, of which the newest `byteLimit` bytes are retained. Schema v1
 * `CreateTerminalRequest.outputByteLimit`: "the Client truncates from the beginning of the output to stay within the
 * limit … MUST ensure truncation happens at a character boundary".
 */
export class TerminalOutput {
  readonly #limit: number;
  readonly #text: TerminalText;
  #blocks: { readonly text: string; readonly bytes: number }[] = [];
  #bytes = 0;
  #open = '';
  #dropped = false;
  #waiting: string[] = [];
  #waitingLength = 0;

  constructor(options: TerminalOutputOptions) {
    this.#limit = Math.max(0, Math.min(options.byteLimit ?? DEFAULT_OUTPUT_LIMIT, MAX_OUTPUT_LIMIT));
    this.#text = new TerminalText(options, (line) => this.#append(line));
  }

  /** Takes the next piece of the terminal's raw output. */
  write(data: string): void {
    this.#waiting.push(data);
    this.#waitingLength += data.length;
    if (this.#waitingLength >= WAITING) this.#takeWaiting();
  }

  resize(cols: number, rows: number): void {
    this.#takeWaiting();
    this.#text.resize(cols, rows);
  }

  /** The tail of all output so far, at most `byteLimit` bytes in UTF-8. */
  read(): { output: string; truncated: boolean } {
    this.#takeWaiting();
    const all = this.#blocks.map((block) => block.text).join('') + this.#open + this.#text.screenText();
    const output = utf8Tail(all, this.#limit);
    return { output, truncated: this.#dropped || output.length < all.length };
  }

  #takeWaiting(): void {
    if (this.#waitingLength === 0) return;
    const data = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#text.write(data);
  }

  #append(line: string): void {
    this.#open += line;
    if (this.#open.length < BLOCK) return;
    const bytes = utf8Length(this.#open);
    this.#blocks.push({ text: this.#open, bytes });
    this.#bytes += bytes;
    this.#open = '';
    let drop = 0;
    while (drop < this.#blocks.length && this.#bytes - this.#blocks[drop]!.bytes >= this.#limit) {
      this.#bytes -= this.#blocks[drop]!.bytes;
      drop++;
    }
    if (drop > 0) {
      this.#blocks.splice(0, drop);
      this.#dropped = true;
    }
  }
}

/** @returns the number of bytes of `text` in UTF-8; a lone surrogate becomes U+FFFD (3 bytes). */
export function utf8Length(text: string): number {
  if (!/[^\0-\x7f]/.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(text, i)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** @returns the longest end of `text` that has at most `limit` bytes in UTF-8 and begins with a whole code point. */
export function utf8Tail(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let at = text.length;
  while (at > 0) {
    const unit = text.charCodeAt(at - 1);
    const pair = at > 1 && isPair(text, at - 2);
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
    if (bytes + size > limit) break;
    bytes += size;
    at -= pair ? 2 : 1;
  }
  return at === 0 ? text : text.slice(at);
}

function isPair(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
