/**
 * Text from an agent, a file name or an error, made safe for a VS Code notification. Notifications turn
 * `[label](command:…)` into a link that runs the command, and labels of pickers and of the status bar `$(name)` into an
 * icon, so whatever is not our own words goes through here.
 */
export function plainText(text: string, limit = 200): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('](', ']\u200b(').replaceAll('$(', '$\u200b(');
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}
