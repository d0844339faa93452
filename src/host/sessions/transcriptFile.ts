import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { parsedJson } from '../../base/json';
import type { TranscriptMark } from '../../thread/transcript';

/** What a transcript does to the disk, as a parameter: a test makes the disk full. */
export interface AppendFiles {
  makeFolder(folder: string): unknown;
  /** @throws what the file system throws; part of the bytes may be there then. */
  append(file: string, bytes: Uint8Array): void;
  /** Cuts off what is behind so many bytes. */
  truncate(file: string, size: number): void;
  /** Bytes; 0 where there is no file. */
  size(file: string): number;
  /** The last bytes of a file, at most so many. */
  tail(file: string, bytes: number): Buffer;
}

export const appendFiles: AppendFiles = {
  makeFolder: (folder) => mkdirSync(folder, { recursive: true }),
  append: (file, bytes) => appendFileSync(file, bytes),
  truncate: truncateSync,
  size: (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  tail: (file, bytes) => {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      const tail = Buffer.alloc(Math.min(size, bytes));
      return tail.subarray(0, readSync(handle, tail, 0, tail.length, size - tail.length));
    } finally {
      closeSync(handle);
    }
  },
};

/** Characters that are written at once. What was written is not tried again when the rest fails. */
const MAX_PIECE = 1_000_000;
/** A line that a crash has cut off is looked for in so many bytes at the end. */
const MAX_TAIL = 64 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * One transcript as it is written: lines in order, without holes. A line is on disk as a whole, or it waits here; part
 * of one is cut off before anything follows it.
 */
export class TranscriptFile {
  #waiting: string[] = [];
  #waitingCharacters = 0;
  /** Bytes that are whole; undefined until the file was looked at. */
  #end: number | undefined;

  /** @param file absolute @param header its first line, where it has to be made */
  constructor(
    readonly file: string,
    private readonly header: () => string,
    private readonly files: AppendFiles,
  ) {}

  /** Characters that are on disk or wait. */
  get length(): number {
    return (this.#end ?? this.files.size(this.file)) + this.#waitingCharacters;
  }

  /** Characters that wait. */
  get waitingLength(): number {
    return this.#waitingCharacters;
  }

  /** What is not on disk yet. */
  get waiting(): readonly string[] {
    return this.#waiting;
  }

  /** @param line with its line feed */
  add(line: string): void {
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
  }

  /**
   * Writes what waits.
   * @returns false where the file, or its beginning, was removed by somebody else: it begins anew
   * @throws the error of the disk; what is not there yet is tried with the next call
   */
  write(): boolean {
    if (this.#waiting.length === 0) return true;
    this.files.makeFolder(path.dirname(this.file));
    const isThere = this.#findEnd();
    while (this.#waiting.length > 0) {
      let [count, length] = [0, 0];
      while (count < this.#waiting.length && (count === 0 || length + this.#waiting[count]!.length <= MAX_PIECE))
        length += this.#waiting[count++]!.length;
      const bytes = Buffer.from(this.#waiting.slice(0, count).join(''));
      this.files.append(this.file, bytes);
      this.#end! += bytes.length;
      this.#waitingCharacters -= length;
      this.#waiting.splice(0, count);
    }
    return isThere;
  }

  /**
   * Cuts off what a failed write has left and says so in its place, where the disk takes that much. The next write
   * removes it.
   */
  markCut(mark: TranscriptMark): void {
    try {
      if (this.#end === undefined) return;
      if (this.files.size(this.file) > this.#end) this.files.truncate(this.file, this.#end);
      // The last block of a file has room when a disk has none.
      this.files.append(this.file, Buffer.from(`${JSON.stringify(mark)}\n`));
    } catch {
      // Nothing can be said there. Reading says then that the end is missing.
    }
  }

  /** @returns false where what was written is not there any more */
  #findEnd(): boolean {
    const size = this.files.size(this.file);
    const end = this.#end ?? this.#wholeEnd(size);
    const isThere = size >= end;
    if (size > end) this.files.truncate(this.file, end);
    this.#end = isThere ? end : this.#wholeEnd(size);
    // Without its first line nobody knows whose it is.
    if (this.#end === 0 && this.#waiting[0] !== this.header()) {
      this.#waiting.unshift(this.header());
      this.#waitingCharacters += this.header().length;
    }
    return isThere;
  }

  /** Where the last whole line ends. A last line that lacks only its line feed is completed. */
  #wholeEnd(size: number): number {
    if (size === 0) return 0;
    const tail =
      this.files.tail(this.file, Math.min(size, 1))[0] === LINE_FEED ? undefined : this.files.tail(this.file, MAX_TAIL);
    if (!tail) return size;
    const from = tail.lastIndexOf(LINE_FEED) + 1;
    if (parsedJson(tail.toString('utf8', from)) === undefined) return size - tail.length + from;
    this.files.append(this.file, Buffer.from('\n'));
    return size + 1;
  }
}
