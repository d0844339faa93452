import type { Change, Hunk } from './hunk';
import type { OfTurn } from './ledger';
import { editsOfLines } from './lineDiff';
import { partWithEdits } from './lineEdits';
import { toLines } from './pieces';

/** The user's decision on one file, reported once it is done. */
export interface Decision {
  readonly sessionId: string;
  readonly path: string;
  /** `agents`: the user accepted the agent's version, without the user's own edits in it. */
  readonly verdict: 'kept' | 'undone' | 'agents';
  /** The change before the decision. */
  readonly change: Change;
  /** The hunks that were decided; none if the change was the file as a whole. */
  readonly hunks: readonly Hunk[];
  /** Limits the decision to the changes of one turn. The hunks then have the lines of that turn only. */
  readonly of?: OfTurn;
}

/**
 * Compares a change before and after a decision: the hunks of `before` that `after` no longer has were decided.
 * @param of limits the decision to the changes of one turn
 */
export function decisionOf(
  sessionId: string,
  verdict: Decision['verdict'],
  before: Change | undefined,
  after: Change | undefined,
  of?: OfTurn,
): Decision | undefined {
  if (!before) return undefined;
  if (of && before.hunks.length > 0) return decisionOfTurn(sessionId, verdict, before, after, of);
  // A file as a whole that became another kind of change is decided for this turn only.
  if (of && after?.kind !== before.kind) return decisionOf(sessionId, verdict, before, undefined);
  const open = new Set(after?.hunks.map(({ id }) => id));
  const hunks = before.hunks.filter(({ id }) => !open.has(id));
  return hunks.length === 0 && (after || before.hunks.length > 0)
    ? undefined
    : { sessionId, path: before.path, verdict, change: before, hunks };
}

/** The same for the lines of one turn. */
function decisionOfTurn(
  sessionId: string,
  verdict: Decision['verdict'],
  before: Change,
  after: Change | undefined,
  of: OfTurn,
): Decision | undefined {
  const isOfTurn = ({ parts }: Hunk) => parts.some(({ turn }) => turn === of.turn);
  const left = new Set(after?.hunks.filter(isOfTurn).map(({ id }) => id));
  const side = verdict === 'undone' ? 'current' : 'baseline';
  const was = toLines(before[side] ?? '');
  const text = after ? after[side] : before[side === 'current' ? 'baseline' : 'current'];
  const edits = editsOfLines(was, toLines(text ?? ''));
  const hunks = before.hunks
    .filter((hunk) => isOfTurn(hunk) && !left.has(hunk.id))
    .map((hunk): Hunk => {
      const { start, end } = hunk[side];
      const mine = was.slice(start, end);
      const inside = edits.filter((edit) => start <= edit.start && edit.end <= end);
      const now = partWithEdits(was, { start, end }, inside);
      const [baselineLines, currentLines] = verdict === 'undone' ? [now, mine] : [mine, now];
      return { ...hunk, baselineLines, agentLines: currentLines, currentLines };
    });
  return hunks.length === 0 ? undefined : { sessionId, path: before.path, verdict, change: before, hunks, of };
}
