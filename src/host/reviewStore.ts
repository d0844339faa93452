import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';
import { Disposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { type Clock, Coalescer } from '../base/scheduler';
import { decodeEntry } from '../review/decodeEntry';
import type { Entry } from '../review/ledger';

/** What is known of each session's files, by session id and path. */
export type SavedReview = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

const SAVE_MS = 500;
/** Characters that are kept for one file, and in all. What is more is forgotten at a restart, and the log says so. */
const MAX_ENTRY = 20_000_000;
const MAX_ALL = 100_000_000;
const INDEX = 'index.json';

interface Blob {
  readonly name: string;
  readonly size: number;
}

interface Writes {
  /** Blobs that are not on disk yet, by name. */
  readonly blobs: ReadonlyMap<string, string>;
  readonly index: string;
}

/**
 * Keeps what waits for review over a reload and a restart: one blob per file, named after its content, and an index that
 * is replaced in one step after its blobs are there. So a crash leaves the state before or the state after.
 */
export class ReviewStore extends Disposable {
  private readonly blobs = new WeakMap<Entry, Blob>();
  private readonly onDisk = new Set<string>();
  private readonly settle: Coalescer;
  private saving: Promise<void> = Promise.resolve();
  /** Until what was kept has been taken over, saving would lose it. */
  private isOpen = false;

  /** @param review what shall be kept now. */
  constructor(
    private readonly folder: string,
    private readonly review: () => SavedReview,
    clock: Clock,
    private readonly log: Logger,
  ) {
    super();
    this.settle = this.register(new Coalescer(clock, SAVE_MS, () => void this.save()));
  }

  /** Hands over what was kept; from then on the store follows. Damaged parts are left out and logged. */
  async open(take: (saved: SavedReview) => Promise<void>): Promise<void> {
    await take(await this.load());
    this.isOpen = true;
    this.schedule();
  }

  private async load(): Promise<SavedReview> {
    const review = new Map<string, Map<string, Entry>>();
    for (const [sessionId, path, name] of await this.readIndex()) {
      try {
        const entry = decodeEntry(JSON.parse(await readFile(this.blobFile(name), 'utf8')));
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
    this.saving = this.saving.then(() => this.write()).catch((error: unknown) => this.log.warn(`The review could not be saved: ${String(error)}`));
    return this.saving;
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    if (!this.isOpen) return;
    try {
      const { blobs, index } = this.gather();
      mkdirSync(this.folder, { recursive: true });
      for (const [name, text] of blobs) writeFileSync(this.blobFile(name), text);
      const fresh = nodePath.join(this.folder, `${INDEX}.last`);
      writeFileSync(fresh, index);
      renameSync(fresh, nodePath.join(this.folder, INDEX));
    } catch (error) {
      this.log.warn(`The review could not be saved: ${String(error)}`);
    }
  }

  private async write(): Promise<void> {
    const { blobs, index } = this.gather();
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of blobs) {
      await writeFile(this.blobFile(name), text);
      this.onDisk.add(name);
    }
    const fresh = nodePath.join(this.folder, `${INDEX}.new`);
    await writeFile(fresh, index);
    await rename(fresh, nodePath.join(this.folder, INDEX));
    for (const file of await readdir(this.folder)) {
      const name = file.slice(0, -'.json'.length);
      if (file.startsWith(INDEX) || index.includes(`"${name}"`)) continue;
      this.onDisk.delete(name);
      await rm(nodePath.join(this.folder, file), { force: true });
    }
  }

  private gather(): Writes {
    const blobs = new Map<string, string>();
    const rows: [string, string, string][] = [];
    let all = 0;
    for (const [sessionId, entries] of this.review()) {
      for (const [path, entry] of entries) {
        let blob = this.blobs.get(entry);
        let text: string | undefined;
        if (!blob) {
          text = JSON.stringify(entry);
          this.blobs.set(entry, (blob = { name: createHash('sha256').update(text).digest('hex'), size: text.length }));
        }
        all += blob.size;
        if (blob.size > MAX_ENTRY || all > MAX_ALL) {
          this.log.warn(`The changes in ${path} are too large to be kept over a restart`);
          continue;
        }
        if (!this.onDisk.has(blob.name)) blobs.set(blob.name, text ?? JSON.stringify(entry));
        rows.push([sessionId, path, blob.name]);
      }
    }
    return { blobs, index: JSON.stringify({ version: 1, rows }) };
  }

  private async readIndex(): Promise<[string, string, string][]> {
    try {
      const raw: unknown = JSON.parse(await readFile(nodePath.join(this.folder, INDEX), 'utf8'));
      const rows: unknown = typeof raw === 'object' && raw !== null && 'rows' in raw ? raw.rows : undefined;
      return Array.isArray(rows) ? rows.filter(isRow) : [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.log.warn(`The saved review could not be read: ${String(error)}`);
      return [];
    }
  }

  private blobFile(name: string): string {
    return nodePath.join(this.folder, `${name}.json`);
  }
}

function isRow(row: unknown): row is [string, string, string] {
  return Array.isArray(row) && row.length === 3 && row.every((field) => typeof field === 'string') && /^[\da-f]{64}$/.test(String(row[2]));
}
