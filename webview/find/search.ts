import type { EntryId } from '../../src/protocol/entryId';
import type { EntryView } from '../../src/protocol/entryView';
import type { Replica } from '../../src/protocol/patch';
import type { TerminalView } from '../../src/protocol/terminalView';
import { slices } from '../lib/frame';
import { foldedTexts, shownTexts } from '../parts/entryText';
import { withoutInlineMarks } from './inlineMarks';
import { type FromWorker, searchWorker, type ToWorker } from './searchWorker';

/** Limit of all matches, and of the marked ones in one entry. */
const LIMIT = 10_000;
const DRAWN_LIMIT = 2_000;
/**
 * A worker that is silent twice for this time is stuck in an endless regular expression. Twice, because its message may
 * be queued behind the first timer while the panel itself is busy.
 */
const SILENCE_MS = 500;
/** A worker that has not started after this number of silences is given up. */
const MAX_START = 40;
/** How long changes are gathered before they are searched. */
const FOLLOW_MS = 300;
/** Entries whose text is sent to the worker at a time. */
const PER_SLICE = 100;

export type Found = Extract<FromWorker, { type: 'found' }>;
export type Places = Extract<FromWorker, { type: 'places' }>;

interface SearchEvents {
  readonly onDidFind: (found: Found) => void;
  readonly onDidPlace: (places: Places) => void;
  /** The expression took too long, and was stopped. */
  readonly onDidStop: () => void;
}

/** Searches the whole thread, drawn or not, without blocking the panel. */
export class Search {
  #worker: Worker | undefined;
  /** True if the worker has started. Before that, its silence does not mean an endless expression. */
  #isUp = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isFollowing = false;
  #pattern: Pattern | undefined;
  #run = 0;
  /** The first run of the pattern: it runs again when entries have changed. */
  #firstRun = 0;
  /** Entries whose text the worker does not have, or only in an old version. */
  #stale = new Set<EntryId>();
  #isSending = false;
  /** The worker does not have all texts yet: its matches are incomplete. */
  #isIndexing = false;
  #epoch = 0;
  /** The worker has not answered yet. */
  #awaitsFound = false;
  #awaitedPlaces = 0;

  constructor(
    private readonly replica: Replica,
    private readonly order: () => readonly EntryId[],
    private readonly events: SearchEvents,
  ) {}

