import { rmSync } from 'node:fs';
import nodePath from 'node:path';
import { messageOf } from '../../base/errorText';
import { Deferred } from '../../base/deferred';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { type Clock, Coalescer } from '../../base/scheduler';
import { count, decoded, type Decoder, objectOf, rightOf, text, tuple } from '../../base/decode';
import { type Content, type Stored, type StoredEntry, storedIn, storedInEntry } from '../../changes/content';
import { content, savedEntry, storedEntry, unclaimedChange, wholeChange } from '../../changes/decodeSaved';
import { type Entry, noLines } from '../../changes/entry';
import type { UnclaimedChange } from '../../changes/wholeChange';
import { type StoreFiles, storeFiles } from '../storage/storeFiles';
import { slices } from '../platform/slices';
import { replaceFileSync } from '../storage/replaceFile';
import type { StorageTrouble } from '../storage/storageTrouble';
import { notStored, NotStoredError } from '../platform/notStoredError';
import type { ContentStore } from '../storage/contentStore';
import type { BeforeImages, LogMarks } from './stored/beforeImages';
import { earlierValue, removeEarlierValues, takeEarlierBytes } from './stored/earlierStorage';
import type { ReviewContents } from './stored/reviewContents';
import { readEntry, storeEntry } from './stored/storedEntry';
import type { UnclaimedChanges } from './unclaimedChanges';

/** The entries of each session's files, by session id and path. */
export type SavedReview = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

const INDEX = 'index.json';
/** A change may be only in memory for this long. */
const SAVE_MS = 500;

interface Index {
  /** The files of each session, each with its entry as a JSON value; a string names a value of an earlier build. */
  readonly rows: readonly (readonly [sessionId: string, path: string, entry: StoredEntry | string])[];
  readonly logs: readonly (readonly [id: string, mark: number])[];
  readonly moves: readonly (readonly [path: string, from: string])[];
  readonly originals: readonly (readonly [path: string, content: Content])[];
  readonly unclaimed: readonly UnclaimedChange[];
}

/** One file of the review at one moment. */
interface Known {
  readonly sessionId: string;
  readonly path: string;
  readonly entry: Entry;
}

/** All that is saved. */
export interface SavedParts {
  readonly review: () => SavedReview;
  /** The log of changes that the saved review may not include. The index records how much of it is included. */
  readonly images?: () => Pick<BeforeImages, 'flushSync' | 'marks' | 'saved' | 'settled' | 'stored'> | undefined;
  /** Exact bytes of texts, and moves. */
  readonly beside?: Pick<ReviewContents, 'originals' | 'renames'>;
  readonly unclaimed?: Pick<UnclaimedChanges, 'all' | 'restore'>;
}

export interface ReviewStoreOptions {
  /** The folder of the index; absolute. Earlier builds stored bytes in folders beside it. */
  readonly folder: string;
  readonly contents: ContentStore;
  readonly parts: SavedParts;
  readonly clock: Clock;
  readonly log: Logger;
  /** Reports failed saves to the user, and when they succeed again. */
  readonly trouble?: Pick<StorageTrouble, 'failed' | 'ended'>;
  readonly files?: StoreFiles;
}

/**
 * Saves pending changes for the next window: one value for each file in the content store, and an index that is
 * replaced in one step when the contents are on disk. So a crash leaves the earlier state or the later one. What
 * happens between two saves is in the log of before-images.
 */
export class ReviewStore extends Disposable {
  /** The stored form of each entry that was written or read. An unchanged entry is the same object. */
  readonly #entries = new WeakMap<Entry, StoredEntry>();
  /** The contents that the index on disk refers to. */
  #named: readonly Stored[] = [];
  readonly #files: StoreFiles;
  readonly #hasRead = new Deferred<void>();
  readonly #soon: Coalescer;
  /** The last save. Saves never overlap. */
  #saved: Promise<void> = Promise.resolve();
  #hasFailed = false;
  /** False until the saved review was read: an earlier save would overwrite it. */
  #isOpen = false;
  /** True once the values of an earlier build were removed. */
  #isCleared = false;
  /** The index written at the end of the window. A save that began earlier must not replace it. */
  #last: string | undefined;

