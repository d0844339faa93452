/**
 * Makes the ids of a session's turns and requests. A reopened session is another `Session` with the same id, and both
 * the host and the webview store data by these ids. So the time of opening is part of each.
 * @param openedAt epoch ms
 * @returns gives an id that no session has given before. @param kind a letter for the purpose
 */
export function newIds(sessionId: string, openedAt: number): (kind: string) => string {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${sessionId.slice(0, 8)}-${openedAt.toString(36)}-${kind}${count}`;
  };
}
