import * as l10n from '@vscode/l10n';
import { markWords } from '../base/hiddenCharacters';

/** Translates the marks with which `visibleText` replaces hidden characters. Call it once the translation is loaded. */
export function translateMarks(): void {
  Object.assign(markWords, {
    hidden: (first, more) => l10n.t('{0} and {1} more hidden characters', first, more),
    marks: (count) =>
      l10n.t({
        message: '{0} more combining marks',
        args: [count],
        comment: ['Marks are accents and the like on one letter'],
      }),
    emptyLines: (count) => l10n.t('{0} empty lines', count),
    blanks: (count) => l10n.t('{0} spaces and tabs', count),
    spaces: (count) => l10n.t('{0} spaces', count),
  } satisfies typeof markWords);
}
