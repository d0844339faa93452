import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { ReviewMessage } from '../../changes/notes';
import type { FileStateView } from '../../protocol/notesView';
import { autoKeepMode } from '../agents/agentSettings';
import type { Guards } from '../changes/guards';
import type { KeepHistory } from '../changes/keepHistory';
import type { ReviewService } from '../changes/reviewService';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { SessionService } from '../sessions/sessionService';
import { commentsKey, outcomesKey } from './feedback/stateKeys';
import type { HunkReview } from './hunkReview';
import { JustKept } from './justKept';
import type { OpenReview } from './openReview';
import type { Review } from './review';
import { TurnChanges } from './turnChanges';

export interface ReviewDoorOptions {
  readonly review: Review;
  readonly service: ReviewService;
  readonly keeping: KeepHistory;
  readonly guards: Guards;
  readonly sessions: SessionService;
  readonly index: SessionIndex;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly log: Logger;
  /** See `ReviewServiceOptions.turnOf`. */
  readonly turnOf: (sessionId: string) => string | undefined;
}

const none: readonly FileStateView[] = [];

/**
 * The way to `OpenReview`, which is loaded with the first change, where an earlier window left comments or decisions,
 * or for auto-keep.
 */
export class ReviewDoor extends Disposable {
  readonly turns: TurnChanges;
  readonly kept: JustKept;
  /** Undefined until it is needed. */
  opened: OpenReview | undefined;
  readonly #changeEmitter = this.register(new Emitter<void>());
  #opening: Promise<OpenReview> | undefined;
  #isPanelVisible = false;

  /** The panel has something else to show. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: ReviewDoorOptions) {
    super();
    const { clock, keeping, review, service, guards, sessions, turnOf } = options;
    this.kept = this.register(new JustKept(keeping, clock));
    this.register(this.kept.onDidChange(() => this.#changeEmitter.fire()));
    this.turns = this.register(
      new TurnChanges(review, (id) => (sessions.find(id)?.session.isRunning ? turnOf(id) : undefined)),
    );
    this.register(review.onDidChange(() => this.#changeEmitter.fire()));
    this.register(guards.onDidChange(() => review.refresh()));
    this.register(service.onDidChangeChanges(() => this.#openIfNeeded()));
    this.register(
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('parley.review') && this.#openIfNeeded(),
      ),
    );
    this.#openIfNeeded();
  }

  /** Loads it, where that has not happened yet. */
  open(): Promise<OpenReview> {
    return (this.#opening ??= import('./openReview').then((lazy) => {
      const changed = () => this.#changeEmitter.fire();
      this.opened = this.register(
        new lazy.OpenReview(this.options, { changed, isPanelVisible: () => this.#isPanelVisible }),
      );
      changed();
      return this.opened;
    }));
  }

  /** The commands for single hunks. */
  readonly hunks = async (): Promise<HunkReview> => (await this.open()).hunks;

  /** What became of the changes of a session, by file. */
  fileStates(sessionId: string): readonly FileStateView[] {
    return this.opened?.tallies.of(sessionId) ?? none;
  }

  /** Gives back what was taken for a message that is not sent after all. */
  async putBack(message: ReviewMessage | undefined, sessionId: string): Promise<void> {
    if (message) (await this.open()).notes.putBack(message.notes, sessionId);
  }

  /** What cannot be seen does not count down. */
  showPanel(isVisible: boolean): void {
    this.#isPanelVisible = isVisible;
    if (isVisible) void this.options.review.look();
    this.opened?.autoKeep?.countdown.hold('person', false);
    this.opened?.autoKeep?.countdown.hold('hidden', !isVisible);
  }

  #openIfNeeded(): void {
    if (this.#opening) return;
    const { service, state } = this.options;
    const isLeft = [commentsKey, outcomesKey].some((key) => state.get(key) !== undefined);
    if (isLeft || service.pendingSessions.length > 0 || autoKeepMode() !== 'never') void this.open();
  }
}
