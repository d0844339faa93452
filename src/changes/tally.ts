import type { Decision } from './decision';
import type { Change, Hunk } from './hunk';

/** What became of an agent's changes to a file so far. */
export interface FileTally {
  readonly path: string;
  readonly pending: number;
  readonly kept: number;
  readonly undone: number;
}

/** Counts what was decided in each file of a session. What was decided in an earlier window is not known any more. */
export class Tally {
  private readonly decided = new Map<string, Map<string, 'kept' | 'undone'>>();

  add({ path, verdict, hunks }: Decision): void {
    const marks = this.decided.get(path) ?? new Map<string, 'kept' | 'undone'>();
    this.decided.set(path, marks);
    // A file that is gone, or empty, is one thing to decide.
    for (const id of hunks.length === 0 ? [''] : hunks.map((hunk) => hunk.id)) marks.set(id, verdict === 'undone' ? 'undone' : 'kept');
  }

  /** @param changes what waits now: what was decided and waits again is not decided. */
  files(changes: readonly Change[]): FileTally[] {
    const open = new Map(changes.map(({ path, hunks }) => [path, hunks.length === 0 ? [''] : hunks.map(({ id }) => id)]));
    const tallies = [...new Set([...open.keys(), ...this.decided.keys()])].map((path): FileTally => {
      const pending = open.get(path) ?? [];
      const marks = this.decided.get(path);
      for (const id of pending) marks?.delete(id);
      const kept = [...(marks?.values() ?? [])].filter((mark) => mark === 'kept').length;
      return { path, pending: pending.length, kept, undone: (marks?.size ?? 0) - kept };
    });
    return tallies.filter(({ pending, kept, undone }) => pending + kept + undone > 0);
  }
}

/**
 * Those of a file's hunks that come from one diff of an agent: they have a line that came with it or went with it. All of
 * them where that cannot be told.
 * @param oldText undefined where the agent did not send it.
 */
export function hunksOfDiff(hunks: readonly Hunk[], oldText: string | undefined, newText: string | undefined): readonly Hunk[] {
  if (newText === undefined) return hunks;
  const old = new Set((oldText ?? '').split(/\r?\n/));
  const fresh = new Set(newText.split(/\r?\n/));
  const isOwn = (line: string, on: ReadonlySet<string>, off: ReadonlySet<string>) => line.trim() !== '' && on.has(line) && !off.has(line);
  const own = hunks.filter(({ agentLines, baselineLines }) => agentLines.some((line) => isOwn(line, fresh, old)) || baselineLines.some((line) => isOwn(line, old, fresh)));
  return own.length > 0 ? own : hunks;
}
