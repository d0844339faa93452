import * as l10n from '@vscode/l10n';
import { Coalescer, type Clock } from '../base/scheduler';
import { Disposable } from '../base/lifecycle';
import type { EntryView } from '../protocol/entryView';
import type { ToWebview } from '../protocol/messages';
import type { ViewPatch } from '../protocol/patch';
import type { TerminalView } from '../protocol/terminalView';
import type { PanelUiState, PanelView } from '../protocol/viewModel';
import { isHidden } from '../thread/rewind';
import type { Entry, Thread } from '../thread/thread';
import { entryPatches, panelPatches } from './patches';
import { entryView } from './project';
import { type EntriesInView, firstPart, nextPart, restOf, type SentRange } from './threadParts';

/** Where the messages go. `post` resolves to false when the webview did not take the message. */
export interface PublisherTarget {
  post(message: ToWebview): PromiseLike<boolean>;
  /** Logs that a card could not be made, which is an error in Parley. */
  failed(error: unknown): void;
}

/** Gives the current state at each flush. The same objects mean that nothing changed. */
export interface PublisherSource {
  thread(): Thread;
  threadId(): string;
  panel(): PanelView;
  terminals(): readonly TerminalView[];
  ui(): PanelUiState;
  cwd(): string;
  /** True if the view shows the entry at an index; absent if it shows the whole conversation. */
  readonly shows?: (thread: Thread, index: number) => boolean;
}

/** One frame, in ms: what arrives faster than this is sent together. */
export const flushIntervalMs = 16;

/** This many changes in a frame are a flood, which is too fast to read. */
const floodMarks = 4;

/** The next message of a flood waits at most this long for the webview to take the one before, ms. */
const maxUnderWayMs = 200;

/** The longest time until a refused message is sent again, ms. */
const maxRetryMs = 1_000;

/**
 * The single writer of thread data to the webview. It remembers the last state that was sent and sends the difference;
 * a hidden webview gets nothing, and nothing is remembered for it. The only recovery is a snapshot. It has the entries
 * near the view; the rest of a long thread follows in patches, so that the view appears at once.
 */
export class ThreadPublisher extends Disposable {
  readonly #coalescer: Coalescer;
  #generation: number;
  #sequence = 0;
  #live = false;
  #postedAt = 0;
  #retryMs = flushIntervalMs;
  /** The webview has not taken the last part of the thread yet. */
  #partUnderWay = false;
  /** How many messages were posted, and whether the last one is not taken yet. */
  #posted = 0;
  #isUnderWay = false;
  /** Changes since the last message. */
  #marks = 0;
  #sent: { thread: Thread; panel: PanelView; range: SentRange } | undefined;
  #terminalPatches: ViewPatch[] = [];

  constructor(
    private readonly source: PublisherSource,
    private readonly target: PublisherTarget,
    private readonly clock: Clock,
  ) {
    super();
    // A webview may outlive an extension host; generations of a later host must be newer.
    this.#generation = clock.now();
    this.#coalescer = this.register(new Coalescer(clock, flushIntervalMs, () => this.#flushInTime()));
  }

  /** The webview is ready and asks for a snapshot. */
  snapshot(): void {
    this.#live = true;
    this.#coalescer.cancel();
    this.#marks = 0;
    this.#terminalPatches = [];
    const thread = this.source.thread();
    const panel = this.source.panel();
    const ui = this.source.ui();
    const { entries, sent: range } = firstPart(thread, ui.scroll?.entryId, this.#view);
    this.#sent = { thread, panel, range };
    this.#generation++;
    this.#sequence = 0;
    this.#partUnderWay = true;
    const rest = restOf(thread, range);
    this.#post(
      {
        type: 'thread/snapshot',
        stamp: this.#stamp(),
        view: {
          threadId: this.source.threadId(),
          panel,
          entries,
          ...(rest > 0 ? { rest } : {}),
          terminals: this.source.terminals(),
        },
        ui,
      },
      true,
    );
  }

  /** The webview is hidden or gone: nothing is queued for it, the next `snapshot` tells all. */
  pause(): void {
    this.#live = false;
    this.#sent = undefined;
    this.#terminalPatches = [];
    this.#coalescer.cancel();
  }

  /** Shows another thread: the next flush sends all of it. */
  reset(): void {
    this.#sent = undefined;
    this.mark();
  }

