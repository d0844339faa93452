import * as l10n from '@vscode/l10n';
import type { TerminalRow, TerminalView } from '../../src/protocol/terminalView';
import type { ToolCallView, CommandOutputView } from '../../src/protocol/toolCallView';
import { isActive } from './toolStatus';

/**
 * Shows text of a command as a terminal shows it.
 * @param last what was shown of the same call before: a line that is the same keeps its row
 */
export function outputTerminal(view: ToolCallView, terminalId: string, output: CommandOutputView, last: TerminalView | undefined): TerminalView {
  const diff = new DiffColors();
  const rows = output.lines.map((text, i): TerminalRow => {
    const old = last?.rows[i + output.firstLine - last.firstRow];
    const classes = diff.of(text);
    if (old?.[0]?.text === text && old[0].classes === classes) return old;
    return [classes === undefined ? { text } : { text, classes }];
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

/** Finds a unified diff among lines and gives it the colors that git uses in a terminal. */
class DiffColors {
  /** Lines of both sides that are still to come in the hunk. */
  #old = 0;
  #new = 0;
  #isHead = false;

  /** @param line the next one @returns names as in `TerminalRun` */
  of(line: string): string | undefined {
    if (this.#old > 0 || this.#new > 0) {
      const sign = line[0];
      if (sign === '\\') return undefined;
      if (sign !== '+') this.#old--;
      if (sign !== '-') this.#new--;
      return sign === '+' ? 'fg-2' : sign === '-' ? 'fg-1' : undefined;
    }
    const [range, oldLines = '1', newLines = '1'] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (range !== undefined) {
      this.#isHead = false;
      this.#old = Number(oldLines);
      this.#new = Number(newLines);
      return 'fg-6';
    }
    // Other lines look like a heading only between this one and the first hunk.
    this.#isHead = line.startsWith('diff --git ') || (this.#isHead && /^(?:index |--- |\+\+\+ |(?:old|new|deleted file|new file) mode |similarity |rename |copy |Binary files )/.test(line));
    return this.#isHead ? 'b' : undefined;
  }
}
