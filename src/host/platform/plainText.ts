import { visibleLine } from '../../base/visibleText';

/**
 * Text from an agent, a file name or an error, on one line, for what VS Code draws. Notifications turn
 * `[label](command:…)` into a link that runs the command, and labels of pickers and of the status bar `$(name)` into an
 * icon, so whatever is not our own words goes through here.
 */
export function plainText(text: string, limit = 200): string {
  return visibleLine(text, limit).replaceAll('](', ']\u200b(').replaceAll('$(', '$\u200b(');
}
