/** A Markdown text as one plain line, without its markup. Underscores stay, since names contain them. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, '')
    .replace(/!?\[([^\]\n]+)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/g, '$1')
    .replace(/`+([^`\n]+)`+/g, '$1');
}
