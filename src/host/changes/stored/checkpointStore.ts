import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { parsedJson } from '../../../base/json';
import type { Logger } from '../../../base/log';
import { type CheckpointEvent, CheckpointLog, storedInEvent } from '../../../changes/checkpointLog';
import type { Stored } from '../../../changes/content';
import { decodeCheckpoint } from '../../../changes/decodeSaved';
import { eachEntry } from '../../../node/eachEntry';
import { Batches } from '../../storage/batches';
import { sha256 } from '../../storage/contentName';
import type { ContentStore } from '../../storage/contentStore';
import { type StoreFiles, storeFiles } from '../../storage/storeFiles';
import { takeEarlierCheckpoints } from './earlierStorage';

/** The limit for the contents of one session, in bytes. Beyond it, its oldest prompts are forgotten. */
const MAX_SESSION = 500_000_000;
/** The limit for all sessions, and the time that a session is stored after its last change. */
const MAX_ALL = 1_000_000_000;
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1_000;
/** The contents of this many changes are written at the same time. */
const AT_ONCE = 50;
const SUFFIX = '.ndjson';

interface Session {
  readonly log: CheckpointLog;
  /** Changes of one session, made in order. Each change gets its result. */
  readonly changes: Batches<MakeEvents, readonly PromiseSettledResult<Made>[]>;
}

/** Events to record, in order. Either all of them reach the disk or none. */
type Made = readonly CheckpointEvent[] | CheckpointEvent | undefined;
export type MakeEvents = (log: CheckpointLog) => Made | Promise<Made>;

/**
 * Checkpoints on disk: for each session a file of events that is only appended to. A line is written after the contents
 * that it refers to, so a crash leaves the earlier state or the later one.
 */
