import { createReadStream } from 'node:fs';

/** A line of a file, without its end. */
export interface FileLine {
  /** Undefined if the line is longer than the limit. */
  readonly text: string | undefined;
  /** False for a last line without a line ending. */
  readonly isWhole: boolean;
}

/**
 * Reads the lines of a file of any size, piece by piece.
 * @param maxBytes longer lines are skipped to their end
 * @throws errors of the file system
 */
export async function* fileLines(file: string, maxBytes: number): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (isWhole: boolean): FileLine => {
    const line = { text: size > maxBytes ? undefined : Buffer.concat(parts).toString('utf8'), isWhole };
    parts = [];
    size = 0;
    return line;
  };
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else parts = [];
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      add(chunk.subarray(at, end));
      yield take(true);
      at = end + 1;
    }
    if (at < chunk.length) add(chunk.subarray(at));
  }
  if (size > 0) yield take(false);
}
