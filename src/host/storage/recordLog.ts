import nodePath from 'node:path';
import { Batches } from './batches';
import type { Stored } from '../../changes/content';
import type { StoreFiles } from './storeFiles';

/** A record that was read. Numbers rise. One that could not be written is missing. */
export interface LogRecord {
  readonly number: number;
  readonly head: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

interface Waiting {
  readonly record: Buffer;
  readonly named: readonly Stored[];
}

/** Bytes of records that may be written together, if they arrive during another write. */
const MAX_BATCH = 8 * 1024 * 1024;

/** A file that records are only ever appended to. A crash cuts off the end; all records before it can be read. */
export class RecordLog {
  readonly #batches = new Batches((records: readonly Waiting[]) => this.#write(records), MAX_BATCH);
  #lastNumber = 0;
  #size = 0;
  /** A failed write may have left a partial record at the end. */
  #isTorn = false;

  /**
   * @param file absolute; made with the first record.
   * @param ready resolves when contents that records name are on disk; undefined if they are
   */
  constructor(
    readonly file: string,
    private readonly files: Pick<StoreFiles, 'append' | 'makeFolder' | 'truncate'>,
    private readonly ready: (named: readonly Stored[]) => Promise<void> | undefined = () => undefined,
  ) {}

  /** The number of the last record that was handed over. */
  get number(): number {
    return this.#lastNumber;
  }

  /**
   * Resolves when the record is on disk.
   * @param named the contents that it names. @throws what the file system throws; then it is not.
   */
  append(head: object, named: readonly Stored[] = []): Promise<void> {
    // Earlier builds had bytes of this size between the two line ends.
    const record = Buffer.from(`${JSON.stringify({ ...head, number: ++this.#lastNumber, size: 0 })}\n\n`);
    return this.#batches.add({ record, named }, record.length).done;
  }

  /** Resolves when no write is in progress. */
  settled(): Promise<void> {
    return this.#batches.settled();
  }

  async #write(records: readonly Waiting[]): Promise<void> {
    const ready = this.ready(records.flatMap(({ named }) => named));
    if (ready) await ready;
    const bytes = Buffer.concat(records.map(({ record }) => record));
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

/** Reads what such a file holds, up to the first record that is not whole. */
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
