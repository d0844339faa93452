import { rmSync } from 'node:fs';
import { asObject } from '../../acp/json';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { decodeEntry } from '../../changes/decodeEntry';
import { type Entry, noLines } from '../../changes/entry';
import { keptBefore, type OriginalRecord } from '../../changes/wholeChange';
import { type StoreFiles, storeFiles } from '../storage/storeFiles';
import { nameOf, namesIn } from '../storage/contentName';
import { slices } from '../platform/slices';
import { WriteBehind } from '../storage/writeBehind';
import type { BeforeImages, LogMarks } from './beforeImages';
import type { KeptFiles } from './keptFiles';
import { movesIn, originalsIn, readWholeIndex, wholeIndexOf, type WholeRow } from './wholeIndex';

/** What is known of each session's files, by session id and path. */
export type SavedReview = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

/** A write of an agent that was under way when the window ended. */
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
/** In which earlier versions announced writes. */
const JOURNAL = 'writes.ndjson';

/** What the index says beside the files of each session. */
interface Beside {
  readonly marks: LogMarks;
  readonly moves: ReadonlyMap<string, string>;
  readonly originals: readonly (readonly [path: string, record: OriginalRecord])[];
}

interface Blob {
  readonly name: string;
  readonly size: number;
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

export interface ReviewStoreOptions {
  /** Absolute. */
  readonly folder: string;
  /** What shall be kept now. */
  readonly review: () => SavedReview;
  /** The log of what the review may not know yet. The index says how much of it the review has taken in. */
  readonly images?: () => Pick<BeforeImages, 'flushSync' | 'marks' | 'saved'> | undefined;
  /** The bytes and the moves of the files. */
  readonly kept?: Pick<KeptFiles, 'bytes' | 'originals' | 'renames'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly files?: StoreFiles;
}

/**
 * Keeps pending changes over a reload and a restart: one blob per file, named after its content, the bytes of changes
 * without lines, and an index that is replaced in one step after both are on disk. So a crash leaves the state before or the state after. What happens
 * between two saves is in the log of before-images.
 */
export class ReviewStore extends Disposable {
  private readonly blobs = new WeakMap<Entry, Blob>();
  private readonly onDisk = new Set<string>();
  private readonly disk: WriteBehind;
  private readonly files: StoreFiles;
  /** The blob that is being removed. */
  private removing: string | undefined;
  private readonly hasRead = new Deferred<void>();

  constructor(private readonly options: ReviewStoreOptions) {
    super();
    const { folder, clock, log, files = storeFiles } = options;
    this.files = files;
    this.disk = this.register(new WriteBehind({ folder, what: 'review', write: () => this.write(), clock, log, files }));
  }

  /** Resolves when what was kept has been handed over, or could not be. */
  get whenRead(): Promise<void> {
    return this.hasRead.promise;
  }

