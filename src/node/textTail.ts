import { StringDecoder } from 'node:string_decoder';
import { withoutControls } from '../base/controlSequences';

/** Keeps the last characters of a stream of bytes, which may contain invalid UTF-8. */
export class TextTail {
  readonly #decoder = new StringDecoder('utf8');
  #kept = '';

  /** @param limit characters kept at least; up to twice as many are held. */
  constructor(private readonly limit: number) {}

  /** @param chunk bytes, or decoded text @returns the decoded text of this chunk. */
  write(chunk: Buffer | string): string {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    this.#kept += text;
    if (this.#kept.length > this.limit * 2) this.#kept = this.#kept.slice(-this.limit);
    return text;
  }

  /** The end of the text, cut at a line if it is too long, trimmed. It is for reading, so colours are removed. */
  get text(): string {
    return withoutControls(this.#end).trim();
  }

  get #end(): string {
    if (this.#kept.length <= this.limit) return this.#kept;
    const cut = this.#kept.slice(-this.limit);
    return cut.slice(cut.indexOf('\n') + 1);
  }
}