  /** The source has changed. */
  mark(): void {
    if (!this.#live) return;
    this.#marks++;
    this.#schedule();
  }

  /** Sends at once what has changed, for a message that must not come before it. */
  settle(): void {
    this.#coalescer.cancel();
    this.#flush();
  }

  /** A terminal has changed; the patch must fit the terminals that the source had before. */
  markTerminal(patch: ViewPatch): void {
    if (!this.#live) return;
    this.#terminalPatches.push(patch);
    this.#marks++;
    this.#schedule();
  }

  /** The first change after a pause, and the end of a turn, are sent at once. */
  #schedule(): void {
    // A change does not wait for a retry.
    if (this.#hasEnded || !this.#sent) this.#coalescer.cancel();
    const rest = this.#postedAt + flushIntervalMs - this.clock.now();
    this.#coalescer.schedule(this.#hasEnded ? 0 : Math.max(0, Math.min(flushIntervalMs, rest)));
  }

  get #hasEnded(): boolean {
    return this.#sent?.thread.turn !== undefined && this.source.thread().turn === undefined;
  }

  /** In a flood VS Code takes each message later than a frame, so further changes are collected into one message. */
  #flushInTime(): void {
    const rest = this.#postedAt + maxUnderWayMs - this.clock.now();
    if (this.#isUnderWay && this.#marks >= floodMarks && this.#sent && !this.#hasEnded && rest > 0)
      this.#coalescer.schedule(rest);
    else this.#flush();
  }

  /** The webview has taken the message of this number, so the next one may be sent. */
  #arrived(number: number): void {
    if (number !== this.#posted) return;
    this.#isUnderWay = false;
    if (!this.#coalescer.isWaiting) return;
    this.#coalescer.cancel();
    this.#schedule();
  }

  #flush(): void {
    this.#marks = 0;
    if (!this.#live) return;
    // A rewind takes entries out of the middle, or brings some back.
    if (this.#sent?.thread.hidden !== this.source.thread().hidden) return this.snapshot();
    const thread = this.source.thread();
    const panel = this.source.panel();
    const { range } = this.#sent;
    const changed = entryPatches(this.#sent.thread, thread, this.#view, range);
    if (!changed) return this.snapshot();
    const terminalPatches = this.#terminalPatches;
    this.#terminalPatches = [];
    const part = this.#partUnderWay ? undefined : nextPart(thread, range, this.#view);
    const rest: ViewPatch[] = part
      ? [{ op: 'entry/addRest', at: part.at, entries: part.entries, rest: restOf(thread, part.sent) }]
      : [];
    const patches = [...terminalPatches, ...changed, ...rest, ...panelPatches(this.#sent.panel, panel)];
    this.#sent = { thread, panel, range: part?.sent ?? range };
    if (patches.length === 0) return;
    this.#sequence++;
    this.#partUnderWay ||= part !== undefined;
    this.#post({ type: 'thread/patch', stamp: this.#stamp(), patches }, part !== undefined);
  }

  #stamp(): { generation: number; sequence: number } {
    return { generation: this.#generation, sequence: this.#sequence };
  }

  readonly #view: EntriesInView = {
    shows: (thread, index) => !isHidden(thread, index) && (this.source.shows?.(thread, index) ?? true),
    project: (entry) => this.#project(entry),
  };

  /**
   * If the card of a call cannot be made, only its line is shown, so that the rest of the thread stays visible. Other
   * entries are too simple to fail.
   */
  #project(entry: Entry): EntryView {
    try {
      return entryView(entry, this.source.cwd());
    } catch (error) {
      if (entry.kind !== 'toolCall') throw error;
      this.target.failed(error);
      const title = l10n.t('This part cannot be shown. See the log for the error.');
      return {
        kind: 'toolCall',
        id: entry.id,
        title,
        toolKind: 'other',
        status: 'failed',
        locations: [],
        content: [],
        permissions: [],
        startedAt: entry.at,
        ...(entry.parentId === undefined ? {} : { parentId: entry.parentId }),
      };
    }
  }

  #post(message: ToWebview, hasPart: boolean): void {
    this.#postedAt = this.clock.now();
    const generation = this.#generation;
    const number = ++this.#posted;
    this.#isUnderWay = true;
    const refused = () => {
      this.#isUnderWay = false;
      this.#sent = undefined;
      this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
      if (this.#live) this.#coalescer.schedule(this.#retryMs);
    };
    const handle = (taken: boolean) => {
      if (!taken) return refused();
      this.#arrived(number);
      this.#retryMs = flushIntervalMs;
      if (!hasPart || generation !== this.#generation) return;
      this.#partUnderWay = false;
      // The rest of a long thread follows when the webview is ready for it, not with the next change.
      if (this.#sent && restOf(this.#sent.thread, this.#sent.range) > 0) this.mark();
    };
    try {
      this.target.post(message).then(handle, refused);
    } catch {
      // A view that VS Code has disposed throws before there is a promise.
      refused();
    }
  }
}
