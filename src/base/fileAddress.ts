/** The path in the address of a file on this machine; any other text as it is. Some agents name files by addresses. */
export function pathOfAddress(path: string): string {
  const match = /^(?:file:\/\/(?:localhost)?|file:(?=\/[^/])|vscode(?:-insiders)?:\/\/file)(\/.*)$/i.exec(path);
  if (!match) return path;
  try {
    return decodeURIComponent(match[1]!).replace(/^\/([a-z]:)/i, '$1');
  } catch {
    return match[1]!;
  }
}
