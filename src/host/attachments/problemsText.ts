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
    const said = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
    const from = origin === '' ? '' : ` [${origin}]`;
    return `${path}:${line}:${column}: ${severity}: ${said.replaceAll('\n', '\n    ')}${from}`;
  });
  return `${lines.join('\n')}${sorted.length > maxProblems ? `\n… and ${sorted.length - maxProblems} more` : ''}\n`;
}
