import * as l10n from '@vscode/l10n';

const MAX_TOLD = 8;
const MAX_NAMED = 5;

/** Problems as the text of one notification, which has no room for thousands. */
export function toldTogether(problems: readonly string[]): string {
  const shown =
    problems.length > MAX_TOLD
      ? [...problems.slice(0, MAX_TOLD - 1), l10n.t('And {0} more.', problems.length - MAX_TOLD + 1)]
      : problems;
  return shown.join('\n');
}

/** Names for the middle of a sentence: the first ones, and the number of others. */
export function namedTogether(names: readonly string[], most = MAX_NAMED): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? l10n.t('{0} and {1} more', first, names.length - most) : first;
}
