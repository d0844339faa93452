import { appendFileSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asObject, parsedJson, stringOf } from '../../acp/json';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { Coalescer, type Clock } from '../../base/scheduler';
import type { TerminalView } from '../../protocol/terminalView';
import type { ThreadAction } from '../../thread/actions';
import { compact, isTransient } from '../../thread/transcript';

/** First line of a transcript. */
export interface TranscriptHeader {
  readonly version: 1;
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly createdAt: number;
}

export interface StoredTranscript {
  readonly header: TranscriptHeader;
  readonly actions: readonly ThreadAction[];
  readonly terminals: readonly TerminalView[];
}

/** How long a change may be only in memory. */
const writeAfterMs = 300;

/**
 * Threads as files that are only ever appended to: one JSON line for the header, then one per action. What a crash
 * cuts off is at most the last line, which reading skips. They are written without awaiting: a write that is under way when
 * the host goes would come too late, or behind what was said after it.
 */
export class TranscriptStore extends Disposable {
  readonly #queues = new Map<string, string[]>();
  readonly #actions = new Map<string, ThreadAction[]>();
  readonly #coalescer: Coalescer;

  /** @param folder absolute; made when first needed. */
  constructor(
    private readonly folder: string,
    clock: Clock,
    private readonly log: Logger,
  ) {
    super();
    this.#coalescer = this.register(new Coalescer(clock, writeAfterMs, () => this.flushSync()));
  }

  begin(header: TranscriptHeader): void {
    this.#line(header.id, header);
  }

  append(id: string, action: ThreadAction): void {
    if (isTransient(action)) return;
    const list = this.#actions.get(id) ?? [];
    list.push(action);
    this.#actions.set(id, list);
    this.#coalescer.schedule();
  }

  /** Keeps what a terminal showed at its end. */
  terminal(id: string, terminal: TerminalView): void {
    this.#drain(id);
    this.#line(id, { terminal });
  }

  /** @returns undefined when there is none, or when its header cannot be read. */
  async read(id: string): Promise<StoredTranscript | undefined> {
    this.flushSync();
    let text: string;
    try {
      text = await readFile(this.fileOf(id), 'utf8');
    } catch {
      return undefined;
    }
    // What is appended must not join a line that a crash has cut off.
    if (text !== '' && !text.endsWith('\n')) this.#queues.set(id, ['\n', ...(this.#queues.get(id) ?? [])]);
    const actions: ThreadAction[] = [];
    const terminals = new Map<string, TerminalView>();
    let header: TranscriptHeader | undefined;
    for (const line of text.split('\n')) {
      const value = asObject(parsedJson(line));
      if (value['version'] === 1 && stringOf(value['id']) === id) header = value as unknown as TranscriptHeader;
      else if (stringOf(value['type'])) actions.push(value as unknown as ThreadAction);
      else if (stringOf(asObject(value['terminal'])['terminalId'])) terminals.set(String(asObject(value['terminal'])['terminalId']), value['terminal'] as TerminalView);
    }
    return header && { header, actions, terminals: [...terminals.values()] };
  }

  /** Begins a transcript with all that is in another one. @returns false when there is none */
  async copy(from: string, header: TranscriptHeader): Promise<boolean> {
    this.flushSync();
    let text: string;
    try {
      text = await readFile(this.fileOf(from), 'utf8');
    } catch {
      return false;
    }
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('{"version":'));
    await writeFile(this.fileOf(header.id), `${[JSON.stringify(header), ...lines].join('\n')}\n`);
    return true;
  }

  /** Removes a transcript; what waits to be written of it is dropped. */
  async delete(id: string): Promise<void> {
    this.#queues.delete(id);
    this.#actions.delete(id);
    await rm(this.fileOf(id), { force: true });
  }

  /** Writes what waits, now. */
  flushSync(): void {
    for (const id of [...this.#actions.keys()]) this.#drain(id);
    for (const [id, lines] of this.#queues) {
      try {
        mkdirSync(this.folder, { recursive: true });
        appendWhole(this.fileOf(id), lines.join(''));
        this.#queues.delete(id);
      } catch (error) {
        // It stays before what comes, and is tried again with that: a transcript without its header cannot be read.
        this.log.error(`transcript ${id} could not be written: ${String(error)}`);
      }
    }
  }

  override dispose(): void {
    this.flushSync();
    super.dispose();
  }

  #line(id: string, value: object): void {
    const lines = this.#queues.get(id) ?? [];
    try {
      lines.push(`${JSON.stringify(value)}\n`);
    } catch (error) {
      // One line that cannot be written must not take the others with it.
      return this.log.error(`transcript ${id}: a line was left out: ${String(error)}`);
    }
    this.#queues.set(id, lines);
    this.#coalescer.schedule();
  }

  #drain(id: string): void {
    const actions = this.#actions.get(id);
    if (!actions) return;
    this.#actions.delete(id);
    for (const action of compact(actions)) this.#line(id, action);
  }

  /** Where a transcript is, if there is one; call `flushSync` before reading it. */
  fileOf(id: string): string {
    return path.join(this.folder, `${id}.ndjson`);
  }
}

/** @throws the error of the disk; then the file is as it was, as far as the disk allows. */
function appendWhole(file: string, text: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(file, text);
  } catch (error) {
    try {
      truncateSync(file, size);
    } catch {
      // There may be none.
    }
    throw error;
  }
}
