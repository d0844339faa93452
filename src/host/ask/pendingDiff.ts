import { guardMatcher, SECRET_FILES } from '../../changes/guardedFiles';
import type { Change } from '../../changes/hunk';
import { labelOfPath } from '../../view/labels';
import { unifiedDiff } from '../../view/unifiedDiff';
import { boundedChanges, type ReviewedChanges } from './repositoryChanges';

/** Lines of one file's hunks. */
const maxLines = 2_000;
/** Comparisons of lines, for all files together. */
const maxWork = 5_000_000;

/** The pending changes of a session, as an agent may see them. */
export interface PendingDiff extends ReviewedChanges {
  /** Absolute, by the name in `files`. */
  readonly paths: ReadonlyMap<string, string>;
  /** The part of `leftOut` that is protected or may contain secrets. */
  readonly hidden: readonly string[];
}

/**
 * Makes the diffs of pending changes, from their originals to the text of now.
 * @param folder the session's, absolute
 * @param isGuarded true for protected files
 */
export function pendingDiff(
  changes: readonly Change[],
  folder: string,
  isGuarded: (path: string) => boolean,
): PendingDiff {
  const isSecret = guardMatcher(SECRET_FILES);
  const work = { left: maxWork };
  const paths = new Map<string, string>();
  const [hidden, binary, diffs]: [string[], string[], string[]] = [[], [], []];
  for (const change of changes) {
    const label = labelOfPath(change.path, folder).replaceAll('\\', '/');
    if (isGuarded(change.path) || isSecret(label)) hidden.push(label);
    else if (change.note !== undefined) binary.push(label);
    else {
      paths.set(label, change.path);
      diffs.push(diffOf(label, change, work));
    }
  }
  return {
    diff: boundedChanges(diffs.join(''), diffs.length),
    files: [...paths.keys()],
    leftOut: [...hidden, ...binary],
    paths,
    hidden,
  };
}

function diffOf(label: string, { baseline, current }: Change, work: { left: number }): string {
  const { hunks, isCut } = unifiedDiff(baseline ?? '', current ?? '', maxLines, work);
  const count = (lines: readonly string[], sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  return [
    `diff --git a/${label} b/${label}`,
    `--- ${baseline === undefined ? '/dev/null' : `a/${label}`}`,
    `+++ ${current === undefined ? '/dev/null' : `b/${label}`}`,
    ...hunks.flatMap(({ oldStart, newStart, lines }) => [
      `@@ -${oldStart},${count(lines, '+')} +${newStart},${count(lines, '-')} @@`,
      ...lines.map((line) => line.replace(/\r?\n$/, '')),
    ]),
    ...(isCut ? ["… the rest of this file's changes is left out"] : []),
    '',
  ].join('\n');
}
