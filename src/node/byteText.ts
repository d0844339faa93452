import { StringDecoder } from 'node:string_decoder';

/**
 * Text of base64 pieces: each is decoded by itself, and a character that is cut in two is completed in the second (item
 * 195).
 */
export class ByteText {
  #decoder = new StringDecoder('utf8');

  decode(base64: string): string {
    return this.#decoder.write(Buffer.from(base64, 'base64'));
  }

  /** The next piece begins a new stream. */
  reset(): void {
    this.#decoder = new StringDecoder('utf8');
  }
}
