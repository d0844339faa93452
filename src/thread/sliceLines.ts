/**
 * The part of a text that `fs/read_text_file` requests. Inner line endings stay as they are; the one after the last
 * line is left out if `limit` cut there. Beyond the end it is "".
 * @param line first line, 1-based; 0 counts as 1. Absent: from the start.
 * @param limit number of lines. Absent: to the end.
 */
export function sliceLines(text: string, line?: number, limit?: number): string {
  if (line === undefined && limit === undefined) return text;
  let start = 0;
  for (let i = 1; i < (line ?? 1); i++) {
    start = afterLine(text, start);
    if (start === -1) return '';
  }
  if (limit === undefined) return text.slice(start);
  let end = start;
  for (let i = 0; i < limit; i++) {
    const next = afterLine(text, end);
    if (next === -1) return text.slice(start);
    end = next;
  }
  const part = text.slice(start, end);
  return part.endsWith('\r\n') ? part.slice(0, -2) : part.replace(/[\r\n]$/, '');
}

/** The beginning of the next line, -1 if there is none. */
function afterLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at + (code === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1);
  }
  return -1;
}
