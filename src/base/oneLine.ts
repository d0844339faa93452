import { withoutControls } from './controlSequences';

/** The first `limit` characters, and "…" if there are more. Ends neither in a blank nor in half an emoji. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}…`;
}

/** A text on one line; `between` replaces each line end and the blanks around it. */
export function joinedLines(text: string, between: string): string {
  return text.replaceAll(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? between : blanks));
}

/** A Markdown text as one plain line, without its markup. Underscores stay, since names contain them. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, '')
    .replace(/!?\[([^[\]\n]+)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/g, '$1')
    .replace(/(?<!`)`+([^`\n]+)`+/g, '$1');
}

/** One line, and not longer than anyone reads. */
export function sessionTitle(title: string): string {
  return withoutControls(title.trim().slice(0, 2_000)).replace(/\s+/g, ' ').trim().slice(0, 300);
}
