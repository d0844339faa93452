/** A text for one line, without the signs of Markdown that say nothing there. Underscores stay: names have them. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/gm, '')
    .replace(/!?\[([^\]\n]+)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]+?)\*\*/g, '$1')
    .replace(/`+([^`\n]+)`+/g, '$1');
}
