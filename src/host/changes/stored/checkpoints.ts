import { randomUUID } from 'node:crypto';
import { Emitter } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import { OneByOne } from '../../../base/oneByOne';
import type { Logger } from '../../../base/log';
import type { Clock } from '../../../base/scheduler';
import type { CheckpointsView } from '../../../protocol/changeView';
import {
  type CheckpointEvent,
  type CheckpointLog,
  modeIn,
  type SaveReason,
  type Version,
} from '../../../changes/checkpointLog';
import { type Content, shortDigest, type Stored, storedIn } from '../../../changes/content';
import { type Entry, hasLines, noLines } from '../../../changes/entry';
import { notStored, NotStoredError } from '../../platform/notStoredError';
import type { ContentStore } from '../../storage/contentStore';
import type { StoreFiles } from '../../storage/storeFiles';
import type { CheckpointStore, MakeEvents } from './checkpointStore';
import { readStored } from '../../files/readContent';
import type { ContentInHand } from '../../storage/contentInHand';
import { readEntry, storeEntry } from './storedEntry';

/** A file and what is pending in it, at one moment. */
export interface Moment {
  /** Undefined: nobody knows. */
  readonly content: ContentInHand | undefined;
  /** Undefined: nothing is pending. */
  readonly entry: Entry | undefined;
}

export interface CheckpointsOptions {
  /** Where the logs are; absolute. */
  readonly folder: string;
  readonly contents: ContentStore;
  /** Time of the prompt that a session works on, or worked on last. */
  readonly promptOf: (sessionId: string) => number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** What an agent has replaced already cannot be stored. */
  readonly failed?: (sessionId: string, error: Error) => void;
  /** The disk; a test has its own. */
  readonly files?: StoreFiles;
}

/**
 * Records what stood in a file before each change of an agent, and stores what stands in files before something of ours
 * takes its place. Each moment is on disk before what follows it is done.
 */
