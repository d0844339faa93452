import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { ToolCallFields } from '../../../acp/decodeUpdate';
import { decoded } from '../../../base/decode';
import { Emitter } from '../../../base/event';
import { Disposable } from '../../../base/lifecycle';
import type { Logger } from '../../../base/log';
import { type Content, type Stored, storedIn } from '../../../changes/content';
import { content } from '../../../changes/decodeSaved';
import { type StoreFiles, storeFiles } from '../../storage/storeFiles';
import { notStored } from '../../platform/notStoredError';
import { type LogRecord, readRecords, RecordLog } from '../../storage/recordLog';
import type { ContentStore } from '../../storage/contentStore';
import type { ContentInHand } from '../../storage/contentInHand';

/** Identifies a turn: the id of its first entry, and the time of its prompt. */
export interface TurnMark {
  readonly turn?: string | undefined;
  readonly prompt?: number | undefined;
}

/** Who wrote a file: the agent of a session, or nobody knows in the turn of which one it was. Absent: somebody else. */
export type Writer = { readonly by: string } | { readonly doubt: string };

/** What the calls of a turn say, as far as it tells whose a change is; see `TurnEvidence`. */
export type EvidenceHead =
  | { readonly type: 'sent'; readonly sessionId: string; readonly at: number }
  | {
      readonly type: 'call';
      readonly sessionId: string;
      readonly at: number;
      readonly since: number;
      readonly fields: CallFacts;
      /** It asks the user. */ readonly requestId?: string | undefined;
    }
  | {
      readonly type: 'answer';
      readonly sessionId: string;
      readonly at: number;
      readonly requestId: string;
      readonly isAllowed: boolean;
    }
  | {
      readonly type: 'command';
      readonly sessionId: string;
      readonly at: number;
      readonly terminalId: string;
      readonly isRunning: boolean;
    };

export type CallFacts = Pick<ToolCallFields, 'toolCallId' | 'kind' | 'status' | 'locations'>;

/** What the records say. `by`: the session whose agent it was; absent for everybody else. `doubt`: see `Writer`. */
export type ImageHead =
  | (TurnMark & {
      readonly type: 'turn';
      readonly sessionId: string;
      readonly cwd: string;
      readonly roots: readonly string[];
      readonly at: number;
    })
  | { readonly type: 'ended'; readonly sessionId: string; readonly at: number }
  /**
   * A folder of a turn. `listed`: all its files; `unread`: those whose contents are not known, by when they had
   * changed; `git`: as `GitBaseline` reads it again.
   */
  | {
      readonly type: 'root';
      readonly path: string;
      readonly since: number;
      readonly listed?: readonly string[];
      readonly unread: readonly (readonly [path: string, changedAt: number])[];
      readonly git?: unknown;
    }
  /** What a file holds from here on. */
  | {
      readonly type: 'holds';
      readonly path: string;
      readonly by?: string | undefined;
      readonly doubt?: string | undefined;
      readonly content: Content;
    }
  | EvidenceHead
  /** Parley is about to write a file: for an agent, which takes the place of `content`, or for the user. */
  | {
      readonly type: 'writing';
      readonly path: string;
      readonly by?: string | undefined;
      readonly content?: Content | undefined;
    }
  | { readonly type: 'written'; readonly path: string; readonly isAbandoned?: boolean };

/** How many records of each log the saved review has taken in, by id. */
export type LogMarks = ReadonlyMap<string, number>;

/** The log of a window that ended while agents worked. */
export interface LeftLog {
  readonly id: string;
  readonly records: readonly LogRecord[];
  /** When the log was written last, epoch ms. */
  readonly endedAt: number;
}

/** A write of an agent through Parley that was under way when the window ended. */
export interface UnsavedWrite {
  readonly sessionId: string;
  readonly path: string;
  /** Undefined where the file did not exist. */
  readonly before: string | undefined;
}

export interface BeforeImagesOptions {
  /** Absolute; shared with the saved review. */
  readonly folder: string;
  readonly contents: ContentStore;
  readonly turnOf: (sessionId: string) => string | undefined;
  readonly promptOf: (sessionId: string) => number | undefined;
  /** The agent of a session works, and what it replaces on disk cannot be stored. */
  readonly failed: (sessionId: string, error: Error) => void;
  readonly log: Logger;
  readonly files?: StoreFiles;
}

