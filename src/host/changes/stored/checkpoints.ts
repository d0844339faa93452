import { randomUUID } from 'node:crypto';
import { Emitter } from '../../../base/event';
import { Later } from '../../../base/later';
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

/** A file's content and its pending change at one moment. */
export interface Moment {
  /** Undefined if it is unknown. */
  readonly content: ContentInHand | undefined;
  /** Undefined if nothing is pending. */
  readonly entry: Entry | undefined;
}

export interface CheckpointsOptions {
  /** The folder of the logs; absolute. */
  readonly folder: string;
  readonly contents: ContentStore;
  /** Time of the running or the last prompt of a session. */
  readonly promptOf: (sessionId: string) => number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called if contents that an agent has already replaced cannot be stored. */
  readonly failed?: (sessionId: string, error: Error) => void;
  /** The file system; tests replace it. */
  readonly files?: StoreFiles;
}

/**
 * Records the content of a file before each change of an agent, and stores contents before Parley replaces them. Each
 * record is on disk before the next step is made.
 */
export class Checkpoints extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** Fires when prompts can be restored that could not be before, or the reverse. */
  readonly onDidChange = this.#changeEmitter.event;

  readonly #store: Later<CheckpointStore>;
  /** Changes that could not be written, in order, by session. They are retried until they can be. */
  readonly #missed = new Map<string, MakeEvents[]>();
  readonly #retries = new OneByOne();

  constructor(private readonly options: CheckpointsOptions) {
    super();
    const { contents, files, folder, log } = options;
    this.#store = this.register(
      new Later(async () => {
        const lazy = await import('./checkpointStore');
        return new lazy.CheckpointStore(folder, contents, log, files);
      }),
    );
    contents.addOwner(async (): Promise<readonly Stored[]> => (await this.#store.get()).stored());
  }

  /** Removes old checkpoints. */
  async sweep(): Promise<void> {
    await (await this.#store.get()).sweep(this.options.clock.now());
  }

  /** Removes all checkpoints of a session. */
  async forget(sessionId: string): Promise<void> {
    await (await this.#store.get()).forget(sessionId);
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
   * An agent has changed a file, with or without an announcement.
   * @param before the file just before
   * @param after the `shortDigest` of its new content.
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
    const [stored] = storedIn(content);
    const release = stored && this.options.contents.hold(stored);
    const recorded = this.#record(sessionId, async (log) => {
      const touched = await this.#touched(log, prompt, path, before, false);
      return [...(touched ? [touched] : []), { type: 'wrote', prompt, path, before: was ?? null, after }];
    });
    void recorded.finally(release);
  }

  /** Resolves when all contents that agents have replaced in a session are on disk. @throws NotStoredError */
  async recorded(sessionId: string): Promise<void> {
    await this.log(sessionId);
    await this.#retries.run(sessionId, async () => {
      const missed = this.#missed.get(sessionId) ?? [];
      for (; missed[0]; missed.shift()) {
        await this.#write(sessionId, missed[0], true).catch((error: unknown) => {
          // Any other error would occur again, so that change is dropped.
          if (error instanceof NotStoredError) throw error;
          this.options.log.error(`A checkpoint could not be written: ${String(error)}`);
        });
      }
      this.#missed.delete(sessionId);
    });
  }

  /** The user renamed a file or a folder. */
  moved(from: string, to: string): void {
    for (const sessionId of this.#store.opened?.known ?? [])
      void this.#record(sessionId, async (log) => (log.has(from) ? { type: 'moved', from, to } : undefined), true);
  }

  /**
   * Stores the present contents of files, because they are about to be replaced.
   * @throws NotStoredError and others if that failed: then the files must not be replaced.
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

  /** A restore or a redo wrote this content to a file. */
  async left(sessionId: string, path: string, content: Content): Promise<void> {
    await this.#record(sessionId, () => ({ type: 'left', path, text: shortDigest(content) }));
  }

  async redone(sessionId: string, id: string): Promise<void> {
    await this.#record(sessionId, () => ({ type: 'redone', id }));
  }

  async log(sessionId: string): Promise<CheckpointLog> {
    return (await this.#store.get()).open(sessionId);
  }

  /** The content of a file, with its text and bytes. @throws Error if they are no longer stored */
  read(path: string, content: Content): Promise<ContentInHand> {
    return readStored(path, content, this.options.contents);
  }

  /** The pending change of a version. @throws Error if it cannot be read */
  async entryOf({ entry, waits }: Version): Promise<Entry | undefined> {
    const lines = entry && (await readEntry(entry, this.options.contents));
    return waits ? { ...(lines ?? noLines), whole: waits } : lines;
  }

  /** The panel's view of the checkpoints; undefined until they were read, or if no prompt can be restored. */
  view(sessionId: string): CheckpointsView | undefined {
    const log = this.#store.opened?.peek(sessionId);
    if (!log) {
      void this.log(sessionId).then((read) => read.range && this.#changeEmitter.fire());
      return undefined;
    }
    const { range, redoable, restores } = log;
    if (!range) return undefined;
    // A prompt after the restore continues from the restored state, so the restore is no longer shown.
    const stands = redoable?.prompt !== undefined && this.#prompt(sessionId) <= redoable.at;
    return { ...range, ...(stands ? { restored: redoable.prompt } : {}), ...(restores.length > 0 ? { restores } : {}) };
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
    // The first record of a prompt stays, but permissions may be recorded after the text.
    if (!log.needs(prompt, path, modeIn({ content: moment.content }))) return undefined;
    const before = await this.#version(path, moment, isNow);
    const known = log.recorded(prompt, path);
    return JSON.stringify(known) === JSON.stringify(before) ? undefined : { type: 'touched', prompt, path, before };
  }

  /**
   * Stores a moment of a file.
   * @param isNow the file still has this content, so the bytes of a large file can be copied.
   * @throws Error if it cannot be stored, or the file no longer has this content
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

  /**
   * Records a change that has already happened. If the storage is full, this change and all later ones wait for a
   * retry.
   */
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
      await (await this.#store.get()).change(sessionId, make, isAlone);
    } catch (error) {
      throw isOfStorage(error, this.options.folder) ? notStored(this.options.folder, error) : error;
    }
    this.#changeEmitter.fire();
  }
}

/** True if the storage failed, and not the file that was to be stored. */
function isOfStorage(error: unknown, folder: string): boolean {
  const { code, path } = error as NodeJS.ErrnoException;
  return code !== undefined && (['ENOSPC', 'EDQUOT', 'EROFS'].includes(code) || path?.startsWith(folder) === true);
}
