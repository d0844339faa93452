const MAX_TOLD = 8;

/** Problems as the text of one notification, which is no list of thousands. */
export function toldTogether(problems: readonly string[]): string {
  const shown = problems.length > MAX_TOLD ? [...problems.slice(0, MAX_TOLD - 1), `And ${problems.length - MAX_TOLD + 1} more.`] : problems;
  return shown.join('\n');
}
