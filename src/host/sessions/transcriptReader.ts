import * as l10n from '@vscode/l10n';
import { asObject, stringOf } from '../../base/decode';
import { type JsonObject, parsedJson } from '../../base/json';
import { fileLines } from '../../node/fileLines';
import type { TerminalView } from '../../protocol/terminalView';
import type { ThreadAction } from '../../thread/actions';
import { notInMemory, weightOf } from '../../thread/outputWeight';
import { reduce } from '../../thread/reducer';
import { Replay } from '../../thread/replay';
import type { Thread } from '../../thread/thread';
import { lastRows, type TranscriptHeader, type TranscriptLimits } from './transcriptStore';

/** What one transcript consists of. */
export interface TranscriptSource {
  /** Of the session. */
  readonly id: string;
  /** Absolute. */
  readonly file: string;
  /** Lines that could not be written yet, once the file was read. */
  readonly waiting: () => readonly string[];
}

export interface ReadTranscript {
  /** Undefined where its line cannot be read. */
  readonly header: TranscriptHeader | undefined;
  /** Epoch ms; 0 where nothing was said. */
  readonly lastAt: number;
  /** Lines that cannot be read, or are too long. */
  readonly skipped: number;
  readonly terminals: readonly TerminalView[];
  /** @param isShort later records are missing @param now epoch ms */
  thread(isShort: boolean, now: number): Thread;
}

/** Replays a transcript. @returns undefined when there is none @throws the error of the disk */
export async function readTranscript(
  { id, file, waiting }: TranscriptSource,
  limits: Pick<TranscriptLimits, 'inMemory' | 'terminals' | 'line'>,
): Promise<ReadTranscript | undefined> {
  const replay = new Replay(limits.inMemory);
  const terminals = new Terminals(limits.terminals);
  let header: TranscriptHeader | undefined;
  let skipped = 0;
  const take = (text: string): boolean => {
    const value = asObject(parsedJson(text));
    if (value['version'] === 1 && stringOf(value['id']) === id) header = value as unknown as TranscriptHeader;
    else if (stringOf(value['type'])) replay.take(value as unknown as ThreadAction);
    else if (stringOf(asObject(value['terminal'])['terminalId'])) terminals.add(value['terminal'] as TerminalView);
    else return false;
    return true;
  };
  let isThere = true;
  try {
    for await (const { text, isWhole } of fileLines(file, limits.line)) {
      // The end that a crash has cut off is no record.
      if (text !== '' && (text === undefined || !take(text)) && isWhole) skipped++;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    isThere = false;
  }
  // What could not be written yet follows what could.
  const later = waiting();
  for (const line of later) take(line);
  if (!isThere && later.length === 0) return undefined;
  return {
    header,
    lastAt: replay.lastAt,
    skipped,
    terminals: terminals.all,
    thread: (isShort, now) => withSkipped(replay.end(isShort), skipped, now),
  };
}

function withSkipped(thread: Thread, skipped: number, at: number): Thread {
  if (skipped === 0) return thread;
  const title =
    skipped === 1
      ? l10n.t('1 record of this conversation could not be read')
      : l10n.t('{0} records of this conversation could not be read', skipped);
  return reduce(thread, {
    type: 'notice/added',
    at,
    severity: 'warning',
    title,
    detail: l10n.t('Parley skipped them, because they are damaged or too long. Everything else is here.'),
  });
}

/** The lines of a transcript with another header. What one says of its own writing is not true of its copy. */
export async function* copied(
  header: TranscriptHeader,
  file: string,
  waiting: readonly string[],
  maxBytes: number,
): AsyncGenerator<string> {
  const isKept = (line: JsonObject) =>
    !line['version'] && Object.keys(line).length > 0 && !stringOf(line['type'])?.startsWith('transcript/');
  yield `${JSON.stringify(header)}\n`;
  try {
    for await (const { text } of fileLines(file, maxBytes))
      if (text !== undefined && isKept(asObject(parsedJson(text)))) yield `${text}\n`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  for (const line of waiting) if (isKept(asObject(parsedJson(line)))) yield line;
}

/** Terminals of a conversation as they were left: the newest output is in memory. */
class Terminals {
  readonly #byId = new Map<string, TerminalView>();
  #weight = 0;

  constructor(private readonly limit: number) {}

  get all(): readonly TerminalView[] {
    return [...this.#byId.values()];
  }

  add(terminal: TerminalView): void {
    const before = this.#byId.get(terminal.terminalId);
    this.#weight += weightOf(terminal) - (before ? weightOf(before) : 0);
    // It is the newest now.
    this.#byId.delete(terminal.terminalId);
    this.#byId.set(terminal.terminalId, terminal);
    if (this.#weight <= this.limit) return;
    for (const [id, older] of this.#byId) {
      if (this.#weight <= this.limit / 2) break;
      const short = lastRows(older, 0, notInMemory);
      this.#weight += weightOf(short) - weightOf(older);
      this.#byId.set(id, short);
    }
  }
}
