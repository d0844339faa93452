/** A code fence: its character, length, indentation and info string. */
export interface Fence {
  readonly char: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

/** The beginning of a line's text, and its column (a tab reaches the next multiple of four). */
export function classifyLine(
  source: string,
  from: number,
  to: number,
): { readonly indent: number; readonly first: number } {
  let indent = 0;
  let first = from;
  for (; first < to; first++) {
    const code = source.charCodeAt(first);
    if (code === 0x20) indent++;
    else if (code === 0x09) indent += 4 - (indent % 4);
    else break;
  }
  // The parser counts a line of other white space as blank, too.
  if (first < to && source.charCodeAt(first) <= 0x20 && source.slice(first, to).trim() === '') first = to;
  return { indent, first };
}

/** The fence that opens on a line; `text` is the line without its indentation. */
export function matchFence(text: string, indent: number): Fence | undefined {
  const char = text[0];
  if (char !== '`' && char !== '~') return undefined;
  let length = 1;
  while (text[length] === char) length++;
  const info = text.slice(length);
  if (length < 3 || (char === '`' && info.includes('`'))) return undefined;
  return { char, length, indent, info: info.trim() };
}

/** True if a line closes a fence. */
export function closesFence(line: string, fence: Fence): boolean {
  const text = line.trim();
  if (text.length < fence.length || !text.startsWith(fence.char.repeat(fence.length))) return false;
  return /^[`~]*$/.test(text) && line.length - line.trimStart().length <= fence.indent + 3;
}

/** The bullet and number of a list item; `text` is the line without its indentation. */
export function listMarker(text: string): { readonly bullet: string; readonly number: number } | undefined {
  const code = text.charCodeAt(0);
  if (code === 0x2a || code === 0x2b || code === 0x2d) {
    return text.length === 1 || /\s/.test(text[1]!) ? { bullet: text[0]!, number: 0 } : undefined;
  }
  if (code < 0x30 || code > 0x39) return undefined;
  const match = /^(\d{1,9})([.)])(?:\s|$)/.exec(text);
  return match ? { bullet: match[2]!, number: Number(match[1]) } : undefined;
}

/** A longer row of dashes is that of no table. Characters. */
const MOST_DELIMITER = 2_000;

/** True if a line can be the second line of a table. */
export function tableDelimiter(text: string): boolean {
  return (
    text.length <= MOST_DELIMITER &&
    text.includes('-') &&
    /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/.test(text)
  );
}

const BLOCK_TAGS =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;
const LONE_TAG =
  /^(?:<(?!script|pre|style|textarea)[a-z][\w-]*(?:[ \t]+[a-z:_][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*[ \t]*\/?>|<\/(?!script|pre|style|textarea)[a-z][\w-]*[ \t]*>)[ \t]*$/i;

/**
 * The HTML block that begins on a line: `block` ends at a blank line, one with an `end` runs until that text.
 * A lone tag begins one only where no paragraph is open.
 */
export function startsHtml(text: string, atStart: boolean): 'block' | { readonly end: string } | undefined {
  const raw = /^<(script|pre|style|textarea)(?:[\s>]|$)/i.exec(text);
  if (raw) return { end: `</${raw[1]!.toLowerCase()}>` };
  if (text.startsWith('<!--')) return { end: '-->' };
  if (text.startsWith('<![CDATA[')) return { end: ']]>' };
  if (text.startsWith('<?')) return { end: '?>' };
  if (/^<![A-Z]/i.test(text)) return { end: '>' };
  if (BLOCK_TAGS.test(text) || (atStart && LONE_TAG.test(text))) return 'block';
  return undefined;
}

/** True if a line contains the end of an HTML block that may include blank lines. */
export function endsRawHtml(text: string, end: string): boolean {
  return text.toLowerCase().includes(end);
}

/** The number of `<details>` that begin in a text, minus those that end. */
export function detailsIn(text: string): number {
  return (text.match(/<details[\s>]/gi)?.length ?? 0) - (text.match(/<\/details\s*>/gi)?.length ?? 0);
}
