import { CancellationSource } from '../../base/cancellation';
import { Disposable } from '../../base/lifecycle';
import type { Clock } from '../../base/scheduler';
import type { SessionHitView, SessionSearchView } from '../../protocol/sessionsView';
import type { SessionIndex } from './sessionIndex';
import { titleOf } from './sessionItems';
import type { SessionService } from './sessionService';
import { findInTranscript, maxLine, searchWords } from './transcriptSearch';
import type { TranscriptStore } from './transcriptStore';

/** Lines of one transcript, and of all; bytes of one transcript; how long all of it may take. */
const limits = { hits: 3, allHits: 60, bytes: 64 * 1024 ** 2, ms: 4_000 } as const;
/** One letter is in every transcript. */
const shortest = 2;
/** Characters of a line that are shown. */
const maxShown = 160;
/** Characters before the word that was found. */
const lead = 12;
/** Hits are shown as they come, but not each by itself. */
const showEveryMs = 100;

export interface SessionSearchOptions {
  readonly sessions: Pick<SessionService, 'find'>;
  readonly index: SessionIndex;
  readonly transcripts: Pick<TranscriptStore, 'fileOf' | 'flushSync'>;
  readonly clock: Clock;
  readonly changed: () => void;
}

interface Hit {
  readonly key: string;
  /** As it is in the transcript, for finding the entry. */
  readonly line: string;
}

/**
 * Looks for a text in the transcripts of this workspace, the newest first. The next text ends the search for the one
 * before.
 */
export class SessionSearch extends Disposable {
  #shown: SessionSearchView | undefined;
  #hits: readonly Hit[] = [];
  #running: CancellationSource | undefined;

  constructor(private readonly options: SessionSearchOptions) {
    super();
  }

  get view(): SessionSearchView | undefined {
    return this.#shown;
  }

  /** What was found. @param id of a `SessionHitView` */
  hit(id: string): Hit | undefined {
    return this.#hits[Number(id)];
  }

  /** "" ends it. */
  async search(text: string): Promise<void> {
    this.#running?.cancel();
    this.#running = undefined;
    const words = searchWords(text);
    this.#hits = [];
    if (words.join('').length < shortest) return this.#show(undefined);
    const source = (this.#running = new CancellationSource());
    const { index, transcripts, clock, sessions } = this.options;
    const views: SessionHitView[] = [];
    const hits: Hit[] = [];
    const began = clock.now();
    let shownAt = began;
    let isCut = false;
    this.#show({ text, hits: [], isRunning: true, isCut });
    transcripts.flushSync();
    for (const record of index.list()) {
      if (index.isHidden(record.id)) continue;
      if (views.length >= limits.allHits || clock.now() - began > limits.ms) {
        isCut = true;
        break;
      }
      const found = await findInTranscript(transcripts.fileOf(record.id), words, limits, source.token);
      if (source.token.isCancellationRequested) return;
      isCut ||= found.isCut;
      for (const line of found.lines) {
        views.push({
          id: String(hits.length),
          title: titleOf(record, sessions.find(record.id)),
          agent: record.agent,
          updatedAt: record.updatedAt,
          line: around(line, words),
        });
        hits.push({ key: record.id, line });
      }
      this.#hits = hits;
      if (clock.now() - shownAt < showEveryMs) continue;
      shownAt = clock.now();
      this.#show({ text, hits: [...views], isRunning: true, isCut });
    }
    this.#running = undefined;
    this.#show({ text, hits: views, isRunning: false, isCut });
  }

  override dispose(): void {
    this.#running?.cancel();
    super.dispose();
  }

  #show(view: SessionSearchView | undefined): void {
    this.#shown = view;
    this.options.changed();
  }
}

/** The part of a line that has the first word found in it. */
function around(line: string, words: readonly string[]): string {
  const lower = line.slice(0, maxLine).toLowerCase();
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0), line.length);
  // In a narrow panel only the first words of a row are there to see.
  const start = at > 2 * lead ? at - lead : 0;
  return `${start > 0 ? '…' : ''}${line.slice(start, start + maxShown)}${start + maxShown < line.length ? '…' : ''}`;
}