/** A log that names so many bytes gets only what must be there. */
const MAX_LOG = 256 * 1024 * 1024;
const NAME = /^before-([\w-]+)\.log$/;

/**
 * The log of before-images of this window: what files hold when an agent begins to work, each content that they get
 * while it works, and each write through Parley before it is carried out. It is on disk, so that a start after a crash
 * finds out what the agent changed, and with what Undo brings it back. It goes when no agent works and the saved review
 * has all of it.
 */
export class BeforeImages extends Disposable {
  readonly #files: StoreFiles;
  /** Those that are needed still; the last one is written. */
  #logs: readonly WindowLog[] = [];
  #left: readonly LeftLog[] = [];
  #isTaken: (id: string) => boolean = () => false;
  #isFollowing = false;
  readonly #running = new Set<string>();
  /** The last turns of sessions that another window has left. */
  readonly #turns = new Map<string, Extract<ImageHead, { type: 'turn' }>>();
  readonly #idleEmitter = this.register(new Emitter<void>());

  /** The log has told all that it has to tell: once the review is saved it can go. */
  readonly onDidIdle = this.#idleEmitter.event;

  constructor(private readonly options: BeforeImagesOptions) {
    super();
    this.#files = options.files ?? storeFiles;
  }

  /** Reads what windows have left that ended while agents worked. */
  async load(): Promise<readonly LeftLog[]> {
    const { folder, log } = this.options;
    const left: LeftLog[] = [];
    for (const name of [...(await this.#files.list(folder).catch(() => []))].sort()) {
      const id = NAME.exec(name)?.[1];
      if (id === undefined || this.#logs.some((log) => log.id === id)) continue;
      try {
        const file = nodePath.join(folder, name);
        left.push({
          id,
          records: readRecords(await this.#files.readBytes(file)),
          endedAt: await stat(file).then(
            ({ mtimeMs }) => mtimeMs,
            () => Date.now(),
          ),
        });
      } catch (error) {
        log.error(`What files held before an agent's work could not be read again: ${String(error)}`);
      }
    }
    for (const { head } of left.flatMap(({ records }) => records))
      if (head['type'] === 'turn')
        this.#turns.set(String(head['sessionId']), head as unknown as Extract<ImageHead, { type: 'turn' }>);
    return (this.#left = left);
  }

  /** The review has taken these logs over; another one is tried again at the next start. */
  taken(ids: readonly string[]): void {
    this.#isTaken = (id) => ids.includes(id);
  }

  /**
   * The last turn of a session that another window has left; see `ReviewServiceOptions.turnOf`,
   * `CheckpointsOptions.promptOf`.
   */
  turnLeft(sessionId: string): TurnMark {
    return this.#turns.get(sessionId) ?? {};
  }

  /** The contents that the logs name. */
  get stored(): readonly Stored[] {
    const left = this.#left
      .flatMap(({ records }) => records)
      .flatMap(({ head }) => storedIn(decoded(content, head['content'])));
    return [...left, ...this.#logs.flatMap((log) => log.stored)];
  }

  /** Starts to log the contents of files for a turn. @returns the turn */
  begin(sessionId: string, cwd: string, roots: readonly string[], at: number): TurnMark {
    const mark = { turn: this.options.turnOf(sessionId), prompt: this.options.promptOf(sessionId) };
    // What files hold is read anew, so what was known of them says nothing any more.
    if (!this.#isFollowing) this.#addLog();
    this.#isFollowing = true;
    this.#running.add(sessionId);
    void this.#note({ type: 'turn', sessionId, cwd, roots, at, ...mark });
    return mark;
  }

  end(sessionId: string, at: number): void {
    this.#running.delete(sessionId);
    void this.#note({ type: 'ended', sessionId, at });
  }

  /** All that agents did has been looked at. */
  finish(): void {
    this.#isFollowing = false;
    this.#idleEmitter.fire();
  }

  /** An agent has told something of a call, or a command has begun or ended. */
  hears(evidence: EvidenceHead): void {
    void this.#note(evidence);
  }

  /** @returns as `holds`. */
  knows(root: Omit<Extract<ImageHead, { type: 'root' }>, 'type'>): Promise<void> {
    return this.#note({ type: 'root', ...root });
  }

  /** A file holds this from here on. Resolves when that is on disk, or could not be written: then the user was told. */
  holds(path: string, content: ContentInHand, by?: Writer): Promise<void> {
    const log = this.#logs.at(-1);
    if (!this.#isFollowing || !log || log.size > MAX_LOG) return Promise.resolve();
    return this.#note({ type: 'holds', path, ...by, content: this.#stored(log, content) });
  }

  /**
   * Parley is about to write a file. Resolves when this fact and the file's content are in the log on disk.
   * @param agents the agent's session, and what its write takes the place of; absent for what the user wants.
   * @returns to be called when it is done, or was given up. @throws NotStoredError
   */
  async writing(
    path: string,
    agents?: { readonly sessionId: string; readonly before: ContentInHand },
  ): Promise<(isAbandoned?: boolean) => void> {
    if (!agents && !this.#isFollowing) return () => undefined;
    const log = this.#logs.at(-1) ?? this.#addLog();
    const content = agents && this.#stored(log, agents.before);
    log.writes++;
    try {
      await log.records.append({ type: 'writing', path, by: agents?.sessionId, content } satisfies ImageHead);
    } catch (error) {
      log.writes--;
      throw notStored(this.options.folder, error);
    }
    let isOver = false;
    return (isAbandoned = false) => {
      if (isOver) return;
      isOver = true;
      log.writes--;
      void log.records
        .append({ type: 'written', path, isAbandoned } satisfies ImageHead)
        .catch((error: unknown) => this.options.log.warn(`The end of a write could not be noted: ${String(error)}`));
      this.#idleEmitter.fire();
    };
  }

  /** All that is noted up to now; to be saved with the review that knows as much. */
  get marks(): LogMarks {
    const left = this.#left
      .filter(({ id }) => this.#isTaken(id))
      .map(({ id, records }) => [id, records.at(-1)?.number ?? 0] as const);
    return new Map([...left, ...this.#logs.map(({ id, records }) => [id, records.number] as const)]);
  }

  /** The review was saved with these marks: logs that nobody needs any more go. */
  async saved(marks: LogMarks): Promise<void> {
    for (const { id } of this.#left) if (marks.has(id)) await this.#files.remove(this.#fileOf(id));
    this.#left = this.#left.filter(({ id }) => !marks.has(id));
    const gone = this.#logs.filter((log) => !this.#isBusy(log) && marks.get(log.id) === log.records.number);
    this.#logs = this.#logs.filter((log) => !gone.includes(log));
    for (const { records } of gone) {
      await records.settled();
      await this.#files.remove(records.file);
    }
  }

  /** The same for the end of the window. What an agent does from now on is found by the next one, if it works still. */
  flushSync(): void {
    const gone = [
      ...this.#left.filter(({ id }) => this.#isTaken(id)),
      ...this.#logs.filter((log) => !this.#isBusy(log)),
    ];
    for (const { id } of gone) rmSync(this.#fileOf(id), { force: true });
  }

  #isBusy(log: WindowLog): boolean {
    return log.writes > 0 || (this.#isFollowing && log === this.#logs.at(-1));
  }

  /** The log names a content from here on. */
  #stored(log: WindowLog, content: ContentInHand): Content {
    const saved = this.options.contents.store(content);
    for (const stored of storedIn(saved)) {
      log.stored.push(stored);
      log.size += stored.size;
    }
    return saved;
  }

  async #note(head: ImageHead): Promise<void> {
    if (!this.#isFollowing) return;
    try {
      await this.#logs.at(-1)!.records.append(head);
    } catch (error) {
      const { log, folder, failed } = this.options;
      log.error(`What files held before an agent's work could not be stored: ${String(error)}`);
      for (const sessionId of this.#running) failed(sessionId, notStored(folder, error));
    }
  }

  /** Names of logs are in the order of their time. */
  #addLog(): WindowLog {
    const id = `${Date.now()}-${this.#logs.length}-${randomUUID()}`;
    const records = new RecordLog(this.#fileOf(id), this.#files, () => {
      const { contents } = this.options;
      return contents.isSettled ? undefined : contents.settled();
    });
    const log: WindowLog = { id, records, writes: 0, stored: [], size: 0 };
    this.#logs = [...this.#logs, log];
    return log;
  }

  #fileOf(id: string): string {
    return nodePath.join(this.options.folder, `before-${id}.log`);
  }
}

interface WindowLog {
  readonly id: string;
  readonly records: RecordLog;
  /** Writes through Parley that run. */
  writes: number;
  readonly stored: Stored[];
  /** Bytes of those. */
  size: number;
}
