import { Disposable } from '../../base/lifecycle';
import type { TurnChangesView } from '../../protocol/changeView';
import { changeGroups, type ChangeGroup } from '../../changes/changeGroups';
import type { Review } from './review';

export interface TurnChangesOptions {
  readonly review: Pick<Review, 'sessions' | 'changes' | 'onDidChange'>;
  /** The turn of a session that runs. */
  readonly runningTurn: (sessionId: string) => string | undefined;
}

/** What the turns of a session have changed and still waits. Made anew after a change and not for each frame. */
export class TurnChanges extends Disposable {
  private readonly known = new Map<string, readonly TurnChangesView[]>();

  constructor(private readonly options: TurnChangesOptions) {
    super();
    this.register(options.review.onDidChange(() => this.known.clear()));
  }

  /** Those that have ended. */
  ended(sessionId: string): readonly TurnChangesView[] {
    const runningTurn = this.options.runningTurn(sessionId);
    const all = this.known.get(sessionId) ?? this.all(sessionId);
    this.known.set(sessionId, all);
    return all.some(({ turn }) => turn === runningTurn) ? all.filter(({ turn }) => turn !== runningTurn) : all;
  }

  private all(sessionId: string): TurnChangesView[] {
    const mine = this.options.review.sessions.filter((session) => session.sessionId === sessionId);
    const groups = mine.length === 0 ? [] : changeGroups(mine, 'turn');
    return groups.flatMap((group) => (group.kind === 'turn' && group.turn !== undefined ? [{ turn: group.turn, ...this.counts(group) }] : []));
  }

  /** As the bar counts them: a file that was moved is one, and what is the same in both places is no line of it. */
  private counts({ children }: ChangeGroup): Omit<TurnChangesView, 'turn'> {
    const moved = new Map(this.options.review.changes().map((change) => [change.path, change.kind === 'renamed' ? change : undefined]));
    const sum = { files: 0, added: 0, removed: 0 };
    for (const file of children) {
      if (file.kind !== 'file' || !moved.has(file.path)) continue;
      const { added, removed } = moved.get(file.path) ?? file;
      sum.files += 1;
      sum.added += added;
      sum.removed += removed;
    }
    return sum;
  }
}
