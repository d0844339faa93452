/**
 * Completes Markdown that is still being written, for showing only: marks that are open are closed, and a last line
 * that may turn out to be something else (a list's dash under a paragraph reads as a heading) waits.
 */
export function completeTail(source: string): string {
  // A table's header reads as a paragraph until the row of dashes is here.
  if (/^\|[^\n]*(?:\n[ \t:|-]*)?$/.test(source)) return '';
  let text = source;
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  if (/^[ \t>]*(?:[-=*+_]+|#{1,6}|\d{1,9}[.)]?|[`~]{1,3}|\|[ \t:|-]*)[ \t]*$/.test(line)) text = text.slice(0, lineStart);
  return closeInline(text);
}

function closeInline(text: string): string {
  // Marks do not reach over a blank line.
  const start = Math.max(0, text.lastIndexOf('\n\n'));
  const tail = text.slice(start);
  const ticks = (tail.match(/`+/g) ?? []).filter((t) => t.length === 1).length;
  if (ticks % 2 === 1) return tail.endsWith('`') ? text.slice(0, -1) : `${text}\``;
  const visible = tail.replace(/`[^`]*`/g, (code) => '.'.repeat(code.length));
  const link = /!?\[([^\]\n]*)(?:\]\([^)\n]*)?$/.exec(visible);
  if (link && !/^\s*[-*+]\s+\[/.test(visible.slice(visible.lastIndexOf('\n') + 1))) {
    const at = text.length - link[0].length;
    return text.slice(0, at) + text.slice(at).replace(/^!?\[/, '').replace(/\]\([^)\n]*$/, '');
  }
  let closed = text;
  for (const mark of ['**', '~~', '__']) {
    const count = visible.split(mark).length - 1;
    if (count % 2 === 0) continue;
    if (visible.trimEnd().endsWith(mark)) return text.trimEnd().slice(0, -mark.length);
    closed = closed.trimEnd() + mark;
  }
  return closed;
}
