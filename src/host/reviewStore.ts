import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import nodePath from 'node:path';
import { Deferred } from '../base/deferred';
import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { type Clock, Coalescer } from '../base/scheduler';
import { decodeEntry } from '../review/decodeEntry';
import type { Entry } from '../review/ledger';
import { type StoreFiles, storeFiles } from './blobFolder';
import { nameOf } from './contentName';
import { slices } from './slices';

/** What is known of each session's files, by session id and path. */
export type SavedReview = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

/** A write of an agent that was announced, and of which nobody knows whether the review has heard. */
export interface UnsavedWrite {
  readonly sessionId: string;
  readonly path: string;
  /** Undefined where the file did not exist. */
  readonly before: string | undefined;
}

const SAVE_MS = 500;
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
  private readonly settle: Coalescer;
  private saving: Promise<void> = Promise.resolve();
  /** The blob that is being removed. */
  private removing: string | undefined;
  /** Until what was kept has been taken over, saving would lose it. */
  private isOpen = false;
  /** The window has ended: what was begun must not go over what was saved last. */
  private isClosed = false;
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
    this.settle = this.register(new Coalescer(clock, SAVE_MS, () => void this.save()));
  }

  /** Resolves when what was kept has been handed over, or could not be. */
  get whenRead(): Promise<void> {
    return this.hasRead.promise;
  }

  /** Hands over what was kept; from then on the store follows. Damaged parts are left out and logged. */
  async open(take: (saved: SavedReview, unsaved: readonly UnsavedWrite[]) => Promise<void>): Promise<void> {
    try {
      await take(await this.load(), await this.loadWrites());
      this.isOpen = true;
      this.schedule();
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
    await this.inTurn(async () => {
      await this.files.makeFolder(this.folder);
      if (!this.onDisk.has(name)) await this.files.write(this.blobFile(name), blob);
      this.onDisk.add(name);
      this.announced.push(item);
      await this.files.append(this.file(JOURNAL), item.line);
    });
    return () => {
      item.isTold = true;
      this.schedule();
    };
  }

  private async loadWrites(): Promise<UnsavedWrite[]> {
    const found: UnsavedWrite[] = [];
    for (const line of (await this.files.read(this.file(JOURNAL)).catch(() => '')).split('\n')) {
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
    if (this.isOpen) this.settle.schedule();
  }

  /** Saves now, one after the other. */
  save(): Promise<void> {
    return this.inTurn(() => this.write());
  }

  /** Resolves when what is known now is on disk; a failure is logged, not thrown. */
  settled(): Promise<void> {
    this.settle.flushNow();
    return this.saving;
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    if (!this.isOpen) return;
    this.isClosed = true;
    try {
      mkdirSync(this.folder, { recursive: true });
      const rows: Kept['row'][] = [];
      for (const { row: [sessionId, path, name], text = '' } of this.gather(this.known())) {
        // What is being removed just now would be gone again; with a line feed it has another name.
        const [last, json] = name === this.removing ? [nameOf(`${text}\n`), `${text}\n`] : [name, text];
        if (json !== '') this.putSync(`${last}.json`, json);
        rows.push([sessionId, path, last]);
      }
      this.putSync(INDEX, indexOf(rows));
      const open = this.announced.filter(({ isTold }) => !isTold).map(({ line }) => line);
      if (open.length > 0) writeFileSync(this.file(JOURNAL), open.join(''));
      else rmSync(this.file(JOURNAL), { force: true });
    } catch (error) {
      this.log.warn(`The review could not be saved: ${String(error)}`);
    }
  }

  private putSync(name: string, text: string): void {
    const fresh = this.file(`${name}.last`);
    writeFileSync(fresh, text);
    renameSync(fresh, this.file(name));
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.saving.then(work).catch((error: unknown) => this.log.warn(`The review could not be saved: ${String(error)}`));
    this.saving = done;
    return done;
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
        if (!(await this.replace(`${row[2]}.json`, text))) return;
        this.onDisk.add(row[2]);
      }
      rows.push(row);
    }
    const index = indexOf(rows);
    if (!(await this.replace(INDEX, index))) return;
    this.announced = this.announced.filter((item) => !saved.has(item));
    const journal = this.announced.map(({ line }) => line).join('');
    if (journal !== '' && !(await this.replace(JOURNAL, journal))) return;
    if (journal === '') await this.files.remove(this.file(JOURNAL));
    const named = new Set([index, journal].flatMap((text) => text.match(/(?<=")[\da-f]{64}(?=")/g) ?? []));
    for (const file of await this.files.list(this.folder)) {
      const name = file.slice(0, -'.json'.length);
      if (file.startsWith(INDEX) || file.startsWith(JOURNAL) || named.has(name) || this.isClosed) continue;
      this.onDisk.delete(name);
      this.removing = name;
      await this.files.remove(this.file(file));
      this.removing = undefined;
    }
  }

  /** In one step: whoever reads it finds the text before or the text after. @returns false where it is too late for that. */
  private async replace(name: string, text: string): Promise<boolean> {
    const fresh = this.file(`${name}.new`);
    await this.files.write(fresh, text);
    if (this.isClosed) return false;
    await this.files.rename(fresh, this.file(name));
    return true;
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
    try {
      const raw: unknown = JSON.parse(await this.files.read(this.file(INDEX)));
      const rows: unknown = typeof raw === 'object' && raw !== null && 'rows' in raw ? raw.rows : undefined;
      return Array.isArray(rows) ? rows.filter(isRow) : [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.log.warn(`The saved review could not be read: ${String(error)}`);
      return [];
    }
  }

  private blobFile(name: string): string {
    return this.file(`${name}.json`);
  }

  private file(name: string): string {
    return nodePath.join(this.folder, name);
  }
}

function indexOf(rows: readonly Kept['row'][]): string {
  return JSON.stringify({ version: 1, rows });
}

function isRow(row: unknown): row is [string, string, string] {
  return Array.isArray(row) && row.length === 3 && row.every((field) => typeof field === 'string') && /^[\da-f]{64}$/.test(String(row[2]));
}
