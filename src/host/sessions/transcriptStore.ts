import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { Coalescer, type Clock } from '../../base/scheduler';
import { renameFile } from '../../node/renameFile';
import type { TerminalView } from '../../protocol/terminalView';
import type { ThreadAction } from '../../thread/actions';
import { notStored, weightOf } from '../../thread/outputWeight';
import { StoredOutput, type StoredLimits, storedLimits } from '../../thread/storedOutput';
import { maxInMemory } from '../../thread/threadBudget';
import type { Thread } from '../../thread/thread';
import { compact, isTransient, type TranscriptMark } from '../../thread/transcript';
import { remedyFor, wordsFor } from '../storage/diskWords';
import type { StorageTrouble } from '../storage/storageTrouble';
import { type AppendFiles, appendFiles, TranscriptFile } from './transcriptFile';

/** There is a transcript, but the disk does not give it. The message says why and what to do. */
export class UnreadableTranscript extends Error {
  override readonly name = 'UnreadableTranscript';

  constructor(file: string, cause: unknown) {
    super(`${wordsFor(cause)}. ${remedyFor(cause, file)}`, { cause });
  }
}

/** First line of a transcript. */
export interface TranscriptHeader {
  readonly version: 1;
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly createdAt: number;
}

export interface StoredTranscript {
  /** Undefined where its line cannot be read. */
  readonly header: TranscriptHeader | undefined;
  readonly thread: Thread;
  readonly terminals: readonly TerminalView[];
  /** Lines that cannot be read, or are too long. */
  readonly skipped: number;
}

export interface TranscriptLimits {
  readonly stored: StoredLimits;
  /** Characters of one conversation in memory. */
  readonly inMemory: number;
  /** Characters of the terminals of one conversation in memory. */
  readonly terminals: number;
  /** Characters that may wait for room on the disk before output is shortened. */
  readonly waiting: number;
  /** Bytes of a line; a longer one is skipped. */
  readonly line: number;
}

const usualLimits: TranscriptLimits = {
  stored: storedLimits,
  inMemory: maxInMemory,
  terminals: 16_000_000,
  waiting: 32_000_000,
  line: 64 * 1024 * 1024,
};

/** The index notes the end of a turn a moment after the transcript. Milliseconds. */
const toleranceMs = 5_000;
/** How long a change may be only in memory. */
const writeAfterMs = 300;

interface Writing {
  readonly file: TranscriptFile;
  readonly output: StoredOutput;
  actions: ThreadAction[];
}

export interface TranscriptStoreOptions {
  /** Absolute; made when first needed. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly trouble: Pick<StorageTrouble, 'failed' | 'ended'>;
  /** What is known of a session without its transcript. */
  readonly headerOf: (id: string) => TranscriptHeader | undefined;
  readonly limits?: TranscriptLimits;
  readonly files?: AppendFiles;
}

/**
 * Threads as files that are only ever appended to: one JSON line for the header, then one per action. What cannot be
 * written waits in memory, in order. They are written without awaiting: a write that is under way when the host goes
 * would come too late, or behind what was said after it. They are read line by line, so their size does not matter.
 */
export class TranscriptStore extends Disposable {
  readonly #open = new Map<string, Writing>();
  readonly #headers = new Map<string, TranscriptHeader>();
  readonly #coalescer: Coalescer;
  readonly #limits: TranscriptLimits;
  readonly #lossEmitter = this.register(new Emitter<{ readonly id: string }>());

  /** Somebody else has removed what was stored of a session. */
  readonly onDidLose = this.#lossEmitter.event;

  constructor(private readonly options: TranscriptStoreOptions) {
    super();
    this.#limits = options.limits ?? usualLimits;
    this.#coalescer = this.register(new Coalescer(options.clock, writeAfterMs, () => this.flushSync()));
  }

  begin(header: TranscriptHeader): void {
    this.#headers.set(header.id, header);
    this.#line(header.id, header);
  }

  append(id: string, action: ThreadAction): void {
    if (isTransient(action)) return;
    this.#writing(id).actions.push(action);
    this.#coalescer.schedule();
  }

  /** Keeps what a terminal showed at its end. */
  terminal(id: string, terminal: TerminalView): void {
    const writing = this.#writing(id);
    this.#drain(id, writing);
    this.#line(id, { terminal: lastRows(terminal, writing.output.room, notStored) });
  }

  /** The window closes while turns run in these. */
  close(ids: readonly string[]): void {
    for (const id of ids) {
      this.#drain(id, this.#writing(id));
      this.#line(id, { type: 'transcript/closed', at: this.options.clock.now() } satisfies TranscriptMark);
    }
    this.flushSync();
  }

