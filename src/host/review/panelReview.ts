import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { Disposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import type { ReviewMessage } from '../../changes/notes';
import { autoKeepMode } from '../agents/agentSettings';
import type { ReviewService } from '../changes/reviewService';
import type { SessionService } from '../sessions/sessionService';
import { commentsKey, outcomesKey } from './feedback/stateKeys';
import { JustKept } from './justKept';
import type { OpenReview } from './openReview';
import type { Review } from './review';
import { TurnChanges } from './turnChanges';

export interface PanelReviewOptions {
  readonly review: Review;
  readonly service: ReviewService;
  readonly sessions: SessionService;
  readonly state: vscode.Memento;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * The review as the panel shows it. `OpenReview` is loaded with the first change, where an earlier window left comments
 * or decisions, or for auto-keep.
 */
export class PanelReview extends Disposable {
  readonly turns: TurnChanges;
  readonly kept: JustKept;
  readonly open: Later<OpenReview>;
  readonly #changeEmitter = this.register(new Emitter<void>());

  /** The panel has something else to show. */
  readonly onDidChange = this.#changeEmitter.event;

  constructor(private readonly options: PanelReviewOptions) {
    super();
    const { clock, review, service, sessions } = options;
    const changed = () => this.#changeEmitter.fire();
    this.kept = this.register(new JustKept(review.keeping, clock));
    this.register(this.kept.onDidChange(changed));
    this.turns = this.register(
      new TurnChanges(review, (id) => (sessions.find(id)?.session.isRunning ? sessions.turnOf(id) : undefined)),
    );
    this.open = this.register(
      new Later(async () => {
        const lazy = await import('./openReview');
        return new lazy.OpenReview(options, changed);
      }),
    );
    this.register(this.open.onDidOpen(changed));
    this.register(review.onDidChange(changed));
    this.register(service.onDidChangeChanges(() => this.#openIfNeeded()));
    this.register(
      vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration('parley.review') && this.#openIfNeeded(),
      ),
    );
    this.#openIfNeeded();
  }

  /** Gives back what was taken for a message that is not sent after all. */
  async putBack(message: ReviewMessage | undefined, sessionId: string): Promise<void> {
    if (message) (await this.open.get()).notes.putBack(message.notes, sessionId);
  }

  #openIfNeeded(): void {
    const { service, state } = this.options;
    const isLeft = [commentsKey, outcomesKey].some((key) => state.get(key) !== undefined);
    if (isLeft || service.pendingSessions.length > 0 || autoKeepMode() !== 'never') void this.open.get();
  }
}
