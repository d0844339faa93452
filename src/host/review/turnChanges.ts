import { Disposable } from '../../base/lifecycle';
import type { TurnChangesView } from '../../protocol/changeView';
import { changeGroups } from '../../changes/changeGroups';
import type { Review } from './review';

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