export class CheckpointStore {
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #loaded = new Map<string, CheckpointLog>();
  /** Sessions whose last append failed. It may have left half a line. */
  readonly #torn = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly contents: ContentStore,
    private readonly log: Logger,
    private readonly files: StoreFiles = storeFiles,
  ) {}

  /** The sessions that were read. */
  get known(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** The log of a session; undefined until it was read. */
  peek(sessionId: string): CheckpointLog | undefined {
    return this.#loaded.get(sessionId);
  }

  /** The log of a session, after all earlier requested changes. */
  async open(sessionId: string): Promise<CheckpointLog> {
    const { log, changes } = await this.#session(sessionId);
    await changes.settled();
    return log;
  }

  /**
   * Makes one change after all earlier ones. Resolves when it is on disk.
   * @param isAlone the change depends on the result of all earlier ones.
   * @throws Error if it could not be written.
   */
  async change(sessionId: string, make: MakeEvents, isAlone = false): Promise<void> {
    const { changes } = await this.#session(sessionId);
    if (isAlone) changes.close();
    const { index, done } = changes.add(make, isAlone ? AT_ONCE : 1);
    const made = (await done)[index]!;
    if (made.status === 'rejected') throw made.reason;
  }

  /**
   * Makes changes that came at the same time. One by one they would take a minute after a command that changed
   * thousands of files.
   */
  async #carryOut(
    sessionId: string,
    log: CheckpointLog,
    changes: readonly MakeEvents[],
  ): Promise<readonly PromiseSettledResult<Made>[]> {
    const made = await Promise.allSettled(changes.map(async (make) => make(log)));
    const events = made.flatMap((change) => (change.status === 'fulfilled' ? (change.value ?? []) : []));
    if (events.length > 0) await this.#append(sessionId, events);
    for (const event of events) log.apply(event);
    if (events.some(({ type }) => type === 'touched')) await this.#limit(sessionId, log);
    return made;
  }

  async #append(sessionId: string, events: readonly CheckpointEvent[]): Promise<void> {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    await this.contents.settled(events.flatMap(storedInEvent));
    await this.files.makeFolder(this.folder);
    // New lines must not join a line that a full disk cut off.
    const start = this.#torn.has(sessionId) ? '\n' : '';
    this.#torn.add(sessionId);
    await this.files.append(this.#fileOf(sessionId), start + lines);
    this.#torn.delete(sessionId);
  }

  /** Deletes a session's log, and erases contents that nothing else refers to. */
  async forget(sessionId: string): Promise<void> {
    const session = await this.#sessions.get(sessionId);
    await session?.changes.settled();
    this.#sessions.delete(sessionId);
    this.#loaded.delete(sessionId);
    await this.files.remove(this.#fileOf(sessionId));
    await this.files.remove(this.#fileOf(sessionId).slice(0, -SUFFIX.length));
    await this.contents.sweep(true);
  }

  /**
   * Removes the logs of sessions that are too old, and the oldest if all together are too large.
   * @param now epoch ms
   */
  async sweep(now: number): Promise<void> {
    const found: { readonly name: string; readonly at: number; readonly size: number }[] = [];
    await this.#eachLog('weighed', async (name) => {
      const isLog = name.endsWith(SUFFIX);
      const { mtimeMs: at } = await stat(nodePath.join(this.folder, name, ...(isLog ? [] : ['log.ndjson'])));
      found.push({ name, at, size: isLog ? (await this.#read(name)).size : 0 });
    });
    let all = 0;
    const used = this.#used;
    const old = found
      .sort((a, b) => b.at - a.at)
      .filter(({ name, at, size }) => {
        all += size;
        return !used.has(name) && (all > MAX_ALL || now - at > MAX_AGE_MS);
      });
    const remove = (name: string) => this.files.remove(nodePath.join(this.folder, name));
    await this.#eachLog('removed', remove, Promise.resolve(old.map(({ name }) => name)));
    await this.contents.sweep();
  }

  /** The contents that all sessions refer to, including those that were not opened. */
  async stored(): Promise<readonly Stored[]> {
    const logs: CheckpointLog[] = [];
    const used = this.#used;
    await this.#eachLog('read', async (name) => {
      if (name.endsWith(SUFFIX) && !used.has(name)) logs.push(await this.#read(name));
    });
    for (const session of await Promise.all(this.#sessions.values())) {
      // Contents of a running change belong to its events only once it is recorded.
      await session.changes.settled();
      logs.push(session.log);
    }
    return logs.flatMap(({ stored }) => stored);
  }

  /** The names of the logs of open sessions. */
  get #used(): ReadonlySet<string> {
    return new Set([...this.#sessions.keys()].map((id) => nodePath.basename(this.#fileOf(id))));
  }

  /** Processes the entries of the folder: logs, folders of earlier builds, and files of the system. */
  async #eachLog(
    done: string,
    work: (name: string) => Promise<unknown>,
    names: Promise<readonly string[]> = this.files.list(this.folder),
  ): Promise<void> {
    await eachEntry(names, (reason) => this.log.warn(`Checkpoints could not be ${done}: ${reason}`), work);
  }

  async #read(name: string): Promise<CheckpointLog> {
    return this.#logOf((await this.files.read(nodePath.join(this.folder, name))).split('\n'));
  }

  #session(sessionId: string): Promise<Session> {
    let session = this.#sessions.get(sessionId);
    if (!session) this.#sessions.set(sessionId, (session = this.#load(sessionId)));
    return session;
  }

  async #load(sessionId: string): Promise<Session> {
    const log = this.#logOf(await this.#lines(sessionId));
    this.#loaded.set(sessionId, log);
    return {
      log,
      changes: new Batches((changes: readonly MakeEvents[]) => this.#carryOut(sessionId, log, changes), AT_ONCE),
    };
  }

  #logOf(lines: readonly string[]): CheckpointLog {
    const log = new CheckpointLog();
    for (const line of lines) {
      const event = decodeCheckpoint(parsedJson(line));
      if (event) log.apply(event);
      else if (line !== '') this.log.warn('A line of the checkpoints could not be read');
    }
    return log;
  }

  async #lines(sessionId: string): Promise<string[]> {
    const file = this.#fileOf(sessionId);
    try {
      await takeEarlierCheckpoints(file.slice(0, -SUFFIX.length), file, this.contents, this.files, this.log);
      const text = await this.files.read(file);
      // New lines must not join a line that a crash cut off.
      if (text !== '' && !text.endsWith('\n')) await this.files.append(file, '\n');
      return text.split('\n');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.log.warn(`The checkpoints could not be read: ${String(error)}`);
      return [];
    }
  }

  async #limit(sessionId: string, log: CheckpointLog): Promise<void> {
    if (log.size <= MAX_SESSION || log.prompts.length < 2) return;
    const event: CheckpointEvent = { type: 'forgotten', upTo: log.prompts[0]! };
    await this.#append(sessionId, [event]);
    log.apply(event);
    void this.contents.sweep();
    this.log.info('The oldest checkpoints of a session were forgotten, because its contents are too large');
  }

  #fileOf(sessionId: string): string {
    const name = /^[\w-]{1,64}$/.test(sessionId) ? sessionId : sha256(sessionId);
    return nodePath.join(this.folder, name + SUFFIX);
  }
}
