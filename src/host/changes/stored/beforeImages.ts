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

/** The author of a content: an agent (`by`), or unknown, in a session's turn (`doubt`). Absent: someone else. */
export type Writer = { readonly by: string } | { readonly doubt: string };

/** Evidence from the tool calls of a turn for the attribution of changes; see `TurnEvidence`. */
export type EvidenceHead =
  | { readonly type: 'sent'; readonly sessionId: string; readonly at: number }
  | {
      readonly type: 'call';
      readonly sessionId: string;
      readonly at: number;
      readonly since: number;
      readonly fields: CallFacts;
      /** Set if the call asks the user. */ readonly requestId?: string | undefined;
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

/**
 * The head of a record. `by`: the session whose agent is the author; absent for any other author. `doubt`: see
 * `Writer`.
 */
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
   * A folder of a turn. `listed`: all its files; `unread`: files with unknown contents, with their time of change;
   * `git`: the state for `GitBaselines.resume`.
   */
  | {
      readonly type: 'root';
      readonly path: string;
      readonly since: number;
      readonly listed?: readonly string[];
      readonly unread: readonly (readonly [path: string, changedAt: number])[];
      readonly git?: unknown;
    }
  /** The new content of a file. */
  | {
      readonly type: 'holds';
      readonly path: string;
      readonly by?: string | undefined;
      readonly doubt?: string | undefined;
      readonly content: Content;
    }
  | EvidenceHead
  /** Parley is about to write a file: for an agent, replacing `content`, or for the user. */
  | {
      readonly type: 'writing';
      readonly path: string;
      readonly by?: string | undefined;
      readonly content?: Content | undefined;
    }
  | { readonly type: 'written'; readonly path: string; readonly isAbandoned?: boolean };

/** The number of records of each log that the saved review includes, by id. */
export type LogMarks = ReadonlyMap<string, number>;

/** The log of a window that ended while agents worked. */
export interface LeftLog {
  readonly id: string;
  readonly records: readonly LogRecord[];
  /** When the log was last written, epoch ms. */
  readonly endedAt: number;
}

/** A write of an agent through Parley that was running when the window ended. */
export interface UnsavedWrite {
  readonly sessionId: string;
  readonly path: string;
  readonly before: ContentInHand;
  /** True if the end of the log is missing, so the saved review may include the write. */
  readonly mayBeSaved?: boolean;
}

export interface BeforeImagesOptions {
  /** Absolute; shared with the saved review. */
  readonly folder: string;
  readonly contents: ContentStore;
  readonly turnOf: (sessionId: string) => string | undefined;
  readonly promptOf: (sessionId: string) => number | undefined;
  /** Called if contents that the agent of a session replaces on disk cannot be stored. */
  readonly failed: (sessionId: string, error: Error) => void;
  readonly log: Logger;
  readonly files?: StoreFiles;
}

/** The limit for contents of one log. Beyond it, new contents that an event reports are left out. */
const MAX_LOG = 256 * 1024 * 1024;
const NAME = /^before-([\w-]+)\.log$/;

/**
 * The log of before-images of this window: the contents of files when an agent begins to work, each new content while
 * it works, and each write through Parley before it is made. It is on disk, so that a start after a crash can find the
 * agent's changes and what Undo has to restore. It is removed when no agent works and the saved review includes all of
 * it.
 */
export class BeforeImages extends Disposable {
  readonly #files: StoreFiles;
  /** Logs that are still needed; the last one is written to. */
  #logs: readonly WindowLog[] = [];
  #left: readonly LeftLog[] = [];
  #isTaken: (id: string) => boolean = () => false;
  #isFollowing = false;
  readonly #running = new Set<string>();
  /** The last turns of sessions from another window. */
  readonly #turns = new Map<string, Extract<ImageHead, { type: 'turn' }>>();
  readonly #idleEmitter = this.register(new Emitter<void>());

  /** Fires when a log is complete: it can be removed once the review is saved. */
  readonly onDidIdle = this.#idleEmitter.event;

  constructor(private readonly options: BeforeImagesOptions) {
    super();
    this.#files = options.files ?? storeFiles;
  }

  /** Reads the logs of windows that ended while agents worked. */
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

  /** The review includes these logs now; any other log is tried again at the next start. */
  taken(ids: readonly string[]): void {
    this.#isTaken = (id) => ids.includes(id);
  }

  /**
   * The last turn of a session from another window; see `ReviewServiceOptions.turnOf`, `CheckpointsOptions.promptOf`.
   */
  turnLeft(sessionId: string): TurnMark {
    return this.#turns.get(sessionId) ?? {};
  }

  /** The contents that the logs refer to. */
  get stored(): readonly Stored[] {
    const left = this.#left
      .flatMap(({ records }) => records)
      .flatMap(({ head }) => storedIn(decoded(content, head['content'])));
    return [...left, ...this.#logs.flatMap((log) => log.stored)];
  }

  /** Starts to log the contents of files for a turn. @returns the turn */
  begin(sessionId: string, cwd: string, roots: readonly string[], at: number): TurnMark {
    const left = this.turnLeft(sessionId);
    const mark = {
      turn: this.options.turnOf(sessionId) ?? left.turn,
      prompt: this.options.promptOf(sessionId) ?? left.prompt,
    };
    // Files are read again, so records from before no longer apply.
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

  /** All changes of agents were examined. */
  finish(): void {
    this.#isFollowing = false;
    this.#idleEmitter.fire();
  }

  /** Logs evidence: a message about a tool call, or the begin or end of a command. */
  hears(evidence: EvidenceHead): void {
    void this.#note(evidence);
  }

  /** Logs a folder of a turn. @returns as `holds`. */
  knows(root: Omit<Extract<ImageHead, { type: 'root' }>, 'type'>): Promise<void> {
    return this.#note({ type: 'root', ...root });
  }

  /**
   * Logs the new content of a file. Resolves when the record is on disk, or when it could not be written and the user
   * was told.
   */
  holds(path: string, content: ContentInHand, by?: Writer): Promise<void> {
    const log = this.#logs.at(-1);
    if (!this.#isFollowing || !log || log.size > MAX_LOG) return Promise.resolve();
    return this.#note({ type: 'holds', path, ...by, content: this.#stored(log, content) });
  }

  /**
   * Parley is about to write a file. Resolves when this fact and the file's content are in the log on disk.
   * @param agents the agent's session, and the content that its write replaces; absent for a write of the user.
   * @returns to be called when the write is done or abandoned. @throws NotStoredError
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
      const head = { type: 'writing', path, by: agents?.sessionId, content } satisfies ImageHead;
      await log.records.append(head, storedIn(content));
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

  /** The numbers of the last records, to be saved with a review that includes them. */
  get marks(): LogMarks {
    const left = this.#left
      .filter(({ id }) => this.#isTaken(id))
      .map(({ id, records }) => [id, records.at(-1)?.number ?? 0] as const);
    return new Map([...left, ...this.#logs.map(({ id, records }) => [id, records.number] as const)]);
  }

  /** Resolves when all records so far are on disk, as far as they can be. */
  async settled(): Promise<void> {
    await Promise.all(this.#logs.map(({ records }) => records.settled()));
  }

  /** The review was saved with these marks: removes logs that are no longer needed. */
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

  /** The same for the end of the window. The next window finds later changes of an agent that still works. */
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

  /** Adds a content to those that the log refers to. */
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
      await this.#logs.at(-1)!.records.append(head, head.type === 'holds' ? storedIn(head.content) : []);
    } catch (error) {
      const { log, folder, failed } = this.options;
      log.error(`What files held before an agent's work could not be stored: ${String(error)}`);
      for (const sessionId of this.#running) failed(sessionId, notStored(folder, error));
    }
  }

  /** Names of logs sort by their time. */
  #addLog(): WindowLog {
    const id = `${Date.now()}-${this.#logs.length}-${randomUUID()}`;
    const { contents } = this.options;
    const records = new RecordLog(this.#fileOf(id), this.#files, (named) =>
      contents.isSettled(named) ? undefined : contents.settled(named),
    );
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
  /** Running writes through Parley. */
  writes: number;
  readonly stored: Stored[];
  /** Total size of `stored`, in bytes. */
  size: number;
}
