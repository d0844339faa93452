import { groupedBy } from '../base/groupedBy';

/** An error that a language server reports. Its words are the server's: hostile text. */
export interface Problem {
  /** Absolute path of the file. */
  readonly path: string;
  readonly message: string;
  /** Such as "2304"; undefined if the server has none. */
  readonly code?: string | undefined;
  /** Such as "ts"; undefined if the server has none. */
  readonly source?: string | undefined;
  /** From 0. */
  readonly line: number;
  /** The text of the line; undefined if no editor has the file open. */
  readonly text?: string | undefined;
}

/** What the editor knows of problems at one moment. */
export interface ProblemState {
  readonly problems: readonly Problem[];
  /** Paths of the files that are open as documents. Many servers report only these. */
  readonly open: ReadonlySet<string>;
}

/**
 * The problems that are there after some edits and were not there before. A problem is known by its file, its message,
 * its code, its source and the text of its line, so one that only moved to another line is not new. If the
 * text is not known, or only the line changed, a problem with the same message counts as the same.
 *
 * A file that was opened meanwhile and not edited is left out: its problems are older than their report.
 *
 * @param edited paths of the files that were edited
 * @returns by path and line. Equal problems on equal lines count as often as there are more of them.
 */
export function newProblems(
  before: ProblemState,
  after: ProblemState,
  edited: ReadonlySet<string>,
): readonly Problem[] {
  const known = grouped(before.problems);
  const found: Problem[] = [];
  for (const [key, problems] of grouped(after.problems)) {
    const { path } = problems[0]!;
    if (after.open.has(path) && !before.open.has(path) && !edited.has(path) && !known.has(key)) continue;
    found.push(...unknownOf(problems, known.get(key) ?? []));
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

function grouped(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  return groupedBy(problems, ({ path, message, code = '', source = '' }) =>
    JSON.stringify([path, message, code, source]),
  );
}

/** Pairs equal problems, the surest pairs first. @returns those without a partner */
function unknownOf(problems: readonly Problem[], before: readonly Problem[]): readonly Problem[] {
  let [left, partners] = [problems, before];
  const forms: readonly ((problem: Problem) => unknown)[] = [({ text }) => text?.trim(), ({ line }) => line];
  for (const form of forms) {
    // The last one is taken first, so the order of equal ones is reversed.
    const free = groupedBy(partners.toReversed(), form);
    const paired = new Set<Problem>();
    left = left.filter((problem) => {
      const key = form(problem);
      const partner = key === undefined ? undefined : free.get(key)?.pop();
      if (partner) paired.add(partner);
      return !partner;
    });
    partners = partners.filter((partner) => !paired.has(partner));
  }
  // Without a text on one side, nothing says that they differ.
  const blind = partners.filter(({ text }) => text === undefined).length;
  if (blind > 0) return left.slice(blind);
  const sighted = left.filter(({ text }) => text !== undefined);
  return [...sighted, ...left.filter(({ text }) => text === undefined).slice(partners.length)];
}
