import { StringDecoder } from 'node:string_decoder';

/**
 * Text of base64 pieces: each is decoded for itself, and a character that is cut in two is whole in the second (item
 * 195).
 */
export class ByteText {
  #decoder = new StringDecoder('utf8');

  decode(base64: string): string {
    return this.#decoder.write(Buffer.from(base64, 'base64'));
  }

  /** What comes next begins anew. */
  reset(): void {
    this.#decoder = new StringDecoder('utf8');
  }
}
