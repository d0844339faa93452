/** A text on one line; `between` replaces each line end and the blanks around it. */
export function joinedLines(text: string, between: string): string {
  return text.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? between : blanks));
}
