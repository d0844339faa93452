import * as l10n from '@vscode/l10n';
import type { NewAttachment } from './attachment';
import { searchLines } from '../files/textSearch';
import { markedWindow } from '../platform/markedWindow';

/** A longer text is not searched for. Characters. */
const maxText = 500;

/**
 * The lines of the workspace with a text that the user types.
 * @param isLeftOut true for files whose lines are not added; the path is absolute
 * @param folders those of a session that does not work in the workspace's
 * @returns a string if nothing was found, with the reason; undefined if the user cancels
 */
export async function searchContext(
  isLeftOut: (path: string) => boolean,
  folders?: readonly string[],
): Promise<NewAttachment | string | undefined> {
  const typed = await markedWindow.showInputBox({
    title: l10n.t('Add Search Results to the Message'),
    prompt: l10n.t('Text to find in the workspace'),
    validateInput: (value) => (value.length > maxText ? l10n.t('Type at most {0} characters.', maxText) : undefined),
  });
  const text = typed?.trim();
  if (!text) return undefined;
  const found = await searchLines(text, isLeftOut, folders);
  if (!found) return l10n.t('Parley did not find the search program of VS Code.');
  const { lines, isCut } = found;
  if (lines.length === 0) return l10n.t('No results for “{0}”', text);
  return {
    kind: 'file',
    label: l10n.t('Search: {0}', text),
    detail: [
      lines.length === 1 ? l10n.t('1 line found') : l10n.t('{0} lines found', lines.length),
      ...(isCut ? [l10n.t('shortened')] : []),
    ].join(' · '),
    linkable: false,
    uri: `parley:/search/${encodeURIComponent(text)}`,
    content: [`Lines with “${text}”:`, ...lines, ...(isCut ? [`… and more lines`] : []), ''].join('\n'),
    fileName: 'search.txt',
  };
}
