/** Lines end with `\n` here, whatever the file has. VS Code takes a lone `\r` for a line end too. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
