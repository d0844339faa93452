import * as l10n from '@vscode/l10n';
import type { Change } from '../../changes/hunk';
import { stillAsAsked, type Target } from '../../changes/scope';
import { labelOfPath } from '../../view/labels';
import type { ReviewService } from '../changes/reviewService';
import { plainText } from '../platform/plainText';
import { namedTogether } from '../platform/problemList';
import type { TiedTurns, TurnName } from './confirmations';

export interface DecisionQuestions {
  /** Asks whether to include other turns that changed the same lines. */
  readonly askTied: (tied: TiedTurns) => Promise<boolean | undefined>;
  readonly turnName: (sessionId: string, turn: string | undefined) => TurnName;
  /** Reports targets that were skipped. */
  readonly report: (message: string) => void;
}

type Wish = TiedTurns['wish'];

/** Checks the targets of a decision against the present files. No decision ends without an effect or a message. */
export class DecisionTargets {
  constructor(
    private readonly service: Pick<ReviewService, 'lookAgain' | 'session'>,
    private readonly cwd: () => string,
    private readonly options: DecisionQuestions,
  ) {}

  /**
   * Checks files again, reports targets that are no longer pending, and asks about lines of other turns.
   * @returns the targets to apply the decision to
   */
  async meant(chosen: readonly Target[], wish: Wish): Promise<readonly Target[]> {
    await this.#look(chosen);
    const open = chosen.filter((target) => this.#isPending(target));
    if (open.length < chosen.length) {
      const gone = chosen.filter((target) => !open.includes(target));
      this.#report(gone, (files) => l10n.t('No longer pending, because the file was changed: {0}', files));
    }
    return this.#withTied(open, wish);
  }

  /**
   * Guards a decision that waits for an answer. The user may answer after an hour, and changes of the agent meanwhile
   * are not part of the decision.
   * @param targets targets whose files were just checked
   * @returns a function that gives the unchanged targets and reports the others
   */
  asAsked(targets: readonly Target[]): () => Promise<Target[]> {
    const asked = targets.map((target) => this.#changeAt(target));
    return async () => {
      await this.#look(targets);
      const left: Target[] = [];
      const meant = targets.flatMap((target, i) => {
        const still = stillAsAsked(target, asked[i], this.#changeAt(target));
        if (still !== target) left.push(target);
        return still ?? [];
      });
      const words = (files: string) =>
        l10n.t('Parley left some changes in {0} as they are, because they changed in the meantime.', files);
      if (left.length > 0) this.#report(left, words);
      return meant;
    };
  }

  labelsOf(targets: readonly Target[]): string[] {
    return [...new Set(targets.map(({ path }) => labelOfPath(path, this.cwd())))];
  }

  /** @returns none if the user cancels. */
  async #withTied(targets: readonly Target[], wish: Wish): Promise<readonly Target[]> {
    const tied = targets.flatMap((target) => {
      const turns = [...this.#tiedTo(target, wish, target.ids)];
      return turns.length > 0 ? [{ target, turns }] : [];
    });
    if (tied.length === 0) return targets;
    const asAsked = this.asAsked(targets);
    const { sessionId } = tied[0]!.target;
    const turns = [...new Set(tied.flatMap((each) => each.turns))].map((turn) =>
      this.options.turnName(sessionId, turn),
    );
    const labels = this.labelsOf(tied.map(({ target }) => target));
    const hasRest = targets.some((target) => this.#hasRest(target, wish));
    const withOthers = await this.options.askTied({ wish, turns, labels, hasRest });
    if (withOthers === undefined) return [];
    return (await asAsked()).flatMap((target) => {
      if (target.of && withOthers) return [{ ...target, of: { ...target.of, withOthers } }];
      return this.#hasRest(target, wish) ? [target] : [];
    });
  }

  #tiedTo(
    { sessionId, path, of }: Target,
    wish: Wish,
    ids: readonly string[] | undefined,
  ): ReadonlySet<string | undefined> {
    const ledger = this.service.session(sessionId)?.ledger;
    return of && ledger ? ledger.tied(path, wish, ids, of.turn) : new Set();
  }

  /** True if part of the target is not tied to other turns. */
  #hasRest(target: Target, wish: Wish): boolean {
    const hunks = this.#changeAt(target)?.hunks.filter(({ id }) => target.ids?.includes(id) ?? true) ?? [];
    const parts = hunks.length === 0 ? [target.ids] : hunks.map(({ id }) => [id]);
    return parts.some((part) => this.#tiedTo(target, wish, part).size === 0);
  }

  #isPending(target: Target): boolean {
    const change = this.#changeAt(target);
    return (
      change !== undefined && (target.ids === undefined || change.hunks.some(({ id }) => target.ids!.includes(id)))
    );
  }

  #changeAt({ sessionId, path }: Target): Change | undefined {
    return this.service.session(sessionId)?.ledger.get(path);
  }

  #look(targets: readonly Target[]): Promise<void> {
    return this.service.lookAgain(targets.map(({ path }) => path));
  }

  #report(targets: readonly Target[], say: (files: string) => string): void {
    this.options.report(plainText(say(namedTogether(this.labelsOf(targets))), 1_000));
  }
}
