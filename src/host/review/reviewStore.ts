import { rmSync, writeFileSync } from 'node:fs';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { decodeEntry } from '../../review/decodeEntry';
import type { Entry } from '../../review/ledger';
import { type StoreFiles, storeFiles } from '../stores/blobFolder';
import { nameOf, namesIn } from '../stores/contentName';
import { slices } from '../slices';
import { WriteBehind } from '../stores/writeBehind';

/** What is known of each session's files, by session id and path. */
export type SavedReview = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

/** A write of an agent that was announced, and of which nobody knows whether the review has heard. */
export interface UnsavedWrite {
  readonly sessionId: string;
  readonly path: string;
  /** Undefined where the file did not exist. */
  readonly before: string | undefined;
}

/** Characters that are kept for one file, and in all. What is more is forgotten at a restart, and the log says so. */
const MAX_ENTRY = 20_000_000;
const MAX_ALL = 100_000_000;
const INDEX = 'index.json';
const JOURNAL = 'writes.ndjson';

interface Blob {
  readonly name: string;
  readonly size: number;
}

interface Announced {
  /** The line in the journal, with the name of a blob. */
  readonly line: string;
  isTold: boolean;
}

/** One file of the review at one moment. */
interface Known {
  readonly sessionId: string;
  readonly path: string;
  readonly entry: Entry;
}

interface Kept {
  /** What the index says of a file: its session, its path, and the name of its blob. */
  readonly row: readonly [sessionId: string, path: string, name: string];
  /** The blob, where it is not on disk yet. */
  readonly text: string | undefined;
}

/**
 * Keeps what waits for review over a reload and a restart: one blob per file, named after its content, and an index that
 * is replaced in one step after its blobs are there. So a crash leaves the state before or the state after. What happens
 * between two saves is in a journal: a write of an agent stands there, with what it takes the place of, before it is carried out.
 */
export class ReviewStore extends Disposable {
  private readonly blobs = new WeakMap<Entry, Blob>();
  private readonly onDisk = new Set<string>();
  private readonly disk: WriteBehind;
  /** The blob that is being removed. */
  private removing: string | undefined;
  private readonly hasRead = new Deferred<void>();
  private announced: Announced[] = [];

