import nodePath from 'node:path';
import { Batches } from './batches';
import type { StoreFiles } from './storeFiles';

/** The JSON content of a record, and its bytes. */
interface NewRecord {
  readonly head: object;
  readonly bytes?: Uint8Array | undefined;
}

/** A record that was read. Numbers rise; those of records that could not be written are left out. */
export interface LogRecord {
  readonly number: number;
  readonly head: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Bytes of records that may be written together, if they arrive during another write. */
const MAX_BATCH = 8 * 1024 * 1024;

/**
 * A file to which records are only ever appended, with their raw bytes: thousands of small files become a few writes. A
 * crash cuts off the end; all records before it can be read.
 */
export class RecordLog {
  readonly #batches = new Batches((records: readonly Buffer[]) => this.#write(Buffer.concat(records)), MAX_BATCH);
  #lastNumber = 0;
  #size = 0;
  /** A failed write may have left a partial record at the end. */
  #isTorn = false;

  /** @param file absolute; created with the first record. */
  constructor(
    readonly file: string,
    private readonly files: Pick<StoreFiles, 'append' | 'makeFolder' | 'truncate'>,
  ) {}

  /** The number of the last record that was handed over. */
  get number(): number {
    return this.#lastNumber;
  }

  /** Bytes. */
  get length(): number {
    return this.#size;
  }

  /** Resolves when the records are on disk. @throws the error of the file system; then they are not. */
  append(records: readonly NewRecord[]): Promise<void> {
    let written = Promise.resolve();
    for (const { head, bytes = Buffer.alloc(0) } of records) {
      const line = Buffer.from(`${JSON.stringify({ ...head, number: ++this.#lastNumber, size: bytes.length })}\n`);
      const record = Buffer.concat([line, bytes, lineFeed]);
      written = this.#batches.add(record, record.length).done;
    }
    return written;
  }

  /** Resolves when no write is in progress. */
  settled(): Promise<void> {
    return this.#batches.settled();
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#isTorn) await this.files.truncate(this.file, this.#size);
    try {
      if (this.#size === 0) await this.files.makeFolder(nodePath.dirname(this.file));
      await this.files.append(this.file, bytes);
      this.#isTorn = false;
      this.#size += bytes.length;
    } catch (error) {
      this.#isTorn = true;
      // A rejected record must not be read after a crash.
      await this.files.truncate(this.file, this.#size).catch(() => undefined);
      throw error;
    }
  }
}

const lineFeed = Buffer.from('\n');

/** Reads the records of such a file, up to the first incomplete one. */
export function readRecords(content: Buffer): LogRecord[] {
  const records: LogRecord[] = [];
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(10, at);
    const head = end < 0 ? undefined : parseHead(content.toString('utf8', at, end));
    const next = head && end + 1 + head.size;
    if (!head || next === undefined || content[next] !== 10 || head.number <= (records.at(-1)?.number ?? 0)) break;
    records.push({ number: head.number, head: head.fields, bytes: content.subarray(end + 1, next) });
    at = next + 1;
  }
  return records;
}

function parseHead(
  line: string,
): { readonly number: number; readonly size: number; readonly fields: Readonly<Record<string, unknown>> } | undefined {
  try {
    const fields = JSON.parse(line) as Record<string, unknown> | null;
    const { number, size } = fields ?? {};
    return fields && isCount(number) && isCount(size) ? { number, size, fields } : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
