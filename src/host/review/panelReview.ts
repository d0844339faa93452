import * as vscode from 'vscode';
import { Emitter } from '../../base/event';
import { Later } from '../../base/later';
import { Disposable, type IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import type { Clock } from '../../base/scheduler';
import { changeGroups } from '../../changes/changeGroups';
import type { ReviewMessage } from '../../changes/notes';
import type { KeptView, TurnChangesView } from '../../protocol/changeView';
import { autoKeepMode } from '../agents/agentSettings';
import type { KeepHistory } from '../changes/keepHistory';
import type { ReviewService } from '../changes/reviewService';
import type { SessionService } from '../sessions/sessionService';
import { commentsKey, outcomesKey } from './feedback/stateKeys';
import type { OpenReview } from './openReview';
import type { Review } from './review';

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

/** The same time as the offer to undo a Delete in the list of sessions. */
const OFFER_MS = 10_000;

/** Offers to undo a Keep in the panel, for some seconds. */
export class JustKept extends Disposable {
  readonly #changeEmitter = this.register(new Emitter<void>());
  #offer: { readonly sessionId: string; readonly kept: KeepHistory['last'] } | undefined;
  #timer: IDisposable | undefined;

  readonly onDidChange = this.#changeEmitter.event;

  constructor(
    private readonly keeping: Pick<KeepHistory, 'last'>,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.#timer?.dispose() });
  }

  /** @param keep an action of the user in the panel of a session */
  async after(sessionId: string, keep: () => Promise<void>): Promise<void> {
    const before = this.keeping.last;
    await keep();
    const kept = this.keeping.last;
    if (kept === before || !kept) return;
    this.#timer?.dispose();
    this.#offer = { sessionId, kept };
    this.#timer = this.clock.setTimeout(() => {
      this.#offer = undefined;
      this.#changeEmitter.fire();
    }, OFFER_MS);
    this.#changeEmitter.fire();
  }

  /** The offer of a session; undefined after some seconds, after another Keep, or once it was undone. */
  view(sessionId: string): KeptView | undefined {
    const { kept } = this.#offer?.sessionId === sessionId ? this.#offer : {};
    return kept && kept === this.keeping.last ? { files: new Set(kept.map(({ path }) => path)).size } : undefined;
  }
}

/** The pending changes of a session by turn. Made after a change and not for each frame. */
export class TurnChanges extends Disposable {
  readonly #known = new Map<string, readonly TurnChangesView[]>();

  /** @param runningTurn the running turn of a session */
  constructor(
    private readonly review: Pick<Review, 'withMoves' | 'onDidChange'>,
    private readonly runningTurn: (sessionId: string) => string | undefined,
  ) {
    super();
    this.register(review.onDidChange(() => this.#known.clear()));
  }

  /**
   * The turns that have ended. Counted as the bar counts: a moved file is one file, and lines that are the same at both
   * paths are not counted.
   */
  ended(sessionId: string): readonly TurnChangesView[] {
    const runningTurn = this.runningTurn(sessionId);
    const all = this.#known.get(sessionId) ?? this.#all(sessionId);
    this.#known.set(sessionId, all);
    return all.some(({ turn }) => turn === runningTurn) ? all.filter(({ turn }) => turn !== runningTurn) : all;
  }

  #all(sessionId: string): TurnChangesView[] {
    const mine = this.review.withMoves.filter((session) => session.sessionId === sessionId);
    const groups = mine.length === 0 ? [] : changeGroups(mine, 'turn');
    return groups.flatMap((group) =>
      group.kind === 'turn' && group.turn !== undefined
        ? [{ turn: group.turn, files: group.files, added: group.added, removed: group.removed }]
        : [],
    );
  }
}