  /**
   * Hands over what was kept; from then on the store follows. Damaged parts are left out and logged.
   * @param take `marks` is how much of each log the review has taken in; `unsaved` is what an earlier version has left.
   */
  async open(take: (saved: SavedReview, marks: LogMarks, unsaved: readonly UnsavedWrite[]) => Promise<void>): Promise<void> {
    try {
      const { rows, beside } = await this.readIndex();
      const { kept } = this.options;
      const earlier = kept && (await readWholeIndex(kept.bytes.folder, this.files, this.options.log));
      const review = withEarlier(await this.load(rows), earlier?.changes ?? []);
      kept?.originals.restore([...(earlier?.originals ?? []), ...beside.originals]);
      kept?.renames.restore(new Map([...(earlier?.moves ?? []), ...beside.moves]));
      await take(review, beside.marks, await this.loadWrites());
      this.disk.open();
    } finally {
      this.hasRead.resolve();
    }
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
        this.options.log.warn(`A write could not be read again: ${String(error)}`);
      }
    }
    return found;
  }

  private async load(rows: readonly Kept['row'][]): Promise<SavedReview> {
    const review = new Map<string, Map<string, Entry>>();
    for (const [sessionId, path, name] of rows) {
      try {
        const entry = decodeEntry(JSON.parse(await this.files.read(this.blobFile(name))));
        if (!entry) throw new Error('damaged');
        this.onDisk.add(name);
        review.set(sessionId, (review.get(sessionId) ?? new Map<string, Entry>()).set(path, entry));
      } catch (error) {
        this.options.log.warn(`The changes in ${path} could not be read again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return review;
  }

  /** Something has changed; saves a moment later. */
  schedule(): void {
    this.disk.schedule();
  }

  /** Saves now, one after the other. @throws NotKeptError */
  save(): Promise<void> {
    return this.disk.save();
  }

  /** Resolves when what is known now is on disk. @throws NotKeptError */
  settled(): Promise<void> {
    return this.disk.settled();
  }

  /** For the end of the window, which waits for nothing. */
  flushSync(): void {
    this.disk.flushSync(() => {
      this.options.kept?.bytes.flushSync();
      const rows: Kept['row'][] = [];
      for (const { row: [sessionId, path, name], text = '' } of this.gather(this.known())) {
        // What is being removed just now would be gone again; with a line feed it has another name.
        const [last, json] = name === this.removing ? [nameOf(`${text}\n`), `${text}\n`] : [name, text];
        if (json !== '') this.disk.replaceSync(`${last}.json`, json);
        rows.push([sessionId, path, last]);
      }
      this.disk.replaceSync(INDEX, indexOf(rows, this.beside));
      // This index has what it said, without what the user has decided since.
      if (this.options.kept) rmSync(wholeIndexOf(this.options.kept.bytes.folder), { force: true });
      this.options.images?.()?.flushSync();
    });
  }

  private async write(): Promise<void> {
    const known = this.known();
    const { beside } = this;
    const bytes = this.options.kept?.bytes;
    await bytes?.settled();
    await this.files.makeFolder(this.options.folder);
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
    const index = indexOf(rows, beside);
    if (!(await this.disk.replace(INDEX, index))) return;
    if (bytes) await this.files.remove(wholeIndexOf(bytes.folder));
    await this.options.images?.()?.saved(beside.marks);
    // What this index names, and what the next one will.
    const wanted = new Set([...bytesNamed(known, beside), ...bytesNamed(this.known(), this.beside)]);
    await bytes?.sweep((name) => this.disk.isClosed || wanted.has(name));
    const named = new Set(namesIn(index));
    for (const file of await this.files.list(this.options.folder)) {
      const name = file.slice(0, -'.json'.length);
      if (file.startsWith(INDEX) || file.endsWith('.log') || named.has(name) || this.disk.isClosed) continue;
      this.onDisk.delete(name);
      this.removing = name;
      await this.files.remove(this.disk.fileOf(file));
      this.removing = undefined;
    }
  }

  private get beside(): Beside {
    const { kept } = this.options;
    const paths = new Set([...this.options.review().values()].flatMap((entries) => [...entries.keys()]));
    const moves = [...(kept?.renames.moves ?? [])].filter(([path]) => paths.has(path));
    return { marks: this.options.images?.()?.marks ?? new Map(), moves: new Map(moves), originals: kept?.originals.saved ?? [] };
  }

  private known(): Known[] {
    return [...this.options.review()].flatMap(([sessionId, entries]) => [...entries].map(([path, entry]) => ({ sessionId, path, entry })));
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
      if (blob.size > MAX_ENTRY || all > MAX_ALL) this.options.log.warn(`The changes in ${path} are too large to back up over a restart`);
      else yield { row: [sessionId, path, blob.name], text: this.onDisk.has(blob.name) ? undefined : (text ?? JSON.stringify(entry)) };
    }
  }

  private async readIndex(): Promise<{ readonly rows: readonly Kept['row'][]; readonly beside: Beside }> {
    const raw = asObject(await this.disk.readJson(INDEX));
    const list = (key: string): readonly unknown[] => (Array.isArray(raw[key]) ? raw[key] : []);
    return { rows: list('rows').filter(isRow), beside: { marks: new Map(list('logs').filter(isMark)), moves: movesIn(list('moves')), originals: originalsIn(list('originals')) } };
  }

  private blobFile(name: string): string {
    return this.disk.fileOf(`${name}.json`);
  }
}

function indexOf(rows: readonly Kept['row'][], { marks, moves, originals }: Beside): string {
  return JSON.stringify({ version: 1, rows, logs: [...marks], moves: [...moves], originals });
}

function bytesNamed(known: readonly Known[], { originals }: Beside): string[] {
  const wholes = known.flatMap(({ entry }) => (entry.whole ? (keptBefore(entry.whole)?.name ?? []) : []));
  return [...wholes, ...originals.map(([, { kept }]) => kept.name)];
}

/** Changes as earlier versions kept them, each on top of the lines of its file. */
function withEarlier(saved: SavedReview, earlier: readonly WholeRow[]): SavedReview {
  const review = new Map([...saved].map(([sessionId, entries]) => [sessionId, new Map(entries)]));
  for (const [sessionId, path, whole] of earlier) {
    const entries = review.get(sessionId) ?? new Map<string, Entry>();
    review.set(sessionId, entries.set(path, { ...(entries.get(path) ?? noLines), whole }));
  }
  return review;
}

function isRow(row: unknown): row is [string, string, string] {
  return Array.isArray(row) && row.length === 3 && row.every((field) => typeof field === 'string') && /^[\da-f]{64}$/.test(String(row[2]));
}

function isMark(row: unknown): row is [string, number] {
  return Array.isArray(row) && row.length === 2 && typeof row[0] === 'string' && Number.isSafeInteger(row[1]);
}
