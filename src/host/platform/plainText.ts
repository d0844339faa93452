import { visibleLine } from '../../base/visibleText';

/**
 * Text from an agent, a file name or an error, on one line, for texts that VS Code draws. Notifications turn
 * `[label](command:…)` into a link that runs the command, and labels of pickers and of the status bar `$(name)` into an
 * icon, so use it for all text that Parley did not write.
 */
export function plainText(text: string, limit = 200): string {
  return visibleLine(text, limit).replaceAll('](', ']\u200b(').replaceAll('$(', '$\u200b(');
}