  /**
   * @param lastKnown when something is known to have happened last; 0 where nothing is
   * @returns undefined when there is none @throws UnreadableTranscript
   */
  async read(id: string, lastKnown = 0): Promise<StoredTranscript | undefined> {
    const { readTranscript } = await import('./transcriptReader');
    this.flushSync();
    const { clock, log, headerOf } = this.options;
    const file = this.fileOf(id);
    const waiting = () => this.#open.get(id)?.file.waiting ?? [];
    const found = await readTranscript({ id, file, waiting }, this.#limits).catch((error: unknown) => {
      throw new UnreadableTranscript(file, error);
    });
    if (!found) return undefined;
    const { header, lastAt, skipped, terminals } = found;
    if (skipped > 0) log.warn(`transcript ${id}: ${skipped} lines could not be read`);
    if (header) this.#headers.set(id, header);
    const isShort = lastKnown > Math.max(lastAt, header?.createdAt ?? 0) + toleranceMs;
    return { header: header ?? headerOf(id), thread: found.thread(isShort, clock.now()), terminals, skipped };
  }

  /**
   * Begins a transcript with all that is in another one.
   * @returns false when there is none
   * @throws the error of the disk
   */
  async copy(from: string, header: TranscriptHeader): Promise<boolean> {
    const { copied } = await import('./transcriptReader');
    this.flushSync();
    const waiting = this.#open.get(from)?.file.waiting ?? [];
    const isThere = await stat(this.fileOf(from)).then(
      () => true,
      (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
    );
    if (!isThere && waiting.length === 0) return false;
    const copy = this.fileOf(header.id);
    const half = `${copy}.${randomUUID()}.half`;
    try {
      await pipeline(copied(header, this.fileOf(from), waiting, this.#limits.line), createWriteStream(half));
      await renameFile(half, copy);
    } catch (error) {
      await rm(half, { force: true });
      throw error;
    }
    return true;
  }

  /** Removes a transcript; what waits to be written of it is dropped. @throws the error of the disk */
  async delete(id: string): Promise<void> {
    this.#open.delete(id);
    this.#headers.delete(id);
    this.options.trouble.ended({ what: 'conversation', sessionId: id });
    // Windows keeps files for a moment that a virus scanner reads; only a recursive call tries again.
    await rm(this.fileOf(id), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Writes what waits, now. */
  flushSync(): void {
    const { clock, log, trouble, folder } = this.options;
    for (const [id, writing] of this.#open) {
      this.#drain(id, writing);
      const unsaved = { what: 'conversation', sessionId: id } as const;
      try {
        const isThere = writing.file.write();
        trouble.ended(unsaved);
        if (!isThere) this.#lossEmitter.fire({ id });
      } catch (error) {
        log.error(`transcript ${id} could not be written: ${String(error)}`);
        writing.file.markCut({ type: 'transcript/cut', at: clock.now(), reason: wordsFor(error) });
        trouble.failed(unsaved, error, folder, () => this.flushSync());
      }
    }
  }

  override dispose(): void {
    this.flushSync();
    super.dispose();
  }

  /** Where a transcript is, if there is one; call `flushSync` before reading it. */
  fileOf(id: string): string {
    return path.join(this.options.folder, `${id}.ndjson`);
  }

  #writing(id: string): Writing {
    let writing = this.#open.get(id);
    if (!writing) {
      const file = new TranscriptFile(
        this.fileOf(id),
        () => `${JSON.stringify(this.#headers.get(id) ?? this.options.headerOf(id) ?? { version: 1, id })}\n`,
        this.options.files ?? appendFiles,
      );
      writing = {
        file,
        output: new StoredOutput(
          () => (file.waitingLength > this.#limits.waiting ? Infinity : file.length),
          this.#limits.stored,
        ),
        actions: [],
      };
      this.#open.set(id, writing);
    }
    return writing;
  }

  #line(id: string, value: object): void {
    try {
      this.#writing(id).file.add(`${JSON.stringify(value)}\n`);
    } catch (error) {
      // One line that cannot be written must not take the others with it.
      return this.options.log.error(`transcript ${id}: a line was left out: ${String(error)}`);
    }
    this.#coalescer.schedule();
  }

  #drain(id: string, writing: Writing): void {
    const { actions, output } = writing;
    if (actions.length === 0) return;
    writing.actions = [];
    for (const action of compact(actions)) this.#line(id, output.take(action));
  }
}

/** The last rows of a terminal, at most so many characters, and how much is missing. */
export function lastRows(terminal: TerminalView, most: number, marker: (dropped: number) => string): TerminalView {
  const { rows } = terminal;
  let start = rows.length;
  for (let weight = weightOf(rows[start - 1]); start > 0 && weight <= most; weight += weightOf(rows[start - 1]))
    start--;
  if (start === 0) return terminal;
  return { ...terminal, rows: [[{ text: marker(weightOf(rows.slice(0, start))) }], ...rows.slice(start)] };
}
