import { lstat, readdir, rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { parsedJson } from '../../../base/json';
import type { Logger } from '../../../base/log';
import { type CheckpointEvent, CheckpointLog } from '../../../changes/checkpointLog';
import { decodeCheckpoint } from '../../../changes/decodeSaved';
import { eachEntry } from '../../../node/eachEntry';
import { type StoreFiles, storeFiles } from '../../storage/storeFiles';
import { Batches } from '../../storage/batches';
import { sha256 } from '../../storage/contentName';
import { MomentStore } from './momentStore';

/**
 * Characters of texts, and bytes of other files, that are kept for one session; beyond them its oldest prompts are
 * forgotten.
 */
const MAX_SESSION = 100_000_000;
const MAX_SESSION_BYTES = 500_000_000;
/** Bytes that are kept for all sessions, and how long one is kept after it was last worked in. */
const MAX_ALL = 1_000_000_000;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** Changes whose blobs are written at the same time. */
const AT_ONCE = 50;
const LOG = 'log.ndjson';

interface Kept {
  readonly log: CheckpointLog;
  readonly blobs: MomentStore;
  /** What is done with one session is done one after the other, and tells what each change has made. */
  readonly changes: Batches<MakeEvents, readonly PromiseSettledResult<Made>[]>;
}

/** What is to be recorded, in order; several are on disk together or not at all. Undefined: nothing. */
type Made = readonly CheckpointEvent[] | CheckpointEvent | undefined;
export type MakeEvents = (log: CheckpointLog, blobs: MomentStore) => Promise<Made>;

/**
 * Checkpoints on disk: one folder per session, with blobs named by their content and a file that is only ever appended
 * to. A line is written after the blobs that it refers to, so a crash leaves the state before or the state after.
 */
export class CheckpointStore {
  readonly #sessions = new Map<string, Promise<Kept>>();
  readonly #loaded = new Map<string, CheckpointLog>();
  /** Sessions whose last append failed: it may have left half a line. */
  readonly #torn = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {}

  /** Sessions that were read. */
  get known(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** What is known of a session; undefined until it was read. */
  peek(sessionId: string): CheckpointLog | undefined {
    return this.#loaded.get(sessionId);
  }

  /** The same, read from disk if need be, after all changes that were asked for before. */
  async open(sessionId: string): Promise<{ readonly log: CheckpointLog; readonly blobs: MomentStore }> {
    const kept = await this.#session(sessionId);
    await kept.changes.settled();
    return kept;
  }

  /**
   * Makes one change after those before it. Resolves when it is on disk.
   * @param isAlone it has to know of all changes before it.
   * @throws Error where it could not be written.
   */
  async change(sessionId: string, make: MakeEvents, isAlone = false): Promise<void> {
    const { changes } = await this.#session(sessionId);
    if (isAlone) changes.close();
    const { index, done } = changes.add(make, isAlone ? AT_ONCE : 1);
    const made = (await done)[index]!;
    if (made.status === 'rejected') throw made.reason;
  }

  /**
   * Changes that come at the same time: one after the other they would take a minute after a command that has changed
   * thousands of files.
   */
  async #carryOut(
    sessionId: string,
    log: CheckpointLog,
    blobs: MomentStore,
    changes: readonly MakeEvents[],
  ): Promise<readonly PromiseSettledResult<Made>[]> {
    const made = await Promise.allSettled(changes.map((make) => make(log, blobs)));
    const events = made.flatMap((change) => (change.status === 'fulfilled' ? (change.value ?? []) : []));
    if (events.length > 0) {
      await blobs.make();
      await this.#append(sessionId, events);
    }
    for (const event of events) log.apply(event);
    if (events.some(({ type }) => type === 'touched')) await this.#limit(sessionId, log, blobs);
    return made;
  }

  async #append(sessionId: string, events: readonly CheckpointEvent[]): Promise<void> {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    // What follows must not join a line that a full disk cut off.
    const start = this.#torn.has(sessionId) ? '\n' : '';
    this.#torn.add(sessionId);
    await this.files.append(this.#logFile(sessionId), start + lines);
    this.#torn.delete(sessionId);
  }

  /** Nothing of a session may be left. */
  async forget(sessionId: string): Promise<void> {
    const kept = await this.#sessions.get(sessionId);
    await kept?.changes.settled();
    this.#sessions.delete(sessionId);
    this.#loaded.delete(sessionId);
    await this.files.remove(this.#folderOf(sessionId));
  }

  /** Removes what is old, and of the rest the oldest where it is too much. @param now epoch milliseconds. */
  async sweep(now: number): Promise<void> {
    const found: { folder: string; at: number; size: number }[] = [];
    await eachEntry(
      readdir(this.folder),
      (reason) => this.log.warn(`A folder of checkpoints could not be read: ${reason}`),
      async (name) => {
        const folder = nodePath.join(this.folder, name);
        // Systems leave files of their own in any folder.
        if ((await lstat(folder)).isDirectory()) found.push({ folder, ...(await this.#weigh(folder)) });
      },
    );
    let all = 0;
    const used = new Set([...this.#sessions.keys()].map((id) => this.#folderOf(id)));
    const old = found
      .sort((a, b) => b.at - a.at)
      .filter(({ folder, at, size }) => {
        all += size;
        return !used.has(folder) && (all > MAX_ALL || now - at > MAX_AGE_MS);
      });
    await eachEntry(
      Promise.resolve(old.map(({ folder }) => folder)),
      (reason) => this.log.warn(`Old checkpoints could not be removed: ${reason}`),
      (folder) => rm(folder, { recursive: true, force: true }),
    );
  }

  /** @returns when something was recorded last, and the bytes of all files */
  async #weigh(folder: string): Promise<{ at: number; size: number }> {
    let [at, all] = [0, 0];
    await eachEntry(
      readdir(folder),
      (reason) => this.log.warn(`A file of checkpoints could not be looked at: ${reason}`),
      async (file) => {
        const { mtimeMs, size } = await lstat(nodePath.join(folder, file));
        if (file === LOG) at = mtimeMs;
        all += size;
      },
    );
    return { at, size: all };
  }

  #session(sessionId: string): Promise<Kept> {
    let session = this.#sessions.get(sessionId);
    if (!session) this.#sessions.set(sessionId, (session = this.#load(sessionId)));
    return session;
  }

  async #load(sessionId: string): Promise<Kept> {
    const log = new CheckpointLog();
    for (const line of await this.#lines(sessionId)) {
      const event = decodeCheckpoint(parsedJson(line));
      if (event) log.apply(event);
      else if (line !== '') this.log.warn('A line of the checkpoints could not be read');
    }
    this.#loaded.set(sessionId, log);
    const blobs = new MomentStore(this.#folderOf(sessionId), this.files, this.log);
    return {
      log,
      blobs,
      changes: new Batches((changes: readonly MakeEvents[]) => this.#carryOut(sessionId, log, blobs, changes), AT_ONCE),
    };
  }

  async #lines(sessionId: string): Promise<string[]> {
    let text: string;
    try {
      text = await this.files.read(this.#logFile(sessionId));
      // What is appended must not join a line that a crash cut off.
      if (text !== '' && !text.endsWith('\n')) await this.files.append(this.#logFile(sessionId), '\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log.warn(`The checkpoints could not be read: ${String(error)}`);
      return [];
    }
    return text.split('\n');
  }

  async #limit(sessionId: string, log: CheckpointLog, blobs: MomentStore): Promise<void> {
    if ((blobs.size <= MAX_SESSION && log.keptBytes <= MAX_SESSION_BYTES) || log.prompts.length < 2) return;
    const event: CheckpointEvent = { type: 'forgotten', upTo: log.prompts[0]! };
    await this.#append(sessionId, [event]);
    log.apply(event);
    await blobs.sweep(log.blobs, this.log);
    await blobs.bytes.sweep((name) => log.blobs.has(name));
    this.log.info('The oldest checkpoints of a session were forgotten: there is too much to keep');
  }

  #logFile(sessionId: string): string {
    return nodePath.join(this.#folderOf(sessionId), LOG);
  }

  #folderOf(sessionId: string): string {
    return nodePath.join(this.folder, /^[\w-]{1,64}$/.test(sessionId) ? sessionId : sha256(sessionId));
  }
}
