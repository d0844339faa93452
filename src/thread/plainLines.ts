/** Sequences that change only the look of text, and a clearing of the line's end where nothing is after the cursor. */
const looks = /\x1b(?:\[[\d;:]*m|\[0?K|\([B0]|\][ -~]*?(?:\x07|\x1b\\))/g;

/** A line feed that does not return the cursor. */
const bareLineFeed = /(?:^|[^\r])\n/;

const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** A combining character at the start of a line. */
const loneMark = /^[\p{Mn}\p{Me}\p{Cf}]/mu;

/**
 * The text of whole lines that only follow one another, without cursor movement or overwriting. Far cheaper than a
 * terminal, and the same text if the lines begin on an empty row with nothing below.
 * @param data ends with a line feed
 * @param newlineReturns see `TextScreenOptions`
 * @returns undefined if only a terminal can tell.
 */
export function plainLines(data: string, newlineReturns: boolean): string | undefined {
  let text = data.includes('\x1b') ? data.replace(looks, '') : data;
  if (!newlineReturns && bareLineFeed.test(text)) return undefined;
  // A pseudo-terminal adds its own return to an existing one.
  while (text.includes('\r\n')) text = text.replaceAll('\r\n', '\n');
  if (controls.test(text) || (/[^\0-\x7f]/.test(text) && loneMark.test(text))) return undefined;
  return text;
}
