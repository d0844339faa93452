import * as l10n from '@vscode/l10n';
import type { TerminalRow, TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView, CommandOutputView } from '../../src/protocol/toolCallView';
import { isActive } from './toolStatus';

/**
 * Shows text of a command as a terminal shows it.
 * @param last what was shown of the same call before: a line that is the same keeps its row
 */
export function outputTerminal(view: ToolCallView, terminalId: string, output: CommandOutputView, last: TerminalView | undefined): TerminalView {
  const rows = output.lines.map((text, i): TerminalRow => {
    const old = last?.rows[i + output.firstLine - last.firstRow];
    return old?.[0]?.text === text ? old : [{ text }];
  });
  return {
    terminalId,
    ...(view.command === undefined ? {} : { command: view.command }),
    firstRow: output.firstLine,
    rows,
    running: isActive(view.status),
    ...(output.exitCode === undefined ? {} : { exitCode: output.exitCode }),
    ...(output.failed ? { signal: l10n.t('failed') } : {}),
    canOpen: false,
    ...(view.durationMs === undefined ? {} : { durationMs: view.durationMs }),
  };
}
