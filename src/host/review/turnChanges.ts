import type { Event } from '../../base/event';
import { Disposable } from '../../base/lifecycle';
import type { TurnChangesView } from '../../protocol/changeView';
import { changeGroups, type ChangeGroup } from '../../changes/changeGroups';
import type { Review } from './review';

export interface TurnChangesOptions {
  readonly review: Pick<Review, 'sessions' | 'changes' | 'onDidChange'>;
  /** The session that is shown, and its turn that runs. */
  readonly shown: () => { readonly sessionId: string; readonly runningTurn: string | undefined };
  readonly onDidSwitch: Event<unknown>;
}

/** What the turns of the shown session have changed and still waits. Made anew after a change and not for each frame. */
export class TurnChanges extends Disposable {
  private known: readonly TurnChangesView[] | undefined;

  constructor(private readonly options: TurnChangesOptions) {
    super();
    this.register(options.review.onDidChange(() => (this.known = undefined)));
    this.register(options.onDidSwitch(() => (this.known = undefined)));
  }

  /** Those that have ended. */
  get ended(): readonly TurnChangesView[] {
    const { runningTurn } = this.options.shown();
    const all = (this.known ??= this.all());
    return all.some(({ turn }) => turn === runningTurn) ? all.filter(({ turn }) => turn !== runningTurn) : all;
  }

  private all(): TurnChangesView[] {
    const { sessionId } = this.options.shown();
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