  /** Another thread is shown, or the same one anew. */
  reset(): void {
    this.stop();
    if (this.#pattern) this.find(this.#pattern);
  }

  /** Entries that have come or changed. */
  follow(ids: Iterable<EntryId>): void {
    if (!this.#worker) return;
    for (const id of ids) this.#stale.add(id);
    // A writing agent changes something with each frame.
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    setTimeout(() => {
      this.#isFollowing = false;
      if (this.#worker) this.#send();
    }, FOLLOW_MS);
  }

  /** @param pattern `undefined` ends the search */
  find(pattern: Pattern | undefined): void {
    this.#run++;
    if (pattern !== this.#pattern) this.#firstRun = this.#run;
    this.#pattern = pattern;
    this.#awaitsFound = pattern !== undefined && this.replica.isWhole;
    // An incomplete thread is searched later, by `reset`.
    if (!pattern || !this.replica.isWhole) return;
    this.#start();
    this.#post({ type: 'find', run: this.#run, ...pattern, limit: LIMIT });
  }

  /** Asks for the positions of matches in the drawn text of an entry. */
  place(id: EntryId, text: string): void {
    if (!this.#pattern || !this.#worker) return;
    this.#awaitedPlaces++;
    this.#post({ type: 'places', run: this.#run, id, text, ...this.#pattern, limit: DRAWN_LIMIT });
  }

  /** Ends the worker; the next search begins anew. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#awaitsFound = false;
    this.#awaitedPlaces = 0;
    this.#epoch++;
    this.#isSending = slices.isAwaited = false;
    clearTimeout(this.#timer);
  }

  #start(): void {
    if (this.#worker) return;
    const address = URL.createObjectURL(new Blob([`(${searchWorker.toString()})()`], { type: 'text/javascript' }));
    this.#worker = new Worker(address);
    this.#isUp = false;
    URL.revokeObjectURL(address);
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#handle(data);
    this.#isIndexing = slices.isAwaited = true;
    // In the order of the thread, in which the worker answers.
    this.#stale = new Set(this.order());
    this.#send();
  }

  #handle(message: FromWorker): void {
    this.#isUp = true;
    if (message.type === 'places') this.#awaitedPlaces--;
    else if (message.type === 'found' && message.run === this.#run) this.#awaitsFound = false;
    this.#watch();
    if (message.type === 'places' && message.run >= this.#firstRun) this.events.onDidPlace(message);
    if (message.type === 'found' && message.run === this.#run && !this.#isIndexing) this.events.onDidFind(message);
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
    this.#watch();
  }

  #watch(silences = 0): void {
    clearTimeout(this.#timer);
    if (!this.#awaitsFound && this.#awaitedPlaces === 0) return;
    this.#timer = setTimeout(() => {
      if (silences === 0 || (!this.#isUp && silences < MAX_START)) return this.#watch(silences + 1);
      this.stop();
      this.#pattern = undefined;
      this.events.onDidStop();
    }, SILENCE_MS);
  }

  /** Sends texts in slices, then searches them again. */
  #send(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    const epoch = this.#epoch;
    const step = () => {
      if (epoch !== this.#epoch) return;
      const texts: [EntryId, string][] = [];
      for (const id of this.#stale) {
        this.#stale.delete(id);
        const view = this.replica.entries.get(id);
        if (view) texts.push([id, searchText(view, (terminal) => this.replica.terminals.get(terminal))]);
        if (texts.length >= PER_SLICE) break;
      }
      this.#post({ type: 'texts', texts });
      if (this.#stale.size > 0) return slices.add(step);
      this.#isSending = this.#isIndexing = slices.isAwaited = false;
      if (this.#pattern) this.find(this.#pattern);
    };
    slices.add(step);
  }
}

/** The searchable text of an entry, folded or not. */
export function searchText(view: EntryView, terminal: (id: string) => TerminalView | undefined): string {
  const texts = [...shownTexts(view, terminal), ...foldedTexts(view)].join('\n');
  return view.kind === 'userMessage' || view.kind === 'agentMessage' || view.kind === 'thought'
    ? withoutMarks(texts)
    : texts;
}

/** The first line of a block with its own emphasis: items, headings, rows of a table. */
const BLOCK_START = /^[\s>]*(?:[-+*]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;
const FENCE_START = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** Markdown without the marks for bold, italic and code, which split words. Code stays unchanged. */
export function withoutMarks(markdown: string): string {
  if (!/[*`\\]/.test(markdown)) return markdown;
  const done: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) done.push(withoutInlineMarks(paragraph.join('\n')));
    paragraph = [];
  };
  let fence = '';
  for (const line of markdown.split('\n')) {
    if (fence !== '') {
      done.push(line);
      if (FENCE_END.exec(line)?.[1]!.startsWith(fence)) fence = '';
      continue;
    }
    fence = FENCE_START.exec(line)?.[1] ?? '';
    if (fence !== '' || line.trim() === '' || BLOCK_START.test(line)) endParagraph();
    if (fence === '') paragraph.push(line);
    else done.push(line);
  }
  endParagraph();
  return done.join('\n');
}

/** The user's search. */
export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly isRegex: boolean;
}

/** A regular expression as two texts: it runs in the worker. */
interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** @returns the pattern, or why the expression is invalid; `undefined` if the search is empty */
export function toPattern({
  text,
  matchCase,
  wholeWord,
  isRegex,
}: Query): Pattern | { readonly problem: string } | undefined {
  if (text === '') return undefined;
  const own = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const flags = matchCase ? 'gm' : 'gim';
  const candidates: Pattern[] = [
    { source: wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${own})(?![\\p{L}\\p{N}_])` : own, flags: `${flags}u` },
    // Some expressions are valid only in the older form.
    { source: wholeWord ? `\\b(?:${own})\\b` : own, flags },
  ];
  let problem: unknown;
  for (const pattern of candidates) {
    try {
      // With the brackets of a whole word around it, an invalid expression may become valid.
      if (isRegex) RegExp(own, pattern.flags);
      RegExp(pattern.source, pattern.flags);
      return pattern;
    } catch (error) {
      problem ??= error;
    }
  }
  // The engine repeats the expression before the reason.
  return { problem: problem instanceof Error ? problem.message.replace(/^.*: /s, '') : '' };
}
