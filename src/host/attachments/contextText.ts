import { clip } from '../../base/oneLine';
/** One problem that the editor shows. Lines and columns are 1-based. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** "ts 2304" */
  readonly origin: string;
}

const maxProblems = 200;
const maxMessage = 2_000;
const order = ['error', 'warning', 'info', 'hint'];

/** Problems as compilers print them, errors first, one line each, bounded. */
export function problemsText(problems: readonly Problem[]): string {
  const sorted = [...problems].sort(
    (a, b) =>
      order.indexOf(a.severity) - order.indexOf(b.severity) ||
      a.path.localeCompare(b.path) ||
      a.line - b.line ||
      a.column - b.column,
  );
  const lines = sorted.slice(0, maxProblems).map(({ path, line, column, severity, message, origin }) => {
    const said = clip(message, maxMessage);
    const from = origin === '' ? '' : ` [${origin}]`;
    return `${path}:${line}:${column}: ${severity}: ${said.replaceAll('\n', '\n    ')}${from}`;
  });
  return `${lines.join('\n')}${sorted.length > maxProblems ? `\n… and ${sorted.length - maxProblems} more` : ''}\n`;
}

/** Characters of a whole diff, and of one file's; a lock file must not crowd out the rest. */
const maxTotal = 256 * 1024;
const maxOneFile = 64 * 1024;

/**
 * Joins the diffs of several files up to a limit; omissions are mentioned.
 * @param diffs unified diffs, one for each file.
 * @param rest `untracked`: untracked paths; `more`: the number of changed files that were not read.
 */
export function boundedDiff(
  diffs: readonly string[],
  rest: { readonly untracked: readonly string[]; readonly more: number },
): string {
  let text = '';
  let { more } = rest;
  for (const diff of diffs) {
    const shown =
      diff.length > maxOneFile
        ? `${diff.slice(0, diff.lastIndexOf('\n', maxOneFile) + 1)}… the rest of this file's changes is left out\n`
        : diff;
    if (text.length + shown.length > maxTotal) more++;
    else text += shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`;
  }
  if (more > 0) text += `… and the changes of ${more} more ${more === 1 ? 'file' : 'files'}\n`;
  if (rest.untracked.length > 0) {
    const names = rest.untracked.slice(0, 500);
    const left = rest.untracked.length - names.length;
    text += `Untracked files:\n${names.map((name) => `  ${name}\n`).join('')}`;
    if (left > 0) text += `  … and ${left} more\n`;
  }
  return text;
}
