import { TerminalText } from './terminalText';
import type { TextScreenOptions } from './textScreen';
import { utf8Length, utf8Tail } from './utf8';

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