  constructor(private readonly options: ReviewStoreOptions) {
    super();
    const { clock, contents, files = storeFiles } = options;
    this.#files = files;
    contents.addOwner(() => (this.#isOpen ? this.#wanted : this.#wantedOnceRead()));
    this.#soon = this.register(new Coalescer(clock, SAVE_MS, () => this.#saveSoon()));
  }

  /** Resolves when the saved review was read, or could not be. */
  get whenRead(): Promise<void> {
    return this.#hasRead.promise;
  }

  /**
   * Reads the saved review and passes it to `take`. From then on, changes are saved. Damaged parts are skipped and
   * logged.
   * @param take `marks`: how much of each log the review includes.
   */
  async open(take: (saved: SavedReview, marks: LogMarks) => Promise<void>): Promise<void> {
    try {
      const { contents, folder } = this.options;
      for (const each of ['opaque', 'before'])
        await takeEarlierBytes(nodePath.join(folder, '..', each), contents, this.#files);
      const { rows, ...beside } = decoded(savedIndex, await this.#readIndex()) ?? noIndex;
      const review = new Map<string, Map<string, Entry>>();
      for (const [sessionId, path, place] of rows) {
        try {
          const isEarlier = typeof place === 'string';
          const entry = isEarlier
            ? savedEntry(await earlierValue(folder, place, this.#files))
            : await readEntry(place, contents);
          if (!isEarlier) this.#entries.set(entry, place);
          add(review, sessionId, path, entry);
        } catch (error) {
          this.options.log.warn(`The changes in ${path} could not be read again: ${messageOf(error)}`);
        }
      }
      this.#takeBeside(beside);
      this.options.parts.unclaimed?.restore(beside.unclaimed);
      await this.#takeEarlier(review);
      const places = rows.map(([, , place]) => place);
      this.#named = namedBy(places, filesIn(review), beside);
      await take(review, new Map(beside.logs));
      this.#isOpen = true;
      this.schedule();
    } finally {
      this.#hasRead.resolve();
    }
  }

  /** The review has changed; saves a moment later. */
  schedule(): void {
    if (this.#isOpen) this.#soon.schedule();
  }

  /** Saves now, after the running save. @throws NotStoredError, which is logged too; the next save may succeed. */
  save(): Promise<void> {
    this.#saved = this.#saved
      .catch(() => undefined)
      .then(() => this.#write())
      .then(
        () => {
          this.#hasFailed = false;
          this.options.trouble?.ended({ what: 'changes' });
        },
        (error: unknown) => {
          this.#hasFailed = true;
          this.#warn(error);
          throw notStored(this.options.folder, error);
        },
      );
    return this.#saved;
  }

  /** Resolves when the present review is on disk. @throws NotStoredError */
  settled(): Promise<void> {
    const last = this.#saved;
    this.#soon.flushNow();
    return this.#hasFailed && this.#saved === last ? this.save() : this.#saved;
  }

  /** Synchronous save for `deactivate()`. */
  flushSync(): void {
    if (!this.#isOpen) return;
    try {
      const rows = this.#known.map(({ sessionId, path, entry }) => [sessionId, path, this.#put(entry)] as const);
      this.options.contents.flushSync();
      this.#last = indexOf({ rows, ...this.#beside });
      this.#writeLast(this.#last);
      // The new index has the same changes plus later decisions.
      rmSync(this.#earlierIndex, { force: true });
      this.options.parts.images?.()?.flushSync();
    } catch (error) {
      this.#warn(error);
    }
  }

  async #write(): Promise<void> {
    const { contents, folder, parts } = this.options;
    const beside = this.#beside;
    const rows: Index['rows'][number][] = [];
    const nextPart = slices();
    const known = this.#known;
    for (const { sessionId, path, entry } of known) {
      await nextPart();
      rows.push([sessionId, path, this.#put(entry)]);
    }
    const places = rows.map(([, , place]) => place);
    const named = namedBy(places, known, beside);
    await contents.settled(named);
    // The marks tell which writes the review includes, so the log must not end before them.
    await parts.images?.()?.settled();
    await this.#files.makeFolder(folder);
    if (!(await this.#replaceIndex(indexOf({ rows, ...beside })))) return;
    this.#named = named;
    if (!this.#isCleared) {
      await this.#files.remove(this.#earlierIndex);
      await removeEarlierValues(folder, this.#files);
    }
    this.#isCleared = true;
    await parts.images?.()?.saved(new Map(beside.logs));
    if (this.#last === undefined && contents.isSweepDue) void contents.sweep();
  }

  /** @returns false if the window has ended meanwhile, so that a newer index exists. */
  async #replaceIndex(text: string): Promise<boolean> {
    await this.#files.write(`${this.#index}.new`, text);
    if (this.#last !== undefined) return false;
    await this.#files.rename(`${this.#index}.new`, this.#index);
    // The window ended during the rename, so its newer index is written again.
    if (this.#last !== undefined) this.#writeLast(this.#last);
    return this.#last === undefined;
  }

  /** Uses another temporary name than `#replaceIndex`, which may be writing at the same time. */
  #writeLast(text: string): void {
    replaceFileSync(this.#index, text, `${this.#index}.last`);
  }

  /** The parsed index; undefined if there is none, or if it cannot be read. */
  async #readIndex(): Promise<unknown> {
    try {
      return JSON.parse(await this.#files.read(this.#index));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.options.log.warn(`The saved review could not be read: ${String(error)}`);
      return undefined;
    }
  }

  get #index(): string {
    return nodePath.join(this.options.folder, INDEX);
  }

  /** `save` reports its own failures. */
  #saveSoon(): void {
    void this.save().catch(() => undefined);
  }

  #warn(error: unknown): void {
    const { log, trouble, folder } = this.options;
    log.warn(`The review could not be saved: ${String(error)}`);
    trouble?.failed({ what: 'changes' }, error instanceof NotStoredError ? error.cause : error, folder, () =>
      this.#saveSoon(),
    );
  }

  #put(entry: Entry): StoredEntry {
    const { contents } = this.options;
    const known = this.#entries.get(entry);
    if (known && storedInEntry(known).every((stored) => contents.has(stored))) return known;
    const fresh = storeEntry(entry, contents);
    this.#entries.set(entry, fresh);
    return fresh;
  }

  async #wantedOnceRead(): Promise<readonly Stored[]> {
    await this.whenRead;
    if (!this.#isOpen) throw new Error('unread');
    return this.#wanted;
  }

  /** The contents that the saved index and the next one refer to. */
  get #wanted(): readonly Stored[] {
    const known = this.#known;
    const places = known.map(({ entry }) => this.#entries.get(entry));
    const images = this.options.parts.images?.();
    return [...this.#named, ...namedBy(places, known, this.#beside), ...(images?.stored ?? [])];
  }

  get #known(): Known[] {
    return filesIn(this.options.parts.review());
  }

  get #beside(): Omit<Index, 'rows'> {
    const { beside, images } = this.options.parts;
    const paths = new Set(this.#known.map(({ path }) => path));
    const moves = [...(beside?.renames.moves ?? [])].filter(([path]) => paths.has(path));
    return {
      logs: [...(images?.()?.marks ?? [])],
      moves,
      originals: beside?.originals.saved ?? [],
      unclaimed: this.options.parts.unclaimed?.all ?? [],
    };
  }

  #takeBeside({ moves, originals }: Pick<Index, 'moves' | 'originals'>): void {
    this.options.parts.beside?.originals.restore(originals);
    this.options.parts.beside?.renames.restore(new Map(moves));
  }

  /** The index of changes without lines in the storage of earlier builds. */
  get #earlierIndex(): string {
    return nodePath.join(this.options.folder, '../opaque', INDEX);
  }

  /** Adds the changes without lines that an earlier build saved. */
  async #takeEarlier(review: Map<string, Map<string, Entry>>): Promise<void> {
    const { log } = this.options;
    const json = await this.#files.read(this.#earlierIndex).catch(() => undefined);
    const index = json === undefined ? undefined : decoded((raw) => earlierIndex(JSON.parse(String(raw))), json);
    if (json !== undefined && !index) log.warn('Changes of binary files could not be read again');
    if (!index) return;
    for (const raw of index.rows) {
      const row = decoded(earlierRow, raw);
      if (!row) log.warn(`A change could not be read again: ${JSON.stringify(raw)}`);
      else add(review, row[0], row[1], { ...(review.get(row[0])?.get(row[1]) ?? noLines), whole: row[2] });
    }
    this.#takeBeside(index);
  }
}

/** Decodes a list; anything else becomes an empty list. */
function list<T>(decode: Decoder<T>): Decoder<readonly T[]> {
  return (raw) => decoded(rightOf(decode), raw) ?? [];
}

const noIndex: Index = { rows: [], logs: [], moves: [], originals: [], unclaimed: [] };
/** Earlier builds saved only the digest and the bytes. */
const original: Decoder<Content> = (raw) => content({ kind: 'text', ...(raw as object) });
const place: Decoder<StoredEntry | string> = (raw) => (typeof raw === 'string' ? raw : storedEntry(raw));
const besideFields = { moves: list(tuple(text, text)), originals: list(tuple(text, original)) };
const savedIndex = objectOf<Index>({
  rows: list(tuple(text, text, place)),
  logs: list(tuple(text, count)),
  ...besideFields,
  unclaimed: list(unclaimedChange),
});
const earlierIndex = objectOf<Pick<Index, 'moves' | 'originals'> & { readonly rows: readonly unknown[] }>({
  rows: list<unknown>((raw) => raw),
  ...besideFields,
});
const earlierRow = tuple(text, text, wholeChange);

function indexOf(index: Index): string {
  return JSON.stringify({ version: 1, ...index });
}

function filesIn(review: SavedReview): Known[] {
  return [...review].flatMap(([sessionId, entries]) =>
    [...entries].map(([path, entry]) => ({ sessionId, path, entry })),
  );
}

/** The contents that files and an index refer to. @param places the stored entries of the files */
function namedBy(
  places: readonly (StoredEntry | string | undefined)[],
  files: readonly Known[],
  { originals, unclaimed }: Pick<Index, 'originals' | 'unclaimed'>,
): Stored[] {
  return [
    ...places.flatMap((place) => (typeof place === 'string' ? [] : storedInEntry(place))),
    ...files.flatMap(({ entry }) => storedIn(entry.whole?.before)),
    ...originals.flatMap(([, original]) => storedIn(original)),
    ...unclaimed.flatMap(({ before, after }) => [...storedIn(before), ...storedIn(after)]),
  ];
}

function add(review: Map<string, Map<string, Entry>>, sessionId: string, path: string, entry: Entry): void {
  review.set(sessionId, (review.get(sessionId) ?? new Map<string, Entry>()).set(path, entry));
}
