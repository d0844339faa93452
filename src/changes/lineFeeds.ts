/** Changes all line ends to `\n`. VS Code treats a lone `\r` as a line end too. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
