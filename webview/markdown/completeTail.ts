/**
 * Completes Markdown that is still being written, only for display: open marks are closed, and a last line that may
 * turn out to be something else (a list's dash under a paragraph looks like a heading) is held back.
 */
export function completeTail(source: string): string {
  // A table's header looks like a paragraph until its row of dashes arrives.
  if (/^\|[^\n]*(?:\n[ \t:|-]*)?$/.test(source)) return '';
  let text = source;
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  if (/^[ \t>]*(?:[-=*+_]+|#{1,6}|\d{1,9}[.)]?|[`~]{1,3}|\|[ \t:|-]*)$/.test(line.trimEnd()))
    text = text.slice(0, lineStart);
  // An alert looks like a quote until its name is complete.
  else if (/^[ \t]*>[ \t>]*\[(?:!\w*\]?[ \t]*)?$/.test(line)) text = text.slice(0, lineStart);
  return closeInline(withoutOpenMath(text));
}

/** Characters of an unclosed formula that are held back. A longer text is probably not a formula. */
const MOST_OPEN_MATH = 1_500;

/** Characters of an unclosed link that are held back. */
const MOST_OPEN_LINK = 2_000;

/** Holds back an incomplete formula, which would be an error. */
function withoutOpenMath(text: string): string {
  const at = Math.max(text.lastIndexOf('\\['), text.lastIndexOf('\\('));
  if (
    at >= 0 &&
    text.length - at < MOST_OPEN_MATH &&
    text.indexOf(text[at + 1] === '[' ? '\\]' : '\\)', at) < 0 &&
    !isInCode(text, at)
  )
    return text.slice(0, at);
  if (!text.includes('$$')) return text;
  const dollars = text.split('$$');
  const open = text.lastIndexOf('$$');
  return dollars.length % 2 === 0 && text.length - open < MOST_OPEN_MATH && !isInCode(text, open)
    ? text.slice(0, open)
    : text;
}

function isInCode(text: string, at: number): boolean {
  return (text.slice(0, at).match(/`/g) ?? []).length % 2 === 1;
}

function closeInline(text: string): string {
  // Marks do not extend across a blank line.
  const start = Math.max(0, text.lastIndexOf('\n\n'));
  const tail = text.slice(start);
  const ticks = (tail.match(/`+/g) ?? []).filter((t) => t.length === 1).length;
  if (ticks % 2 === 1) return tail.endsWith('`') ? text.slice(0, -1) : `${text}\``;
  const visible = tail.replace(/`[^`]*`/g, (code) => '.'.repeat(code.length));
  const link = /!?\[([^\]\n]*)(?:\]\([^)\n]*)?$/.exec(visible.slice(-MOST_OPEN_LINK));
  if (link && !/^\s*[-*+]\s+\[/.test(visible.slice(visible.lastIndexOf('\n') + 1))) {
    const at = text.length - link[0].length;
    return (
      text.slice(0, at) +
      text
        .slice(at)
        .replace(/^!?\[/, '')
        .replace(/\]\([^)\n]*$/, '')
    );
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
