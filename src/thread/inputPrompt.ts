/** Words that ask for an answer anywhere on the last line, even if the program has begun a new line after it. */
const askingWords = [
  /\bpress (?:any key|enter|return|\[?enter\]?)\b/i,
  /\b(?:hit|press) (?:enter|return|any key)\b/i,
  /[([]\s*y(?:es)?\s*\/\s*n(?:o)?\b[^)\]]*[)\]]\s*[?:]?$/i,
  /\b(?:password|passphrase|passcode|pin|otp|verification code)\b[^:]{0,60}:$/i,
];

/** Line ends that ask for input: of a question, of a label, or of the prompt of a shell or an interpreter. */
const openEnd = /[?:>$#»›❯➜]$|\[[^\]]*\]$|\?\s*\([^)]*\)$/;

/** A list of choices: the question above, and a mark before one of the choices. */
const question = /^\s*[?◆]\s+\S/u;
const choice = /^\s*[│┃|]?\s*[❯›➤▸●◉◯○◻◼☐☑]\s/u;

/**
 * True if a quiet terminal seems to ask for input. A guess, used to point out a command and never to answer it.
 * @param rows of the screen, top to bottom, without blank ends
 * @param isOpen the output does not end with a line feed: the cursor is after the last text
 */
export function asksForInput(rows: readonly string[], isOpen: boolean): boolean {
  const shown = rows.slice(-30).map((row) => row.trimEnd());
  const last = shown.findLast((row) => row !== '')?.trim();
  if (last === undefined) return false;
  if (askingWords.some((pattern) => pattern.test(last)) || (isOpen && openEnd.test(last))) return true;
  const asked = shown.findLastIndex((row) => question.test(row));
  return asked >= 0 && shown.slice(asked + 1).some((row) => choice.test(row));
}
