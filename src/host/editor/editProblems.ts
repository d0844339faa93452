import * as vscode from 'vscode';
import type { CancellationToken } from '../../base/cancellation';
import { counted, linesAnswer } from '../../editor/answers';
import { type Page, ToolError } from '../../editor/toolInput';
import { newProblems, type Problem, type ProblemState } from '../../changes/newProblems';
import { isWithin } from '../../node/isWithin';
import { relativeTo } from '../files/pathPolicy';
import { reportedProblems } from '../platform/reportedProblems';
import { checkFile, errorsOf } from './fileProblems';
import { fileOf, type SessionFile, type ToolSession } from './toolSession';

/** Files that are looked at in one call. */
const maxFiles = 500;
const typescriptFile = /\.[cm]?tsx?$/i;

/**
 * `diagnostics` with `since: "edit"`: the errors that the edits of the running turn have added or removed, found as for
 * the line under an answer.
 * @param target undefined for all of the session's folders
 */
export async function editProblems(
  target: SessionFile | undefined,
  page: Page,
  session: ToolSession,
  token: CancellationToken,
): Promise<string> {
  const turn = session.turnProblems();
  if (!turn) throw new ToolError('What was before your edits is not known. Call it without since.');
  const { before, edited } = turn;
  if (edited.size === 0) return 'No edit of yours in this turn is known.';
  const isWanted = (path: string) => target === undefined || isWithin(path, target.path);
  // Of other languages, VS Code reports open files by itself.
  const paths = new Set([...edited, ...[...before.open].filter((path) => typescriptFile.test(path))]);
  const looked = await lookAt([...paths].filter(isWanted).slice(0, maxFiles), session, token);
  const reported = reportedProblems(session.scope.roots);
  if (!reported) throw new ToolError('There are too many errors to compare. Call it without since.');
  const after = joined(reported, looked);
  const added = newProblems(before, after, edited).filter(({ path }) => isWanted(path));
  const removed = newProblems(after, before, edited).filter(({ path }) => isWanted(path));
  if (added.length + removed.length === 0) return 'Your edits of this turn added and removed no errors.';
  const lineOf = (how: string) => (problem: Problem) => ({
    path: relativeTo(problem.path, [session.scope.cwd]),
    line: problem.line + 1,
    text: `${how} ${wordsOf(problem)}`,
  });
  const answer = linesAnswer(
    `Your edits of this turn: ${counted(added.length, 'new error')}, ${removed.length} gone`,
    [...added.map(lineOf('new')), ...removed.map(lineOf('gone'))],
    page,
  );
  return added.every(({ path }) => before.open.has(path))
    ? answer
    : `${answer}\nSome may be older: in a file that nobody looked at before the edits, each error is new.`;
}

/** Asks for the errors of files, also of those that are in no tab. A deleted file has none. */
async function lookAt(paths: readonly string[], session: ToolSession, token: CancellationToken): Promise<ProblemState> {
  const problems: Problem[] = [];
  const open = new Set<string>();
  for (const path of paths) {
    if (token.isCancellationRequested) throw new ToolError('The call was withdrawn.');
    const file = await fileOf(vscode.Uri.file(path), session.scope);
    const found = file && (await checkFile(file, session, token).catch(() => undefined));
    open.add(path);
    if (found) problems.push(...(await errorsOf(found)));
  }
  return { problems, open };
}

/** What was looked at, and what VS Code reports of other files. */
function joined(reported: ProblemState, looked: ProblemState): ProblemState {
  return {
    problems: [...looked.problems, ...reported.problems.filter(({ path }) => !looked.open.has(path))],
    open: new Set([...looked.open, ...reported.open]),
  };
}

/** As the tool says it of a whole file. */
function wordsOf({ message, code = '', source }: Problem): string {
  const origin = source === 'ts' ? `TS${code}` : [source, code].filter((part) => part).join(' ');
  return `error${origin === '' ? '' : ` ${origin}`}: ${message}`;
}