  /** @param review what shall be kept now. */
  constructor(
    private readonly folder: string,
    private readonly review: () => SavedReview,
    clock: Clock,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {
    super();
    this.disk = this.register(new WriteBehind({ folder, what: 'review', write: () => this.write(), clock, log, files }));
  }

  /** Resolves when what was kept has been handed over, or could not be. */
  get whenRead(): Promise<void> {
    return this.hasRead.promise;
  }

  /** Hands over what was kept; from then on the store follows. Damaged parts are left out and logged. */
  async open(take: (saved: SavedReview, unsaved: readonly UnsavedWrite[]) => Promise<void>): Promise<void> {
    try {
      await take(await this.load(), await this.loadWrites());
      this.disk.open();
    } finally {
      this.hasRead.resolve();
    }
  }

  /**
   * An agent is about to write. Resolves when what stands in the file is on disk; a failure is logged, not thrown.
   * @returns to be called when the review knows what became of it: then the next save has it.
   */
  async announce(sessionId: string, path: string, before: string | undefined): Promise<() => void> {
    await this.whenRead;
    const blob = JSON.stringify(before ?? null);
    const name = nameOf(blob);
    const item: Announced = { line: `${JSON.stringify([sessionId, path, name])}\n`, isTold: false };
    await this.disk.inTurn(async () => {
      await this.files.makeFolder(this.folder);
      if (!this.onDisk.has(name)) await this.files.write(this.blobFile(name), blob);
      this.onDisk.add(name);
      this.announced.push(item);
      await this.files.append(this.disk.fileOf(JOURNAL), item.line);
    });
    return () => {
      item.isTold = true;
      this.schedule();
    };
  }

  private async loadWrites(): Promise<UnsavedWrite[]> {
    const found: UnsavedWrite[] = [];
    for (const line of (await this.files.read(this.disk.fileOf(JOURNAL)).catch(() => '')).split('\n')) {
      try {
        const row: unknown = line === '' ? undefined : JSON.parse(line);
        if (!isRow(row)) continue;
        const blob = await this.files.read(this.blobFile(row[2]));
        const before: unknown = nameOf(blob) === row[2] ? JSON.parse(blob) : undefined;
        if (before === null || typeof before === 'string') found.push({ sessionId: row[0], path: row[1], before: before ?? undefined });
      } catch (error) {
        this.log.warn(`A write could not be read again: ${String(error)}`);
      }
    }
    return found;
  }

  private async load(): Promise<SavedReview> {
    const review = new Map<string, Map<string, Entry>>();
    for (const [sessionId, path, name] of await this.readIndex()) {
      try {
        const entry = decodeEntry(JSON.parse(await this.files.read(this.blobFile(name))));
        if (!entry) throw new Error('not what was written');
        this.onDisk.add(name);
        review.set(sessionId, (review.get(sessionId) ?? new Map<string, Entry>()).set(path, entry));
      } catch (error) {
        this.log.warn(`The changes in ${path} could not be read again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return review;
  }

  /** Something has changed; saves a moment later. */
  schedule(): void {
    this.disk.schedule();
  }

  /** Saves now, one after the other. */
  save(): Promise<void> {
    return this.disk.save();
  }

  /** Resolves when what is known now is on disk; a failure is logged, not thrown. */
  settled(): Promise<void> {
    return this.disk.settled();
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    this.disk.flushSync(() => {
      const rows: Kept['row'][] = [];
      for (const { row: [sessionId, path, name], text = '' } of this.gather(this.known())) {
        // What is being removed just now would be gone again; with a line feed it has another name.
        const [last, json] = name === this.removing ? [nameOf(`${text}\n`), `${text}\n`] : [name, text];
        if (json !== '') this.disk.replaceSync(`${last}.json`, json);
        rows.push([sessionId, path, last]);
      }
      this.disk.replaceSync(INDEX, indexOf(rows));
      const open = this.announced.filter(({ isTold }) => !isTold).map(({ line }) => line);
      if (open.length > 0) writeFileSync(this.disk.fileOf(JOURNAL), open.join(''));
      else rmSync(this.disk.fileOf(JOURNAL), { force: true });
    });
  }

  private async write(): Promise<void> {
    const known = this.known();
    // What was told up to now is in the index.
    const saved = new Set(this.announced.filter(({ isTold }) => isTold));
    await this.files.makeFolder(this.folder);
    const rows: Kept['row'][] = [];
    const nextPart = slices();
    for (const { row, text } of this.gather(known)) {
      await nextPart();
      if (text !== undefined) {
        // The end of the window may come while this is being written, and write it too: neither may cut off the other.
        if (!(await this.disk.replace(`${row[2]}.json`, text))) return;
        this.onDisk.add(row[2]);
      }
      rows.push(row);
    }
    const index = indexOf(rows);
    if (!(await this.disk.replace(INDEX, index))) return;
    this.announced = this.announced.filter((item) => !saved.has(item));
    const journal = this.announced.map(({ line }) => line).join('');
    if (journal !== '' && !(await this.disk.replace(JOURNAL, journal))) return;
    if (journal === '') await this.files.remove(this.disk.fileOf(JOURNAL));
    const named = new Set([...namesIn(index), ...namesIn(journal)]);
    for (const file of await this.files.list(this.folder)) {
      const name = file.slice(0, -'.json'.length);
      if (file.startsWith(INDEX) || file.startsWith(JOURNAL) || named.has(name) || this.disk.isClosed) continue;
      this.onDisk.delete(name);
      this.removing = name;
      await this.files.remove(this.disk.fileOf(file));
      this.removing = undefined;
    }
  }

  private known(): Known[] {
    return [...this.review()].flatMap(([sessionId, entries]) => [...entries].map(([path, entry]) => ({ sessionId, path, entry })));
  }

  /** Makes what is to be kept, file by file as it is asked for: of thousands of files it is too much for one step. */
  private *gather(known: readonly Known[]): Generator<Kept> {
    let all = 0;
    for (const { sessionId, path, entry } of known) {
      let blob = this.blobs.get(entry);
      let text: string | undefined;
      if (!blob) {
        text = JSON.stringify(entry);
        this.blobs.set(entry, (blob = { name: nameOf(text), size: text.length }));
      }
      all += blob.size;
      if (blob.size > MAX_ENTRY || all > MAX_ALL) this.log.warn(`The changes in ${path} are too large to be kept over a restart`);
      else yield { row: [sessionId, path, blob.name], text: this.onDisk.has(blob.name) ? undefined : (text ?? JSON.stringify(entry)) };
    }
  }

  private async readIndex(): Promise<[string, string, string][]> {
    const raw = await this.disk.readJson(INDEX);
    const rows: unknown = typeof raw === 'object' && raw !== null && 'rows' in raw ? raw.rows : undefined;
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  }

  private blobFile(name: string): string {
    return this.disk.fileOf(`${name}.json`);
  }
}

function indexOf(rows: readonly Kept['row'][]): string {
  return JSON.stringify({ version: 1, rows });
}

function isRow(row: unknown): row is [string, string, string] {
  return Array.isArray(row) && row.length === 3 && row.every((field) => typeof field === 'string') && /^[\da-f]{64}$/.test(String(row[2]));
}