export class Checkpoints extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** There is more to go back to, or less. */
  readonly onDidChange = this.#changeEmitter.event;

  #opening: Promise<CheckpointStore> | undefined;
  #opened: CheckpointStore | undefined;
  /** What could not be written, in order, by session; it is held until it can be. */
  readonly #missed = new Map<string, MakeEvents[]>();
  readonly #retries = new OneByOne();

  constructor(private readonly options: CheckpointsOptions) {
    super();
    options.contents.addOwner(async (): Promise<readonly Stored[]> => (await this.#openStore()).stored());
  }

  /** Removes what is old. */
  async sweep(): Promise<void> {
    await (await this.#openStore()).sweep(this.options.clock.now());
  }

  /** Nothing of a session may be left. */
  async forget(sessionId: string): Promise<void> {
    await (await this.#openStore()).forget(sessionId);
  }

  /**
   * An agent is about to change a file. Resolves when its content is on disk.
   * @throws NotStoredError: the file must not be changed.
   */
  async before(sessionId: string, path: string, moment: Moment): Promise<void> {
    const prompt = this.#prompt(sessionId);
    await this.#write(sessionId, (log) => this.#touched(log, prompt, path, moment, true));
  }

  /**
   * An agent has changed a file, whether or not that was told in advance.
   * @param before what was known of it just before
   * @param after what it holds then, as `shortDigest` tells it.
   * @param prompt the time of the prompt that the change belongs to
   */
  changed(
    sessionId: string,
    path: string,
    before: Moment,
    after: string | null,
    prompt = this.#prompt(sessionId),
  ): void {
    const { content } = before;
    const was = content && shortDigest(content);
    if (content?.kind !== 'binary' && was === after && modeIn({ content }) === undefined) return;
    const releases = storedIn(content).map((stored) => this.options.contents.hold(stored));
    const recorded = this.#record(sessionId, async (log) => {
      const touched = await this.#touched(log, prompt, path, before, false);
      return [...(touched ? [touched] : []), { type: 'wrote', prompt, path, before: was ?? null, after }];
    });
    void recorded.finally(() => releases.forEach((release) => release()));
  }

  /** Resolves when all that agents have replaced in a session is on disk. @throws NotStoredError */
  async recorded(sessionId: string): Promise<void> {
    await this.log(sessionId);
    await this.#retries.run(sessionId, async () => {
      const missed = this.#missed.get(sessionId) ?? [];
      for (; missed[0]; missed.shift()) {
        await this.#write(sessionId, missed[0], true).catch((error: unknown) => {
          // What fails for another reason will fail again.
          if (error instanceof NotStoredError) throw error;
          this.options.log.error(`A checkpoint could not be written: ${String(error)}`);
        });
      }
      this.#missed.delete(sessionId);
    });
  }

  /** The user has given a file or a folder another name. */
  moved(from: string, to: string): void {
    for (const sessionId of this.#opened?.known ?? [])
      void this.#record(sessionId, async (log) => (log.has(from) ? { type: 'moved', from, to } : undefined), true);
  }

  /**
   * Stores files as they stand, because something takes their place now.
   * @throws NotStoredError and others if that failed: then nothing may.
   */
  async save(
    sessionId: string,
    reason: SaveReason,
    files: ReadonlyMap<string, Moment>,
    prompt?: number,
  ): Promise<string> {
    const id = randomUUID();
    await this.#write(sessionId, async () => {
      const versions: [string, Version][] = [];
      for (const [path, moment] of files) versions.push([path, await this.#version(path, moment, true)]);
      return { type: 'saved', id, at: this.options.clock.now(), reason, files: versions, prompt };
    });
    return id;
  }

  /** A restore or a redo has left this in a file. */
  async left(sessionId: string, path: string, content: Content): Promise<void> {
    await this.#record(sessionId, () => ({ type: 'left', path, text: shortDigest(content) }));
  }

  async redone(sessionId: string, id: string): Promise<void> {
    await this.#record(sessionId, () => ({ type: 'redone', id }));
  }

  async log(sessionId: string): Promise<CheckpointLog> {
    return (await this.#openStore()).open(sessionId);
  }

  /** What a file contained, with its text and bytes. @throws Error if they are not stored any more */
  read(path: string, content: Content): Promise<ContentInHand> {
    return readStored(path, content, this.options.contents);
  }

  /** What was pending in a version. @throws Error if it cannot be read */
  async entryOf({ entry, waits }: Version): Promise<Entry | undefined> {
    const lines = entry && (await readEntry(entry, this.options.contents));
    return waits ? { ...(lines ?? noLines), whole: waits } : lines;
  }

  /** What the panel shows of it; undefined until it was read, and where there is nothing to go back to. */
  view(sessionId: string): CheckpointsView | undefined {
    const log = this.#opened?.peek(sessionId);
    if (!log) {
      void this.log(sessionId).then((read) => read.range && this.#changeEmitter.fire());
      return undefined;
    }
    const { range, redoable, restores } = log;
    if (!range) return undefined;
    // Whoever has asked for more since goes on from there.
    const stands = redoable?.prompt !== undefined && this.#prompt(sessionId) <= redoable.at;
    return { ...range, ...(stands ? { restored: redoable.prompt } : {}), ...(restores.length > 0 ? { restores } : {}) };
  }

  /** Read on first need. */
  #openStore(): Promise<CheckpointStore> {
    this.#opening ??= import('./checkpointStore').then(
      ({ CheckpointStore }) =>
        (this.#opened = new CheckpointStore(
          this.options.folder,
          this.options.contents,
          this.options.log,
          this.options.files,
        )),
    );
    return this.#opening;
  }

  #prompt(sessionId: string): number {
    return this.options.promptOf(sessionId) ?? 0;
  }

  async #touched(
    log: CheckpointLog,
    prompt: number,
    path: string,
    moment: Moment,
    isNow: boolean,
  ): Promise<CheckpointEvent | undefined> {
    // What was recorded first counts; but permissions may be changed after the text.
    if (!log.needs(prompt, path, modeIn({ content: moment.content }))) return undefined;
    const before = await this.#version(path, moment, isNow);
    const known = log.recorded(prompt, path);
    return JSON.stringify(known) === JSON.stringify(before) ? undefined : { type: 'touched', prompt, path, before };
  }

  /**
   * Stores a moment of a file.
   * @param isNow the file still is what the moment says. So the bytes of a large file can be copied.
   * @throws Error if it cannot be stored, or the file is no longer what the moment says
   */
  async #version(path: string, { content, entry }: Moment, isNow: boolean): Promise<Version> {
    const { contents } = this.options;
    const waits = entry?.whole;
    for (const stored of storedIn(waits?.before)) contents.use(stored);
    return {
      content: content && (isNow ? await contents.storeFile(path, content) : contents.store(content)),
      entry:
        entry && hasLines(entry) ? storeEntry(waits ? { ...entry, whole: undefined } : entry, contents) : undefined,
      waits,
    };
  }

  /** Records what has happened already. What there is no room for is held, and what comes after it too. */
  async #record(sessionId: string, make: MakeEvents, isAlone = false): Promise<void> {
    const missed = this.#missed.get(sessionId);
    missed?.push(make);
    try {
      await (missed ? this.recorded(sessionId) : this.#write(sessionId, make, isAlone));
    } catch (error) {
      const { log, failed } = this.options;
      log.error(`A checkpoint could not be written: ${String(error)}`);
      if (!(error instanceof NotStoredError)) return;
      if (!missed)
        this.#missed
          .set(sessionId, this.#missed.get(sessionId) ?? [])
          .get(sessionId)!
          .push(make);
      failed?.(sessionId, error);
    }
  }

  async #write(sessionId: string, make: MakeEvents, isAlone = false): Promise<void> {
    try {
      await (await this.#openStore()).change(sessionId, make, isAlone);
    } catch (error) {
      throw isOfStorage(error, this.options.folder) ? notStored(this.options.folder, error) : error;
    }
    this.#changeEmitter.fire();
  }
}

/** Whether the storage failed, and not the file that was to be stored. */
function isOfStorage(error: unknown, folder: string): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  return code !== undefined && (['ENOSPC', 'EDQUOT', 'EROFS'].includes(code) || path?.startsWith(folder) === true);
}
