import * as l10n from '@vscode/l10n';
import type { LineEnds } from './lineEnds';

/** How a file stores its text. `encoding`: VS Code's name of it, "" if it is not known. */
export interface TextForm {
  readonly encoding: string;
  readonly ends: LineEnds;
}

interface WithForm {
  readonly kind: 'absent' | 'text' | 'binary';
  readonly form?: TextForm | undefined;
}

/**
 * Only encodings with a byte order mark are certain. Others are guessed or unknown, and a different guess is not a
 * change.
 */
const names: Readonly<Record<string, string>> = {
  utf8: 'UTF-8',
  utf8bom: 'UTF-8',
  utf16le: 'UTF-16 LE',
  utf16be: 'UTF-16 BE',
};
const isMarked = (encoding: string) => encoding in names && encoding !== 'utf8';

/** True if two texts are stored alike, as far as is known. A single line has no line end to compare. */
export function isSameForm({ form: a }: WithForm, { form: b }: WithForm): boolean {
  return !a || !b || (isSameEncoding(a, b) && (a.ends === b.ends || a.ends === '' || b.ends === ''));
}

function isSameEncoding(a: TextForm, b: TextForm): boolean {
  const isUnknown = a.encoding === '' || b.encoding === '';
  return isUnknown || a.encoding === b.encoding || !(isMarked(a.encoding) || isMarked(b.encoding));
}

/** Describes changes of encoding and line ends; empty if there are none. */
export function formWords({ form: before }: WithForm, { form: after }: WithForm): string[] {
  if (!before || !after) return [];
  const ends =
    before.ends === after.ends || before.ends === '' || after.ends === ''
      ? []
      : [l10n.t('Line endings changed from {0} to {1}', endsWord(before.ends), endsWord(after.ends))];
  return isSameEncoding(before, after) ? ends : [encodingWords(before.encoding, after.encoding), ...ends];
}

function encodingWords(before: string, after: string): string {
  if (before === 'utf8' && after === 'utf8bom') return l10n.t('Byte order mark added');
  if (before === 'utf8bom' && after === 'utf8') return l10n.t('Byte order mark removed');
  return l10n.t('Encoding changed from {0} to {1}', names[before] ?? before, names[after] ?? after);
}

function endsWord(ends: LineEnds): string {
  return ends === '\r\n'
    ? 'CRLF'
    : ends === '\n'
      ? 'LF'
      : l10n.t({ message: 'mixed', comment: ['Line endings of a file: CRLF, LF or mixed'] });
}

/** Says that a text got or lost its last line break. @param before undefined, or "", if there was no line. */
export function lastBreakWords(before: string | undefined, after: string | undefined): string[] {
  if (!before || !after || before.endsWith('\n') === after.endsWith('\n')) return [];
  return [
    after.endsWith('\n') ? l10n.t('Line break at end of file added') : l10n.t('Line break at end of file removed'),
  ];
}
